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
    private static let extensions: Set<String> = [
        "srt", "ass", "ssa", "vtt", "sub", "smi", "mpl2", "stl", "scc", "lrc", "ttml", "dfxp", "mkv", "mp4", "ts",
    ]

    /// Files that are not compared, and why.
    private static let apart: [String: String] = [
        "androidx/mkv/sample_with_vtt_subtitles.mkv": "FFmpeg before 7 knows WebVTT in Matroska by WebM's name only; we read it",
        "ttconv/scc/pop-on.scc": "a caption that nothing takes away stays for a minute, in ffmpeg's list for eight",
        "vttjs/file-layout/cue-spacing.vtt": "ffmpeg leaves a `>` out that belongs to no tag",
        "vttjs/file-layout/header-no-new-line.vtt": "ffmpeg takes times directly below the first line for a part of the head",
        "vttjs/file-layout/bom-tab-webvtt.vtt": "a tab before `WEBVTT`: no WebVTT by its standard, and none to FFmpeg after 5.1",
        "vttjs/file-layout/tab-after-bom-before-header.vtt": "a tab before `WEBVTT`, likewise",
        "vttjs/file-layout/blank-file.vtt": "an empty file is refused in a sentence of its own",
        "vttjs/file-layout/blank-file-with-bom.vtt": "an empty file is refused in a sentence of its own",
        "vttjs/file-layout/bad-double-webvtt.vtt": "no WebVTT by its first line, and nothing in it to FFmpeg: refused",
        "vttjs/file-layout/bom-garbage-data.vtt": "likewise", "vttjs/file-layout/garbage-signature.vtt": "likewise",
        "astisub/example-in.vtt": "its times have two digits behind the point, which ffmpeg does not read",
        "vhs/test/segments/subtitlesEncrypted.vtt": "encrypted: nothing in it to FFmpeg, refused",
        "astisub/example-in.stl": "libavformat has no EBU STL; EBUDocumentTests hold it against the texts beside it",
        "ttconv/stl/irt/requirement-0061-001.stl": "libavformat has no EBU STL; see EBUDocumentTests",
        "astisub/example-in.srt":
            "its times have no milliseconds and something behind them: libavformat takes it for no subtitles",
    ]

    /// Of documents that ffmpeg cannot read at all.
    private static func isOurs(_ file: String) -> Bool { file.hasSuffix(".ttml") || file.hasSuffix(".dfxp") }

    private static var files: [String] {
        guard let corpus, let walk = FileManager.default.enumerator(atPath: corpus.path) else { return [] }
        let container = [
            "sample_with_ass", "sample_with_srt", "sample_with_vtt", "full_blocks", "subtitles.mkv", "mov_text", "nasa_13013",
        ]
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

    static func reference(_ path: String, stream: Int) throws -> [Line]? {
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

    /// The lines of our cue list for a stream.
    static func lines(_ stream: SubtitleFile.Stream) -> [Line] {
        let store = CueStore(), track = TrackID(.external, 1)
        for subtitle in stream.subtitles { store.add(subtitle, track: track) }
        return store.cues(track: track).filter { !$0.lines.isEmpty }.map {
            Line(start: milliseconds($0.start), end: milliseconds($0.end), text: $0.lines.joined(separator: "|"))
        }
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
                // Pictures for previews are no subtitles to us.
                if Self.apart[file] == nil, !file.contains("/thumbnails") { differing.append("\(file): \(error)") }
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
                    // TTML is compared in TTMLDocumentTests with what its makers say of it.
                    if Self.apart[file] == nil, !Self.isOurs(file) { differing.append("\(file): ffmpeg refuses it") }
                    #expect(!stream.subtitles.isEmpty, "\(file)")
                    continue
                }
                let lines = Self.lines(stream)
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

    /// A format for which FFmpeg 5.1 gives no texts, so that we read it ourselves.
    @Test(.enabled(if: corpus != nil, "the shared corpus is not here")) func webVTTInMatroskaIsRead() throws {
        let path = try #require(Self.corpus).appendingPathComponent("androidx/mkv/sample_with_vtt_subtitles.mkv").path
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
        let texts = try #require(streams.first).subtitles
        #expect(texts.first?.lines == ["This is the first subtitle."] && texts.first?.end == .seconds(1.234))
    }

    @Test func ttmlInMP4IsRead() throws {
        let folder = try TemporaryFolder()
        let script = "1\n00:00:01,000 --> 00:00:02,000\nfirst\n\n2\n00:00:03,000 --> 00:00:06,500\nsecond\nline\n\n"
        try script.write(toFile: folder.path("a.srt"), atomically: true, encoding: .utf8)
        let made = try Fixtures.run("ffmpeg", ["-v", "error", "-i", folder.path("a.srt"), "-c:s", "ttml", folder.path("a.mp4")])
        try #require(made.status == 0)
        let streams = try SubtitleFile(
            location: .file(folder.path("a.mp4")), formatHint: nil, frameRate: nil, interrupt: Interrupt()
        ).read()
        let stream = try #require(streams.first)
        #expect(stream.codec == "ttml" && stream.subtitles.map(\.lines) == [["first"], ["second", "line"]])
        #expect(
            stream.subtitles.map(\.start) == [.seconds(1), .seconds(3)]
                && stream.subtitles.map(\.end) == [.seconds(2), .seconds(6.5)])
    }

    /// A segment's document says what is shown in the segment, in the film's time.
    @Test(.enabled(if: corpus != nil, "the shared corpus is not here")) func ttmlInSegmentsIsRead() throws {
        let place = try #require(Self.corpus).appendingPathComponent("livesim2/testpic_2s/imsc1_txt_sv")
        let folder = try TemporaryFolder()
        var whole = try Data(contentsOf: place.appendingPathComponent("init.mp4"))
        for number in 1...4 { whole += try Data(contentsOf: place.appendingPathComponent("\(number).m4s")) }
        try whole.write(to: URL(fileURLWithPath: folder.path("a.mp4")))
        let streams = try SubtitleFile(
            location: .file(folder.path("a.mp4")), formatHint: nil, frameRate: nil, interrupt: Interrupt()
        ).read()
        let stream = try #require(streams.first)
        #expect(stream.subtitles.count >= 8 && stream.subtitles.allSatisfy { !$0.lines.isEmpty })
        // Within two seconds of each other, without overlap.
        #expect(zip(stream.subtitles, stream.subtitles.dropFirst()).allSatisfy { ($0.end ?? .zero) <= $1.start })
        #expect(stream.subtitles.first?.start == .zero && stream.subtitles.last?.end.map { $0 <= .seconds(8) } == true)
    }

    // MARK: - Pictures

    /// A picture of subtitles: when it comes, and how many parts it has.
    private struct Shown: Equatable {
        let start: Int
        let parts: Int
    }

    /// The bitmap subtitles of a stream as ffprobe decodes them.
    private static func pictures(_ path: String, stream: Int) throws -> [Shown] {
        let made = try Fixtures.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "s:\(stream)", "-show_frames", "-show_entries",
                "subtitle=pts_time,num_rects,start_display_time", "-of", "csv=p=0", path,
            ])
        return String(decoding: made.output, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            let fields = line.split(separator: ",")
            guard fields.count >= 3, let time = Double(fields[0]), let begins = Int(fields[1]), let parts = Int(fields[2]) else {
                return nil
            }
            return Shown(start: Int((time * 1000).rounded()) + begins, parts: parts)
        }
    }

    @Test(
        .enabled(if: corpus != nil, "the shared corpus is not here"),
        arguments: [
            "androidx/mkv/sample_with_pgs_subtitles.mkv", "androidx/mkv/sample_with_vobsub.mkv", "mpv/img_sub.idx",
            "subtitleedit/libse/Files/sample_TS_dvbsub_at_video_start.ts",
        ])
    func everyImageComesWhenFFprobeSaysSo(_ file: String) throws {
        let path = try #require(Self.corpus).appendingPathComponent(file).path
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
        var count = 0
        for (index, stream) in streams.enumerated() {
            #expect(stream.isBitmap)
            let expected = try Self.pictures(path, stream: index).filter { $0.parts > 0 }
            var ours: [Shown] = []
            for subtitle in stream.subtitles where subtitle.body != nil {
                let start = Self.milliseconds(subtitle.start)
                if let last = ours.last, last.start == start {
                    ours[ours.count - 1] = Shown(start: start, parts: last.parts + 1)
                } else {
                    ours.append(Shown(start: start, parts: 1))
                }
            }
            #expect(ours.count == expected.count, "\(file) #\(index)")
            for (mine, theirs) in zip(ours, expected) {
                #expect(abs(mine.start - theirs.start) <= 1 && mine.parts == theirs.parts, "\(mine) \(theirs)")
            }
            count += ours.count
        }
        #expect(count > 0)
    }

    /// The first difference; a millisecond is rounding.
    static func difference(_ ours: [Line], _ theirs: [Line]) -> String? {
        for (a, b) in zip(ours, theirs) where abs(a.start - b.start) > 1 || abs(a.end - b.end) > 1 || a.text != b.text {
            return "ours \(a) | ffmpeg \(b)"
        }
        return ours.count == theirs.count ? nil : "\(ours.count) cues, ffmpeg \(theirs.count)"
    }
}
