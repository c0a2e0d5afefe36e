/// A file of SAMI, taken apart such that libavformat and libavcodec give all of it: they show the paragraphs of all classes at once, and know
/// no character references. A class is a language where the style sheet says so. Bounded: eight languages. Pure.
public struct SAMIFile: Sendable, Equatable {
    /// The texts of one language.
    public struct Part: Sendable, Equatable {
        /// As the style sheet has it, in small letters, such as `ko-kr`; nil where the file has one language or says none.
        public let language: String?
        /// A file of SAMI in UTF-8.
        public let text: [UInt8]
    }

    /// In the order in which the file uses them; at least one.
    public let parts: [Part]

    /// A piece from one tag to the next: what stands before the paragraphs of a point in time, or one of them.
    private struct Piece {
        let range: Range<Int>
        /// The class of a paragraph in small letters; nil for none.
        var name: String?
    }

    private static let languageLimit = 8

    /// Reads UTF-8; nil for a text that does not begin as SAMI.
    public init?(_ bytes: [UInt8]) {
        let head = bytes.prefix(256).drop { $0 <= 0x20 || $0 >= 0x80 }
        guard Self.begins("<sami", head) else { return nil }
        let syncs = Self.tags("<sync", in: bytes, bytes.indices)
        guard let first = syncs.first else {
            parts = [Part(language: nil, text: bytes)]
            return
        }
        let points = zip(syncs, syncs.dropFirst() + [bytes.count]).map { Self.point(bytes, $0..<$1) }
        let known = Self.languages(bytes[..<first])
        var used: [String] = []
        for case let name? in points.joined().map(\.name) where known[name] != nil && !used.contains(name) {
            if used.count < Self.languageLimit { used.append(name) }
        }
        guard used.count > 1 else {
            parts = [Part(language: nil, text: Self.text(bytes, first, points) { _ in true })]
            return
        }
        parts = used.map { language in
            Part(
                language: known[language],
                text: Self.text(bytes, first, points) { $0.map { $0 == language || !used.contains($0) } ?? true })
        }
    }

    // MARK: - Parts

    /// The file with those paragraphs alone. A point in time that has other ones alone does not end what is shown.
    private static func text(_ bytes: [UInt8], _ head: Int, _ points: [[Piece]], isShown: (String?) -> Bool) -> [UInt8] {
        var result = Array(bytes[..<head])
        for pieces in points {
            let shown = pieces.dropFirst().filter { isShown($0.name) }
            guard !shown.isEmpty || pieces.count == 1 else { continue }
            result += bytes[pieces[0].range]
            for piece in shown { append(bytes[piece.range], to: &result) }
        }
        return result
    }

    /// A paragraph with characters in place of their references. One that begins with a space that does not break takes the text away; a sign
    /// that would begin a tag stays as it is.
    private static func append(_ paragraph: ArraySlice<UInt8>, to result: inout [UInt8]) {
        guard paragraph.contains(UInt8(ascii: "&")), let tagEnd = paragraph.firstIndex(of: UInt8(ascii: ">")) else {
            result += paragraph
            return
        }
        result += paragraph[...tagEnd]
        let body = paragraph[(tagEnd + 1)...].drop { $0 <= 0x20 }
        var rest = Substring(decoding: body, as: UTF8.self).unicodeScalars, text = String.UnicodeScalarView(), isFirst = true
        while let scalar = rest.popFirst() {
            defer { isFirst = false }
            guard scalar == "&", let (meant, length) = CharacterReference.read(rest), meant != "<", meant.value >= 0x20,
                !(isFirst && meant == "\u{A0}")
            else {
                text.append(scalar)
                continue
            }
            text.append(meant)
            rest = rest.dropFirst(length)
        }
        result += String(text).utf8
    }

    /// The pieces of a point in time: its own tag, then its paragraphs.
    private static func point(_ bytes: [UInt8], _ range: Range<Int>) -> [Piece] {
        let starts = tags("<p", in: bytes, range)
        var pieces = [Piece(range: range.lowerBound..<(starts.first ?? range.upperBound))]
        for (start, end) in zip(starts, starts.dropFirst() + [range.upperBound]) {
            let tag = bytes[start..<end].prefix(256).prefix { $0 != UInt8(ascii: ">") }
            pieces.append(Piece(range: start..<end, name: value("class=", in: tag)))
        }
        return pieces
    }

    // MARK: - The style sheet

    /// The languages of classes by their names in small letters: `.KRCC { Name: Korean; lang: ko-KR; SAMIType: CC; }`.
    private static func languages(_ head: ArraySlice<UInt8>) -> [String: String] {
        var languages: [String: String] = [:]
        for rule in head.prefix(64 << 10).split(separator: UInt8(ascii: "}")) {
            guard let open = rule.lastIndex(of: UInt8(ascii: "{")),
                let point = rule[..<open].lastIndex(of: UInt8(ascii: "."))
            else { continue }
            let name = rule[(point + 1)..<open].prefix { $0 > 0x20 }
            guard (1...64).contains(name.count), let language = value("lang:", in: rule[open...]), language.utf8.count <= 35
            else {
                continue
            }
            languages[String(decoding: name, as: UTF8.self).lowercased()] = language
        }
        return languages
    }

    // MARK: - Bytes

    /// The word behind a name, with or without quotes, in small letters.
    private static func value(_ name: String, in bytes: ArraySlice<UInt8>) -> String? {
        let pattern = Array(name.utf8), count = pattern.count
        guard bytes.count > count else { return nil }
        for start in bytes.startIndex..<(bytes.endIndex - count) where begins(name, bytes[start...]) {
            let word = bytes[(start + count)...].drop { $0 <= 0x20 || $0 == 0x22 || $0 == 0x27 }
                .prefix { $0 > 0x20 && !"\"';}>".utf8.contains($0) }
            return word.isEmpty ? nil : String(decoding: word.prefix(64), as: UTF8.self).lowercased()
        }
        return nil
    }

    /// Where tags of a name begin.
    private static func tags(_ name: String, in bytes: [UInt8], _ range: Range<Int>) -> [Int] {
        let length = name.utf8.count
        return bytes[range].indices.filter { index in
            guard bytes[index] == UInt8(ascii: "<"), index + length < range.upperBound,
                begins(name, bytes[index..<range.upperBound])
            else { return false }
            return bytes[index + length] <= 0x20 || bytes[index + length] == UInt8(ascii: ">")
        }
    }

    /// Whether bytes begin with a text in small letters, in letters of any size.
    private static func begins(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= text.utf8.count
            && zip(bytes, text.utf8).allSatisfy { (0x41...0x5A ~= $0 ? $0 | 0x20 : $0) == $1 }
    }
}
