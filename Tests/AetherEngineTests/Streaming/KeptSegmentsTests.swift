import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Glibc
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// The past of a broadcast in segments, whose server keeps six seconds. Time is virtual: waiting moves it on, and the server's files with it.
@Suite struct KeptSegmentsTests {
    /// The forms of segments.
    enum Form: String, CaseIterable, Sendable { case transport = "ts", fragments = "m4s" }

    /// A server's folder, in which are only the segments of a list of six.
    private final class Broadcast: Sendable {
        static let length = 24, window = 6, rate = 25
        let time = ManualTime()
        let folder: TemporaryFolder
        let storage: RingMemory
        private let form: Form
        private let kept: KeptSegments
        /// Sentences for the person.
        let said: Monitor<[String]>
        /// The server does not have these.
        private let missing: Set<Int>

        init(
            _ form: Form = .transport, room: Int = .max, fault: RingFault = .full, options: TimeShiftOptions? = nil,
            missing: Set<Int> = []
        ) throws {
            (self.form, self.missing, folder) = (form, missing, try TemporaryFolder())
            storage = RingMemory(room: room, fault: fault)
            var kept = options ?? TimeShiftOptions()
            if options == nil { kept.byteLimit = 64 << 20 }
            let said = Monitor<[String]>([])
            self.said = said
            self.kept = KeptSegments(storage, options: kept, by: .caller, say: { text in said.update { $0.append(text) } })
            let shape = form == .fragments ? ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "i%v.mp4"] : []
            let result = try Fixtures.run(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                    "testsrc2=s=64x48:r=\(Self.rate):d=\(Self.length)", "-f", "lavfi", "-i",
                    "sine=f=440:r=48000:d=\(Self.length)", "-map", "0:v", "-map", "1:a", "-c:v", "libx264", "-preset",
                    "ultrafast",
                    "-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-bf", "2", "-c:a", "aac", "-f", "hls", "-hls_time",
                    "1", "-hls_playlist_type", "vod", "-var_stream_map",
                    "v:0,agroup:aud a:0,agroup:aud,language:eng,default:yes", "-master_pl_name", "master.m3u8",
                ] + shape + [
                    "-hls_segment_filename", folder.path("all%v_%d.\(form.rawValue)"), folder.path("l%v.m3u8"),
                ])
            guard result.status == 0 else {
                throw Fixtures.Failure(description: String(decoding: result.errors, as: UTF8.self))
            }
            let master = try String(contentsOfFile: folder.path("master.m3u8"), encoding: .utf8)
            let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"t\",NAME=\"English\",LANGUAGE=\"en\",URI=\"l2.m3u8\"\n"
            let text = master.replacingOccurrences(of: "#EXT-X-STREAM-INF:", with: media + "#EXT-X-STREAM-INF:SUBTITLES=\"t\",")
            try Data(text.utf8).write(to: URL(filePath: folder.path("master.m3u8")))
            for number in 0..<Self.length {
                let cue =
                    "WEBVTT\n\n00:00:\(String(format: "%02d", number)).100 --> 00:00:\(String(format: "%02d", number)).900\ncue \(number)\n"
                try Data(cue.utf8).write(to: URL(filePath: folder.path("all2_\(number).vtt")))
            }
        }

        /// The name of a segment's file.
        private func name(_ number: Int, _ track: Int) -> String { "\(track)_\(number)." + (track == 2 ? "vtt" : form.rawValue) }

        /// The numbers in the list by now: a segment comes each second.
        var listed: Range<Int> {
            let count = min(Self.window + Int(time.now().nanoseconds / 1_000_000_000), Self.length)
            return max(0, count - Self.window)..<count
        }

        /// Writes the lists, and has the files of those segments alone.
        func write() throws {
            let listed = listed, files = FileManager.default
            for track in 0...2 {
                var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(listed.lowerBound)\n"
                if form == .fragments, track < 2 { text += "#EXT-X-MAP:URI=\"i\(track).mp4\"\n" }
                for number in 0..<Self.length {
                    let name = "s" + name(number, track), path = folder.path(name)
                    let isThere = files.fileExists(atPath: path), isListed = listed.contains(number) && !missing.contains(number)
                    if isListed, !isThere {
                        try files.linkItem(atPath: folder.path("all" + self.name(number, track)), toPath: path)
                    }
                    if !isListed, isThere { try files.removeItem(atPath: path) }
                    if listed.contains(number) { text += "#EXTINF:1,\n\(name)\n" }
                }
                if listed.upperBound == Self.length, time.now().nanoseconds > 40_000_000_000 { text += "#EXT-X-ENDLIST\n" }
                try Data(text.utf8).write(to: URL(filePath: folder.path("l\(track).m3u8")))
            }
        }

        func source() throws -> JoinedSource {
            try write()
            let interrupt = Interrupt()
            let input = try MediaInput(.location(.file(folder.path("master.m3u8"))), follows: true, interrupt: interrupt)
            let document = try #require(try StreamDocument(input))
            var opening = StreamOpening(
                options: OpenOptions(), window: nil, interrupt: interrupt, time: time,
                waiting: { [self] _, moment in
                    time.advance(by: max(.zero, moment - time.now()))
                    do { try write() } catch { Issue.record(error) }
                    return moment > HostTime(nanoseconds: 120_000_000_000)
                })
            opening.keeping = { [kept] in kept }
            return JoinedSource(try opening.sources(document))
        }

        /// Seconds pass in which nothing is read, as while it is paused.
        func pass(_ seconds: Int, _ source: JoinedSource) throws {
            for _ in 0..<seconds {
                time.advance(by: .seconds(1))
                try write()
                try source.look()
            }
        }
    }

    /// The packets, cues and events that were read of a source.
    private struct Reading {
        var video: [MediaTime] = [], expired: [MediaTime] = []
        /// Packets of audio. Those of MPEG-TS have no time but the first of each PES packet.
        var audioCount = 0
        var audioStart: MediaTime?
        var cues: [String] = []

        /// Reads until so many frames have come, or to the end.
        mutating func read(_ source: JoinedSource, frames: Int = .max) throws {
            let kinds = Dictionary(uniqueKeysWithValues: source.description.info.streams.map { ($0.id, $0.kind) })
            while video.count < frames {
                do throws(MediaError) {
                    switch try source.read(run: Epoch()) {
                    case .packet(let packet):
                        let isVideo = kinds[packet.stream] == .video
                        if !isVideo { audioCount += 1 }
                        guard let time = packet.pts else { continue }
                        if isVideo { video.append(time) } else { audioStart = audioStart ?? time }
                    case .cues(let found, _, _): cues += found.map { "\($0.body.map { "\($0)" } ?? "")" }
                    case .expired(let oldest): expired.append(oldest)
                    default: continue
                    }
                } catch {
                    #expect(error.code == .endOfMedia, "\(error)")
                    return
                }
            }
        }

        /// Each frame from the first to the last one has come, once.
        var isWhole: Bool {
            let sorted = video.sorted()
            return zip(sorted, sorted.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 0.04) < 0.001 }
        }

        /// Packets of audio that are missing before the end of the broadcast: 1024 samples each, and a first one before its start.
        func missingAudio(of start: MediaTime) -> Int {
            let whole = Double(Broadcast.length - 3) * 48_000 / 1024,
                first = ((audioStart ?? start) - start).seconds * 48_000 / 1024
            return Int((whole - first).rounded()) - audioCount
        }
    }

    private func opened(_ broadcast: Broadcast) throws -> (source: JoinedSource, video: StreamID, start: MediaTime) {
        let source = try broadcast.source(), streams = source.description.info.streams
        let video = try #require(streams.first { $0.kind == .video }?.id)
        source.select(Set(streams.map(\.id)))
        let start = try #require(source.description.start)
        _ = try source.seek(to: SeekPlan(target: start, landing: .exact), video: video)
        return (source, video, start)
    }

    @Test(arguments: Form.allCases) func aPauseBeyondTheServersWindowCostsNothing(_ form: Form) throws {
        let broadcast = try Broadcast(form), (source, _, start) = try opened(broadcast)
        var reading = Reading()
        try reading.read(source, frames: 20)
        // The server's window goes by nearly three times.
        try broadcast.pass(17, source)
        #expect(source.window.start <= start && broadcast.listed.lowerBound == 17)
        try reading.read(source)
        #expect(
            reading.expired.isEmpty && reading.isWhole && abs(reading.missingAudio(of: start)) <= 2,
            "\(reading.missingAudio(of: start))")
        let last = try #require(reading.video.max())
        #expect((last - start).seconds > 20.9 && reading.video.count == Int(((last - start).seconds * 25).rounded()) + 1)
    }

    @Test(arguments: Form.allCases) func whatWasPlayedCanBeGoneBackToWhenTheServerHasItNoMore(_ form: Form) throws {
        let broadcast = try Broadcast(form), (source, video, start) = try opened(broadcast)
        var first = Reading()
        try first.read(source, frames: 21 * 25 - 60)
        #expect(broadcast.listed.lowerBound > 10 && source.window.start <= start, "\(broadcast.listed)")
        #expect(source.window.held?.lowerBound ?? .zero <= start)
        let target = start + .seconds(2.5)
        _ = try source.seek(to: SeekPlan(target: target, landing: .exact), video: video)
        var second = Reading()
        try second.read(source)
        let begin = try #require(second.video.min())
        #expect(
            abs((target - begin).seconds - 0.5) < 0.05 && second.isWhole && second.expired.isEmpty, "\((target - begin).seconds)")
        #expect(abs(second.missingAudio(of: start)) <= 2, "\(second.missingAudio(of: start))")
        #expect((second.video.max() ?? .zero) - start > .seconds(20.9) && second.audioStart ?? .zero <= target)
        // The broadcast is over, and its past is there still.
        #expect(source.window.liveEdge == nil && source.window.start <= start)
        #expect(
            second.cues.suffix(Broadcast.length - 5) == (5..<Broadcast.length).map { "text(\"cue \($0)\")" }, "\(second.cues)")
    }

    @Test func aSegmentThatCouldNotBeKeptIsPassedBy() throws {
        let broadcast = try Broadcast(missing: [9]), (source, _, start) = try opened(broadcast)
        var reading = Reading()
        try reading.read(source, frames: 20)
        try broadcast.pass(17, source)
        try reading.read(source)
        #expect(reading.expired.isEmpty && reading.video.count == 20 * 25 - 25 + 25, "\(reading.video.count)")
        #expect((reading.video.max() ?? .zero) - start > .seconds(20.9))
    }

    @Test(arguments: [RingFault.full, .system(EIO)]) func aDiskThatIsNoUseNarrowsThePast(_ fault: RingFault) throws {
        let broadcast = try Broadcast(room: 60_000, fault: fault), (source, video, _) = try opened(broadcast)
        var reading = Reading()
        try reading.read(source, frames: 20 * 25)
        #expect(broadcast.said.read { $0.count } == 1 && broadcast.storage.count <= 60_000, "\(broadcast.said.read { $0 })")
        let oldest = source.window.start
        _ = try source.seek(to: SeekPlan(target: oldest, landing: .exact), video: video)
        var later = Reading()
        try later.read(source)
        #expect(later.isWhole && later.video.min().map { abs(($0 - oldest).seconds) < 0.1 } ?? false)
    }

    @Test func onlySoMuchIsKeptAsWasAskedFor() throws {
        var options = TimeShiftOptions()
        (options.span, options.byteLimit) = (.seconds(10), 64 << 20)
        let broadcast = try Broadcast(options: options), (source, video, start) = try opened(broadcast)
        var reading = Reading()
        try reading.read(source, frames: 20)
        try broadcast.pass(17, source)
        // Ten seconds from the newest segment that was kept.
        let oldest = source.window.start
        #expect((oldest - start).seconds > 2.9, "\((oldest - start).seconds)")
        _ = try source.seek(to: SeekPlan(target: start, landing: .exact), video: video)
        var later = Reading()
        try later.read(source)
        #expect(later.video.min().map { $0 >= oldest - .seconds(0.2) } ?? false && later.isWhole)
    }
}
