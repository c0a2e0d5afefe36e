import AetherCore

/// The notices since the start: the last 200 notices and errors, and the part of them that is seen. A value without a view:
/// `NoticePane` draws it, `AppModel` drives it.
struct NoticeLog: Sendable, Equatable {
    /// One of them.
    struct Entry: Sendable, Equatable {
        /// Seconds since midnight where the person is; nil where no clock was given.
        let secondOfDay: Int?
        /// One line, safe to display.
        let text: String
        let isError: Bool
        /// The number of times in a row.
        var count = 1

        /// "21:04:09".
        var time: String {
            guard let secondOfDay else { return "" }
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "\(two(secondOfDay / 3600)):\(two(secondOfDay / 60 % 60)):\(two(secondOfDay % 60))"
        }
    }

    /// The newest last.
    private(set) var entries: [Entry] = []
    var isOpen = false
    /// Rows that lie below what is seen; 0: the newest is seen, and stays so.
    private(set) var below = 0
    /// The clock of the wall at a time of the program's clock.
    private var wall: (host: HostTime, secondOfDay: Int)?

    static let limit = 200

    static func == (a: NoticeLog, b: NoticeLog) -> Bool { a.entries == b.entries && a.isOpen == b.isOpen && a.below == b.below }

    /// Sets the time of day, in seconds since midnight.
    mutating func setClock(_ secondOfDay: Int, at host: HostTime) { wall = (host, secondOfDay) }

    /// Keeps a sentence that is safe to display. The same again is counted: what repeats pushes nothing else out.
    mutating func keep(_ text: String, isError: Bool, at host: HostTime) {
        let second = wall.map { wall in
            let passed = Int((host - wall.host).seconds.rounded(.down))
            return (((wall.secondOfDay + passed) % 86_400) + 86_400) % 86_400
        }
        if let last = entries.last, last.text == text, last.isError == isError {
            entries[entries.count - 1] = Entry(
                secondOfDay: second, text: text, isError: isError, count: min(last.count + 1, 9999))
            return
        }
        entries.append(Entry(secondOfDay: second, text: text, isError: isError))
        if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }

    /// So many rows towards the older (negative) or the newer, of so many of which so many are seen.
    mutating func scroll(by rows: Int, of total: Int, seen: Int) {
        let most = max(0, total - max(1, seen))
        below = min(max(0, below - min(max(rows, -total), total)), most)
    }

    /// The range that lies within so many rows, of so many.
    func window(of total: Int, rows: Int) -> Range<Int> {
        let rows = min(max(0, rows), total)
        let end = max(rows, total - min(below, max(0, total - rows)))
        return end - rows..<end
    }
}
