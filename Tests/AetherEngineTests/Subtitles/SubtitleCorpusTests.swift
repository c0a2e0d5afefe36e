import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Every subtitle file and stream of the shared corpus against what `ffmpeg -f srt` makes of it.
@Suite struct SubtitleCorpusTests {
    struct Line: Equatable, CustomStringConvertible {
        let start, end: Int
        let text: String
        var description: String { "\(start)-\(end) \(text)" }
    }

    private static let corpus = Fixtures.shared?.appendingPathComponent("corpus")
    private static let extensions: Set<String> = ["srt", "ass", "ssa", "vtt", "sub", "smi", "mpl2", "stl", "scc", "lrc", "mkv", "mp4", "ts"]

    /// Files that are not compared, and why.
    private static let apart: [String: String] = [
        "androidx/mkv/sample_with_vtt_subtitles.mkv": "FFmpeg before 7 knows WebVTT in Matroska by WebM's name only; we read it",
        "ttconv/scc/pop-on.scc": "a caption that nothing takes away stays for a minute, in ffmpeg's list for eight",
        "astisub/example-in.srt": "its times have no milliseconds and something behind them: libavformat takes it for no subtitles",
    ]

    private static var files: [String] {
        guard let corpus, let walk = FileManager.default.enumerator(atPath: corpus.path) else { return [] }
        let container = ["sample_with_ass", "sample_with_srt", "sample_with_vtt", "full_blocks", "subtitles.mkv", "mov_text", "nasa_13013"]
        return walk.compactMap { $0 as? String }.filter { path in
            let ending = (path as NSString).pathExtension.lowercased()
            guard extensions.contains(ending) else { return false }
            return !["mkv", "mp4", "ts"].contains(ending) || container.contains { path.contains($0) }
        }.sorted()
    }

    private static func plain(_ text: String) -> String {
        var text = text.replacingOccurrences(of: "<[^>]*>", with: "", options: .regularExpression)
        text = text.replacingOccurrences(of: "\\{[^}]*\\}", with: "", options: .regularExpression)
        return DisplayText.lines(text.replacingOccurrences(of: "\\h", with: " ")).joined(separator: "|")
    }

    private static func milliseconds(_ time: MediaTime) -> Int { Int((Double(time.nanoseconds) / 1e6).rounded()) }

    private static func reference(_ path: String, stream: Int) throws -> [Line]? {
        let made = try Fixtures.run(
            "ffmpeg", ["-v", "error", "-nostdin", "-copyts", "-i", path, "-map", "0:s:\(stream)", "-f", "srt", "-"])
        guard made.status == 0 else { return nil }
        let text = String(decoding: made.output, as: UTF8.self)
        let pattern = /(\d+):(\d\d):(\d\d),(\d{3}) --> (\d+):(\d\d):(\d\d),(\d{3})/
        var lines: [Line] = []
        for block in text.components(separatedBy: "\n\n") {
            guard let match = block.firstMatch(of: pattern) else { continue }
            func time(_ h: Substring, _ m: Substring, _ s: Substring, _ f: Substring) -> Int {
                ((Int(h) ?? 0) * 3600 + (Int(m) ?? 0) * 60 + (Int(s) ?? 0)) * 1000 + (Int(f) ?? 0)
            }
            let words = plain(String(block[match.range.upperBound...]))
            guard !words.isEmpty else { continue }
            let m = match.output
            lines.append(Line(start: time(m.1, m.2, m.3, m.4), end: time(m.5, m.6, m.7, m.8), text: words))
        }
        return lines
    }

    @Test(.enabled(if: corpus != nil, "the shared corpus is not here")) func everyFileSaysWhatFFmpegSays() throws {
        let corpus = try #require(Self.corpus)
        var compared = 0, differing: [String] = []
        for file in Self.files {
            let path = corpus.appendingPathComponent(file).path
            let streams: [SubtitleFile.Stream]
            do {
                streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
            } catch {
                if Self.apart[file] == nil { differing.append("\(file): \(error)") }
                continue
            }
            // ffmpeg wants UTF-8.
            let folder = try TemporaryFolder()
            var source = path
            let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
            if !["mkv", "mp4", "ts", "sub"].contains((path as NSString).pathExtension), TextEncoding.detect(bytes) != "UTF-8" {
                source = folder.path((path as NSString).lastPathComponent)
                try Data(TextEncoding.utf8(bytes)).write(to: URL(fileURLWithPath: source))
            }
            for (index, stream) in streams.enumerated() where !stream.isBitmap {
                guard let expected = try Self.reference(source, stream: index) else {
                    if Self.apart[file] == nil { differing.append("\(file): ffmpeg refuses it") }
                    continue
                }
                let store = CueStore()
                for subtitle in stream.subtitles { store.add(subtitle, track: TrackID(.external, 1)) }
                let lines = store.cues(track: TrackID(.external, 1)).filter { !$0.lines.isEmpty }.map {
                    Line(start: Self.milliseconds($0.start), end: Self.milliseconds($0.end), text: $0.lines.joined(separator: "|"))
                }
                compared += 1
                if let reason = Self.difference(lines, expected), Self.apart[file] == nil {
                    differing.append("\(file) #\(index): \(reason)")
                }
            }
        }
        for line in differing { print("error: differs:", line.prefix(300)) }
        #expect(differing.isEmpty)
        #expect(compared >= 40)
    }

    /// The first difference; a millisecond is rounding.
    private static func difference(_ ours: [Line], _ theirs: [Line]) -> String? {
        for (a, b) in zip(ours, theirs) where abs(a.start - b.start) > 1 || abs(a.end - b.end) > 1 || a.text != b.text {
            return "ours \(a) | ffmpeg \(b)"
        }
        return ours.count == theirs.count ? nil : "\(ours.count) cues, ffmpeg \(theirs.count)"
    }
}
