import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherEngine

/// The borders of runs, where the frames before a key frame are made of those before it, too (open GOP).
@Suite struct RunBorderTests {
    enum Codec: String, CaseIterable, Sendable { case h264, hevc }
    enum Container: String, CaseIterable, Sendable { case transport, fragments }

    /// Two clips of 96 frames in the same format, cut into four segments each.
    private struct Clips {
        let folder: TemporaryFolder
        let container: Container

        /// `isClosed`: the frames before a key frame need none but that (RADL frames of HEVC). `size` is that of the second clip.
        init(_ codec: Codec, _ container: Container, isClosed: Bool = false, size: String = "96x64") throws {
            (folder, self.container) = (try TemporaryFolder(), container)
            let library = codec == .h264 ? "x264" : "x265"
            let kind = isClosed ? "open-gop=0:radl=2:min-keyint=24" : "open-gop=1:min-keyint=1"
            let gop = "log-level=none:scenecut=0:bframes=3:b-adapt=0:keyint=24:repeat-headers=1:\(kind)"
            for (name, picture) in [("a", "testsrc2"), ("b", "testsrc")] {
                try run([
                    "-f", "lavfi", "-i", "\(picture)=s=\(name == "a" ? "96x64" : size):r=24:d=4", "-pix_fmt", "yuv420p", "-c:v",
                    "lib\(library)", "-preset", "ultrafast",
                    "-\(library)-params", codec == .h264 ? String(gop.dropFirst(15)) : gop, path("\(name).ts"),
                ])
                switch container {
                case .transport:
                    try run([
                        "-i", path("\(name).ts"), "-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod",
                        "-hls_segment_filename", path("\(name)%d.ts"), path("\(name).m3u8"),
                    ])
                case .fragments:
                    try run([
                        "-i", path("\(name).ts"), "-c", "copy", "-movflags", "+frag_keyframe+empty_moov+default_base_moof",
                        path("\(name).mp4"),
                    ])
                    try cut(name)
                }
            }
        }

        func path(_ name: String) -> String { folder.path(name) }

        private func run(_ words: [String]) throws {
            let made = try Fixtures.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + words)
            guard made.status == 0 else { throw Fixtures.Failure(description: String(decoding: made.errors, as: UTF8.self)) }
        }

        /// A file of fragments in its init section, twice, and a segment for each fragment.
        private func cut(_ name: String) throws {
            let bytes = try Data(contentsOf: URL(filePath: path("\(name).mp4")))
            var head = Data(), fragment = Data(), count = 0, index = 0
            while index + 8 <= bytes.count {
                let size = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
                let box = bytes[index..<index + size]
                switch String(decoding: bytes[index + 4..<index + 8], as: UTF8.self) {
                case "ftyp", "moov": head += box
                case "moof": fragment = box
                case "mdat":
                    try (fragment + box).write(to: URL(filePath: path("\(name)\(count).m4s")))
                    count += 1
                default: break
                }
                index += size
            }
            for file in ["\(name).init", "\(name).again"] { try head.write(to: URL(filePath: path(file))) }
        }

        func map(_ name: String) -> String { container == .fragments ? "#EXT-X-MAP:URI=\"\(name)\"\n" : "" }

        func segments(_ name: String, _ numbers: Range<Int>) -> String {
            numbers.map { "#EXTINF:1.0,\n\(name)\($0).\(container == .fragments ? "m4s" : "ts")\n" }.joined()
        }

        /// The frames of a clip.
        func frames(_ name: String) throws -> [UInt64] {
            try reference(path("\(name).ts")).sorted { $0.pts < $1.pts }.map(\.hash)
        }

        /// What comes out of the video stage for a playlist, and how many decoders were opened for that.
        func play(_ text: String) throws -> (frames: [(pts: MediaTime, hash: UInt64)], decoders: Int) {
            let head = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n"
            try Data((head + text + "#EXT-X-ENDLIST\n").utf8).write(to: URL(filePath: path("list.m3u8")))
            let source = try StreamReading.open(.file(path("list.m3u8")))
            let info = try #require(source.description.info.streams.first { $0.kind == .video })
            source.select([info.id])
            var packets: [Packet] = []
            do throws(MediaError) {
                while true { if case .packet(let packet) = try source.read(run: Epoch(1)) { packets.append(packet) } }
            } catch {
                #expect(error.code == .endOfMedia)
            }
            return try VideoBench(info, source.description.formats[info.id] ?? [info], packets).run()
        }
    }

    /// The video stage without clock and threads.
    private struct VideoBench {
        let info: StreamInfo, pipeline = Pipeline()

        init(_ info: StreamInfo, _ formats: [StreamInfo], _ packets: [Packet]) {
            self.info = info
            pipeline.state.update { state in
                state.intent.activeVideo = info.id
                state.begin(Epoch(1), plan: SeekPlan(target: .zero, landing: .exact))
                state.note([info.id: formats])
                for packet in packets { state.append(packet) }
                state.endLanes(Epoch(1))
            }
        }

        func run() throws -> (frames: [(pts: MediaTime, hash: UInt64)], decoders: Int) {
            var options = VideoOptions()
            options.dropsLateFrames = false
            let context = VideoContext(
                pipeline: pipeline, synchronizer: RenderSynchronizer(), counters: SessionCounters(), sink: NullVideoSink(),
                options: options, time: ManualTime(), report: { _ in }, stream: { [info] _ in info }, cues: CueStore())
            let opened = Mutex(0), noted = Monitor<[(pts: MediaTime, hash: UInt64)]>([])
            var work = VideoWork(
                stage: VideoStage(context: context) { info, _ throws(MediaError) in
                    opened.withLock { $0 += 1 }
                    return try VideoDecoder(info.parameters, threadCount: 2)
                })
            let pipeline = pipeline
            let taker = WorkerThread(name: "test-take") {
                while true {
                    let next: QueuedFrame?? = pipeline.state.wait(for: [.intent, .frames, .turns]) { state -> QueuedFrame?? in
                        if let frame = state.popFrame() { return .some(frame) }
                        return state.output.isDrained ? .some(nil) : nil
                    }
                    guard case .some(.some(let frame)) = next else { return }
                    noted.update { $0.append((frame.stamp.pts, HashVideoSink.hash(frame.image))) }
                }
            }
            while pipeline.state.read({ !$0.output.isDrained }) { _ = work.step() }
            taker.join()
            return (noted.read { $0 }, opened.withLock { $0 })
        }
    }

    private func isEven(_ times: some Collection<MediaTime>) -> Bool {
        zip(times, times.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 1.0 / 24) < 0.001 }
    }

    @Test(arguments: Codec.allCases, Container.allCases)
    func aDiscontinuityInTheSameFormatKeepsTheDecoder(_ codec: Codec, _ container: Container) throws {
        let clips = try Clips(codec, container)
        let played = try clips.play(
            clips.map("a.init") + clips.segments("a", 0..<4) + "#EXT-X-DISCONTINUITY\n" + clips.map("b.init")
                + clips.segments("b", 0..<4) + "#EXT-X-DISCONTINUITY\n" + clips.map("a.init") + clips.segments("a", 0..<4))
        let (a, b) = (try clips.frames("a"), try clips.frames("b"))
        #expect(played.frames.map(\.hash) == a + b + a)
        #expect(isEven(played.frames.map(\.pts)))
        #expect(played.decoders == 1)
    }

    /// Nothing is made of the frames before it: those that would be are not shown.
    @Test(arguments: Codec.allCases, Container.allCases)
    func whatIsMissingIsNotMadeOfOtherFrames(_ codec: Codec, _ container: Container) throws {
        let clips = try Clips(codec, container), a = try clips.frames("a"), b = try clips.frames("b")
        let gap = try clips.play(
            clips.map("a.init") + clips.segments("a", 0..<1) + "#EXT-X-GAP\n" + clips.segments("a", 1..<4))
        // Three frames before each key frame lie in its segment.
        #expect(gap.frames.map(\.hash) == Array(a[..<21] + a[48...]))
        #expect(gap.frames.count == 69 && abs((gap.frames[21].pts - gap.frames[20].pts).seconds - 28.0 / 24) < 0.001)
        let splice = try clips.play(
            clips.map("a.init") + clips.segments("a", 0..<2) + "#EXT-X-DISCONTINUITY\n" + clips.map("b.init")
                + clips.segments("b", 2..<4))
        #expect(splice.frames.map(\.hash) == Array(a[..<45] + b[48...]))
        #expect(gap.decoders == 1 && splice.decoders == 1)
    }

    /// A splice in the middle of both clips, with frames before the key frame that it begins with: those that need frames of their own clip
    /// which are not there are left out, and those that need none are shown, whether the decoder goes on or is opened anew. Behind it all frames
    /// are in their places.
    @Test(arguments: Container.allCases, ["96x64", "64x48"])
    func framesBeforeAKeyFrameAreShownWhereTheyCanBeMade(_ container: Container, _ size: String) throws {
        for (codec, isClosed, end, start) in [(Codec.h264, false, 45, 48), (.hevc, false, 45, 48), (.hevc, true, 46, 46)] {
            let clips = try Clips(codec, container, isClosed: isClosed, size: size)
            let played = try clips.play(
                clips.map("a.init") + clips.segments("a", 0..<2) + "#EXT-X-DISCONTINUITY\n" + clips.map("b.init")
                    + clips.segments("b", 2..<4))
            let (a, b) = (try clips.frames("a"), try clips.frames("b"))
            #expect(played.frames.map(\.hash) == Array(a[..<end] + b[start...]), "\(codec) \(isClosed) \(played.frames.count)")
            #expect(played.decoders == (size == "96x64" ? 1 : 2))
            let times = played.frames.map(\.pts)
            #expect(isEven(times[..<end]) && isEven(times[end...]))
            let gap = (times[end] - times[end - 1]).seconds * 24
            #expect(abs(gap - Double(1 + start - end)) < 0.05, "\(codec) \(isClosed) \(gap)")
        }
    }

    /// The same init section under another name, without a discontinuity: the frames go on.
    @Test(arguments: Codec.allCases) func anInitSectionThatIsNoOtherChangesNothing(_ codec: Codec) throws {
        let clips = try Clips(codec, .fragments)
        let played = try clips.play(
            clips.map("a.init") + clips.segments("a", 0..<2) + clips.map("a.again") + clips.segments("a", 2..<4))
        #expect(played.frames.map(\.hash) == (try clips.frames("a")))
        #expect(isEven(played.frames.map(\.pts)) && played.decoders == 1)
    }

    /// Of a broadcast with advertisements the description stays as small as their formats are few.
    @Test func formatsThatComeAgainAreNotDescribedAgain() throws {
        let clips = try Clips(.h264, .fragments)
        var text = ""
        for _ in 0..<8 {
            text += clips.map("a.init") + clips.segments("a", 0..<1) + "#EXT-X-DISCONTINUITY\n"
            text += clips.map("b.init") + clips.segments("b", 0..<1) + "#EXT-X-DISCONTINUITY\n"
        }
        try Data(("#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + text + "#EXT-X-ENDLIST\n").utf8).write(
            to: URL(filePath: clips.path("many.m3u8")))
        let reading = try StreamReading(.file(clips.path("many.m3u8")))
        let video = try #require(reading.source.description.info.streams.first { $0.kind == .video }?.id)
        #expect(reading.video.count == 16 * 21 && reading.source.description.formats[video]?.count == 2)
    }
}
