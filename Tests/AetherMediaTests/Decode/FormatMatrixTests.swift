import AetherCore
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// Containers times codecs, each through our demuxer and decoders against ffmpeg's own pictures and samples.
struct FormatCase: Sendable, CustomTestStringConvertible {
    let container: String
    let video: String
    let audio: String
    var testDescription: String { "\(container) \(video) \(audio)" }

    static let videoEncoders: KeyValuePairs<String, [String]> = [
        "h264": ["libx264", "-preset", "veryfast", "-bf", "2"],
        "hevc": ["libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:pools=none:frame-threads=1"],
        "vp8": ["libvpx", "-deadline", "realtime", "-cpu-used", "8"],
        "vp9": ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"],
        // Not SVT-AV1, which never ends where the muxer refuses it.
        "av1": ["libaom-av1", "-usage", "realtime", "-cpu-used", "8"],
        "mpeg2": ["mpeg2video", "-bf", "2"], "mpeg4": ["mpeg4", "-bf", "2"], "theora": ["libtheora"],
    ]

    static let audioEncoders: KeyValuePairs<String, String> = [
        "aac": "aac", "ac3": "ac3", "eac3": "eac3", "mp2": "mp2", "mp3": "libmp3lame", "opus": "libopus", "vorbis": "libvorbis",
        "flac": "flac", "alac": "alac", "pcm": "pcm_s16le", "truehd": "truehd", "dts": "dca",
    ]

    /// The codecs that each muxer of FFmpeg 5.1 accepts and its demuxer reads again. Not in the table though accepted: HEVC in AVI (read
    /// back as raw video), VP8, VP9, AV1, Theora, FLAC, ALAC, Vorbis and PCM in TS (muxed as private data without a codec), MPEG-4 in FLV
    /// (no codec in the demuxer).
    static let accepted: KeyValuePairs<String, (video: [String], audio: [String])> = [
        "mkv": (videoEncoders.map(\.key), audioEncoders.map(\.key)),
        "mp4": (
            ["h264", "hevc", "vp9", "av1", "mpeg2", "mpeg4"],
            ["aac", "ac3", "eac3", "mp2", "mp3", "opus", "vorbis", "flac", "alac", "truehd", "dts"]
        ),
        "webm": (["vp8", "vp9", "av1"], ["opus", "vorbis"]),
        "ts": (["h264", "hevc", "mpeg2", "mpeg4"], ["aac", "ac3", "eac3", "mp2", "mp3", "opus", "truehd", "dts"]),
        "avi": (
            ["h264", "vp8", "vp9", "av1", "mpeg2", "mpeg4", "theora"],
            ["aac", "ac3", "eac3", "mp2", "mp3", "vorbis", "flac", "pcm", "dts"]
        ),
        "ogg": (["vp8", "theora"], ["opus", "vorbis", "flac"]),
        "flv": (["h264"], ["aac", "mp3"]),
    ]

    /// Pictures and sounds of a container side by side, the shorter list again and again: each codec at least once.
    static let all: [FormatCase] = accepted.flatMap { container, codecs in
        (0..<max(codecs.video.count, codecs.audio.count)).map {
            FormatCase(
                container: container, video: codecs.video[$0 % codecs.video.count], audio: codecs.audio[$0 % codecs.audio.count])
        }
    }

    func clip() throws -> String {
        let video = try #require(Self.videoEncoders.first { $0.key == self.video }).value
        let audio = try #require(Self.audioEncoders.first { $0.key == self.audio }).value
        return try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=1", "-f", "lavfi", "-i", "sine=440:b=2:r=48000:d=1", "-ac", "2",
                "-pix_fmt", "yuv420p", "-g", "12", "-threads", "1", "-c:v",
            ] + video + ["-strict", "-2", "-c:a", audio], ext: container)
    }
}

@Suite struct FormatMatrixTests {
    @Test(arguments: FormatCase.all)
    func decodesToTheSameFramesAndSamplesAsFFmpeg(_ format: FormatCase) throws {
        let path = try format.clip()
        let ours = try DecodedSource(path)
        let reference = try Fixtures.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        let pictures = String(decoding: reference.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "" }
        #expect(pictures.count >= 24)
        #expect(ours.pictures == pictures)
        #expect(
            zip(ours.times, ours.times.dropFirst()).allSatisfy { ($0 ?? .zero) < ($1 ?? .zero) },
            "\(ours.times.map { $0?.nanoseconds ?? -1 })")

        let raw = try #require(
            [AV_SAMPLE_FMT_S16: "s16le", AV_SAMPLE_FMT_S32: "s32le", AV_SAMPLE_FMT_FLT: "f32le"][ours.sampleFormat])
        let sound = try Fixtures.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-c:a", "pcm_\(raw)", "-f", raw, "-"]
        ).output
        #expect(ours.samples.count == sound.count)
        #expect(ours.samples == Array(sound))
        #expect(ours.sampleCount >= 46_000)
    }

    @Test(arguments: FormatCase.all)
    func knowsCodecsSizeAndLengthWithoutAFullAnalysis(_ format: FormatCase) throws {
        let path = try format.clip()
        let quick = try probe(path, .playback)
        let full = try probe(path, .full)
        #expect(quick.streams.map(\.codecName) == full.streams.map(\.codecName))
        #expect(quick.streams.map(\.size) == full.streams.map(\.size))
        for (known, decoded) in zip(quick.streams.compactMap(\.track), full.streams.compactMap(\.track)) {
            #expect(known.channels == decoded.channels)
            #expect(known.channelLayout == decoded.channelLayout)
            #expect(known.sampleRate == decoded.sampleRate)
            #expect(known.isDefault == decoded.isDefault)
        }
        #expect(quick.streams.map(\.startTime) == full.streams.map(\.startTime))
        #expect(quick.duration == full.duration)
        #expect(quick.startTime == full.startTime)
        let rate = try #require(quick.decodable(.video).first?.frameRate)
        #expect(abs(rate.value - 25) < 1.5)
    }

    private func probe(_ path: String, _ analysis: OpenOptions.Analysis) throws -> SourceInfo {
        try Demuxer(try reading(path), options: OpenOptions(analysis: analysis), interrupt: Interrupt()).info
    }
}
