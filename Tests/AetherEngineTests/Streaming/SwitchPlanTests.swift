import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// High, low, high again: each frame that is shown is the one that the rendition of its time has, pixel for pixel.
@Suite struct SwitchPlanTests {
    enum Shape: String, CaseIterable, Sendable { case transport, fragments, dash }

    private struct Ladder {
        let folder: TemporaryFolder
        let shape: Shape
        var manifest: String { folder.path(shape == .dash ? "m.mpd" : "master.m3u8") }

        /// Two sizes of four segments of a second, with B-frames.
        init(_ shape: Shape) throws {
            (folder, self.shape) = (try TemporaryFolder(), shape)
            let input = [
                "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=4", "-map", "0:v", "-map", "0:v",
                "-s:v:1",
                "48x32", "-b:v:0", "400k", "-b:v:1", "60k", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-keyint_min",
                "25",
                "-sc_threshold", "0", "-bf", "2",
            ]
            let hls = [
                "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "-var_stream_map", "v:0 v:1", "-master_pl_name",
                "master.m3u8",
            ]
            let own: [String] =
                switch shape {
                case .transport: hls + ["-hls_segment_filename", folder.path("s%v_%d.ts"), folder.path("l%v.m3u8")]
                case .fragments:
                    hls + [
                        "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "i%v.mp4", "-hls_segment_filename",
                        folder.path("s%v_%d.m4s"),
                        folder.path("l%v.m3u8"),
                    ]
                case .dash:
                    [
                        "-f", "dash", "-seg_duration", "1", "-init_seg_name", "i$RepresentationID$.mp4", "-media_seg_name",
                        "s$RepresentationID$_$Number$.m4s", folder.path("m.mpd"),
                    ]
                }
            let made = try Fixtures.run("ffmpeg", input + own)
            guard made.status == 0 else { throw Fixtures.Failure(description: String(decoding: made.errors, as: UTF8.self)) }
        }

        /// The frames of a rendition, out of its files one behind the other.
        func frames(_ rendition: Int) throws -> [UInt64] {
            let suffix = shape == .transport ? "ts" : "m4s", first = shape == .dash ? 1 : 0
            var whole = shape == .transport ? Data() : try Data(contentsOf: URL(filePath: folder.path("i\(rendition).mp4")))
            for number in first..<first + 4 {
                whole += try Data(contentsOf: URL(filePath: folder.path("s\(rendition)_\(number).\(suffix)")))
            }
            let path = folder.path("whole\(rendition).\(shape == .transport ? "ts" : "mp4")")
            try whole.write(to: URL(filePath: path))
            return try reference(path).sorted { $0.pts < $1.pts }.map(\.hash)
        }

        func open() throws -> JoinedSource {
            let interrupt = Interrupt()
            let input = try MediaInput(.location(.file(manifest)), follows: true, interrupt: interrupt)
            let document = try #require(try StreamDocument(input))
            let opening = StreamOpening(
                options: OpenOptions(), window: nil, wishes: VariantChoice([.best]), interrupt: interrupt, time: ManualTime())
            return JoinedSource(try opening.sources(document))
        }
    }

    /// Decoders as the pipeline has them: another format is another decoder, and the former one gives what it holds.
    private struct Decoding: ~Copyable {
        private var decoder: VideoDecoder?
        private var format: Int?
        private var scaler = RasterScaler()
        private(set) var shown: [(time: MediaTime, hash: UInt64)] = []

        mutating func send(_ packet: Packet?, _ parameters: (Int) throws -> CodecParameters) throws {
            if packet == nil || packet?.format != format {
                try give(nil)
                guard let packet else { return }
                decoder = try VideoDecoder(parameters(packet.format), threadCount: 1)
                format = packet.format
            }
            try give(packet)
        }

        private mutating func give(_ packet: Packet?) throws {
            guard decoder != nil else { return }
            while try decoder?.send(packet) == .full { try drain() }
            try drain()
        }

        private mutating func drain() throws {
            do throws(MediaError) {
                while let frame = try decoder?.receive() {
                    let image = try scaler.scale(frame, to: PixelSize(width: frame.width, height: frame.height))
                    shown.append((frame.pts ?? .zero, HashVideoSink.hash(image)))
                }
            } catch {
                if error.code != .endOfMedia { throw error }
            }
        }
    }

    @Test(arguments: Shape.allCases) func eachFrameIsThatOfTheRenditionOfItsTime(_ shape: Shape) throws {
        let ladder = try Ladder(shape), source = try ladder.open()
        let variants = try #require(source.description.variants), high = variants.active
        let low = try #require(variants.list.first { $0.id != high }?.id)
        let video = try #require(source.description.info.streams.first { $0.kind == .video }?.id)
        source.select([video])
        var decoding = Decoding(), count = 0, last = source.description.info.startTime
        while true {
            do throws(MediaError) {
                guard case .packet(let packet) = try source.read(run: Epoch()) else { continue }
                count += 1
                last = max(last, packet.pts ?? last)
                do {
                    try decoding.send(packet) { format in
                        try #require(source.description.stream(video, format: format)?.parameters)
                    }
                } catch {
                    Issue.record("\(error)")
                }
                // In the second segment, and in the third.
                let wanted = count == 30 ? low : count == 60 ? high : nil
                if let wanted, try source.choose(wanted, behind: last) != nil { Issue.record("frames would come twice") }
            } catch {
                guard error.code == .endOfMedia else { throw error }
                break
            }
        }
        try decoding.send(nil) { _ in throw MediaError(.endOfMedia, "decode") }
        let (highest, lowest) = (try ladder.frames(0), try ladder.frames(1))
        let expected = Array(highest[..<50] + lowest[50..<75] + highest[75...])
        let shown = decoding.shown.sorted { $0.time < $1.time }
        let isEven = zip(shown, shown.dropFirst()).allSatisfy { abs(($1.time - $0.time).seconds - 0.04) < 0.0015 }
        #expect(highest.count == 100 && highest[60] != lowest[60] && isEven)
        let differing = zip(shown.map(\.hash), expected).count { $0 != $1 }
        #expect(shown.count == 100 && differing == 0)
    }

    /// Wherever reading stands when another quality is chosen: what the demuxer holds of the segments before the border is not lost.
    @Test(arguments: [SegmentedVideo.Shape.ladder, .muxedLadder])
    func noPacketBeforeTheBorderIsLost(_ shape: SegmentedVideo.Shape) throws {
        let folder = try SegmentedVideo(shape)
        for count in 1...120 {
            let source = try StreamReading.open(.file(folder.path(shape.manifest)))
            let isMuxed = shape == .muxedLadder
            let streams = source.description.info.streams.filter { $0.kind == .video || $0.kind == .audio && isMuxed }
            source.select(Set(streams.map(\.id)))
            let active = source.description.variants?.active
            let other = try #require(source.description.variants?.list.first { $0.id != active }?.id)
            let point = source.description.info.startTime + .seconds(0.96)
            var lanes = Dictionary(uniqueKeysWithValues: streams.map { ($0.id, PacketLane()) }), read = 0
            do throws(MediaError) {
                while true {
                    guard case .packet(let packet) = try source.read(run: Epoch()) else { continue }
                    lanes[packet.stream]?.append(packet)
                    read += 1
                    guard read == count, let border = try source.choose(other, behind: point) else { continue }
                    for stream in streams { lanes[stream.id]?.dropAhead(from: border, fromKey: stream.kind == .video) }
                }
            } catch {
                guard error.code == .endOfMedia else { throw error }
            }
            for stream in streams {
                var times: [MediaTime] = []
                while let packet = lanes[stream.id]?.popFirst() { times.append(packet.pts ?? .zero) }
                times.sort()
                let step = stream.kind == .video ? 0.04 : 1024.0 / 48_000
                let uneven = zip(times, times.dropFirst()).filter { abs(($1 - $0).seconds - step) > 0.0015 }
                #expect(uneven.isEmpty && times.count >= 100, "\(stream.kind) after \(count) packets: \(times.count) \(uneven)")
            }
        }
    }
}
