import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Films behind http: the packets of the local file, in as few requests as the container allows.
@Suite struct WebVideoTests {
    /// 16 MB, all key frames: larger than what readers keep of heads and rings together.
    private static let large = [
        "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=12", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=12", "-c:v", "mjpeg",
        "-q:v",
        "2", "-c:a", "mp3",
    ]

    private func film(_ ext: String) throws -> String {
        // MPEG-TS has no MJPEG.
        let video = ext == "ts" ? ["-c:v", "mpeg2video", "-qscale:v", "1", "-g", "12", "-maxrate", "90M", "-bufsize", "90M"] : []
        return try Fixtures.clip(Self.large + video, ext: ext)
    }

    private struct Digest: Equatable {
        var count = 0
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325

        mutating func add(_ packet: Packet) {
            count += 1
            for byte in packet.bytes(limit: .max) + [UInt8(truncatingIfNeeded: packet.stream.number)] {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
            hash = (hash ^ UInt64(bitPattern: packet.ptsTicks ?? -1)) &* 0x100_0000_01b3
        }
    }

    /// Every `step`-th packet's bytes: debug builds hash slowly.
    private func digest(_ input: MediaInput, step: Int = 7) throws -> Digest {
        var demuxer = try Demuxer(input, interrupt: Interrupt())
        var digest = Digest(), number = 0
        while true {
            do throws(MediaError) {
                let packet = try demuxer.read(epoch: Epoch())
                if number % step == 0 { digest.add(packet) }
                number += 1
            } catch {
                if error.code == .endOfMedia { return digest }
                throw error
            }
        }
    }

    private func local(_ path: String) throws -> MediaInput { try MediaInput(.location(.file(path)), interrupt: Interrupt()) }

    private func web(_ origin: TestOrigin, _ path: String) throws -> MediaInput {
        var options = HTTPOptions()
        options.userAgent = "aether-tui"
        return try MediaInput(.location(.url(origin.address + path)), http: options, interrupt: Interrupt())
    }

    @Test(arguments: [("mkv", 1), ("mp4", 2), ("ts", 3), ("avi", 2)])
    func aVideoIsTheLocalVideoInFewRequests(_ ext: String, _ limit: Int) throws {
        let path = try film(ext)
        let origin = try TestOrigin(["/film": .file(path)])
        let expected = try digest(local(path))
        #expect(try digest(web(origin, "/film")) == expected && expected.count > 50)
        #expect(origin.requests.count <= limit, "\(origin.requests.map { $0.offset ?? -1 })")
    }

    @Test(arguments: ["drop=3000000", "drop=3000000,etag=a", "norange", "chunked", "whole", "fail=503:1", "redir=2"])
    func aServerThatMisbehavesCostsNoPacket(_ fault: String) throws {
        let path = try film("mkv")
        let origin = try TestOrigin(["/film": .file(path)])
        #expect(try digest(web(origin, "/~\(fault)/film")) == digest(local(path)))
    }

    /// The bytes behind the media are read first, and then all of the file once more.
    @Test func aVideoWithItsIndexAtTheEndPlaysFromAServerWithoutParts() throws {
        let path = try film("mp4")
        let origin = try TestOrigin(["/film": .file(path)])
        let input = try web(origin, "/~norange/film")
        #expect(try digest(input) == digest(local(path)))
        #expect(origin.requests.count <= 3, "\(origin.requests.count)")
    }

    /// A link that drops again and again, counted in bytes: each time playing goes on at the byte, and the retries never add up to an end.
    @Test func aLinkThatDropsAllTheTimeCostsNoPacket() throws {
        let path = try film("mkv")
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        let origin = try TestOrigin(["/film": .file(path)])
        #expect(try digest(web(origin, "/~drop=120000,etag=a/film")) == digest(local(path)))
        let offsets = origin.requests.compactMap(\.offset)
        #expect(offsets.count >= size / 120_000 && size / 120_000 > 50)
        // Nothing was skipped, and no more than a transfer's rest was asked for twice.
        let sent = origin.requests.reduce(0) { $0 + $1.sent }
        #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $1 <= $0 + 120_000 } && sent <= size + 2 * 120_000, "\(sent)")
    }

    @Test func aSeekInMatroskaIsOneRequestAfterItsIndex() throws {
        let path = try film("mkv")
        let origin = try TestOrigin(["/film": .file(path)])
        var demuxer = try Demuxer(web(origin, "/film"), interrupt: Interrupt())
        let opening = origin.requests.count
        #expect(opening == 1)
        var counts: [Int] = []
        let start = demuxer.info.startTime
        for second in [10.0, 2, 8, 4] {
            try demuxer.seek(to: start + .seconds(second), stream: 0)
            let time = try demuxer.read(epoch: Epoch()).pts ?? start
            #expect(abs((time - start).seconds - second) < 0.2)
            counts.append(origin.requests.count)
        }
        // The index once, then the place; what lies in a ring or a tail needs none.
        #expect(counts[0] <= 3 && zip(counts, counts.dropFirst()).allSatisfy { $1 - $0 <= 1 }, "\(counts)")
    }

    @Test func aPlaylistIsOpenedWithItsFiles() throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-c:v", "libx264", "-preset", "ultrafast"], ext: "ts")
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfilm.ts\n#EXT-X-ENDLIST\n"
        let origin = try TestOrigin(["/list.m3u8": .bytes(Array(list.utf8)), "/film.ts": .file(path)])
        #expect(try digest(web(origin, "/list.m3u8"), step: 1).count == digest(local(path), step: 1).count)
        #expect(origin.requests.contains { $0.target == "/film.ts" })
    }

    private static let short = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-c:v", "libx264", "-preset", "ultrafast"]

    @Test func aPlaylistOfPartsOfOneFileIsReadByOurselves() throws {
        let path = try Fixtures.clip(Self.short, ext: "ts")
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        // Packets of 188 bytes.
        let half = bytes.count / 376 * 188
        let list =
            "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n#EXT-X-BYTERANGE:\(half)@0\nfilm.ts\n"
            + "#EXTINF:1,\n#EXT-X-BYTERANGE:\(bytes.count - half)@\(half)\nfilm.ts\n#EXT-X-ENDLIST\n"
        let origin = try TestOrigin(["/list.m3u8": .bytes(Array(list.utf8)), "/film.ts": .bytes(bytes)])
        #expect(try digest(web(origin, "/list.m3u8"), step: 1).count == digest(local(path), step: 1).count)
        #expect(origin.requests.allSatisfy { $0.fields["user-agent"] == "aether-tui" })
    }

    @Test func segmentsThatAreCipheredAreDecipheredWithTheKeyOfTheList() throws {
        let path = try Fixtures.clip(Self.short, ext: "ts")
        let folder = try TemporaryFolder()
        let key = Array(UInt8(1)...16), vector = [UInt8](repeating: 7, count: 16)
        func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
        let ciphered = folder.path("ciphered.ts")
        let words = ["enc", "-aes-128-cbc", "-K", hex(key), "-iv", hex(vector), "-in", path, "-out", ciphered]
        try #require(try Fixtures.run("openssl", words).status == 0)
        let list =
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI=\"key\",IV=0x\(hex(vector))\n#EXTINF:2,\nfilm.ts\n#EXT-X-ENDLIST\n"
        let origin = try TestOrigin(["/list.m3u8": .bytes(Array(list.utf8)), "/film.ts": .file(ciphered), "/key": .bytes(key)])
        #expect(try digest(web(origin, "/list.m3u8"), step: 1).count == digest(local(path), step: 1).count)
    }

    @Test(arguments: [
        "file:///etc/passwd", "concat:http://a/b|http://a/c", "pipe:0", "subfile,,start,0,end,9,,:/etc/passwd",
        "ftp://127.0.0.1/x",
    ])
    func aPlaylistNamesNothingOfThisMachine(_ address: String) throws {
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\(address)\n#EXT-X-ENDLIST\n"
        let origin = try TestOrigin(["/list.m3u8": .bytes(Array(list.utf8))])
        #expect(throws: MediaError.self) { try digest(web(origin, "/list.m3u8"), step: 1) }
        #expect(origin.requests.allSatisfy { $0.target == "/list.m3u8" || !$0.target.contains("etc") || $0.status == 404 })
    }

    @Test(arguments: [
        ("/~page/film", MediaError.Code.notMedia, "web page"), ("/none", .cannotOpen, "404"),
        ("/~fail=403/film", .cannotOpen, "403"),
        ("/~gzip/film", .cannotOpen, "makes no sense"),
    ])
    func whatCannotBeOpenedIsSaidInWords(_ path: String, _ code: MediaError.Code, _ words: String) throws {
        let origin = try TestOrigin(["/film": .pattern(1000)])
        let error = #expect(throws: MediaError.self) { try web(origin, path) }
        #expect(error?.code == code && error?.description.contains(words) == true, "\(String(describing: error))")
    }

    /// A demuxer that misses its index calls the file invalid; it is the server that is wrong.
    @Test func anIndexThatTheServerDoesNotGiveIsNoFaultOfTheFile() throws {
        let path = try film("mp4")
        let origin = try TestOrigin(["/film": .file(path)])
        let error = #expect(throws: MediaError.self) {
            _ = try Demuxer(web(origin, "/~badrange=100,whole/film"), interrupt: Interrupt())
        }
        #expect(
            error?.code == .cannotOpen && error?.reason.contains("another part of the file") == true,
            "\(String(describing: error))")
    }

    @Test func aBreakInTheMiddleIsSaidInWords() throws {
        let path = try film("mkv")
        let origin = try TestOrigin(["/film": .file(path)])
        var demuxer = try Demuxer(web(origin, "/~drop=3000000,etag=a,change=2/film"), interrupt: Interrupt())
        var failure: MediaError?
        while failure == nil {
            do throws(MediaError) { _ = try demuxer.read(epoch: Epoch()) } catch { failure = error }
        }
        #expect(failure?.cause == -ESTALE)
        #expect(
            failure?.code == .readFailed && failure?.reason.contains("has changed") == true, "\(String(describing: failure))")
    }

    @Test func anInterruptEndsTheWaitForAServer() throws {
        let origin = try TestOrigin(["/film": .pattern(1000)])
        let interrupt = Interrupt()
        let outcome = Mutex<MediaError.Code?>(nil)
        let url = origin.address + "/~late/film"
        let thread = WorkerThread(name: "web open") {
            do throws(MediaError) {
                _ = try MediaInput(.location(.url(url)), interrupt: interrupt)
            } catch {
                outcome.withLock { $0 = error.code }
            }
        }
        #expect(origin.waitForRequests(1))
        interrupt.raise()
        thread.join()
        #expect(outcome.withLock { $0 } == .interrupted)
    }

    @Test func subtitlesComeFromAServer() throws {
        let text = "1\n00:00:01,000 --> 00:00:02,000\nHello\n"
        let origin = try TestOrigin(["/film.srt": .bytes(Array(text.utf8))])
        let file = SubtitleFile(
            location: .url(origin.address + "/~drop=10,etag=a/film.srt"), formatHint: nil, frameRate: nil, interrupt: Interrupt())
        let streams = try file.read()
        #expect(streams.count == 1 && streams[0].subtitles.count == 1)
    }

    @Test func aFrameBesideTheVideoAsksForItsPlaceAlone() throws {
        let path = try film("mkv")
        let origin = try TestOrigin(["/film": .file(path)])
        let input = try web(origin, "/film")
        var demuxer = try Demuxer(input, interrupt: Interrupt())
        _ = try demuxer.read(epoch: Epoch())
        let before = origin.requests.count
        // A second reader of the same address: what the first knows of the file, it knows.
        var second = try Demuxer(web(origin, "/film"), interrupt: Interrupt())
        try second.seek(to: second.info.startTime + .seconds(9), stream: 0)
        _ = try second.read(epoch: Epoch())
        #expect(origin.requests.count - before <= 3, "\(origin.requests.map { $0.offset ?? -1 })")
        withExtendedLifetime(demuxer.info) {}
    }
}
