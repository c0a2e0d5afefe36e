import AetherCore
import AetherMedia

/// Texts as a segment of WebVTT. Pure.
enum SubtitleSegment {
    /// A text that is on screen until the next one, with none to follow, goes after so long.
    private static let usualLength = TimeSpan.seconds(5)

    static func bytes(_ texts: [DecodedSubtitle], origin: MediaTime) -> [UInt8] {
        var lines = ["WEBVTT", "X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000", ""]
        let sorted = texts.sorted { $0.start < $1.start }
        for (index, text) in sorted.enumerated() {
            let words = text.body.map { Self.words($0) } ?? ""
            guard !words.isEmpty else { continue }
            // One without a body takes the text before it away.
            let next = sorted[(index + 1)...].first { $0.start > text.start }?.start
            var end = text.end ?? next ?? text.start + usualLength
            if text.isReplacedByNext, let next { end = min(end, next) }
            if end <= text.start { end = text.start + .milliseconds(1) }
            lines += ["\(clock(text.start - origin)) --> \(clock(end - origin))", words, ""]
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func words(_ body: SubtitleCue.Body) -> String {
        let text =
            switch body {
            case .text(let text): escaped(text)
            case .richText(let runs): runs.map { marked($0) }.joined()
            case .image: ""
            }
        // An empty line would end the cue. A run may begin with its line break, so the runs are joined before.
        return text.split(separator: "\n").joined(separator: "\n")
    }

    private static func marked(_ run: SubtitleTextRun) -> String {
        var text = escaped(run.text)
        if run.isUnderlined { text = "<u>\(text)</u>" }
        if run.isItalic { text = "<i>\(text)</i>" }
        if run.isBold { text = "<b>\(text)</b>" }
        return text
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, letter in
            switch letter {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(letter)
            }
        }
    }

    static func clock(_ span: TimeSpan) -> String {
        let all = max(0, span.nanoseconds / 1_000_000)
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let (hours, minutes, seconds) = (all / 3_600_000, all / 60_000 % 60, all / 1000 % 60)
        return "\(digits(hours, 2)):\(digits(minutes, 2)):\(digits(seconds, 2)).\(digits(all % 1000, 3))"
    }
}
