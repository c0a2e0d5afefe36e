/// The list of a folder as a plain web server writes it for people: nginx's and Apache's index pages, and those of `python3 -m http.server`.
/// Pure, bounded, linear in the bytes; nothing is fetched.
public struct WebIndex: Sendable, Equatable {
    /// A file or a folder in it.
    public struct Entry: Sendable, Equatable {
        /// The last part of its address, as the page writes it: percent codes, without a slash.
        public let reference: String
        /// The name that the reference stands for: not safe to display.
        public let name: String
        /// A folder by its slash.
        public let isFolder: Bool
        /// The size; nil where the page has none, rounded where that is in K, M or G.
        public var bytes: Int64?
        /// The last change; nil where the page has none.
        public var changed: Change?
    }

    /// The time of a change by the server's clock: month and day from 1.
    public struct Change: Sendable, Equatable {
        public let year, month, day, hour, minute: Int
    }

    /// The entries in the page's order, without hidden ones.
    public private(set) var entries: [Entry] = []
    /// The page has more entries, or more bytes, than are looked at.
    public private(set) var isCut = false

    /// 10 000 entries, as a directory of this machine shows.
    public static let entryLimit = 10_000
    /// 8 MB: 10 000 entries of Apache's longest kind of line have 5.
    public static let sizeLimit = 8 << 20

    /// The titles of such pages.
    private static let titles = ["index of /", "directory listing for /"]
    /// The title stands among the first lines.
    private static let headLength = 4096
    /// The bytes behind a name that are looked through.
    private static let tailLength = 1024

    init(entries: [Entry], isCut: Bool) {
        (self.entries, self.isCut) = (entries, isCut)
    }

    /// Reads a page at an address; nil where the page is no list of that folder's files.
    public init?(_ page: [UInt8], at address: StreamAddress) {
        let bytes = page.prefix(Self.sizeLimit)
        isCut = page.count > Self.sizeLimit
        guard Self.isIndex(bytes.prefix(Self.headLength)) else { return nil }
        var seen: Set<String> = []
        var place = bytes.startIndex
        while let tag = Self.anchor(in: bytes, from: &place) {
            guard let reference = Self.reference(bytes[tag]), var entry = Self.entry(reference, address),
                seen.insert(entry.reference).inserted
            else { continue }
            guard entries.count < Self.entryLimit else {
                isCut = true
                return
            }
            (entry.changed, entry.bytes) = Self.facts(Self.tail(in: bytes, from: place))
            entries.append(entry)
        }
    }

    /// Whether a page's beginning has such a title.
    static func isIndex(_ head: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: head, as: UTF8.self).lowercased()
        guard let start = text.firstRange(of: "<title>")?.upperBound else { return false }
        let title = text[start...].drop { $0.isWhitespace }
        return titles.contains { title.hasPrefix($0) }
    }

    // MARK: - Links

    /// The inside of the next `<a …>`; `place` is then behind it. nil at the end.
    private static func anchor(in bytes: ArraySlice<UInt8>, from place: inout Int) -> Range<Int>? {
        while let open = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            guard let close = bytes[open...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
            place = close + 1
            let inside = bytes[(open + 1)..<close]
            guard let first = inside.first, first | 0x20 == UInt8(ascii: "a"), inside.count > 1,
                isSpace(inside[inside.startIndex + 1])
            else { continue }
            return inside.startIndex..<inside.endIndex
        }
        return nil
    }

    /// The value of `href`, its references to characters resolved.
    private static func reference(_ tag: ArraySlice<UInt8>) -> String? {
        guard tag.count <= 2 * StreamAddress.lengthLimit, let name = attribute(Array("href".utf8), in: tag) else { return nil }
        var rest = tag[name...].drop(while: isSpace)
        guard rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst().drop(while: isSpace)
        guard let quote = rest.first else { return nil }
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        let value = isQuoted ? rest.dropFirst().prefix { $0 != quote } : rest.prefix { !isSpace($0) }
        return resolved(Substring(String(decoding: value, as: UTF8.self)))
    }

    /// The place behind an attribute's name, whose letters are small here; nil where the tag has none.
    private static func attribute(_ name: [UInt8], in tag: ArraySlice<UInt8>) -> Int? {
        guard tag.count > name.count else { return nil }
        return (tag.startIndex + 1...tag.endIndex - name.count).first { place in
            isSpace(tag[place - 1]) && zip(tag[place...], name).allSatisfy { $0 | 0x20 == $1 }
        }.map { $0 + name.count }
    }

    private static func resolved(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        var scalars = String.UnicodeScalarView()
        var rest = text.unicodeScalars
        while let scalar = rest.popFirst() {
            if scalar == "&", let (meant, length) = CharacterReference.read(rest) {
                scalars.append(meant)
                rest = rest.dropFirst(length)
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// An entry of the folder itself; nil for the way up, for links that sort the page, and for addresses elsewhere.
    private static func entry(_ reference: String, _ address: StreamAddress) -> Entry? {
        guard !reference.isEmpty, !reference.contains("?"), !reference.contains("#"), let target = address.resolved(reference),
            target.scheme == address.scheme, target.host == address.host
        else { return nil }
        let path = target.cleanPath, folder = address.folder
        guard path.hasPrefix(folder) else { return nil }
        var last = path.dropFirst(folder.count)
        let isFolder = last.hasSuffix("/")
        if isFolder { last = last.dropLast() }
        let name = StreamAddress.decoded(last)
        guard !last.isEmpty, !last.contains("/"), !name.isEmpty, !name.hasPrefix("."), !name.contains("/"),
            !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        return Entry(reference: String(last), name: name, isFolder: isFolder)
    }

    // MARK: - Size and time

    /// The words between a link's end and the next link or line.
    private static func tail(in bytes: ArraySlice<UInt8>, from place: Int) -> [Substring] {
        let line = bytes[place...].prefix(tailLength).prefix { $0 != 0x0A }
        let text = String(decoding: line, as: UTF8.self)
        guard let end = text.firstRange(of: "</a>") ?? text.firstRange(of: "</A>") else { return [] }
        var words = "", isTag = false
        for character in text[end.upperBound...] {
            if character == "<" { isTag = true }
            words.append(isTag ? " " : character)
            if character == ">" { isTag = false }
        }
        return words.split(separator: " ")
    }

    private static func facts(_ words: [Substring]) -> (Change?, Int64?) {
        for (index, word) in words.enumerated().dropLast().prefix(8) {
            guard let (year, month, day) = date(word), let (hour, minute) = clock(words[index + 1]) else { continue }
            let change = Change(year: year, month: month, day: day, hour: hour, minute: minute)
            return (change, index + 2 < words.count ? size(words[index + 2]) : nil)
        }
        return (nil, nil)
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// "23-Nov-2026", "2026-11-23", "2026-Nov-23".
    static func date(_ word: Substring) -> (Int, Int, Int)? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, word.utf8.count <= 11 else { return nil }
        let (year, day) = parts[0].count == 4 ? (Int(parts[0]), Int(parts[2])) : (Int(parts[2]), Int(parts[0]))
        let month = Int(parts[1]) ?? months.firstIndex(of: parts[1].lowercased()).map { $0 + 1 }
        guard let year, let month, let day, 1970...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        return (year, month, day)
    }

    /// "20:07", "20:07:33".
    static func clock(_ word: Substring) -> (Int, Int)? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard 2...3 ~= parts.count, let hour = parts[0], let minute = parts[1], 0...23 ~= hour, 0...59 ~= minute else {
            return nil
        }
        return (hour, minute)
    }

    /// "123456789", "118M", "1.2K"; nil for "-".
    private static func size(_ word: Substring) -> Int64? {
        let units: [Character: Double] = ["K": 1024, "M": 1_048_576, "G": 1_073_741_824, "T": 1_099_511_627_776]
        guard let last = word.last, word.utf8.count <= 15 else { return nil }
        guard let unit = units[Character(last.uppercased())] else {
            return word.allSatisfy { $0.isASCII && $0.isNumber } ? Int64(word) : nil
        }
        let digits = word.dropLast()
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }), let number = Double(digits), number < 10_000 else {
            return nil
        }
        return Int64(number * unit)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
