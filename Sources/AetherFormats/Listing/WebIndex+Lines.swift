/// The list of a folder as servers of files write it, line by line as `ls -l` does: sftp and most of ftp.
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

/// A line of such a list: `-rw-r--r--   1 me   users   1234 Nov 27 13:02 name`.
private struct ListLine {
    /// nil for the folder itself, the one above, and hidden names.
    let entry: WebIndex.Entry?

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// nil for what is none. A line with an hour in place of a year is of the last twelve months.
    init?(_ line: String, now: (year: Int, month: Int)) {
        var rest = line[...]
        func word() -> Substring {
            rest = rest.drop { $0 == " " }
            let word = rest.prefix { $0 != " " }
            rest = rest.dropFirst(word.count)
            return word
        }
        let mode = word()
        guard let kind = mode.first, "-dlbcps".contains(kind), mode.utf8.count >= 10,
            mode.dropFirst().prefix(9).allSatisfy({ "rwxsStTl-".contains($0) })
        else { return nil }
        _ = (word(), word(), word())
        guard let bytes = Int64(word()), let month = Self.months.firstIndex(of: word().lowercased()), let day = Int(word()),
            1...31 ~= day
        else { return nil }
        let time = word()
        // One space, and the name with its own.
        guard rest.first == " " else { return nil }
        var name = rest.dropFirst()
        if kind == "l", let arrow = name.firstRange(of: " -> ") { name = name[..<arrow.lowerBound] }
        let clock = time.split(separator: ":").compactMap { Int($0) }
        guard clock.count == 2 ? 0..<24 ~= clock[0] && 0..<60 ~= clock[1] : clock.count == 1 && 1900...9999 ~= clock[0] else {
            return nil
        }
        let isFolder = kind == "d" || kind == "l" && !name.contains(".")
        guard kind == "-" || kind == "d" || kind == "l", !name.isEmpty, !name.hasPrefix("."), !name.contains("/"),
            !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            entry = nil
            return
        }
        entry = WebIndex.Entry(
            reference: Self.reference(name), name: String(name), isFolder: isFolder, bytes: isFolder ? nil : max(0, bytes),
            changed: WebIndex.Change(
                year: clock.count == 1 ? clock[0] : month + 1 > now.month ? now.year - 1 : now.year, month: month + 1, day: day,
                hour: clock.count == 2 ? clock[0] : 0,
                minute: clock.count == 2 ? clock[1] : 0))
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
