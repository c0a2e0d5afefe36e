import AetherCore
import AetherTestSupport
import CFFmpeg
import Foundation
import Synchronization
import Testing

@testable import AetherMedia

/// Media of other people (../shared/corpus) against what FFmpeg 5.1 says of them.
@Suite struct CorpusTests {
    struct Facts: Decodable, Sendable {
        struct Stream: Decodable, Sendable {
            let codec_name: String?
            let codec_type: String?
            let width: Int?
            let sample_rate: String?
        }
        let streams: [Stream]
        let dec_frames: [String: Int]?
    }

    /// Where we differ from the ffprobe and ffmpeg runs in facts.json on purpose, and why.
    static let known: [String: String] = [
        "androidx/mkv/sample_with_vtt_subtitles.mkv": "S_TEXT/WEBVTT is read as WebVTT, which FFmpeg 5.1 leaves without a codec",
        "livesim2/testpic_2s/imsc1_img_en/init.mp4": "TTML in MP4 is subtitles here and data in FFmpeg 5.1",
        "livesim2/testpic_2s/imsc1_txt_sv/init.mp4": "TTML in MP4 is subtitles here and data in FFmpeg 5.1",
        "mp4ff/mp4/testdata/prog_8s_enc_dashinit.mp4": "encrypted: FFmpeg decodes noise",
        "shaka/hls-sample-aes/video.mp4": "encrypted: FFmpeg decodes noise",
    ]

    /// Where an FFmpeg later than the 5.1 of facts.json may differ from it, and why. Of libavformat 59, which is that one, nothing.
    static let later: [String: String] =
        avformat_version() >> 16 <= 59
        ? [:]
        : [
            "androidx/mp4/sample_ac4.mp4": "FFmpeg 7 has a name for AC-4",
            "androidx/mp4/sample_vvc.mp4": "FFmpeg 7 has a decoder for VVC",
            "androidx/wav/sample.wav": "FFmpeg 7 cuts PCM into larger packets",
            "androidx/wav/sine_24le.wav": "FFmpeg 7 cuts PCM into larger packets",
            "mp4parse-rust/mp4parse/tests/loop_none.avif": "FFmpeg 7 has its stills as streams, too",
            "wpt/webcodecs/sfx-pcm-f32.wav": "FFmpeg 7 cuts PCM into larger packets",
        ]

    @Test(.enabled(if: Fixtures.shared != nil, "no shared corpus (AETHER_SHARED or ../shared)"))
    func agreesWithFFmpegOnTheCorpus() throws {
        let root = try #require(Fixtures.shared).appendingPathComponent("corpus")
        let facts = try JSONDecoder().decode(
            [String: Facts].self, from: Data(contentsOf: root.appendingPathComponent("facts.json")))
        let names = facts.keys.sorted()
        let next = Atomic(0)
        let problems = Mutex<[String: String]>([:])
        let frames = Counter()
        let threads = (0..<2).map { number in
            WorkerThread(name: "corpus \(number)") {
                while true {
                    let index = next.add(1, ordering: .relaxed).oldValue
                    guard index < names.count else { return }
                    let name = names[index]
                    guard let fact = facts[name] else { return }
                    if let problem = Self.problem(root.appendingPathComponent(name).path, fact, frames) {
                        problems.withLock { $0[name] = problem }
                    }
                }
            }
        }
        for thread in threads { thread.join() }
        let found = problems.withLock { $0 }
        print("corpus: \(names.count) files, \(frames.current) frames, \(found.count) differ, \(Self.known.count) of them known")
        for name in found.keys.sorted() where Self.known[name] == nil && Self.later[name] == nil {
            Issue.record("\(name): \(found[name] ?? "")")
        }
        for name in Self.known.keys.sorted() where found[name] == nil { Issue.record("\(name) no longer differs") }
        #expect(frames.current > 80_000)
    }

    /// How a file differs from its facts, nil where it does not.
    private static func problem(_ path: String, _ facts: Facts, _ frames: Counter) -> String? {
        let info: SourceInfo
        do {
            info = try Demuxer(try reading(path), options: OpenOptions(analysis: .full), interrupt: Interrupt()).info
            let ours = info.streams.map { "\($0.kind == .attachedPicture ? "video" : $0.kind.rawValue) \($0.codecName)" }
            let theirs = facts.streams.map { "\($0.codec_type ?? "other") \($0.codec_name ?? "none")" }
            guard ours == theirs else { return "streams \(ours), not \(theirs)" }
        } catch {
            return facts.streams.isEmpty ? nil : "\(error)"
        }
        guard let expected = facts.dec_frames else { return nil }
        do {
            let decoded = try DecodedSource(path, detail: .countsOnly, threadCount: 1)
            frames.add(decoded.frameCounts.values.reduce(0, +))
            // The facts number ffmpeg's outputs: all pictures, then all sounds. Cover pictures are no film, we do not decode them.
            let outputs =
                info.streams.filter { $0.kind == .video || $0.kind == .attachedPicture }
                + info.streams.filter { $0.kind == .audio }
            for (number, stream) in outputs.enumerated() {
                guard let count = expected["\(number)"], let ours = decoded.frameCounts[stream.index] else { continue }
                if ours != count { return "stream \(stream.index): \(ours) frames, not \(count)" }
            }
            return nil
        } catch {
            return expected.values.allSatisfy { $0 == 0 } ? nil : "\(error)"
        }
    }
}
