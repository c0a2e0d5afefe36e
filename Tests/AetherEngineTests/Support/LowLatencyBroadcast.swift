import AetherCore
import AetherTestSupport
import Foundation
import Synchronization

/// A broadcast of low latency: fragments of 0.512 s that are parts, four of them a segment, video and audio apart. A part is made when somebody
/// waits for it, and the clock is moved on, so that a request that would be held back is answered at once.
final class LowLatencyBroadcast: Sendable {
    struct Options: Sendable {
        /// Parts that are made before anybody asks.
        var made = 10
        var blocks = true, skips = true, hints = true, reports = true
        /// Parts lie in the files of their segments.
        var inSegments = false
    }
    struct Track: Sendable {
        let name: String
        let head: [UInt8]
        let parts: [[UInt8]]
    }
    /// 16 frames at 31.25 a second, 24 packets of audio.
    static let partSeconds = 0.512, partsOfSegment = 4, framesOfPart = 16
    let time = ManualTime()
    let tracks: [Track]
    let count: Int
    private let options: Options
    private let made: Mutex<Int>
    private let polls = Mutex(0)

    init(_ options: Options) throws {
        let folder = try TemporaryFolder()
        tracks = try [
            (
                "v", "testsrc2=s=96x64:r=125/4:d=12.288",
                ["-c:v", "libx264", "-preset", "ultrafast", "-g", "64", "-keyint_min", "64", "-sc_threshold", "0", "-bf", "0"]
            ),
            ("a", "sine=f=440:r=48000:d=12.288", ["-c:a", "aac"]),
        ].map { name, input, codec in
            let file = folder.path("\(name).mp4")
            let flags = ["-frag_duration", "512000", "-movflags", "empty_moov+default_base_moof"]
            let result = try Fixtures.run(
                "ffmpeg", ["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", input] + codec + flags + [file])
            guard result.status == 0 else {
                throw Fixtures.Failure(description: String(decoding: result.errors, as: UTF8.self))
            }
            let (head, parts) = Self.fragments(Array(try Data(contentsOf: URL(filePath: file))))
            return Track(name: name, head: head, parts: parts)
        }
        count = tracks.map(\.parts.count).min() ?? 0
        self.options = options
        made = Mutex(options.made)
    }

    /// The boxes before the first fragment, and the fragments.
    private static func fragments(_ bytes: [UInt8]) -> (head: [UInt8], parts: [[UInt8]]) {
        var head: [UInt8] = [], parts: [[UInt8]] = [], offset = 0
        while offset + 8 <= bytes.count {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let kind = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            let box = Array(bytes[offset..<offset + size])
            switch kind {
            case "moof": parts.append(box)
            case "mdat": parts[parts.count - 1] += box
            case "ftyp", "moov": head += box
            default: break
            }
            offset += size
        }
        return (head, parts)
    }

    /// Waits, as a server does, until so many parts are made.
    private func wait(for number: Int) {
        made.withLock { made in
            let wanted = min(number, count)
            guard wanted > made else { return }
            time.advance(by: .seconds(Double(wanted - made) * Self.partSeconds))
            made = wanted
        }
    }

    /// A part; one that was announced is waited for, another one is not there.
    func part(_ track: Track, _ number: Int) -> [UInt8]? {
        guard number <= made.withLock({ $0 }) else { return nil }
        wait(for: number + 1)
        return track.parts[number]
    }

    /// The playlist of a track, with the directives of the request.
    func playlist(_ track: Track, _ target: String) -> [UInt8] {
        let query = target.split(separator: "?").dropFirst().first ?? ""
        var directives: [Substring: Substring] = [:]
        for pair in query.split(separator: "&") {
            let words = pair.split(separator: "=")
            if words.count == 2 { directives[words[0]] = words[1] }
        }
        if options.blocks, let number = directives["_HLS_msn"].flatMap({ Int($0) }) {
            let part = directives["_HLS_part"].flatMap { Int($0) } ?? Self.partsOfSegment - 1
            wait(for: number * Self.partsOfSegment + part + 1)
        } else {
            // Time passes between requests that are not held back; the first of each list are together.
            let isFirst = polls.withLock { polls in
                polls += 1
                return polls <= tracks.count
            }
            wait(for: made.withLock { $0 } + (isFirst ? 0 : 1))
        }
        return Array(text(track, skips: directives["_HLS_skip"] == "YES").utf8)
    }

    private func text(_ track: Track, skips: Bool) -> String {
        let made = made.withLock { $0 }, whole = made / Self.partsOfSegment, isOver = made == count, name = track.name
        var lines = [
            "#EXTM3U", "#EXT-X-TARGETDURATION:2", "#EXT-X-PART-INF:PART-TARGET=0.512",
            "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=\(options.blocks ? "YES" : "NO"),PART-HOLD-BACK=1.536"
                + (options.skips ? ",CAN-SKIP-UNTIL=12.288" : ""),
        ]
        var first = 0
        if skips, options.skips, whole > 2 {
            lines.append("#EXT-X-SKIP:SKIPPED-SEGMENTS=\(whole - 2)")
            first = whole - 2
        } else {
            lines.append("#EXT-X-MAP:URI=\"\(name)_init.mp4\"")
        }
        for segment in first...whole {
            var offset = 0
            for number in segment * Self.partsOfSegment..<min(made, (segment + 1) * Self.partsOfSegment)
            where segment >= whole - 2 {
                let size = track.parts[number].count
                let place =
                    options.inSegments
                    ? "URI=\"\(name)_s\(segment).mp4\",BYTERANGE=\"\(size)@\(offset)\"" : "URI=\"\(name)_p\(number).mp4\""
                let isFirst = number % Self.partsOfSegment == 0
                lines.append("#EXT-X-PART:DURATION=0.512,\(place)\(isFirst ? ",INDEPENDENT=YES" : "")")
                offset += size
            }
            if segment < whole { lines += ["#EXTINF:2.048,", "\(name)_s\(segment).mp4"] }
        }
        if isOver {
            if made % Self.partsOfSegment > 0 {
                lines += ["#EXTINF:\(Double(made % Self.partsOfSegment) * Self.partSeconds),", "\(name)_s\(whole).mp4"]
            }
            lines.append("#EXT-X-ENDLIST")
        } else {
            if options.hints, !options.inSegments { lines.append("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(name)_p\(made).mp4\"") }
            if options.reports {
                let other = name == "v" ? "a" : "v", last = made - 1
                lines.append(
                    "#EXT-X-RENDITION-REPORT:URI=\"\(other).m3u8\",LAST-MSN=\(last / Self.partsOfSegment),LAST-PART=\(last % Self.partsOfSegment)"
                )
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A server for it, at "/m.m3u8".
    func origin() throws -> TestOrigin {
        let master = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Sine",DEFAULT=YES,URI="a.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=96x64,CODECS="avc1.42c00a,mp4a.40.2",AUDIO="a"
            v.m3u8

            """
        var files: [String: TestOrigin.Content] = ["/m.m3u8": .bytes(Array(master.utf8))]
        for track in tracks {
            files["/\(track.name).m3u8"] = .made { [self] in playlist(track, $0) }
            files["/\(track.name)_init.mp4"] = .bytes(track.head)
            for number in 0..<count { files["/\(track.name)_p\(number).mp4"] = .made { [self] _ in part(track, number) } }
            for segment in 0...(count - 1) / Self.partsOfSegment {
                let own = track.parts.dropFirst(segment * Self.partsOfSegment).prefix(Self.partsOfSegment)
                files["/\(track.name)_s\(segment).mp4"] = .bytes(Array(own.joined()))
            }
        }
        return try TestOrigin(files)
    }
}
