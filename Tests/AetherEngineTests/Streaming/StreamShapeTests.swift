import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Odd but legal playlists and servers: what they cost, and that no frame is lost.
@Suite struct StreamShapeTests {
    /// Whatever the round trip is: the first frame behind a seek costs one request for a segment, and nothing beside. The second seek finds init
    /// section, key and playlist.
    @Test(arguments: [SegmentedVideo.Shape.transport, .fragments, .parts, .ladder, .muxedLadder, .ciphered])
    func aSeekCostsOneRequest(_ shape: SegmentedVideo.Shape) throws {
        let film = try SegmentedVideo(shape), origin = try film.origin()
        let source = try StreamReading.open(.url(origin.address + "/" + shape.manifest))
        let video = try #require(source.description.info.streams.first { $0.kind == .video }?.id)
        let start = source.description.info.startTime
        source.select([video])
        for (number, point) in [3.52, 3.0].enumerated() {
            #expect(try source.seek(to: SeekPlan(target: start + .seconds(point), landing: .exact), video: video))
            var first: MediaTime?
            while first == nil { if case .packet(let packet) = try source.read(run: Epoch()) { first = packet.pts } }
            #expect(abs((try #require(first) - start).seconds - 3) < 0.1)
            // What was asked for ahead before may still be on its way: the segment of the target is counted, and that none between is asked for.
            let targets = origin.requests.map { shape == .parts && $0.offset ?? 0 > 0 ? "/3." : $0.target }
            #expect(targets.count { $0.contains("3.") } == number + 1 && !targets.contains { $0.contains("2.") }, "\(targets)")
            #expect(targets.count { !$0.contains("3.") } <= (shape == .fragments ? 5 : 4), "\(targets)")
        }
    }

    /// A list of a day in segments of half a second: none but the first ones are asked for, and its end is one request away.
    @Test func aListOfManySegmentsIsAsNearAsAShortOne() throws {
        let film = try SegmentedVideo(.muxedLadder), count = 200_000
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-PLAYLIST-TYPE:VOD\n"
            + (0..<count).map { "#EXTINF:1,\ns0_\($0 % 4).ts?\($0)\n" }.joined() + "#EXT-X-ENDLIST\n"
        var contents: [String: TestOrigin.Content] = ["/list.m3u8": .bytes(Array(text.utf8))]
        for number in 0..<4 { contents["/s0_\(number).ts"] = .file(film.path("s0_\(number).ts")) }
        let origin = try TestOrigin(contents)
        let source = try StreamReading.open(.url(origin.address + "/list.m3u8"))
        #expect(source.description.info.duration == .seconds(Double(count)))
        #expect(origin.requests.count <= 3, "\(origin.requests.map(\.target))")
        let video = try #require(source.description.info.streams.first { $0.kind == .video }?.id)
        source.select([video])
        let target = source.description.info.startTime + .seconds(Double(count) - 0.5)
        _ = try source.seek(to: SeekPlan(target: target, landing: .exact), video: video)
        while true { if case .packet = try source.read(run: Epoch()) { break } }
        // The list, the first segment and the one ahead of it, and the last one.
        let targets = origin.requests.map(\.target)
        #expect(targets.contains("/s0_3.ts?\(count - 1)") && targets.count <= 4, "\(targets)")
    }

    /// Also the first one, before anything was read.
    @Test(arguments: ["l0.m3u8", "l1.m3u8"]) func aSegmentThatIsRefusedIsTakenFromAnotherRendition(_ list: String) throws {
        let film = try SegmentedVideo(.muxedLadder)
        let name = list == "l0.m3u8" ? "s0_0.ts" : "s1_0.ts"
        let files = try FileManager.default.contentsOfDirectory(atPath: film.folder.url.path)
        var contents = Dictionary(uniqueKeysWithValues: files.map { ("/" + $0, TestOrigin.Content.file(film.path($0))) })
        let text = try String(contentsOfFile: film.path(list), encoding: .utf8)
        contents["/" + list] = .bytes(Array(text.replacingOccurrences(of: name, with: "/~fail=403/\(name)").utf8))
        let origin = try TestOrigin(contents)
        let reading = try StreamReading(.url(origin.address + "/master.m3u8"))
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count)")
        // The same with the address of another server, which does not even answer.
        let dead = TestOrigin.Content.bytes(
            Array(
                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://127.0.0.1:9/a.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(list)\n".utf8
            ))
        contents["/two.m3u8"] = dead
        contents["/" + list] = .bytes(Array(text.utf8))
        let second = try TestOrigin(contents)
        let other = try StreamReading(.url(second.address + "/two.m3u8"))
        #expect(other.hasEveryFrame() && other.damage == 0, "\(other.video.count)")
    }

    /// Tokens in addresses that are good for some answers: the list is asked for once more each time, and no frame is lost.
    @Test(arguments: [2, 1, 0]) func addressesThatHaveExpiredAreAskedForOnceMore(_ good: Int) throws {
        let film = try SegmentedVideo(.muxedLadder), token = Mutex((issue: 0, uses: 0))
        let text = try String(contentsOfFile: film.path("l0.m3u8"), encoding: .utf8)
        var contents: [String: TestOrigin.Content] = [
            "/list.m3u8": .made { _ in
                let issue = token.withLock { token in
                    token = (token.issue + 1, 0)
                    return token.issue
                }
                return Array(text.replacingOccurrences(of: ".ts", with: ".ts?token=\(issue)").utf8)
            }
        ]
        for number in 0..<4 {
            let bytes = Array(try Data(contentsOf: URL(filePath: film.path("s0_\(number).ts"))))
            contents["/s0_\(number).ts"] = .made { target in
                token.withLock { token in
                    token.uses += 1
                    return token.uses <= good && target.hasSuffix("token=\(token.issue)") ? bytes : nil
                }
            }
        }
        let origin = try TestOrigin(contents, missing: 403)
        let lists = { origin.requests.count { $0.target == "/list.m3u8" } }
        if good == 0 {
            // All are refused: once is enough.
            #expect(throws: MediaError.self) { try StreamReading(.url(origin.address + "/list.m3u8")) }
            #expect(lists() == 2, "\(origin.requests.map(\.target))")
            return
        }
        let reading = try StreamReading(.url(origin.address + "/list.m3u8"))
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count) \(origin.requests.map(\.target))")
        #expect((2...4).contains(lists()), "\(origin.requests.map(\.target))")
    }

    /// The same where the address of the list has expired, too: the list of variants names another one.
    @Test func addressesOfListsThatHaveExpiredAreAskedForOnceMore() throws {
        let film = try SegmentedVideo(.muxedLadder), token = Mutex((issue: 0, uses: 0))
        let text = try String(contentsOfFile: film.path("l0.m3u8"), encoding: .utf8)
        var contents: [String: TestOrigin.Content] = [
            "/main.m3u8": .made { _ in
                let issue = token.withLock { token in
                    token = (token.issue + 1, 0)
                    return token.issue
                }
                return Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nl0.m3u8?token=\(issue)\n".utf8)
            },
            "/l0.m3u8": .made { target in
                token.withLock { token in
                    guard token.uses == 0, target.hasSuffix("token=\(token.issue)") else { return nil }
                    return Array(text.replacingOccurrences(of: ".ts", with: ".ts?token=\(token.issue)").utf8)
                }
            },
        ]
        for number in 0..<4 {
            let bytes = Array(try Data(contentsOf: URL(filePath: film.path("s0_\(number).ts"))))
            contents["/s0_\(number).ts"] = .made { target in
                token.withLock { token in
                    token.uses += 1
                    return token.uses <= 2 && target.hasSuffix("token=\(token.issue)") ? bytes : nil
                }
            }
        }
        let origin = try TestOrigin(contents, missing: 403)
        let reading = try StreamReading(.url(origin.address + "/main.m3u8"))
        let targets = origin.requests.map(\.target)
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count) \(targets)")
        #expect((2...4).contains(targets.count { $0 == "/main.m3u8" }), "\(targets)")
    }

    /// An init section stays in force over segments of MPEG-TS, and over fragments behind those.
    @Test(arguments: ["", "#EXT-X-DISCONTINUITY\n"]) func segmentsOfTwoContainersShareAnInitSection(_ border: String) throws {
        let film = try SegmentedVideo(.fragments), other = try SegmentedVideo(.transport)
        for number in 0..<4 {
            try FileManager.default.copyItem(atPath: other.path("s0_\(number).ts"), toPath: film.path("t\(number).ts"))
        }
        let map = "#EXT-X-MAP:URI=\"i0.mp4\"\n"
        for names in [["s0_0.m4s", "t1.ts", "t2.ts", "s0_3.m4s"], ["t0.ts", "s0_1.m4s", "s0_2.m4s", "t3.ts"]] {
            var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n\(map)", former = ""
            for name in names {
                if !former.isEmpty, former.suffix(2) != name.suffix(2) { text += border }
                text += "#EXTINF:1,\n\(name)\n"
                former = name
            }
            try Data((text + "#EXT-X-ENDLIST\n").utf8).write(to: URL(filePath: film.path("mixed.m3u8")))
            let reading = try StreamReading(.file(film.path("mixed.m3u8")))
            #expect(reading.hasEveryFrame() && reading.damage == 0, "\(names) \(reading.video.sorted().map(\.seconds))")
        }
    }

    /// Their clocks are others, by less than a segment's length and without a mark.
    @Test func segmentsOfAnotherContainerHaveAClockOfTheirOwn() throws {
        let film = try SegmentedVideo(.fragments), other = try SegmentedVideo(.transport)
        func join(_ names: [String], _ target: String) throws {
            let bytes = try names.map { try Data(contentsOf: URL(filePath: $0)) }
            try Data(bytes.joined()).write(to: URL(filePath: film.path(target)))
        }
        try join([film.path("s0_0.m4s"), film.path("s0_1.m4s")], "a.m4s")
        try join([other.path("s0_2.ts"), other.path("s0_3.ts")], "b.ts")
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI=\"i0.mp4\"\n#EXTINF:2,\na.m4s\n#EXTINF:2,\nb.ts\n#EXT-X-ENDLIST\n"
        try Data(text.utf8).write(to: URL(filePath: film.path("mixed.m3u8")))
        let reading = try StreamReading(.file(film.path("mixed.m3u8")))
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.sorted().map(\.seconds))")
    }
}
