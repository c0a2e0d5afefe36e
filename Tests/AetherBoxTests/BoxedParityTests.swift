import AetherCore
import AetherEngine
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherBox
@testable import AetherMedia

/// A box changes nothing: what comes out of it is what comes without.
@Suite(.enabled(if: !Sanitizer.isOn, "a sanitizer takes more memory and calls than the box has")) struct BoxedParityTests {
    /// A clip and how it is made.
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let video: [String]
        let audio: String?
        let ext: String

        init(_ name: String, _ video: [String], audio: String? = "aac", ext: String) {
            (self.name, self.video, self.audio, self.ext) = (name, video, audio, ext)
        }

        var testDescription: String { "\(name).\(ext)" }

        func clip() throws -> String {
            let picture = video.isEmpty ? [] : ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=3"]
            let sound = audio == nil ? [] : ["-f", "lavfi", "-i", "sine=440:b=2:r=48000:d=3", "-ac", "2"]
            let codecs = video.isEmpty ? [] : ["-pix_fmt", "yuv420p", "-g", "20", "-threads", "1", "-c:v"] + video
            return try Fixtures.clip(picture + sound + codecs + (audio.map { ["-strict", "-2", "-c:a", $0] } ?? []), ext: ext)
        }
    }

    static let shapes = [
        Shape("h264", ["libx264", "-bf", "2"], ext: "mkv"), Shape("h264", ["libx264", "-bf", "2"], ext: "mp4"),
        Shape("h264", ["libx264", "-bf", "2"], audio: "mp2", ext: "ts"),
        Shape("hevc", ["libx265", "-x265-params", "log-level=none"], ext: "mkv"),
        Shape(
            "hevc of 10 bits", ["libx265", "-pix_fmt", "yuv420p10le", "-x265-params", "log-level=none"], audio: "flac", ext: "mkv"
        ),
        Shape("vp9", ["libvpx-vp9", "-deadline", "realtime"], audio: "libopus", ext: "webm"),
        Shape("av1", ["libaom-av1", "-cpu-used", "8", "-usage", "realtime"], audio: "libopus", ext: "webm"),
        Shape("mpeg2", ["mpeg2video", "-bf", "2"], audio: "mp2", ext: "ts"),
        Shape("mpeg4", ["mpeg4", "-bf", "1"], audio: "mp3", ext: "avi"),
        Shape("rgb", ["qtrle", "-pix_fmt", "rgb24"], audio: nil, ext: "mov"),
        Shape("mjpeg", ["mjpeg", "-pix_fmt", "yuvj420p"], audio: "pcm_s16le", ext: "avi"),
        Shape("mp3", [], audio: "mp3", ext: "mp3"), Shape("flac", [], audio: "flac", ext: "flac"),
        Shape("opus", [], audio: "libopus", ext: "ogg"),
    ]

    @Test(arguments: shapes)
    func sourceIsReportedAlike(_ shape: Shape) throws {
        let clip = try shape.clip()
        let plain = try ProbeReport(BoxedFixture.demuxer(clip, box: nil, analysis: .full), name: "a clip")
        let boxed = try ProbeReport(BoxedFixture.demuxer(clip, box: BoxedFixture.box, analysis: .full), name: "a clip")
        #expect(boxed.json.report == plain.json.report && boxed.text == plain.text)
        #expect(boxed.json == plain.json && plain.json["streams"]?.values?.isEmpty == false)
    }

    /// The tables of a disc give its streams another order than that of their numbers, and its titles chapters.
    @Test(.enabled(if: DVDFixture.isPossible, Comment(rawValue: DVDFixture.missing)))
    func titleOfADiscIsReportedAlike() async throws {
        let source = MediaSource.location(.file(try DVDFixture.made().image))
        var options = LoadOptions()
        options.open.box = nil
        let plain = try await AetherEngine.probe(source, options: options)
        options.open.box = BoxedFixture.box
        let boxed = try await AetherEngine.probe(source, options: options)
        #expect(boxed.json.report == plain.json.report && boxed.text == plain.text)
        let kinds = boxed.json["streams"]?.values?.map { $0["codec_type"]?.text }
        #expect(kinds?.first == "video" && boxed.json["aether"]?["titles"]?.values?.count == 2)
    }

    @Test func descriptionInTheOrderOfADiscIsKept() throws {
        var info = try BoxedFixture.demuxer(try Self.shapes[0].clip(), box: nil).info
        let chapter = ChapterInfo(id: 0, name: "one", start: .seconds(1), duration: .seconds(2))
        let title = { (id: Int, kind: TitleInfo.Kind, chapters: [ChapterInfo]?) in
            TitleInfo(id: id, kind: kind, name: "", startTime: .zero, duration: nil, tracks: [], chapters: chapters)
        }
        info.titles = [title(0, .disc, [chapter]), title(1, .edition, []), title(2, .program, nil)]
        let sorted = SourceRecord.bytes(of: info)
        #expect(SourceRecord.info(sorted, box: nil)?.titles == info.titles)
        let swapped = SourceRecord.bytes(
            of: info.titled(
                from: info.startTime, duration: .seconds(3), streams: info.streams.reversed(), format: "DVD-Video"))
        #expect(info.streams.count == 2 && SourceRecord.info(swapped, box: nil) == nil)
        #expect(SourceRecord.info(swapped, box: nil, inAnyOrder: true)?.streams.map(\.index) == [1, 0])
        let twice = SourceRecord.bytes(
            of: info.titled(
                from: info.startTime, duration: .seconds(3), streams: [info.streams[0], info.streams[0]], format: "DVD-Video"))
        #expect(SourceRecord.info(twice, box: nil, inAnyOrder: true) == nil)
    }

    @Test(arguments: shapes)
    func sourceIsDescribedAlike(_ shape: Shape) throws {
        let clip = try shape.clip()
        for analysis in [OpenOptions.Analysis.playback, .full] {
            let plain = try BoxedFixture.demuxer(clip, box: nil, analysis: analysis)
            let boxed = try BoxedFixture.demuxer(clip, box: BoxedFixture.box, analysis: analysis)
            #expect(SourceRecord.bytes(of: boxed.info) == SourceRecord.bytes(of: plain.info))
        }
    }

    @Test(arguments: shapes)
    func packetsAndFramesAreAlike(_ shape: Shape) throws {
        let clip = try shape.clip()
        var plain = try BoxedFixture.demuxer(clip, box: nil), boxed = try BoxedFixture.demuxer(clip, box: BoxedFixture.box)
        let expected = try BoxedFixture.packets(&plain), packets = try BoxedFixture.packets(&boxed)
        #expect(packets.count > 10)
        #expect(packets.map(\.record) == expected.map(\.record))
        for stream in plain.info.streams {
            let parameters = boxed.info.streams[stream.index].parameters
            let own = packets.filter { $0.stream.number == stream.index }
            switch stream.kind {
            case .video:
                var here = try VideoDecoder(stream.parameters, threadCount: 2)
                var there = try VideoDecoder(parameters, threadCount: 2)
                let frames = try BoxedFixture.frames(&here, own)
                #expect(there.name == here.name && frames.count >= 74)
                #expect(try BoxedFixture.frames(&there, own) == frames)
            case .audio:
                var here = try AudioDecoder(stream.parameters), there = try AudioDecoder(parameters)
                let samples = try BoxedFixture.samples(&here, own)
                #expect(there.name == here.name && !samples.isEmpty)
                #expect(try BoxedFixture.samples(&there, own) == samples)
            default: break
            }
        }
    }

    /// Damage that is met behind the last packet, too.
    @Test(arguments: shapes)
    func fileThatWasCutOffIsToldAlike(_ shape: Shape) throws {
        let folder = try TemporaryFolder(), path = folder.path("cut.\(shape.ext)")
        let whole = try Data(contentsOf: URL(filePath: try shape.clip()))
        try whole.prefix(whole.count * 6 / 10).write(to: URL(filePath: path))
        func isCut(_ box: (any MediaBox)?) throws -> Bool? {
            do throws(MediaError) {
                var demuxer = try BoxedFixture.demuxer(path, box: box)
                let last = try BoxedFixture.packets(&demuxer).last.flatMap { $0.pts ?? $0.dts }
                return demuxer.damageCount > 0 || demuxer.isCut(reached: last.map { $0 - demuxer.info.startTime })
            } catch {
                return nil
            }
        }
        #expect(try isCut(BoxedFixture.box) == isCut(nil))
    }

    @Test(arguments: shapes)
    func seeksLeadToTheSamePackets(_ shape: Shape) throws {
        let clip = try shape.clip()
        var plain = try BoxedFixture.demuxer(clip, box: nil), boxed = try BoxedFixture.demuxer(clip, box: BoxedFixture.box)
        let stream = plain.info.streams.first { $0.kind == .video }?.index
        for target in [2.1, 0.4, 2.9, 0] {
            try plain.seek(to: .seconds(target), stream: stream)
            try boxed.seek(to: .seconds(target), stream: stream)
            #expect(
                try BoxedFixture.packets(&boxed, limit: 8).map(\.record) == BoxedFixture.packets(&plain, limit: 8).map(\.record))
            if let stream {
                let (here, there) = (
                    plain.keys(around: .seconds(target), stream: stream), boxed.keys(around: .seconds(target), stream: stream)
                )
                #expect(there?.before == here?.before && there?.next == here?.next)
            }
        }
        if let stream { #expect(boxed.keyFrames(stream: stream) == plain.keyFrames(stream: stream)) }
        #expect(boxed.code(ofStream: 0) == plain.code(ofStream: 0))
        #expect(boxed.bytesFetched > 0 && boxed.isReadByUs)
    }

    /// A panorama has more pixels in a row than any video.
    @Test func aWideImageLeavesTheBox() throws {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=size=17000x16:rate=1", "-frames:v", "1", "-c:v", "png"], ext: "png")
        var plain = try BoxedFixture.demuxer(clip, box: nil), boxed = try BoxedFixture.demuxer(clip, box: BoxedFixture.box)
        let stream = try #require(boxed.info.streams.first), packets = try BoxedFixture.packets(&boxed)
        #expect(SourceRecord.bytes(of: boxed.info) == SourceRecord.bytes(of: plain.info) && packets.count == 1)
        var here = try VideoDecoder(try #require(plain.info.streams.first).parameters, threadCount: 1)
        var there = try VideoDecoder(stream.parameters, threadCount: 1)
        let frames = try BoxedFixture.frames(&here, BoxedFixture.packets(&plain)),
            isSame = try BoxedFixture.frames(&there, packets) == frames
        #expect(isSame && frames.count == 1)
    }

    /// Whatever size a stream says it has, the others of its source are known.
    @Test(arguments: [(30_000, 4), (Int32.max, Int32.max), (0, 0)] as [(Int32, Int32)])
    func aStreamOfAnySizeIsDescribed(_ width: Int32, _ height: Int32) {
        var record = RecordWriter()
        let parameters = CodecParameters.example
        (parameters.pointer.pointee.width, parameters.pointer.pointee.height) = (width, height)
        ParametersRecord.put(parameters, to: &record)
        var reader = RecordReader(record.bytes)
        let found = ParametersRecord.parameters(&reader, box: nil)
        #expect(reader.isWhole && found.pointer.pointee.width == width && found.pointer.pointee.height == height)
    }

    /// Frames that are held keep their pixels while others are decoded: more of them than the first memory has places.
    @Test func framesThatAreHeldStay() throws {
        let clip = try Self.shapes[0].clip()
        var boxed = try BoxedFixture.demuxer(clip, box: BoxedFixture.box)
        let stream = try #require(boxed.info.streams.first { $0.kind == .video })
        boxed.select([stream.index])
        let packets = try BoxedFixture.packets(&boxed)
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1),
            again = try VideoDecoder(stream.parameters, threadCount: 1)
        let expected = try BoxedFixture.frames(&again, packets)
        let held = HeldFrames()
        for packet in packets where held.count < 20 {
            _ = try decoder.send(packet)
            while held.count < 20, let frame = try decoder.receive() { held.keep(frame) }
        }
        #expect(held.values == Array(expected.prefix(20)))
    }

    @Test func whatABoxCannotReadIsSaid() {
        var options = OpenOptions()
        options.box = BoxedFixture.box
        #expect(throws: MediaError.self) {
            _ = try Demuxer(.url("rtsp://127.0.0.1:1/x"), options: options, interrupt: Interrupt())
        }
    }

    @Test func whatIsNoMediaIsSaidAlike() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "noise.mkv").path
        try #require(try? Data(Array(repeating: UInt8(7), count: 5000)).write(to: URL(filePath: path)))
        #expect(refusal(path, box: BoxedFixture.box) == refusal(path, box: nil))
        #expect(refusal(path, box: nil) != nil)
    }

    private func refusal(_ path: String, box: (any MediaBox)?) -> MediaError? {
        do throws(MediaError) {
            _ = try BoxedFixture.demuxer(path, box: box)
            return nil
        } catch {
            return error
        }
    }
}

/// Frames that are kept, each with a reference of its own.
private final class HeldFrames {
    private var pointers: [UnsafeMutablePointer<AVFrame>] = []
    private var times: [(pts: MediaTime?, duration: TimeSpan?)] = []

    var count: Int { pointers.count }

    func keep(_ frame: borrowing DecodedFrame) {
        guard let copy = av_frame_clone(frame.pointer) else { return }
        pointers.append(copy)
        times.append((frame.pts, frame.duration))
    }

    var values: [BoxedFixture.Frame] {
        zip(pointers, times).compactMap { pointer, time in
            guard let copy = av_frame_clone(pointer) else { return nil }
            return BoxedFixture.Frame(DecodedFrame(taking: copy, pts: time.pts, duration: time.duration))
        }
    }

    deinit {
        for pointer in pointers {
            var owned: UnsafeMutablePointer<AVFrame>? = pointer
            av_frame_free(&owned)
        }
    }
}
