import AetherCore

/// Reads a guide in XMLTV as a stream of bytes: one element at a time, 256 MB at most. Programmes of other channels than the list's, and
/// those of other days, are left out before their texts are looked at. Declarations of a document type are not used. Never traps.
public struct XMLTVReader {
    private var draft: GuideDraft
    private var buffer: [UInt8] = []
    private var total = 0
    private var isCut = false
    /// The document says that it is in Latin-1, or in Windows' form of it; nil before it has begun.
    private var isLatin: Bool?
    /// The channel of the last programme: most guides list channel by channel.
    private var lastID: [UInt8] = []
    private var lastNumber: Int32?
    /// Something was an element of XMLTV.
    public private(set) var isGuide = false

    /// 256 MB of text: 200 000 programmes with long summaries.
    public static let sizeLimit = 256 << 20
    /// An element is at most so long; a longer one is left out.
    private static let elementLimit = 256 << 10
    /// Elements inside of a programme.
    private static let depthLimit = 8

    /// `now`: seconds since 1970; programmes within a day before or behind that are kept. `folding` takes case and accents away.
    public init(_ links: GuideLinks, around now: Int64, folding: @escaping (String) -> String) {
        draft = GuideDraft(links, around: now, folding: folding)
    }

    /// The next bytes; false: no more are wanted.
    public mutating func feed(_ bytes: [UInt8]) -> Bool {
        guard !isCut else { return false }
        total += bytes.count
        if total > Self.sizeLimit { isCut = true }
        let latin = isLatin ?? Self.saysLatin(bytes)
        isLatin = latin
        buffer += latin ? bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] } : bytes
        let used = buffer.withUnsafeBytes { raw in take(UnsafeRawBufferPointer(raw)) }
        buffer.removeFirst(min(used, buffer.count))
        return !isCut
    }

    /// The encoding that the first line states.
    private static func saysLatin(_ head: [UInt8]) -> Bool {
        let line = String(decoding: head.prefix(200), as: UTF8.self).lowercased().prefix { $0 != ">" }
        return ["iso-8859-1", "iso-8859-15", "latin1", "windows-1252"].contains { line.contains($0) }
    }

    /// The guide of the programmes that were read.
    public mutating func finish() -> Guide { draft.finish(wasCut: isCut) }

    private static let open = BytePattern("<"), close = BytePattern(">"), comment = BytePattern("-->")
    private static let programmeEnd = BytePattern("</programme"), channelEnd = BytePattern("</channel")

    /// Takes the whole elements off the front; returns how many bytes are done with.
    private mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        var place = 0
        while let start = Self.open.first(in: bytes, from: place) {
            // The longest word that is told apart, and a byte behind it.
            guard start + 12 <= bytes.count else { return start }
            if Self.begins(bytes, start, "<!--") {
                guard let end = Self.comment.first(in: bytes, from: start + 4) else { return waits(bytes, start) }
                place = end + 3
            } else if Self.begins(bytes, start, "<programme") {
                guard let end = Self.end(bytes, start, Self.programmeEnd) else { return waits(bytes, start) }
                programme(bytes, start..<end)
                place = end
            } else if Self.begins(bytes, start, "<channel") {
                guard let end = Self.end(bytes, start, Self.channelEnd) else { return waits(bytes, start) }
                channel(Array(bytes[start..<end]))
                place = end
            } else {
                place = start + 1
            }
        }
        return bytes.count
    }

    /// An element whose end has not come; one that is too long is left out.
    private func waits(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        bytes.count - start <= Self.elementLimit ? start : start + 10
    }

    private static func begins(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ word: StaticString) -> Bool {
        guard start + word.utf8CodeUnitCount < bytes.count else { return false }
        let isWord = word.withUTF8Buffer { word in word.indices.allSatisfy { bytes[start + $0] == word[$0] } }
        let next = bytes[start + word.utf8CodeUnitCount]
        return isWord && (word.utf8CodeUnitCount == 4 || next <= 0x20 || next == UInt8(ascii: ">") || next == UInt8(ascii: "/"))
    }

    /// Behind an element; nil where its end has not come yet.
    private static func end(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ mark: BytePattern) -> Int? {
        guard let first = close.first(in: bytes, from: start) else { return nil }
        if bytes[first - 1] == UInt8(ascii: "/") { return first + 1 }
        return mark.first(in: bytes, from: first).flatMap { close.first(in: bytes, from: $0) }.map { $0 + 1 }
    }

    // MARK: - Elements

    private mutating func channel(_ bytes: [UInt8]) {
        isGuide = true
        var scanner = XMLScanner(bytes), id = "", names: [String] = []
        for case let (name, text, attributes) in Self.fields(&scanner) {
            if name.isEmpty { id = attributes["id"] ?? "" }
            if name == "display-name", names.count < 16 { names.append(text) }
        }
        if !id.isEmpty, id.utf8.count <= 256 { draft.declare(id, names: names) }
    }

    private mutating func programme(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        isGuide = true
        guard let close = Self.close.first(in: bytes, from: range.lowerBound) else { return }
        let head = Array(bytes[range.lowerBound...close])
        var scanner = XMLScanner(head)
        guard case .start? = scanner.piece() else { return }
        var start: Int64?, stop: Int64?, number: Int32?
        for attribute in scanner.attributes {
            let value = head[attribute.value]
            if head[attribute.name].elementsEqual("start".utf8) {
                start = XMLTVTime.unix(value)
            } else if head[attribute.name].elementsEqual("stop".utf8) {
                stop = XMLTVTime.unix(value)
            } else if head[attribute.name].elementsEqual("channel".utf8) {
                number = channelNumber(value)
            }
        }
        guard let start, let number else { return }
        let end = stop.flatMap { $0 > start ? $0 : nil } ?? Guide.open
        guard draft.isNear(start, end) else { return }
        var body = XMLScanner(Array(bytes[range]))
        var title: String?, episode: String?, summary: String?
        for case let (name, text, _) in Self.fields(&body) where !text.isEmpty {
            switch name {
            case "title": title = title ?? text
            case "sub-title": episode = episode ?? text
            case "desc": summary = summary ?? text
            default: break
            }
        }
        draft.take(
            number, from: start, to: end, title: title ?? "",
            summary: [episode, summary].compactMap { $0 }.joined(separator: ". "))
    }

    private mutating func channelNumber(_ id: ArraySlice<UInt8>) -> Int32? {
        if id.elementsEqual(lastID) { return lastNumber }
        guard id.count <= 256 else { return nil }
        lastID = Array(id)
        lastNumber = draft.number(of: XMLScanner.resolved(id))
        return lastNumber
    }

    /// The element's own attributes under the name "", and the texts of the elements in it.
    private static func fields(_ scanner: inout XMLScanner) -> [(String, String, [String: String])] {
        var result: [(String, String, [String: String])] = [], depth = 0, name = ""
        while let token = scanner.next(), result.count < 64 {
            switch token {
            case .start(let word, let attributes, let isEmpty):
                if depth == 0 { result.append(("", "", attributes)) }
                if depth == 1 { name = word }
                if !isEmpty { depth += 1 }
                if depth > depthLimit { return result }
            case .text(let text) where depth == 2: result.append((name, text, [:]))
            case .text: break
            case .end: depth -= 1
            }
        }
        return result
    }
}
