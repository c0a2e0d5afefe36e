import AetherCore

/// The last 200 notices and errors since the start.
struct NoticeLog: Sendable, Equatable {
    /// A notice or an error.
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
    /// The clock of the wall at a time of the program's clock.
    private var wall: (host: HostTime, secondOfDay: Int)?

    static let limit = 200

    static func == (a: NoticeLog, b: NoticeLog) -> Bool { a.entries == b.entries }

    /// Sets the time of day, in seconds since midnight.
    mutating func setClock(_ secondOfDay: Int, at host: HostTime) { wall = (host, secondOfDay) }

    /// Keeps a sentence that is safe to display. The same again is counted: what repeats pushes nothing else out. An error that is told once
    /// more on the bar of the next file is the same one.
    mutating func keep(_ text: String, isError: Bool, at host: HostTime) {
        let second = wall.map { wall in
            let passed = Int((host - wall.host).seconds.rounded(.down))
            return (((wall.secondOfDay + passed) % 86_400) + 86_400) % 86_400
        }
        if let last = entries.last, last.text == text, last.isError, !isError { return }
        if let last = entries.last, last.text == text, last.isError == isError {
            entries[entries.count - 1] = Entry(
                secondOfDay: second, text: text, isError: isError, count: min(last.count + 1, 9999))
            return
        }
        entries.append(Entry(secondOfDay: second, text: text, isError: isError))
        if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }
}
