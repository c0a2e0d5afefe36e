/// The list of a folder as servers of files write it, line by line: as `ls -l` does, sftp and most of ftp, or as `dir` of DOS does.
extension WebIndex {
    /// Reads such a list; nil where no line of it is one. `now`: lines of the last months say no year. A link counts by the ending of its name: what
    /// has none is a folder.
    public init?(lines list: [UInt8], now: (year: Int, month: Int)) {
        var entries: [Entry] = [], seen: Set<String> = [], hasLines = false, isCut = list.count > Self.sizeLimit
        for line in list.prefix(Self.sizeLimit).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let text = String(validating: line, as: UTF8.self), let found = ListLine(text, now: now) else { continue }
            hasLines = true
            guard let entry = found.entry, seen.insert(entry.reference).inserted else { continue }
            guard entries.count < Self.entryLimit else {
                isCut = true
                break
            }
            entries.append(entry)
        }
        // An empty folder may have no line at all.
        guard hasLines || list.isEmpty else { return nil }
        self.init(entries: entries, isCut: isCut)
    }
}

/// A line of such a list: `-rw-r--r--   1 me   users   1234 Nov 27 13:02 name` or `11-27-26  01:02PM   1234 name`.
private struct ListLine {
    /// nil for the folder itself, the one above, and hidden names.
    let entry: WebIndex.Entry?

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    /// The words before the month, at least: mode, links, owner, group, size. Names of owners and groups may have spaces.
    private static let leadingWords = 5
    /// The words that are looked through for it.
    private static let mostWords = 16

    /// nil for what is none. A line with an hour in place of a year is of the last twelve months.
    init?(_ line: String, now: (year: Int, month: Int)) {
        var rest = line[...]
        let head = Self.word(&rest)
        if let first = head.first, first.isASCII, first.isNumber {
            guard let found = Self.dosLine(date: head, rest) else { return nil }
            entry = found.entry
            return
        }
        guard let kind = head.first, "-dlbcps".contains(kind), head.utf8.count >= 10,
            head.dropFirst().prefix(9).allSatisfy({ "rwxsStTl-".contains($0) }),
            let (bytes, changed, written) = Self.facts(&rest, now: now)
        else { return nil }
        var name = written
        if kind == "l", let arrow = name.firstRange(of: " -> ") { name = name[..<arrow.lowerBound] }
        guard kind == "-" || kind == "d" || kind == "l" else {
            entry = nil
            return
        }
        let isFolder = kind == "d" || kind == "l" && !name.contains(".")
        // The length of a link is that of the path which it leads to.
        entry = Self.entry(name, isFolder: isFolder, bytes: kind == "-" ? max(0, bytes) : nil, changed)
    }

    /// A line of DOS behind its date: `01:02PM       <DIR>          name`; nil for what is none.
    private static func dosLine(date: Substring, _ behind: Substring) -> (entry: WebIndex.Entry?, isFolder: Bool)? {
        var rest = behind
        guard let (year, month, day) = dosDate(date), let (hour, minute) = dosTime(word(&rest)) else { return nil }
        let size = word(&rest), isFolder = size == "<DIR>", bytes = Int64(size)
        let name = rest.drop { $0 == " " }
        guard isFolder || bytes.map({ $0 >= 0 }) ?? false, !name.isEmpty else { return nil }
        let changed = WebIndex.Change(year: year, month: month, day: day, hour: hour, minute: minute)
        return (entry(name, isFolder: isFolder, bytes: isFolder ? nil : bytes, changed), isFolder)
    }

    private static func word(_ rest: inout Substring) -> Substring {
        rest = rest.drop { $0 == " " }
        let word = rest.prefix { $0 != " " }
        rest = rest.dropFirst(word.count)
        return word
    }

    /// Size, change and name of a line behind its mode: the size is the number before the first month that a day and a time follow.
    private static func facts(
        _ rest: inout Substring, now: (year: Int, month: Int)
    ) -> (bytes: Int64, changed: WebIndex.Change, name: Substring)? {
        var former: Substring = ""
        for count in 1..<mostWords {
            let word = word(&rest)
            defer { former = word }
            guard count >= leadingWords, let bytes = Int64(former), let month = months.firstIndex(of: word.lowercased()) else {
                continue
            }
            var tail = rest
            guard let day = Int(Self.word(&tail)), 1...31 ~= day,
                let (year, hour, minute) = time(Self.word(&tail), month: month + 1, now: now), tail.first == " "
            else { continue }
            // One space, and the name with its own.
            let changed = WebIndex.Change(year: year, month: month + 1, day: day, hour: hour, minute: minute)
            return (bytes, changed, tail.dropFirst())
        }
        return nil
    }

    /// `13:02` or `2024`.
    private static func time(_ word: Substring, month: Int, now: (year: Int, month: Int)) -> (year: Int, hour: Int, minute: Int)?
    {
        let clock = word.split(separator: ":").compactMap { Int($0) }
        if clock.count == 1, 1900...9999 ~= clock[0] { return (clock[0], 0, 0) }
        guard clock.count == 2, 0..<24 ~= clock[0], 0..<60 ~= clock[1] else { return nil }
        return (month > now.month ? now.year - 1 : now.year, clock[0], clock[1])
    }

    /// `11-27-26`, `11-27-2026`: month, day and year.
    private static func dosDate(_ word: Substring) -> (year: Int, month: Int, day: Int)? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 2, parts[1].count == 2, parts[2].count == 2 || parts[2].count == 4,
            let month = Int(parts[0]), let day = Int(parts[1]), let year = Int(parts[2]), 1...12 ~= month, 1...31 ~= day
        else { return nil }
        if parts[2].count == 2 { return (year < 70 ? 2000 + year : 1900 + year, month, day) }
        return 1900...9999 ~= year ? (year, month, day) : nil
    }

    /// `01:02PM`, `13:02`.
    private static func dosTime(_ word: Substring) -> (hour: Int, minute: Int)? {
        let ending = word.suffix(2).uppercased(), hasHalf = ending == "AM" || ending == "PM"
        let clock = word.dropLast(hasHalf ? 2 : 0).split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard clock.count == 2, let hour = clock[0], let minute = clock[1], 0..<60 ~= minute,
            hasHalf ? 1...12 ~= hour : 0..<24 ~= hour
        else { return nil }
        return (hasHalf ? hour % 12 + (ending == "PM" ? 12 : 0) : hour, minute)
    }

    /// nil for a name that is hidden, or leads elsewhere.
    private static func entry(
        _ name: Substring, isFolder: Bool, bytes: Int64?, _ changed: WebIndex.Change
    ) -> WebIndex.Entry? {
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        return WebIndex.Entry(
            reference: reference(name), name: String(name), isFolder: isFolder, bytes: isFolder ? nil : bytes, changed: changed)
    }

    /// A name as addresses have it.
    private static func reference(_ name: Substring) -> String {
        name.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
