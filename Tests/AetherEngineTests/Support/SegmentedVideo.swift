import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation

@testable import AetherEngine
@testable import AetherMedia

/// A clip of 4 s at 25 frames a second with audio, cut into segments of 1 s by ffmpeg, and a server for it.
struct SegmentedVideo {
    enum Shape: String, CaseIterable, Sendable {
        /// MPEG-TS, audio in a rendition of its own.
        case transport
        /// Fragments of MP4 with an init section, audio in a rendition of its own.
        case fragments
        /// Video and audio in the same segments, which are parts of one file.
        case parts
        /// MPEG-TS in two sizes, with audio in two languages of their own.
        case ladder
        /// The same with the audio in the segments of the video.
        case muxedLadder
        /// Each segment enciphered, the key in a file of its own.
        case ciphered
        /// DASH with a timeline, with numbers alone, and with one file for each track.
        case dashTimeline, dashNumbers, dashFiles
        /// The same, each file with an index in it that says where its segments lie.
        case dashIndexed

        var isDASH: Bool { [.dashTimeline, .dashNumbers, .dashFiles, .dashIndexed].contains(self) }
        /// Each rendition is one file.
        var hasFiles: Bool { [.parts, .dashFiles, .dashIndexed].contains(self) }
        /// The document to open.
        var manifest: String { isDASH ? "m.mpd" : "master.m3u8" }
    }
    let folder: TemporaryFolder
    static let frameCount = 100

    init(_ shape: Shape) throws {
        folder = try TemporaryFolder()
        let input = [
            "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=4", "-f",
            "lavfi", "-i",
            "sine=f=440:r=48000:d=4", "-map", "0:v", "-map", "1:a", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25",
            "-keyint_min", "25", "-sc_threshold", "0", "-bf", "2", "-c:a", "aac",
        ]
        let hls = ["-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"], dash = ["-f", "dash", "-seg_duration", "1"]
        let separate = [
            "-var_stream_map", "v:0,agroup:aud a:0,agroup:aud,language:eng,default:yes", "-master_pl_name", "master.m3u8",
        ]
        let own: [String]
        switch shape {
        case .dashTimeline: own = ["-use_timeline", "1", path("m.mpd")]
        case .dashNumbers: own = ["-use_timeline", "0", path("m.mpd")]
        case .dashFiles: own = ["-single_file", "1", path("m.mpd")]
        case .dashIndexed: own = ["-f", "mp4", path("all.mp4")]
        case .ladder:
            own = [
                "-map", "0:v", "-map", "1:a", "-s:v:1", "48x32", "-var_stream_map",
                "v:0,agroup:aud v:1,agroup:aud a:0,agroup:aud,language:eng,default:yes a:1,agroup:aud,language:fra",
                "-master_pl_name",
                "master.m3u8", "-hls_segment_filename", path("s%v_%d.ts"), path("l%v.m3u8"),
            ]
        case .muxedLadder:
            own = [
                "-map", "0:v", "-map", "1:a", "-s:v:1", "48x32", "-var_stream_map", "v:0,a:0 v:1,a:1", "-master_pl_name",
                "master.m3u8", "-hls_segment_filename", path("s%v_%d.ts"), path("l%v.m3u8"),
            ]
        case .transport: own = separate + ["-hls_segment_filename", path("s%v_%d.ts"), path("l%v.m3u8")]
        case .fragments:
            own =
                separate + [
                    "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "i%v.mp4", "-hls_segment_filename",
                    path("s%v_%d.m4s"),
                    path("l%v.m3u8"),
                ]
        case .parts:
            own = ["-hls_flags", "single_file", "-hls_segment_filename", path("all.ts"), path("master.m3u8")]
        case .ciphered:
            try Data((0..<16).map { UInt8($0) }).write(to: URL(filePath: path("key.bin")))
            try Data("key.bin\n\(path("key.bin"))\n".utf8).write(to: URL(filePath: path("key.txt")))
            own = ["-hls_key_info_file", path("key.txt"), "-hls_segment_filename", path("s%d.ts"), path("master.m3u8")]
        }
        let result = try Fixtures.run("ffmpeg", input + (shape.isDASH ? dash : hls) + own)
        guard result.status == 0 else { throw Fixtures.Failure(description: String(decoding: result.errors, as: UTF8.self)) }
        if shape == .dashIndexed { try index() }
    }

    /// Cuts the clip into two files with an index each, and writes their manifest.
    private func index() throws {
        var sets = ""
        for (map, name, type) in [("0:v", "v.mp4", "video/mp4"), ("0:a", "a.mp4", "audio/mp4")] {
            let result = try Fixtures.run(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-y", "-i", path("all.mp4"), "-map", map, "-c", "copy", "-movflags",
                    "+dash+global_sidx+frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "1000000", path(name),
                ])
            guard result.status == 0 else { throw Fixtures.Failure(description: String(decoding: result.errors, as: UTF8.self)) }
            var place = 0
            for box in MP4Box.list([UInt8](try Data(contentsOf: URL(filePath: path(name))))) {
                if box.kind == "sidx" {
                    let codec = map == "0:v" ? "avc1.42c00b" : "mp4a.40.2"
                    sets += """
                        <AdaptationSet mimeType="\(type)" codecs="\(codec)"><Representation id="\(name)" bandwidth="100000"><BaseURL>\(name)</BaseURL>
                        <SegmentBase indexRange="\(place)-\(place + box.bytes.count - 1)"><Initialization range="0-\(place - 1)"/></SegmentBase>
                        </Representation></AdaptationSet>
                        """
                }
                place += box.bytes.count
            }
        }
        let text = "<MPD type=\"static\" mediaPresentationDuration=\"PT4S\"><Period>\(sets)</Period></MPD>"
        try Data(text.utf8).write(to: URL(filePath: path("m.mpd")))
    }

    func path(_ name: String) -> String { folder.path(name) }

    /// The sizes of all files whose names begin so, together.
    func byteCount(_ prefix: String) throws -> Int64 {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix(prefix) }
            .reduce(0) { $0 + Int64(try Data(contentsOf: URL(filePath: path($1))).count) }
    }

    /// A document beside the segments.
    func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path(name))) }

    /// The text of a playlist, changed.
    func rewrite(_ name: String, _ change: (String) -> String) throws {
        let text = try String(contentsOfFile: path(name), encoding: .utf8)
        try Data(change(text).utf8).write(to: URL(filePath: path(name)))
    }

    /// A server for all that is in the folder.
    func origin() throws -> TestOrigin {
        var files: [String: TestOrigin.Content] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) { files["/" + name] = .file(path(name)) }
        return try TestOrigin(files)
    }
}

/// The packets of a stream that is read to its end.
struct StreamReading {
    var video: [MediaTime] = []
    /// Times are nil where the container says none: the first frames of a packet of MPEG-TS.
    var audio: [(time: MediaTime?, span: TimeSpan)] = []
    var damage = 0
    /// Of each packet of video.
    var formats: [Int] = []
    let source: JoinedSource

    /// Opens a source as a session does.
    static func open(
        _ location: MediaLocation, window: VariantPicker.Window? = nil, keys: ContentKeys = ContentKeys(),
        http: HTTPOptions = HTTPOptions(), meter: NetworkMeter = NetworkMeter()
    ) throws -> JoinedSource {
        let interrupt = Interrupt()
        let input = try MediaInput(.location(location), http: http, meter: meter, follows: true, interrupt: interrupt)
        guard let document = try StreamDocument(input) else { throw MediaError(.notMedia, "open", subject: "stream") }
        var options = OpenOptions()
        options.keys = keys
        return JoinedSource(
            try StreamOpening(options: options, window: window, interrupt: interrupt, time: SystemTime()).sources(document))
    }

    /// Reads the first video and the first audio to the end.
    init(_ location: MediaLocation) throws { try self.init(Self.open(location), from: nil) }

    /// From a point on, where one is given.
    init(_ source: JoinedSource, from point: MediaTime?) throws {
        self.source = source
        let streams = source.description.info.streams
        let video = streams.first { $0.kind == .video }?.id, audio = streams.first { $0.kind == .audio }?.id
        source.select(Set([video, audio].compactMap { $0 }))
        let start = point ?? source.description.start ?? source.description.info.startTime
        _ = try source.seek(to: SeekPlan(target: start, landing: .exact), video: video)
        reading: while true {
            do throws(MediaError) {
                guard case .packet(let packet) = try source.read(run: Epoch()) else { continue }
                if packet.stream == video, let time = packet.pts {
                    self.video.append(time)
                    formats.append(packet.format)
                }
                if packet.stream == audio { self.audio.append((packet.pts, packet.duration ?? .zero)) }
            } catch {
                damage = source.damageCount
                if error.code == .endOfMedia { break reading }
                throw error
            }
        }
    }

    /// The frames in the order in which they are shown are all there, each in its place.
    func hasEveryFrame(_ count: Int = SegmentedVideo.frameCount, rate: Double = 25) -> Bool {
        let sorted = video.sorted()
        return video.count == count
            && sorted.indices.allSatisfy { abs((sorted[$0] - sorted[0]).seconds - Double($0) / rate) < 0.0015 }
    }

    /// No audio is missing and none comes twice: 4 s are 187.5 packets of 1024 samples, and one before them.
    var isAudioWhole: Bool {
        let isEven = zip(audio, audio.dropFirst()).allSatisfy { packet, next in
            guard let time = packet.time, let following = next.time, packet.span > .zero else { return true }
            return (following - time - packet.span).magnitude < .milliseconds(1)
        }
        // A list of segments of DASH ends with its period: ffmpeg writes a segment more.
        return isEven && (184...190).contains(audio.count)
    }
}
