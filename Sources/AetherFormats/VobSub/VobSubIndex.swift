import AetherCore

/// The index of a VobSub (`.idx`): the look of its subtitles, and where in the file of images (`.sub`) each begins.
public struct VobSubIndex: Sendable, Equatable {
    /// A subtitle.
    public struct Cue: Sendable, Equatable {
        /// When it is shown.
        public let milliseconds: Int64
        /// The byte of the file of images at which it begins.
        public let offset: Int64
    }

    /// The subtitles of one language.
    public struct Stream: Sendable, Equatable {
        /// Its number in the file of images, 0 … 31.
        public let number: Int
        /// As it is written there: `en`.
        public let language: String
        /// A name for people, empty for none.
        public var title = ""
        /// In the order of the file.
        public var cues: [Cue] = []
    }

    /// Size and palette, as lines for the decoder.
    public private(set) var header = ""
    /// Those with subtitles.
    public private(set) var streams: [Stream] = []

    private static let mark = "# VobSub index file"
    private static let streamLimit = 32, cueLimit = 20_000, headerLimit = 16 << 10

    /// Reads an index; nil for what is none.
    public init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.mark.utf8) else { return nil }
        var delay: Int64 = 0
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = DisplayText.singleLine(String(decoding: line.prefix(2000), as: UTF8.self), limit: 2000)
            guard !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch line[..<colon] {
            case "id":
                guard streams.count < Self.streamLimit, let stream = Self.stream(value) else { continue }
                delay = 0
                streams.append(stream)
            case "alt" where !streams.isEmpty:
                streams[streams.count - 1].title = DisplayText.singleLine(String(value), limit: 200)
            case "delay": delay = Self.milliseconds(value) ?? 0
            case "timestamp" where !streams.isEmpty:
                guard streams[streams.count - 1].cues.count < Self.cueLimit, let cue = Self.cue(value, delay) else { continue }
                streams[streams.count - 1].cues.append(cue)
            default: if streams.isEmpty, header.utf8.count < Self.headerLimit { header += line + "\n" }
            }
        }
        streams.removeAll { $0.cues.isEmpty }
    }

    /// `en, index: 0`
    private static func stream(_ text: Substring) -> Stream? {
        let parts = text.split(separator: ",", maxSplits: 1)
        guard parts.count == 2, let number = parts[1].split(separator: ":").last.flatMap({ Int($0.filter { $0 != " " }) }),
            (0..<32).contains(number)
        else { return nil }
        let language = parts[0].filter(\.isLetter)
        return Stream(number: number, language: (2...3).contains(language.count) ? language.lowercased() : "")
    }

    /// `00:00:01:234, filepos: 00000F800`, the place in hexadecimal digits.
    private static func cue(_ text: Substring, _ delay: Int64) -> Cue? {
        let parts = text.split(separator: ",", maxSplits: 1)
        guard parts.count == 2, let time = milliseconds(parts[0]), time + delay >= 0,
            let place = parts[1].split(separator: ":").last,
            let offset = Int64(place.filter { $0 != " " }, radix: 16), offset >= 0
        else { return nil }
        return Cue(milliseconds: time + delay, offset: offset)
    }

    /// `-00:00:01:234`
    private static func milliseconds(_ text: Substring) -> Int64? {
        let text = text.filter { $0 != " " }, isNegative = text.hasPrefix("-")
        let fields = text.drop { $0 == "-" || $0 == "+" }.split(separator: ":").map { Int64($0) }
        guard fields.count == 4, let hours = fields[0], let minutes = fields[1], let seconds = fields[2], let rest = fields[3],
            (0..<1000).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds), (0..<1000).contains(rest)
        else { return nil }
        let value = ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
        return isNegative ? -value : value
    }
}
