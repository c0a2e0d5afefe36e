public import AetherCore

/// A list of things to play as a file holds it: M3U and M3U8, PLS, XSPF, CUE sheets. Pure and bounded; nothing is opened. Titles are safe
/// to display, locations are as written.
public struct PlaylistDocument: Sendable, Equatable {
    /// The formats.
    public enum Format: String, Sendable, CaseIterable {
        case m3u, pls, xspf, cue

        /// The format by the end of a file's name; nil for a name of no playlist.
        public init?(fileName: String) {
            guard let dot = fileName.lastIndex(of: ".") else { return nil }
            let ending = fileName[fileName.index(after: dot)...].lowercased()
            guard let format = Format(rawValue: ending == "m3u8" ? "m3u" : ending) else { return nil }
            self = format
        }
    }

    /// One item to play.
    public struct Entry: Sendable, Equatable {
        /// A path, relative to the playlist's folder unless it begins with a slash, or a URL.
        public var location: String
        /// "" where the list does not say.
        public var title: String
        /// The part of the file that is meant; nil: from its start, to its end.
        public var start, end: TimeSpan?

        /// An entry.
        public init(location: String, title: String = "", start: TimeSpan? = nil, end: TimeSpan? = nil) {
            self.location = location
            self.title = DisplayText.singleLine(title, limit: 200)
            self.start = start
            self.end = end
        }
    }

    /// The entries in the order of the list.
    public internal(set) var entries: [Entry] = []
    /// An M3U that is one stream in segments (HLS, RFC 8216): to be played, not to be listed.
    public internal(set) var isStream = false
    /// The letters of a list that is no Unicode: names of files may be meant byte by byte. nil for Unicode.
    public private(set) var letters: ListLetters?

    /// 200 000 entries: twice the largest collection that was seen in a list.
    public static let entryLimit = 200_000
    /// 32 MiB of text are looked at: as many lines with long paths and titles.
    public static let sizeLimit = 32 << 20
    /// The longest path of Linux.
    static let locationLimit = 4096

    /// Reads a list; lines that are not understood are left out.
    public init(_ bytes: [UInt8], format: Format) {
        let bytes = Array(bytes.prefix(PlaylistDocument.sizeLimit))
        if format == .xspf {
            readXSPF(XMLEncoding.utf8(bytes))
        } else {
            let (text, letters) = PlaylistDocument.text(bytes)
            self.letters = letters
            readLines(text, format)
        }
    }

    private init() {}

    private mutating func readLines(_ text: String, _ format: Format) {
        switch format {
        case .m3u: readM3U(text)
        case .pls: readPLS(text)
        case .cue: readCue(text)
        case .xspf: break
        }
    }

    mutating func append(_ entry: Entry) {
        guard entries.count < Self.entryLimit, !entry.location.isEmpty, entry.location.utf8.count <= Self.locationLimit,
            !entry.location.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { return }
        entries.append(entry)
    }

    // MARK: - M3U

    private mutating func readM3U(_ text: String) {
        var title = "", part: (start: TimeSpan?, end: TimeSpan?)
        for raw in Self.lines(text) {
            let line = Self.trimmed(raw)
            if line.hasPrefix("#EXT-X-TARGETDURATION") || line.hasPrefix("#EXT-X-STREAM-INF")
                || line.hasPrefix("#EXT-X-MEDIA-SEQUENCE")
            {
                entries = []
                isStream = true
                return
            }
            if line.hasPrefix("#EXTINF:") {
                // #EXTINF:123 key="a,b",Artist - Title
                title = Self.title(ofExtInf: line.dropFirst(8))
            } else if line.hasPrefix(Self.startOption) {
                part.start = Self.seconds(line.dropFirst(Self.startOption.count))
            } else if line.hasPrefix(Self.endOption) {
                part.end = Self.seconds(line.dropFirst(Self.endOption.count))
            } else if !line.hasPrefix("#"), !line.isEmpty {
                append(Entry(location: line, title: title, start: part.start, end: part.end))
                (title, part) = ("", (nil, nil))
            }
        }
    }

    /// VLC's options for the part of a file that an entry of M3U means, in seconds behind them. No standard has such.
    public static let startOption = "#EXTVLCOPT:start-time=", endOption = "#EXTVLCOPT:stop-time="

    private static func seconds(_ text: Substring) -> TimeSpan? {
        guard let seconds = Double(trimmed(text)), seconds >= 0, seconds < 1e7 else { return nil }
        return .seconds(seconds)
    }

    private static func title(ofExtInf text: Substring) -> String {
        var isQuoted = false
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            if text[index] == ",", !isQuoted { return trimmed(text[text.index(after: index)...]) }
        }
        return ""
    }

    // MARK: - PLS

    private mutating func readPLS(_ text: String) {
        var files: [Int: String] = [:], titles: [Int: String] = [:]
        for raw in Self.lines(text) {
            guard let equals = raw.firstIndex(of: "="), files.count < Self.entryLimit else { continue }
            let key = Self.trimmed(raw[..<equals]).lowercased(), value = Self.trimmed(raw[raw.index(after: equals)...])
            if key.hasPrefix("file"), let number = Int(key.dropFirst(4)), files[number] == nil { files[number] = value }
            if key.hasPrefix("title"), titles.count < Self.entryLimit, let number = Int(key.dropFirst(5)) {
                titles[number] = value
            }
        }
        for number in files.keys.sorted() { append(Entry(location: files[number] ?? "", title: titles[number] ?? "")) }
    }

    // MARK: - XSPF

    private mutating func readXSPF(_ bytes: [UInt8]) {
        var scanner = XMLScanner(bytes)
        var entry: Entry?, creator = "", field = ""
        // The addresses that relative locations count from (XML Base): that of the list, and that of the track within it.
        var listBase = "", base = ""
        while entries.count < Self.entryLimit, let token = scanner.next() {
            switch token {
            case .start("track", let attributes, isEmpty: false):
                entry = Entry(location: "")
                creator = ""
                base = Self.joined(listBase, attributes["base"] ?? "")
            case .start(let name, let attributes, isEmpty: false):
                field = name
                if entry == nil, let more = attributes["base"] { listBase = Self.joined(listBase, more) }
            case .text(let text):
                guard entry != nil else { continue }
                let value = Self.trimmed(text.filter { !$0.isNewline })
                switch field {
                case "location" where entry?.location.isEmpty == true: entry?.location = value
                case "title": entry?.title += DisplayText.singleLine(value, limit: 200)
                case "creator": creator += DisplayText.singleLine(value, limit: 100)
                default: break
                }
            case .end("track"):
                if var entry {
                    if !creator.isEmpty, !entry.title.isEmpty { entry.title = creator + " – " + entry.title }
                    entry.location = entry.location.isEmpty ? "" : Self.joined(base, entry.location)
                    // A location is a URI reference: a relative path has its spaces and accents escaped.
                    if !Self.hasScheme(entry.location) { entry.location = Self.percentDecoded(entry.location) }
                    append(entry)
                }
                entry = nil
            case .end: field = ""
            case .start: break
            }
        }
    }

    /// A reference from a base, both as they are written (RFC 3986, 5.2, without taking `..` out: the file system does).
    static func joined(_ base: String, _ reference: String) -> String {
        if base.isEmpty || hasScheme(reference) { return reference }
        if reference.isEmpty { return base }
        let parts = base.split(separator: "/", omittingEmptySubsequences: false)
        // "scheme:" and "" and the host.
        let isAbsolute = hasScheme(base) && parts.count > 3 && parts[1].isEmpty
        if reference.hasPrefix("/") { return isAbsolute ? parts[..<3].joined(separator: "/") + reference : reference }
        if hasScheme(base), parts.count == 3, parts[1].isEmpty { return base + "/" + reference }
        return base.lastIndex(of: "/").map { base[...$0] + reference } ?? reference
    }

    static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), text[..<colon].utf8.count >= 2, text.first?.isASCII == true,
            text.first?.isLetter == true
        else { return false }
        return text[..<colon].utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
        }
    }

    /// "%20" to a space; what is no such code, or gives no UTF-8, stays.
    static func percentDecoded(_ text: String) -> String {
        guard text.contains("%") else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == 0x25, digits.count == 2 {
                bytes.append(UInt8(digits[0] * 16 + digits[1]))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}
