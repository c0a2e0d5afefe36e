import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Packages that become one file.
@Suite struct PackageMuxTests {
    private let target: TemporaryFolder

    init() throws { target = try TemporaryFolder() }

    private func mux(
        _ address: String, to name: String, _ change: (inout AssetDownloadConfiguration) -> Void = { _ in }
    ) -> (state: AssetDownloadTask.State, task: AssetDownloadTask) {
        var configuration = AssetDownloadConfiguration(asset: .parse(address)), options = AssetDownloadOptions()
        (options.folder, options.muxedFile) = (target.path("p"), target.path(name))
        change(&configuration)
        let task = AssetDownloadTask(configuration, options: options)
        task.resume()
        return (task.wait(), task)
    }

    @Test func aFileThatTheDiskHasNoRoomForIsNotBegun() throws {
        let name = target.path("film.mkv"), draft = try MuxDraft(of: name)
        try draft.checkRoom(for: 1)
        let error = #expect(throws: MediaError.self) { try draft.checkRoom(for: 1 << 60) }
        #expect(error?.reason.contains("it needs about 1152921504607 MB, and the disk has") == true)
        draft.discard()
        let mux = PackageMux(
            package: target.path("p"), target: name, form: .matroska, bytes: 1 << 60, options: LoadOptions(),
            interrupt: Interrupt(),
            report: { _ in })
        #expect(throws: MediaError.self) { try mux.run() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.url.path) == [])
    }

    /// The contents of a file, as the demuxer gives them.
    private struct Contents {
        var info: SourceInfo
        var packets: [StreamID: [Packet]] = [:]
        var texts: [(start: MediaTime, end: MediaTime?, lines: [String])] = []

        init(_ path: String) throws {
            let interrupt = Interrupt()
            var demuxer = try Demuxer(try MediaInput(.location(.file(path)), interrupt: interrupt), interrupt: interrupt)
            info = demuxer.info
            do throws(MediaError) {
                while true {
                    let packet = try demuxer.read(epoch: Epoch())
                    packets[packet.stream, default: []].append(packet)
                }
            } catch {
                guard error.code == .endOfMedia else { throw error }
            }
            for stream in info.streams where stream.kind == .subtitle {
                var decoder = try SubtitlePackets(stream)
                for packet in packets[stream.id] ?? [] {
                    for text in try decoder.decode(packet).subtitles where !text.lines.isEmpty {
                        texts.append((text.start, text.end, text.lines))
                    }
                }
            }
        }

        func count(_ kind: StreamInfo.Kind) -> [Int] {
            info.streams.filter { $0.kind == kind }.map { packets[$0.id]?.count ?? 0 }
        }

        /// The video's frames, in the order in which they are shown, are 40 ms apart.
        var isEven: Bool {
            guard let video = info.streams.first(where: { $0.kind == .video }) else { return false }
            let times = (packets[video.id] ?? []).compactMap(\.pts).sorted()
            return zip(times, times.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 0.04) < 0.0015 }
        }
    }

    private static let shapes: [SegmentedVideo.Shape] = [.transport, .fragments, .parts, .ciphered, .dashTimeline, .dashFiles]

    @Test(arguments: shapes, ["mkv", "mp4"]) func everyFrameOfEveryShapeIsInTheFile(_ shape: SegmentedVideo.Shape, _ ext: String)
        throws
    {
        let film = try SegmentedVideo(shape), origin = try film.origin()
        let (state, _) = mux(origin.address + "/" + shape.manifest, to: "film.\(ext)")
        #expect(state == .completed, "\(state)")
        let contents = try Contents(target.path("film.\(ext)"))
        #expect(contents.count(.video) == [SegmentedVideo.frameCount] && contents.isEven)
        #expect(contents.count(.audio).count == 1 && contents.count(.audio).allSatisfy { (184...190).contains($0) })
        // The video and the audio begin as far apart as in the package.
        let package = try StreamReading(MediaLocation.file(target.path("p")).inPackage)
        func first(_ kind: StreamInfo.Kind) -> MediaTime? {
            contents.info.streams.first { $0.kind == kind }.flatMap { contents.packets[$0.id]?.compactMap(\.pts).min() }
        }
        let gap = try #require(first(.video)) - #require(first(.audio))
        let before = try #require(package.video.min()) - #require(package.audio.compactMap(\.time).min())
        #expect((gap - before).magnitude < .milliseconds(2), "\(gap) \(before)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.url.path).sorted() == ["film.\(ext)", "p"])
    }

    @Test(arguments: ["mkv", "mp4"]) func languagesAndSubtitlesAreInTheFile(_ ext: String) throws {
        let film = try SegmentedVideo(.ladder)
        let texts = "WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nfirst\n\n00:00:02.000 --> 00:00:03.000\nsecond\nline\n"
        try Data(texts.utf8).write(to: URL(filePath: film.path("t.vtt")))
        try Data("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nt.vtt\n#EXT-X-ENDLIST\n".utf8)
            .write(to: URL(filePath: film.path("t.m3u8")))
        try film.rewrite("master.m3u8") {
            let media =
                "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"t\",NAME=\"Deutsch\",LANGUAGE=\"de\",URI=\"t.m3u8\"\n"
            return $0.replacingOccurrences(of: "#EXT-X-STREAM-INF:", with: "#EXT-X-STREAM-INF:SUBTITLES=\"t\",")
                .replacingOccurrences(of: "#EXT-X-VERSION:3\n", with: "#EXT-X-VERSION:3\n" + media)
        }
        let origin = try film.origin()
        let (state, _) = mux(origin.address + "/master.m3u8", to: "film.\(ext)") {
            $0.primaryContentConfiguration.mediaSelections =
                AssetMediaSelection.list(.audio, "all") + AssetMediaSelection.list(.text, "all")
        }
        #expect(state == .completed, "\(state)")
        let contents = try Contents(target.path("film.\(ext)"))
        #expect(contents.info.streams.filter { $0.kind == .audio }.map { $0.track?.language } == ["eng", "fra"])
        #expect(contents.info.streams.filter { $0.kind == .subtitle }.map { $0.track?.language } == ["ger"])
        #expect(contents.count(.video) == [SegmentedVideo.frameCount])
        #expect(contents.texts.map(\.lines) == [["first"], ["second", "line"]])
        // The beginning of the earliest stream is 0 in the file.
        let spans = contents.texts.map { (($0.end ?? $0.start) - $0.start).seconds }
        #expect(spans.allSatisfy { abs($0 - 1) < 0.002 }, "\(spans)")
        #expect(abs((contents.texts[1].start - contents.texts[0].start).seconds - 1.5) < 0.002)
    }

    /// A file with chapters and SubRip, of 2 s.
    private func progressive(audio: String = "aac") throws -> String {
        try Data("1\n00:00:00,200 --> 00:00:01,000\n<i>said</i>\n".utf8).write(to: URL(filePath: target.path("in.srt")))
        let chapters =
            ";FFMETADATA1\n"
            + [("One", 0), ("Two", 1000)]
            .map { "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($1)\nEND=\($1 + 1000)\ntitle=\($0)\n" }.joined()
        try Data(chapters.utf8).write(to: URL(filePath: target.path("in.txt")))
        let path = target.path("in.mkv")
        let result = try Fixtures.run(
            "ffmpeg",
            [
                "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-f", "lavfi", "-i",
                "sine=f=440:r=48000:d=2", "-i", target.path("in.srt"), "-i", target.path("in.txt"), "-map_chapters", "3", "-map",
                "0",
                "-map", "1", "-map", "2", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", audio, "-c:s", "srt",
                path,
            ])
        guard result.status == 0 else { throw Fixtures.Failure(description: String(decoding: result.errors, as: UTF8.self)) }
        return path
    }

    @Test(arguments: ["mkv", "mp4"]) func aFileKeepsChaptersAndTexts(_ ext: String) throws {
        let origin = try TestOrigin(["/in.mkv": .file(try progressive())])
        let before = try Contents(target.path("in.mkv"))
        let (state, _) = mux(origin.address + "/in.mkv", to: "film.\(ext)")
        #expect(state == .completed, "\(state)")
        let after = try Contents(target.path("film.\(ext)"))
        #expect(after.count(.video) == before.count(.video) && after.count(.audio) == before.count(.audio))
        #expect(after.info.chapters.map(\.name) == ["One", "Two"])
        #expect(after.texts.map(\.lines) == [["said"]])
    }

    @Test func aCodecThatMP4DoesNotHoldIsNamed() throws {
        let origin = try TestOrigin(["/in.mkv": .file(try progressive(audio: "wmav2"))])
        guard case .failed(let error) = mux(origin.address + "/in.mkv", to: "film.mp4").state else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .unsupported && error.reason.contains("audio in wmav2"), "\(error)")
        #expect(!FileManager.default.fileExists(atPath: target.path("film.mp4")))
        #expect(FileManager.default.fileExists(atPath: target.path("p")))
    }

    @Test func aFileThatIsThereIsRefusedBeforeAnythingIsFetched() throws {
        try Data("mine".utf8).write(to: URL(filePath: target.path("film.mkv")))
        let origin = try TestOrigin(["/in.mkv": .pattern(1000)])
        guard case .failed(let error) = mux(origin.address + "/in.mkv", to: "film.mkv").state else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .cannotOpen && origin.requests.isEmpty)
        #expect(try Data(contentsOf: URL(filePath: target.path("film.mkv"))) == Data("mine".utf8))
    }

    @Test func aMissingSegmentIsNoFileAndTheNextRunFinishes() throws {
        let film = try SegmentedVideo(.transport)
        let name = film.path("s0_2.ts"), hidden = film.path("hidden")
        try FileManager.default.moveItem(atPath: name, toPath: hidden)
        do {
            let origin = try film.origin(), (state, _) = mux(origin.address + "/master.m3u8", to: "film.mkv")
            guard case .failed(let error) = state else {
                Issue.record("\(state)")
                return
            }
            #expect(error.reason.contains("segment is missing"), "\(error)")
            #expect(!FileManager.default.fileExists(atPath: target.path("film.mkv")))
        }
        try FileManager.default.moveItem(atPath: hidden, toPath: name)
        // What a killed run has left is no hindrance.
        try Data("half".utf8).write(to: URL(filePath: target.path(".film.mkv.part")))
        let origin = try film.origin(), (state, _) = mux(origin.address + "/master.m3u8", to: "film.mkv")
        #expect(state == .completed, "\(state)")
        #expect(try Contents(target.path("film.mkv")).count(.video) == [SegmentedVideo.frameCount])
        #expect(!FileManager.default.fileExists(atPath: target.path(".film.mkv.part")))
    }

    /// The thread of the download stops it with the first news of the file.
    private final class Stop: Sendable {
        private let task = Mutex<AssetDownloadTask?>(nil)
        private let count = Mutex(0)
        func set(_ value: AssetDownloadTask) { task.withLock { $0 = value } }
        func take(_ news: AssetDownloadNews) {
            guard case .muxing = news else { return }
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { task.withLock { $0 }?.suspend() }
        }
    }

    @Test func oneThatIsStoppedLeavesNoFileAndGoesOn() throws {
        let film = try SegmentedVideo(.transport), origin = try film.origin(), stop = Stop()
        var options = AssetDownloadOptions()
        (options.folder, options.muxedFile) = (target.path("p"), target.path("film.mkv"))
        let task = AssetDownloadTask(
            AssetDownloadConfiguration(asset: .parse(origin.address + "/master.m3u8")), options: options
        ) { stop.take($0) }
        stop.set(task)
        task.resume()
        #expect(task.wait() == .suspended)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.url.path) == ["p"])
        let count = origin.requests.count
        task.resume()
        #expect(task.wait() == .completed)
        #expect(try Contents(target.path("film.mkv")).count(.video) == [SegmentedVideo.frameCount])
        #expect(origin.requests.dropFirst(count).allSatisfy { $0.target.hasSuffix(".m3u8") })
    }

    /// News in the order in which they came.
    private final class News: Sendable {
        private let list = Mutex<[AssetDownloadNews]>([])
        func take(_ news: AssetDownloadNews) { list.withLock { $0.append(news) } }
        var all: [AssetDownloadNews] { list.withLock { $0 } }
    }

    /// Downloads into `film.mkv`, without a folder of its own.
    private func one(_ address: String, _ news: News = News()) -> (state: AssetDownloadTask.State, folder: String?) {
        var options = AssetDownloadOptions()
        options.muxedFile = target.path("film.mkv")
        let task = AssetDownloadTask(AssetDownloadConfiguration(asset: .parse(address)), options: options) { news.take($0) }
        task.resume()
        return (task.wait(), task.folder)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: target.url.path).sorted()
    }

    @Test(arguments: [SegmentedVideo.Shape.transport, .fragments, .ciphered]) func withoutAFolderThereIsOneFile(
        _ shape: SegmentedVideo.Shape
    ) throws {
        let film = try SegmentedVideo(shape), origin = try film.origin(), news = News()
        let (state, folder) = one(origin.address + "/" + shape.manifest, news)
        #expect(state == .completed && folder == nil, "\(state)")
        #expect(try names() == ["film.mkv"])
        #expect(try Contents(target.path("film.mkv")).count(.video) == [SegmentedVideo.frameCount])
        // The last that is told before the file is complete is that all of it is written.
        let file = news.all
        guard let end = file.firstIndex(where: { if case .muxed = $0 { true } else { false } }), end > 0,
            case .muxed(_, let bytes) = file[end], case .muxing(_, let finished, let all, let written) = file[end - 1]
        else {
            Issue.record("\(file)")
            return
        }
        #expect(finished == all && written == bytes, "\(file)")
    }

    @Test func aFileThatIsNoSegmentsLeavesNoPackageEither() throws {
        let origin = try TestOrigin(["/in.mkv": .file(try progressive())])
        #expect(one(origin.address + "/in.mkv").state == .completed)
        #expect(try names().filter { !$0.hasPrefix("in.") } == ["film.mkv"])
    }

    @Test func aPackageThatIsNotInAFileStaysAndTheSentenceSaysWhere() throws {
        let film = try SegmentedVideo(.transport), name = film.path("s0_2.ts"), hidden = film.path("hidden")
        try FileManager.default.moveItem(atPath: name, toPath: hidden)
        do {
            let origin = try film.origin()
            guard case .failed(let error) = one(origin.address + "/master.m3u8").state else {
                Issue.record("not refused")
                return
            }
            #expect(error.reason.contains("the same command goes on") && error.reason.contains("film.mkv.aepkg"), "\(error)")
        }
        #expect(try names() == ["film.mkv.aepkg"])
        try FileManager.default.moveItem(atPath: hidden, toPath: name)
        // A file of a person's is not the package's.
        try Data("mine".utf8).write(to: URL(filePath: target.path("film.mkv.aepkg/notes.txt")))
        let origin = try film.origin(), news = News()
        #expect(one(origin.address + "/master.m3u8", news).state == .completed)
        #expect(try names() == ["film.mkv", "film.mkv.aepkg"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path("film.mkv.aepkg")) == ["notes.txt"])
        #expect(news.all.contains { if case .note(let text) = $0 { text.contains("other things") } else { false } })
    }

    @Test func twoRunsDoNotWriteOneFile() throws {
        let origin = try TestOrigin(["/in.mkv": .file(try progressive())]), path = target.path("film.mkv")
        do {
            let other = try MuxDraft(of: path)
            try Data("theirs".utf8).write(to: URL(filePath: other.path), options: [])
            guard case .failed(let error) = mux(origin.address + "/in.mkv", to: "film.mkv").state else {
                Issue.record("not refused")
                return
            }
            #expect(error.code == .cannotOpen && error.reason.contains("another run writes it"), "\(error)")
            #expect(try Data(contentsOf: URL(filePath: other.path)) == Data("theirs".utf8))
        }
        #expect(mux(origin.address + "/in.mkv", to: "film.mkv").state == .completed)
    }

    @Test func textsThatOverlapAreOneAfterAnotherInMP4() {
        func cue(_ start: Double, _ end: Double, _ text: String) -> FileMuxerCue {
            FileMuxerCue(start: .zero + .seconds(start), end: .zero + .seconds(end), body: .text(text))
        }
        let flat = PackageTexts.flat([cue(0, 2, "a"), cue(1, 3, "b"), cue(5, 6, "c")])
        #expect(flat == [cue(0, 1, "a"), cue(1, 2, "a\nb"), cue(2, 3, "b"), cue(5, 6, "c")])
        var texts = PackageTexts()
        // A text in two segments, and one without an end.
        for _ in 0..<2 { texts.add([DecodedSubtitle(start: .zero, end: .zero + .seconds(1), lines: ["a"])]) }
        texts.add([DecodedSubtitle(start: .zero + .seconds(3), end: nil, lines: ["b"])])
        #expect(texts.cues == [cue(0, 1, "a"), cue(3, 8, "b")])
    }
}
