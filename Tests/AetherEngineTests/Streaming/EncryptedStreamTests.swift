import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Encrypted media with a key plays as the clear one does, byte for byte.
@Suite struct EncryptedStreamTests {
    private static let key = (0..<16).map { UInt8($0 * 11 + 1) }
    private static func cipher(_ kind: VideoCipher.Kind, _ number: UInt8 = 0) -> VideoCipher {
        VideoCipher(kind: kind, key: key.map { $0 &+ number }, id: (0..<16).map { UInt8($0) &+ 16 &* (number + 1) })
    }

    private static func keys(_ ciphers: VideoCipher...) throws -> ContentKeys { try keys(ciphers) }

    private static func keys(_ ciphers: [VideoCipher]) throws -> ContentKeys {
        var keys = ContentKeys()
        for cipher in ciphers {
            let isGood = keys.add(cipher.words)
            #expect(isGood)
        }
        return keys
    }

    /// Encrypts all fragments of a film whose names begin so.
    private func encrypt(_ film: SegmentedVideo, heads: String, segments: String, isVideo: Bool, _ cipher: VideoCipher) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: film.folder.url.path) {
            let url = URL(filePath: film.path(name)), bytes = Array(try Data(contentsOf: url))
            if name.hasPrefix(heads) { try Data(cipher.head(bytes)).write(to: url) }
            if name.hasPrefix(segments) { try Data(cipher.segment(bytes, isVideo: isVideo)).write(to: url) }
        }
    }

    private func protection(_ cipher: VideoCipher, _ scheme: String = "urn:mpeg:dash:mp4protection:2011", _ inner: String = "")
        -> String
    {
        "<ContentProtection schemeIdUri=\"\(scheme)\" value=\"\(cipher.kind.rawValue)\" xmlns:cenc=\"urn:mpeg:cenc:2013\" "
            + "cenc:default_KID=\"\(cipher.keyName)\">\(inner)</ContentProtection>"
    }

    @Test(arguments: VideoCipher.Kind.allCases) func commonEncryptionPlaysWithKeysOfTheCommandLine(_ kind: VideoCipher.Kind)
        throws
    {
        let film = try SegmentedVideo(.dashTimeline), clear = try Payloads(.file(film.path("m.mpd")))
        let video = Self.cipher(kind), audio = Self.cipher(kind, 1)
        try encrypt(film, heads: "init-stream0", segments: "chunk-stream0", isVideo: true, video)
        try encrypt(film, heads: "init-stream1", segments: "chunk-stream1", isVideo: false, audio)
        let widevine = "urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"
        try film.rewrite("m.mpd") { text in
            var number = 0
            return text.components(separatedBy: "<Representation ").reduce("") { text, part in
                defer { number += 1 }
                let cipher = number == 1 ? video : audio
                return number == 0 ? part : text + protection(cipher) + protection(cipher, widevine) + "<Representation " + part
            }
        }
        #expect(try Payloads(.file(film.path("m.mpd")), try Self.keys(video, audio)) == clear)
        // Not a word of the key anywhere.
        let one = try Self.keys(video)
        #expect("\(one)" == "1 keys" && String(reflecting: one) == "1 keys" && Mirror(reflecting: one).children.isEmpty)
        let refused = #expect(throws: MediaError.self) { try Payloads(.file(film.path("m.mpd"))) }
        #expect(refused?.reason.contains("Widevine") == true && refused?.code == .unsupported)
        let other = #expect(throws: MediaError.self) { try Payloads(.file(film.path("m.mpd")), try Self.keys(audio)) }
        #expect(other?.reason.contains(video.keyName) == true && other?.code == .unsupported, "\(String(describing: other))")
    }

    @Test(arguments: [true, false]) func aLicenceThatTheManifestNamesBringsTheKey(_ isServed: Bool) throws {
        let film = try SegmentedVideo(.dashNumbers), clear = try Payloads(.file(film.path("m.mpd")))
        let cipher = Self.cipher(.cbcs)
        try encrypt(film, heads: "init-stream0", segments: "chunk-stream0", isVideo: true, cipher)
        let text = { (bytes: [UInt8]) in
            Data(bytes).base64EncodedString().replacingOccurrences(of: "=", with: "").replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_")
        }
        let licence =
            "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"\(text(cipher.id))\",\"k\":\"\(text(cipher.key))\"}],\"type\":\"temporary\"}"
        try Data(licence.utf8).write(to: URL(filePath: film.path("licence.json")))
        let place = isServed ? "licence.json" : "data:application/json;base64,\(Data(licence.utf8).base64EncodedString())"
        let scheme = "urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e"
        try film.rewrite("m.mpd") { text in
            let words =
                protection(cipher)
                + protection(cipher, scheme, "<dashif:Laurl xmlns:dashif=\"https://dashif.org/CPS\">\(place)</dashif:Laurl>")
            guard let first = text.range(of: "<Representation ") else { return text }
            return text.replacingCharacters(in: first, with: words + "<Representation ")
        }
        let origin = try film.origin()
        #expect(try Payloads(.url(origin.address + "/m.mpd")) == clear)
        let asked = origin.requests.filter { $0.target == "/licence.json" }
        #expect(asked.map(\.method) == (isServed ? ["POST"] : []), "\(asked.map(\.method))")
        // Without the licence the key's name is said.
        try film.rewrite("m.mpd") { $0.replacingOccurrences(of: place, with: "") }
        let error = #expect(throws: MediaError.self) { try Payloads(.file(film.path("m.mpd"))) }
        #expect(error?.reason.contains(cipher.keyName) == true)
    }

    @Test(arguments: VideoCipher.Kind.allCases) func eachSegmentMayHaveAKeyOfItsOwn(_ kind: VideoCipher.Kind) throws {
        let film = try SegmentedVideo(.dashTimeline), clear = try Payloads(.file(film.path("m.mpd")))
        let ciphers = (0...4).map { Self.cipher(kind, UInt8($0)) }
        for name in try FileManager.default.contentsOfDirectory(atPath: film.folder.url.path) {
            let url = URL(filePath: film.path(name)), bytes = Array(try Data(contentsOf: url))
            if name.hasPrefix("init-stream0") { try Data(ciphers[0].head(bytes)).write(to: url) }
            if name.hasPrefix("chunk-stream0"), let number = Int(name.dropFirst(14).prefix(5)) {
                try Data(ciphers[0].segment(bytes, isVideo: true, group: ciphers[number])).write(to: url)
            }
        }
        var keys = try Self.keys(ciphers)
        #expect(try Payloads(.file(film.path("m.mpd")), keys) == clear)
        // Without the third one it ends there, and says so.
        keys = try Self.keys(ciphers[0], ciphers[1], ciphers[2])
        let error = #expect(throws: MediaError.self) { try Payloads(.file(film.path("m.mpd")), keys) }
        #expect(error?.reason.contains(ciphers[3].keyName) == true)
    }

    @Test func fragmentsOfHLSPlayWithTheKeyOfThePlaylist() throws {
        let film = try SegmentedVideo(.fragments), clear = try Payloads(.file(film.path("master.m3u8")))
        let cipher = Self.cipher(.cbcs)
        try encrypt(film, heads: "i0", segments: "s0_", isVideo: true, cipher)
        try encrypt(film, heads: "i1", segments: "s1_", isVideo: false, cipher)
        try Data(cipher.key).write(to: URL(filePath: film.path("k")))
        for list in ["l0.m3u8", "l1.m3u8"] {
            try film.rewrite(list) {
                $0.replacingOccurrences(of: "#EXT-X-MAP", with: "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXT-X-MAP")
            }
        }
        #expect(try Payloads(.file(film.path("master.m3u8"))) == clear)
    }

    @Test(arguments: ["aac", "ac3", "eac3"], [true, false])
    func framesOfTransportStreamsPlayWithTheKeyOfThePlaylist(_ codec: String, _ hasVector: Bool) throws {
        let folder = try TemporaryFolder()
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-hide_banner", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=192x128:r=25:d=4", "-f",
                "lavfi", "-i",
                "sine=f=440:r=48000:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2", "-c:a", codec, "-f",
                "hls",
                "-hls_time", "1", "-hls_playlist_type", "vod", "-hls_segment_filename", folder.path("s%d.ts"),
                folder.path("l.m3u8"),
            ])
        #expect(made.status == 0)
        let clear = try Payloads(.file(folder.path("l.m3u8")))
        // From FFmpeg 6.1 on its reader tells no durations of encrypted E-AC-3, and so no times within a PES packet: of it bytes alone are compared.
        let hasTimes = codec != "eac3"
        let video = try sums(folder.path("l.m3u8"), "v"), audio = try sums(folder.path("l.m3u8"), "a", hasTimes: hasTimes)
        let vector = (0..<16).map { UInt8($0 * 5 + 2) }
        for number in 0..<4 {
            let url = URL(filePath: folder.path("s\(number).ts"))
            let own = hasVector ? vector : [UInt8](repeating: 0, count: 15) + [UInt8(number)]
            let bytes = TransportCipher(key: Self.key, vector: own).segment(Array(try Data(contentsOf: url)))
            try Data(bytes).write(to: url)
        }
        try Data(Self.key).write(to: URL(filePath: folder.path("k")))
        let iv = hasVector ? ",IV=0x" + vector.map { String(format: "%02x", $0) }.joined() : ""
        let list = try String(contentsOfFile: folder.path("l.m3u8"), encoding: .utf8)
        guard let first = list.range(of: "#EXTINF") else { return }
        let tag = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\(iv)\n#EXTINF"
        try Data(list.replacingCharacters(in: first, with: tag).utf8).write(to: URL(filePath: folder.path("l.m3u8")))
        // Another reader of the format agrees with what is encrypted here.
        if hasVector {
            #expect(try sums(folder.path("l.m3u8"), "v") == video && video.count == 98)
            let read = try sums(folder.path("l.m3u8"), "a", hasTimes: hasTimes)
            let differing = zip(read, audio).count { $0 != $1 }
            #expect(read == audio && read.count > 100, "\(read.count) packets of \(audio.count), \(differing) differ")
        }
        #expect(try Payloads(.file(folder.path("l.m3u8"))) == clear)
    }

    @Test(arguments: [SegmentCipher.aes128, .aes256, .aes256Counter], [true, false])
    func wholeSegmentsPlayWithTheKeyOfThePlaylist(_ cipher: SegmentCipher, _ hasVector: Bool) throws {
        let film = try SegmentedVideo(.muxedLadder), clear = try Payloads(.file(film.path("l0.m3u8")))
        let keys = (0..<2).map { turn in (0..<cipher.keyLength).map { UInt8($0 * 7 + turn) } }
        // The lower half of the counter overflows.
        let vector = [UInt8](repeating: 1, count: 8) + [UInt8](repeating: 0xFF, count: 7) + [0xF0]
        for number in 0..<4 {
            let url = URL(filePath: film.path("s0_\(number).ts")), own = [UInt8](repeating: 0, count: 15) + [UInt8(number)]
            let aes = TestAES(keys[number / 2]), bytes = Array(try Data(contentsOf: url))
            let hidden = aes.whole(bytes, vector: hasVector ? vector : own, isCounter: cipher == .aes256Counter)
            #expect(hidden.count == (cipher == .aes256Counter ? bytes.count : bytes.count / 16 * 16 + 16))
            try Data(hidden).write(to: url)
        }
        for (number, key) in keys.enumerated() { try Data(key).write(to: URL(filePath: film.path("k\(number).bin"))) }
        let iv = hasVector ? ",IV=0x" + vector.map { String(format: "%02x", $0) }.joined() : ""
        try film.rewrite("l0.m3u8") { text in
            var number = 0
            return text.split(separator: "\n").map { line -> String in
                guard line.hasPrefix("#EXTINF") else { return String(line) }
                defer { number += 1 }
                let tag = "#EXT-X-KEY:METHOD=\(cipher.rawValue),URI=\"k\(number / 2).bin\"\(iv)\n"
                return number % 2 == 0 ? tag + line : String(line)
            }.joined(separator: "\n") + "\n"
        }
        let origin = try film.origin()
        #expect(try Payloads(.url(origin.address + "/l0.m3u8")) == clear)
        #expect(origin.requests.count { $0.target.hasPrefix("/k") } == 2, "each key once")
        // Of another file, and of none.
        for name in ["k0.bin", "k1.bin"] { try Data(keys[0].reversed()).write(to: URL(filePath: film.path(name))) }
        let wrong = #expect(throws: MediaError.self) { try Payloads(.file(film.path("l0.m3u8"))) }
        #expect(wrong?.reason.contains("the key that the playlist names does not fit") == true, "\(String(describing: wrong))")
        let text = try String(contentsOfFile: film.path("l0.m3u8"), encoding: .utf8)
        try film.write("none.m3u8", text.replacingOccurrences(of: "URI=\"k", with: "URI=\"none"))
        let without = try film.origin()
        let missing = #expect(throws: MediaError.self) { try Payloads(.url(without.address + "/none.m3u8")) }
        let words = "the server says 404: no such file (the key that decrypts the media); check the address"
        #expect(missing?.reason.contains(words) == true, "\(String(describing: missing))")
        // Of another length.
        for name in ["k0.bin", "k1.bin"] { try Data(keys[0].dropLast()).write(to: URL(filePath: film.path(name))) }
        let error = #expect(throws: MediaError.self) { try Payloads(.file(film.path("l0.m3u8"))) }
        let length = "\(cipher.keyLength - 1) bytes instead of \(cipher.keyLength)"
        #expect(error?.reason.contains(length) == true, "\(String(describing: error))")
    }

    /// By its name.
    @Test func aCipherThatIsNotKnownIsRefused() throws {
        let film = try SegmentedVideo(.ciphered)
        try film.rewrite("master.m3u8") { $0.replacingOccurrences(of: "METHOD=AES-128", with: "METHOD=AES-256-GCM") }
        let error = #expect(throws: MediaError.self) { try Payloads(.file(film.path("master.m3u8"))) }
        #expect(error?.reason.contains("AES-256-GCM") == true && error?.reason.contains("not known") == true)
    }

    @Test func rawAudioPlaysWithTheKeyOfThePlaylist() throws {
        let folder = try TemporaryFolder()
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-hide_banner", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=2", "-c:a", "aac",
                folder.path("a.aac"),
            ])
        #expect(made.status == 0)
        let list = { (key: String) in
            Data("#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(key)#EXTINF:2,\na.aac\n#EXT-X-ENDLIST\n".utf8)
        }
        try list("").write(to: URL(filePath: folder.path("l.m3u8")))
        let clear = try Payloads(.file(folder.path("l.m3u8")))
        let url = URL(filePath: folder.path("a.aac")), vector = [UInt8](repeating: 9, count: 16)
        let bytes = TransportCipher(key: Self.key, vector: vector).audio(Array(try Data(contentsOf: url)), 0x0F)
        try Data(bytes).write(to: url)
        try Data(Self.key).write(to: URL(filePath: folder.path("k")))
        try list("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\",IV=0x\(String(repeating: "09", count: 16))\n").write(
            to: URL(filePath: folder.path("l.m3u8")))
        #expect(try Payloads(.file(folder.path("l.m3u8"))) == clear)
        #expect(clear.audio.count > 90)
    }

    // MARK: - Files

    /// The packets of a file by stream and time, read in three goes: from the middle, from the end, from the start.
    private func packets(_ path: String, _ keys: ContentKeys) throws -> [Int: [Int64: [UInt8]]] {
        var options = OpenOptions()
        options.keys = keys
        var demuxer = try Demuxer(.reader(try FileReader(path: path), name: "clip"), options: options, interrupt: Interrupt())
        let video = try #require(demuxer.info.streams.first { $0.kind == .video }?.index)
        var found: [Int: [Int64: [UInt8]]] = [:]
        for start in [1.5, 3.2, 0] {
            try demuxer.seek(to: demuxer.info.startTime + .seconds(start), stream: video)
            while true {
                do throws(MediaError) {
                    let packet = try demuxer.read(epoch: Epoch())
                    let time = packet.dtsTicks ?? 0, bytes = packet.bytes(limit: .max)
                    let known = found[packet.stream.number, default: [:]].updateValue(bytes, forKey: time)
                    #expect(known == nil || known == bytes, "the same packet at each time")
                    // The second go ends early: the rest is jumped over.
                    if start == 3.2, found[video]?.count ?? 0 > 70 { break }
                } catch {
                    if error.code != .endOfMedia { throw error }
                    break
                }
            }
        }
        return found
    }

    @Test func aFileWithoutFragmentsPlaysWithItsKey() throws {
        let folder = try TemporaryFolder(), cipher = Self.cipher(.cenc)
        let input = [
            "-hide_banner", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=4", "-f", "lavfi",
            "-i",
            "sine=f=440:r=48000:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac",
        ]
        let words = cipher.words.split(separator: ":")
        let hidden = ["-encryption_scheme", "cenc-aes-ctr", "-encryption_kid", "\(words[0])", "-encryption_key", "\(words[1])"]
        for (name, own) in [("clear.mp4", []), ("hidden.mp4", hidden), ("first.mp4", hidden + ["-movflags", "+faststart"])] {
            #expect(try Fixtures.run("ffmpeg", input + own + [folder.path(name)]).status == 0)
        }
        let clear = try packets(folder.path("clear.mp4"), ContentKeys())
        #expect(clear[0]?.count == 100 && clear[1]?.count ?? 0 > 180)
        #expect(try packets(folder.path("hidden.mp4"), Self.keys(cipher)) == clear)
        #expect(try packets(folder.path("first.mp4"), Self.keys(cipher)) == clear)
        let error = #expect(throws: MediaError.self) { try packets(folder.path("hidden.mp4"), ContentKeys()) }
        #expect(error?.code == .unsupported && error?.reason.contains(cipher.keyName) == true, "\(String(describing: error))")
        let other = #expect(throws: MediaError.self) { try packets(folder.path("hidden.mp4"), Self.keys(Self.cipher(.cenc, 3))) }
        #expect(other?.code == .unsupported && other?.reason.contains(cipher.keyName) == true, "\(String(describing: other))")
    }

    @Test(arguments: VideoCipher.Kind.allCases) func aFileOfFragmentsPlaysWithItsKey(_ kind: VideoCipher.Kind) throws {
        let film = try SegmentedVideo(.fragments), cipher = Self.cipher(kind)
        let names = ["i0.mp4"] + (0..<4).map { "s0_\($0).m4s" }
        let pieces = try names.map { Array(try Data(contentsOf: URL(filePath: film.path($0)))) }
        try Data(pieces.joined()).write(to: URL(filePath: film.path("clear.mp4")))
        let hidden = [cipher.head(pieces[0])] + pieces.dropFirst().map { cipher.segment($0, isVideo: true) }
        try Data(hidden.joined()).write(to: URL(filePath: film.path("hidden.mp4")))
        let clear = try packets(film.path("clear.mp4"), ContentKeys())
        #expect(clear[0]?.count == 100)
        #expect(try packets(film.path("hidden.mp4"), Self.keys(cipher)) == clear)
        let error = #expect(throws: MediaError.self) { try packets(film.path("hidden.mp4"), ContentKeys()) }
        #expect(error?.code == .unsupported && error?.reason.contains(cipher.keyName) == true, "\(String(describing: error))")
        // Nothing of it can be played: it has not broken off midway.
        let source = try ContainerSource(
            .reader(try FileReader(path: film.path("hidden.mp4")), name: "clip"), options: OpenOptions(), interrupt: Interrupt())
        source.select(Set(source.description.info.streams.map(\.id)))
        let refusal = #expect(throws: MediaError.self) { while true { _ = try source.read(run: Epoch()) } }
        #expect(refusal?.code == .unsupported && refusal?.operation == "play", "\(String(describing: refusal))")
        // ffmpeg's own reader agrees with what is encrypted here, in the one fragment that it can decrypt.
        try Data((pieces[0] + pieces[1])).write(to: URL(filePath: film.path("clear1.mp4")))
        try Data(hidden[0] + hidden[1]).write(to: URL(filePath: film.path("hidden1.mp4")))
        let key = ["-decryption_key", "\(cipher.words.split(separator: ":")[1])"]
        let frames = try [("clear1.mp4", []), ("hidden1.mp4", key)].map { name, own in
            try Fixtures.run(
                "ffmpeg",
                ["-hide_banner", "-loglevel", "error", "-nostdin"] + own + ["-i", film.path(name), "-f", "framemd5", "-"]
            ).output
        }
        #expect(frames[0] == frames[1] && frames[0].count > 1000)
    }

    /// The packets by ffmpeg's own reader, which does not decrypt the last two frames of the video: a line each, of times, size, sum of the
    /// bytes and what lies beside them.
    private func sums(_ path: String, _ stream: String, hasTimes: Bool = true) throws -> [String] {
        let result = try Fixtures.run(
            "ffmpeg",
            [
                "-hide_banner", "-loglevel", "error", "-nostdin", "-allowed_extensions", "ALL", "-i", path, "-map", "0:\(stream)",
                "-c",
                "copy", "-f", "framecrc", "-",
            ])
        #expect(result.status == 0)
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return lines.dropLast(2).map { $0.split(separator: ",").dropFirst(hasTimes ? 0 : 4).joined(separator: ",") }
    }
}

/// All packets of a stream, with their bytes.
struct Payloads: Equatable {
    var video: [MediaTime?: [UInt8]] = [:]
    var audio: [[UInt8]] = []

    init(_ location: MediaLocation, _ keys: ContentKeys = ContentKeys()) throws {
        let source = try StreamReading.open(location, keys: keys), streams = source.description.info.streams
        let video = streams.first { $0.kind == .video }?.id, audio = streams.first { $0.kind == .audio }?.id
        source.select(Set([video, audio].compactMap { $0 }))
        while true {
            do throws(MediaError) {
                let event = try source.read(run: Epoch())
                if case .end(_, let error?) = event { throw error }
                guard case .packet(let packet) = event else { continue }
                let bytes = packet.bytes(limit: .max)
                if packet.stream == video { self.video[packet.pts] = bytes } else { self.audio.append(bytes) }
            } catch {
                if error.code == .endOfMedia { break }
                throw error
            }
        }
    }
}
