public import AetherCore

/// The words of a song: lines with the times at which they are sung (LRC), or plain text. Pure and bounded; texts are safe to display.
public struct Lyrics: Sendable, Equatable {
    /// One line.
    public struct Line: Sendable, Equatable {
        /// The time from the start of the song; nil in lyrics without times.
        public let time: TimeSpan?
        /// "" in a pause.
        public let text: String
    }

    /// The lines in the order of their times, or as written where they have no times.
    public let lines: [Line]
    /// Whether the lines have times.
    public let isSynced: Bool

    /// 5000 lines: an opera has fewer.
    public static let lineLimit = 5000
    /// 1 MiB of text is looked at.
    public static let sizeLimit = 1 << 20
    private static let textLimit = 300
    /// 99 hours, in milliseconds.
    private static let timeLimit = 99 * 3_600_000

    /// Reads LRC: `[mm:ss]`, `[mm:ss.x]`, `[mm:ss.xx]`, `[mm:ss.xxx]` or `[h:mm:ss.xx]` before a text, several of them for a text that
    /// comes again, `<mm:ss.xx>` before single words (dropped), `[offset:±ms]` (positive: earlier), other `[key:value]` lines (dropped).
    /// A text without any times is plain lyrics; lines without a time among lines with times are dropped.
    public init(_ text: String) {
        var timed: [(time: Int, order: Int, text: String)] = []
        var plain: [String] = []
        var offset = 0
        let bounded =
            text.utf8.count > Lyrics.sizeLimit ? Substring(text.unicodeScalars.prefix(Lyrics.sizeLimit / 4)) : Substring(text)
        for raw in bounded.split(maxSplits: Lyrics.lineLimit * 4, omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            guard timed.count < Lyrics.lineLimit, plain.count < Lyrics.lineLimit else { break }
            var rest = raw.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
            var times: [Int] = []
            var isTag = false
            while rest.first == "[", let end = rest.firstIndex(of: "]"), times.count < 64 {
                let body = rest[rest.index(after: rest.startIndex)..<end]
                if let time = Lyrics.milliseconds(body) {
                    times.append(time)
                } else if times.isEmpty, let value = Lyrics.tag(body) {
                    isTag = true
                    if let value { offset = value }
                } else {
                    break
                }
                rest = rest[rest.index(after: end)...].drop { $0 == " " }
            }
            let words = DisplayText.singleLine(Lyrics.withoutWordTimes(rest), limit: Lyrics.textLimit)
            for time in times.prefix(Lyrics.lineLimit - timed.count) { timed.append((time, timed.count, words)) }
            if times.isEmpty, !isTag { plain.append(words) }
        }
        isSynced = !timed.isEmpty
        if isSynced {
            timed.sort { ($0.time, $0.order) < ($1.time, $1.order) }
            lines = timed.map { Line(time: .milliseconds(Double(max(0, $0.time - offset))), text: $0.text) }
        } else {
            let first = plain.firstIndex { !$0.isEmpty } ?? plain.endIndex,
                last = plain.lastIndex { !$0.isEmpty } ?? plain.endIndex
            lines = first <= last && first < plain.endIndex ? plain[first...last].map { Line(time: nil, text: $0) } : []
        }
    }

    /// Nothing to show.
    public var isEmpty: Bool { lines.allSatisfy { $0.text.isEmpty } }

    /// The line that is sung at a time from the start of the song; nil before the first and without times.
    public func current(at time: TimeSpan) -> Int? {
        guard isSynced else { return nil }
        var low = 0, high = lines.count
        while low < high {
            let middle = (low + high) / 2
            if (lines[middle].time ?? .zero) <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : low - 1
    }

    /// The start of the next line after a time; nil for none.
    public func nextChange(after time: TimeSpan) -> TimeSpan? {
        guard isSynced else { return nil }
        let next = (current(at: time) ?? -1) + 1
        return lines.indices.contains(next) ? lines[next].time : nil
    }

    /// "1:02.5" as milliseconds; nil when it is no time.
    private static func milliseconds(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        var total = 0
        for part in parts.dropLast() {
            guard let number = number(part, digits: 1...4) else { return nil }
            total = (total + number) * 60
        }
        // Some writers put a colon or a comma where the point belongs; [mm:ss:xx] cannot be told from [h:mm:ss] and is not guessed at.
        let seconds = last.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(seconds.count), let whole = number(seconds[0], digits: 1...2) else { return nil }
        var thousandths = 0
        if seconds.count == 2 {
            guard let fraction = number(seconds[1], digits: 1...3) else { return nil }
            thousandths = fraction * [100, 10, 1][seconds[1].count - 1]
        }
        let result = (total + whole) * 1000 + thousandths
        return result <= timeLimit ? result : nil
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// `key:value` of a header: `.some(nil)` for any key, `.some(milliseconds)` for the offset; nil when it is no header.
    private static func tag(_ body: Substring) -> Int?? {
        guard let colon = body.firstIndex(of: ":"), body.first?.isLetter == true, body.utf8.count < 500 else { return nil }
        let key = body[..<colon]
        guard key.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == " " }), key.count <= 20 else { return nil }
        guard key.lowercased() == "offset" else { return .some(nil) }
        let value = body[body.index(after: colon)...].filter { $0 != " " }
        guard let offset = Int(value.hasPrefix("+") ? value.dropFirst() : Substring(value)), offset.magnitude <= 3_600_000 else {
            return .some(nil)
        }
        return offset
    }

    /// Without the times of single words: `<00:12.34>`.
    private static func withoutWordTimes(_ text: Substring) -> String {
        guard text.contains("<") else { return String(text) }
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "<") {
            result += rest[..<start]
            let after = rest.index(after: start)
            // "<00:12.34>" has ten characters; a longer stretch is text.
            if let end = rest[after...].prefix(13).firstIndex(of: ">"), milliseconds(rest[after..<end]) != nil {
                rest = rest[rest.index(after: end)...]
            } else {
                result.append("<")
                rest = rest[after...]
            }
        }
        return result + rest
    }
}
