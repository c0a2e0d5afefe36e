public import AetherCore

/// A file of WebVTT, taken apart as the specification's parser does (W3C WebVTT 1, 6.1): a line with an arrow begins a cue wherever it
/// stands, and text outside of cues is left out. The parser takes more times than the specification: one digit of hours or minutes, a
/// comma, and fractions of any length. Bounded: 20 000 cues of 16 KB.
public struct WebVTTFile: Sendable, Equatable {
    /// A cue as it is written.
    public struct Cue: Sendable, Equatable {
        /// The times of the cue, as written.
        public let start, end: MediaTime
        /// The cue settings behind the times, as written.
        public let settings: String
        /// The payload as written, with its tags.
        public let text: String
    }

    /// The part before the first cue.
    public let header: WebVTTHeader
    /// Sorted by start; each ends behind it.
    public let cues: [Cue]

    private static let cueLimit = 20_000, textLimit = 16 << 10, settingsLimit = 512
    private static let arrow: [UInt8] = Array("-->".utf8)

    /// Reads UTF-8; nil for a text that does not begin as WebVTT.
    public init?(_ bytes: [UInt8]) {
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        guard content.starts(with: Array("WEBVTT".utf8)) else { return nil }
        if let next = content.dropFirst(6).first, next != 0x20, !(0x09...0x0D).contains(next) { return nil }
        header = WebVTTHeader(String(decoding: content.prefix(1 << 20), as: UTF8.self))
        var lines = Lines(content), found: [Cue] = []
        _ = lines.next()
        // The rest of the head, up to an empty line.
        while let line = lines.peek, !line.isEmpty, !Self.hasArrow(line) { _ = lines.next() }
        while found.count < Self.cueLimit, let line = lines.peek {
            if line.isEmpty { _ = lines.next() } else if let cue = Self.block(&lines) { found.append(cue) }
        }
        cues = found.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }

    // MARK: - Blocks

    /// One block: an identifier, times, and text up to an empty line or the next times. nil for comments, sheets and what is broken.
    private static func block(_ lines: inout Lines) -> Cue? {
        var times: (start: MediaTime, end: MediaTime, settings: String)?
        var text: [UInt8] = [], hasTimes = false, count = 0
        while let line = lines.peek, !line.isEmpty {
            count += 1
            if hasArrow(line) {
                guard count == 1 || count == 2 && !hasTimes else { break }
                (hasTimes, times) = (true, Self.times(line))
                text = []
            } else if text.count < textLimit {
                if !text.isEmpty { text.append(0x0A) }
                text += line.prefix(textLimit)
            }
            _ = lines.next()
        }
        guard let times, times.start < times.end else { return nil }
        // Half a letter at the cut is none.
        if text.count > textLimit {
            text = Array(text[..<((textLimit - 3...textLimit).last { text[$0] & 0xC0 != 0x80 } ?? textLimit)])
        }
        return Cue(start: times.start, end: times.end, settings: times.settings, text: String(decoding: text, as: UTF8.self))
    }

    private static func hasArrow(_ line: ArraySlice<UInt8>) -> Bool { BytePattern("-->").first(in: line) != nil }

    // MARK: - Times

    private static func times(_ line: ArraySlice<UInt8>) -> (start: MediaTime, end: MediaTime, settings: String)? {
        var rest = line
        guard let start = time(&rest) else { return nil }
        skipSpaces(&rest)
        guard rest.starts(with: arrow) else { return nil }
        rest = rest.dropFirst(3)
        guard let end = time(&rest) else { return nil }
        return (start, end, String(decoding: rest.prefix(settingsLimit), as: UTF8.self))
    }

    /// `hh:mm:ss.ttt` or `mm:ss.ttt`, taken off the front.
    private static func time(_ rest: inout ArraySlice<UInt8>) -> MediaTime? {
        skipSpaces(&rest)
        var numbers: [Int64] = []
        while numbers.count < 3 {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count) else { return nil }
            numbers.append(digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) })
            rest = rest.dropFirst(digits.count)
            guard rest.first == UInt8(ascii: ":") else { break }
            rest = rest.dropFirst()
        }
        guard numbers.count >= 2, let point = rest.first, point == UInt8(ascii: ".") || point == UInt8(ascii: ",") else {
            return nil
        }
        let fraction = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(1 + fraction.count)
        let hours = numbers.count == 3 ? numbers[0] : 0
        let minutes = numbers[numbers.count - 2], seconds = numbers[numbers.count - 1]
        guard hours < 100_000, minutes < 60, seconds < 60 else { return nil }
        let milliseconds = zip(fraction, [100, 10, 1]).reduce(Int64(0)) { $0 + Int64($1.0 - 0x30) * $1.1 }
        return MediaTime(nanoseconds: (((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds) * 1_000_000)
    }

    private static func skipSpaces(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0C }
    }
}

/// Lines that end with LF, CR or both.
private struct Lines {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    /// The next line; nil at the end.
    private(set) var peek: ArraySlice<UInt8>?

    init(_ bytes: ArraySlice<UInt8>) {
        (self.bytes, position) = (bytes, bytes.startIndex)
        advance()
    }

    mutating func next() -> ArraySlice<UInt8>? {
        defer { advance() }
        return peek
    }

    private mutating func advance() {
        guard position < bytes.endIndex else {
            peek = nil
            return
        }
        let end = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
        peek = bytes[position..<end]
        position = min(bytes.endIndex, end + 1)
        // Both parts of a line break are one.
        if end < bytes.endIndex, bytes[end] == 0x0D, position < bytes.endIndex, bytes[position] == 0x0A { position += 1 }
    }
}
