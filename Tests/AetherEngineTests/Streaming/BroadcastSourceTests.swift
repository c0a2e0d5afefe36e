import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Playlists that grow while they are read. Time is virtual: waiting moves it on, and the playlists with it.
@Suite struct BroadcastSourceTests {
    /// A server's folder whose playlists are those of a moment.
    private struct Broadcast: Sendable {
        let film: SegmentedVideo
        let time = ManualTime()
        var profile = LiveJoinProfile.lowLatency
        /// The lines of a playlist at a moment, without its head: `track` is the number of the rendition.
        let lines: @Sendable (_ second: Int, _ track: Int) -> String

        func write() throws {
            let second = Int(time.now().nanoseconds / 1_000_000_000)
            for track in 0...1 {
                let text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n" + lines(second, track)
                try Data(text.utf8).write(to: URL(filePath: film.path("l\(track).m3u8")))
            }
        }

        /// All that is read from the start to the end.
        func reading() throws -> StreamReading { try StreamReading(source(), from: nil) }

        /// The sources as a session joins them.
        func source() throws -> JoinedSource {
            try write()
            let interrupt = Interrupt(), fault = Mutex<(any Error)?>(nil)
            let input = try MediaInput(.location(.file(film.path("master.m3u8"))), follows: true, interrupt: interrupt)
            let document = try #require(try StreamDocument(input))
            var opening = StreamOpening(
                options: OpenOptions(), window: nil, interrupt: interrupt, time: time,
                waiting: { [self] _, moment in
                    time.advance(by: max(.zero, moment - time.now()))
                    do { try write() } catch { fault.withLock { $0 = error } }
                    // A broadcast that has not ended by then never will.
                    return moment > HostTime(nanoseconds: 120_000_000_000)
                })
            opening.profile = profile
            let source = JoinedSource(try opening.sources(document))
            if let error = fault.withLock({ $0 }) { throw error }
            return source
        }
    }

    private func segments(_ numbers: Range<Int>, _ name: String, _ track: Int) -> String {
        numbers.map { "#EXTINF:1,\n\(name)\(track)_\($0).ts\n" }.joined()
    }

    @Test func aListThatGrowsIsReadToItsEnd() throws {
        let broadcast = Broadcast(film: try SegmentedVideo(.transport)) { second, track in
            let count = min(2 + second, 4)
            return "#EXT-X-MEDIA-SEQUENCE:0\n" + segments(0..<count, "s", track) + (count == 4 ? "#EXT-X-ENDLIST\n" : "")
        }
        let reading = try broadcast.reading()
        #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0, "\(reading.video.count)")
    }

    @Test func aChannelIsJoinedWithASegmentToSpare() throws {
        let film = try SegmentedVideo(.transport)
        for count in 1...4 {
            let broadcast = Broadcast(film: film, profile: .fastZap) { _, track in
                "#EXT-X-MEDIA-SEQUENCE:0\n" + segments(0..<count, "s", track)
            }
            let source = try broadcast.source(), joined = try #require(source.description.start)
            // Of one segment there is no other to spare.
            #expect((joined.seconds - Double(max(0, count - 2))).magnitude < 0.1, "\(count): \(joined)")
        }
    }

    /// A list names its newest segment before the server that is asked has it: each is refused twice.
    @Test func aSegmentThatIsNamedTooEarlyIsWaitedFor() throws {
        let film = try SegmentedVideo(.transport), time = ManualTime(), interrupt = Interrupt()
        let asked = Mutex<[String: Int]>([:])
        var files: [String: TestOrigin.Content] = [
            "/l.m3u8": .made { _ in
                let second = Int(time.now().nanoseconds / 1_000_000_000), count = min(1 + second, 4)
                let list = (0..<count).map { "#EXTINF:1,\ns0_\($0).ts\n" }.joined()
                return Array(("#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + list + (second > 8 ? "#EXT-X-ENDLIST\n" : "")).utf8)
            }
        ]
        for number in 0..<4 {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: film.path("s0_\(number).ts"))))
            files["/s0_\(number).ts"] = .made { target in
                let count = asked.withLock { asked -> Int in
                    asked[target, default: 0] += 1
                    return asked[target] ?? 0
                }
                return count > 2 ? bytes : nil
            }
        }
        let origin = try TestOrigin(files)
        let input = try MediaInput(.location(.url(origin.address + "/l.m3u8")), follows: true, interrupt: interrupt)
        let document = try #require(try StreamDocument(input))
        let opening = StreamOpening(
            options: OpenOptions(), window: nil, interrupt: interrupt, time: time,
            waiting: { _, moment in
                time.advance(by: max(.zero, moment - time.now()))
                return moment > HostTime(nanoseconds: 120_000_000_000)
            })
        let reading = try StreamReading(JoinedSource(try opening.sources(document)), from: nil)
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count)")
        let counts = asked.withLock { $0 }
        #expect(counts.count == 4 && counts.values.allSatisfy { $0 == 3 }, "\(counts)")
    }

    @Test func anEncoderThatBeginsAnewGoesOnBehindWhatWasRead() throws {
        let film = try SegmentedVideo(.transport)
        for track in 0...1 {
            for number in 0..<4 {
                try FileManager.default.copyItem(
                    atPath: film.path("s\(track)_\(number).ts"), toPath: film.path("r\(track)_\(number).ts"))
            }
        }
        // Its numbers and its clock begin anew, and no mark says so.
        let broadcast = Broadcast(film: film) { second, track in
            if second < 3 { return "#EXT-X-MEDIA-SEQUENCE:20\n" + segments(0..<min(2 + second, 4), "s", track) }
            let count = min(second - 2, 4)
            return "#EXT-X-MEDIA-SEQUENCE:0\n" + segments(0..<count, "r", track) + (count == 4 ? "#EXT-X-ENDLIST\n" : "")
        }
        let reading = try broadcast.reading()
        #expect(reading.hasEveryFrame(200) && reading.damage == 0, "\(reading.video.count)")
        // Both clips have 188 packets of audio of 1024 samples, and a first one before their start.
        #expect((368...380).contains(reading.audio.count), "\(reading.audio.count)")
    }

    /// The first server goes away; the other one has the same video under other numbers, and goes on for four seconds.
    @Test(arguments: [0, 700]) func aServerWithNumbersOfItsOwnGoesOnBehind(_ first: Int) throws {
        let film = try SegmentedVideo(.transport)
        for number in 0..<4 {
            try FileManager.default.copyItem(atPath: film.path("s0_\(number).ts"), toPath: film.path("r1_\(number + first).ts"))
        }
        let master = "#EXTM3U\n" + (0...1).map { "#EXT-X-STREAM-INF:BANDWIDTH=1000\nl\($0).m3u8\n" }.joined()
        try Data(master.utf8).write(to: URL(filePath: film.path("master.m3u8")))
        let broadcast = Broadcast(film: film) { second, track in
            if track == 0 {
                return second < 4
                    ? "#EXT-X-MEDIA-SEQUENCE:20\n" + segments(20..<(20 + min(2 + second, 4)), "s", track)
                    : "#EXTINF:none,\n"
            }
            let count = min(max(1, second - 3), 4)
            return "#EXT-X-MEDIA-SEQUENCE:\(first)\n" + segments(first..<(first + count), "r", track)
                + (count == 4 ? "#EXT-X-ENDLIST\n" : "")
        }
        for number in 0..<4 {
            try FileManager.default.copyItem(atPath: film.path("s0_\(number).ts"), toPath: film.path("s0_\(number + 20).ts"))
        }
        let reading = try broadcast.reading()
        #expect(reading.hasEveryFrame(200), "\(reading.video.count)")
    }

    @Test func aPauseBeyondTheWindowGoesOnAtItsOldestPoint() throws {
        let film = try SegmentedVideo(.transport)
        let broadcast = Broadcast(film: film) { second, track in
            if second < 10 { return "#EXT-X-MEDIA-SEQUENCE:0\n" + segments(0..<2, "s", track) }
            return "#EXT-X-MEDIA-SEQUENCE:3\n" + segments(3..<4, "s", track) + (second < 12 ? "" : "#EXT-X-ENDLIST\n")
        }
        let source = try broadcast.source(), streams = source.description.info.streams
        source.select(Set(streams.map(\.id)))
        let start = source.description.info.startTime
        _ = try source.seek(to: SeekPlan(target: start, landing: .exact), video: streams.first { $0.kind == .video }?.id)
        var video: [MediaTime] = [], expired: [MediaTime] = [], edge = source.window.liveEdge, isPaused = false
        reading: while true {
            do throws(MediaError) {
                switch try source.read(run: Epoch()) {
                case .packet(let packet) where packet.stream == streams.first { $0.kind == .video }?.id:
                    if let time = packet.pts { video.append(time) }
                    guard !isPaused, video.count == 20 else { continue }
                    isPaused = true
                    // Ten seconds pass, and the third segment comes and goes.
                    broadcast.time.advance(by: .seconds(10))
                    do { try broadcast.write() } catch { Issue.record(error) }
                    // Also where nothing is read the edge is followed.
                    try source.look()
                    #expect(source.window.liveEdge ?? .zero > edge ?? .zero)
                    edge = source.window.liveEdge
                case .expired(let oldest): expired.append(oldest)
                default: continue
                }
            } catch {
                #expect(error.code == .endOfMedia, "\(error)")
                break reading
            }
        }
        #expect(expired.map { ($0 - start).seconds.rounded() } == [3])
        #expect(video.count == 75 && video.max().map { ($0 - start).seconds > 3.9 } ?? false, "\(video.count)")
    }

    @Test func theEdgeMovesWhereOnlyTheAudioIsPlayed() throws {
        let broadcast = Broadcast(film: try SegmentedVideo(.transport)) { second, track in
            let count = min(1 + second, 4)
            return "#EXT-X-MEDIA-SEQUENCE:0\n" + segments(0..<count, "s", track) + (second < 6 ? "" : "#EXT-X-ENDLIST\n")
        }
        let source = try broadcast.source(), audio = try #require(source.description.info.streams.first { $0.kind == .audio })
        source.select([audio.id])
        _ = try source.seek(to: SeekPlan(target: source.description.info.startTime, landing: .exact), video: nil)
        var edges: [MediaTime] = [], count = 0
        do throws(MediaError) {
            while true {
                switch try source.read(run: Epoch()) {
                case .window(let window): if let edge = window.liveEdge { edges.append(edge) }
                case .packet: count += 1
                default: continue
                }
            }
        } catch {
            #expect(error.code == .endOfMedia, "\(error)")
        }
        #expect(count > 180 && Set(edges).count >= 2 && edges == edges.sorted(), "\(count) \(edges)")
    }

    @Test func aBroadcastWhoseSegmentsAreAwayIsNotOver() throws {
        let broadcast = Broadcast(film: try SegmentedVideo(.transport)) { second, track in
            let gone = segments(1..<7, "gone", track)
            let later = second < 4 ? "" : "#EXT-X-DISCONTINUITY\n" + segments(1..<2, "s", track) + "#EXT-X-ENDLIST\n"
            return "#EXT-X-PLAYLIST-TYPE:EVENT\n" + segments(0..<1, "s", track) + gone + later
        }
        let reading = try broadcast.reading()
        #expect(reading.video.count == 50, "\(reading.video.count)")
    }

    /// Documents of half a minute beside segments of a second: looking for the next one holds nothing up.
    @Test func aListOfSubtitlesThatStandsHoldsUpNoVideo() throws {
        let film = try SegmentedVideo(.transport)
        try film.rewrite("master.m3u8") { text in
            let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"t\",NAME=\"English\",LANGUAGE=\"en\",URI=\"t.m3u8\"\n"
            return text.replacingOccurrences(of: "#EXT-X-STREAM-INF:", with: media + "#EXT-X-STREAM-INF:SUBTITLES=\"t\",")
        }
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:30\n#EXTINF:0.5,\nt0.vtt\n"
        try Data(list.utf8).write(to: URL(filePath: film.path("t.m3u8")))
        try Data("WEBVTT\n\n00:00.100 --> 00:00.400\none\n".utf8).write(to: URL(filePath: film.path("t0.vtt")))
        let broadcast = Broadcast(film: film) { second, track in
            let count = min(2 + second, 4)
            return "#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:EVENT\n" + segments(0..<count, "s", track)
        }
        let source = try broadcast.source(), streams = source.description.info.streams
        source.select(Set(streams.filter { [.video, .subtitle].contains($0.kind) }.map(\.id)))
        var frames = 0, lines: [[String]] = []
        while frames < SegmentedVideo.frameCount {
            switch try source.read(run: Epoch()) {
            case .packet: frames += 1
            case .cues(let cues, _, _): lines += cues.map(\.lines)
            default: continue
            }
        }
        #expect(lines == [["one"]])
        #expect(broadcast.time.now() < HostTime(nanoseconds: 5_000_000_000), "\(broadcast.time.now())")
    }

    /// The encoder of the quality that plays stops, or its server has no list of it any more: the other one goes on.
    @Test(arguments: [false, true]) func aQualityThatStandsStillIsReplaced(_ isGone: Bool) throws {
        let broadcast = Broadcast(film: try SegmentedVideo(.muxedLadder)) { second, track in
            if track == 0, isGone, second > 0 { return "#EXT-X-MEDIA-SEQUENCE:none\n" }
            let count = track == 0 ? 2 : min(2 + second, 4)
            return "#EXT-X-MEDIA-SEQUENCE:0\n" + segments(0..<count, "s", track) + (count == 4 ? "#EXT-X-ENDLIST\n" : "")
        }
        let reading = try broadcast.reading()
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count)")
        #expect(broadcast.time.now() < HostTime(nanoseconds: 8_000_000_000), "\(broadcast.time.now())")
    }

    /// The list of the quality goes on where it stood, behind what the other one has shown meanwhile: that is not waited for.
    @Test func aQualityThatComesBackBehindIsNotWaitedFor() throws {
        let broadcast = Broadcast(film: try SegmentedVideo(.muxedLadder)) { second, track in
            let count = track == 0 ? (second < 5 ? 1 : 2) : min(1 + second / 2, 4)
            return "#EXT-X-MEDIA-SEQUENCE:0\n" + segments(0..<count, "s", track) + (count == 4 ? "#EXT-X-ENDLIST\n" : "")
        }
        let reading = try broadcast.reading()
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count)")
        #expect(broadcast.time.now() < HostTime(nanoseconds: 7_200_000_000), "\(broadcast.time.now())")
    }

    @Test func aBroadcastIsKnownForOneWhenItIsOpened() async throws {
        let film = try SegmentedVideo(.parts)
        try film.rewrite("master.m3u8") {
            $0.replacingOccurrences(of: "#EXT-X-ENDLIST", with: "").replacingOccurrences(
                of: "PLAYLIST-TYPE:VOD", with: "PLAYLIST-TYPE:EVENT")
        }
        let screening = try await Screening.of(film.path("master.m3u8")) {
            ($0.autoplay, $0.audioOutput) = (false, .none)
        }
        let snapshot = screening.snapshot
        #expect(snapshot.isBroadcast && snapshot.seekableLiveRange != nil, "\(snapshot.liveEdge as Any) \(snapshot.edgeStep)")
        #expect(snapshot.duration.map { abs($0.seconds - 4) < 0.2 } ?? false, "\(snapshot.duration as Any)")
        await screening.engine.stop()
    }

    @Test func aLocalListAsksServersAsThePersonSays() throws {
        let film = try SegmentedVideo(.parts)
        let media = try film.origin()
        let other = try film.origin()
        try film.rewrite("master.m3u8") { text in
            // The last segment lies on another server, which has nothing to do with the person's header.
            let moved = text.replacingOccurrences(of: "\nall.ts", with: "\n" + (media.address + "/all.ts"))
            guard let last = moved.range(of: (media.address + "/all.ts"), options: .backwards) else { return moved }
            return moved.replacingCharacters(in: last, with: (other.address + "/all.ts"))
        }
        let interrupt = Interrupt(), meter = NetworkMeter()
        let input = try MediaInput(.location(.file(film.path("master.m3u8"))), follows: true, interrupt: interrupt)
        var http = HTTPOptions()
        (http.headers, http.userAgent) = (["x-ticket": "secret"], "a player")
        let document = try #require(try StreamDocument(input, http: http, meter: meter))
        let opening = StreamOpening(options: OpenOptions(), window: nil, interrupt: interrupt, time: SystemTime())
        let reading = try StreamReading(JoinedSource(try opening.sources(document)), from: nil)
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count)")
        #expect(!media.requests.isEmpty && media.requests.allSatisfy { $0.fields["x-ticket"] == "secret" })
        #expect(!other.requests.isEmpty && other.requests.allSatisfy { $0.fields["x-ticket"] == nil })
        #expect((media.requests + other.requests).allSatisfy { $0.fields["user-agent"] == "a player" })
        #expect(meter.figures.requests == media.requests.count + other.requests.count)
    }
}
