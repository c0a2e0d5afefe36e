public import AetherCore

/// A WebVTT file whose cues are images: for each stretch of time an image file, or a part of one
/// (`sprite.jpg#xywh=0,0,160,90`, as media fragments of the W3C name it). Pure; bounded: 4 MB, 50 000 cues.
public struct ThumbnailCues: Sendable, Equatable {
    /// A rectangle in the pixels of a sheet.
    public struct Region: Sendable, Equatable {
        /// The top left corner and the size, in pixels.
        public let x, y, width, height: Int
    }

    /// A stretch of time and its image.
    public struct Cue: Sendable, Equatable {
        /// The span of the source that the image stands for; the end is not part of it.
        public let start, end: MediaTime
        /// The file's name as written, without the fragment. Not safe as a path: see `ImageName`.
        public let file: String
        /// The part of the image; nil for the whole image.
        public let region: Region?
    }

    /// The cues by their start.
    public let cues: [Cue]

    /// 4 MB hold images for a day, one a second.
    public static let byteLimit = 4 << 20
    private static let cueLimit = 50_000
    private static let extensions = [".jpg", ".jpeg", ".png", ".webp"]

    /// Reads a file; nil for anything that is not WebVTT, and where most cues are no images but words.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit, text.drop(while: { $0 == "\u{FEFF}" }).hasPrefix("WEBVTT") else { return nil }
        var cues: [Cue] = [], others = 0
        var span: (start: MediaTime, end: MediaTime)?
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if let arrow = line.firstRange(of: "-->") {
                span = Self.span(line[..<arrow.lowerBound], line[arrow.upperBound...])
            } else if let present = span, !line.isEmpty {
                span = nil
                guard cues.count < Self.cueLimit else { break }
                if let cue = Self.cue(String(line), present) { cues.append(cue) } else { others += 1 }
            }
        }
        guard !cues.isEmpty, others <= cues.count else { return nil }
        self.cues = cues.sorted { $0.start < $1.start }
    }

    /// The cue at a point; the last one before the point, across a hole of less than ten seconds.
    public func cue(at point: MediaTime) -> Cue? {
        var low = 0, high = cues.count
        while low < high {
            let middle = (low + high) / 2
            if cues[middle].start <= point { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        return point - cues[low - 1].end < .seconds(10) ? cues[low - 1] : nil
    }

    private static func cue(_ payload: String, _ span: (start: MediaTime, end: MediaTime)) -> Cue? {
        let parts = payload.split(separator: "#", maxSplits: 1).map(String.init)
        guard let first = parts.first else { return nil }
        let file = first.trimmed, name = file.prefix { $0 != "?" }.lowercased()
        guard file.utf8.count <= 1024, extensions.contains(where: { name.hasSuffix($0) }) else { return nil }
        guard parts.count == 2 else { return Cue(start: span.start, end: span.end, file: file, region: nil) }
        guard let region = region(parts[1].trimmed) else { return nil }
        return Cue(start: span.start, end: span.end, file: file, region: region)
    }

    /// "xywh=0,0,160,90", also with "pixel:" in front of the numbers.
    private static func region(_ fragment: String) -> Region? {
        guard fragment.hasPrefix("xywh=") else { return nil }
        var value = fragment.dropFirst(5)
        if value.hasPrefix("pixel:") { value = value.dropFirst(6) }
        let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2], let height = numbers[3] else {
            return nil
        }
        // Larger than any image that is decoded.
        guard (0...32_768).contains(x), (0...32_768).contains(y), (1...8192).contains(width), (1...8192).contains(height) else {
            return nil
        }
        return Region(x: x, y: y, width: width, height: height)
    }

    /// Settings may follow the end.
    private static func span(_ left: Substring, _ right: Substring) -> (start: MediaTime, end: MediaTime)? {
        guard let start = time(String(left).trimmed),
            let end = right.split(whereSeparator: \.isWhitespace).first.flatMap({ time(String($0)) }), end > start
        else { return nil }
        return (start, end)
    }

    /// "01:02.500" or "1:01:02.500".
    private static func time(_ text: String) -> MediaTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let halves = last.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[1].count == 3, let milliseconds = number(halves[1]) else { return nil }
        var seconds: Int64 = 0
        for part in parts.dropLast() + [halves[0]] {
            guard let value = number(part) else { return nil }
            seconds = seconds * 60 + value
        }
        return MediaTime(nanoseconds: (seconds * 1000 + milliseconds) * 1_000_000)
    }

    /// Up to five digits.
    private static func number(_ text: Substring) -> Int64? {
        guard (1...5).contains(text.count), text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return Int64(text)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
