import AetherCore
import AetherEngine
import AetherSources

/// The order of a directory's files; its directories come first in each of them. Pure.
enum BrowserOrder: String, CaseIterable, Sendable {
    case name, date, size, length

    /// The one after it, round the end.
    var next: BrowserOrder {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    /// The line of keys says it so.
    var words: String {
        switch self {
        case .name: translated("sort: name")
        case .date: translated("sort: date")
        case .size: translated("sort: size")
        case .length: translated("sort: length")
        }
    }

    /// Entries that come in natural order of their names: the newest, largest or longest first, of equals the former order.
    func sorted(_ entries: [Browser.Entry], _ facts: [String: FileFacts]) -> [Browser.Entry] {
        guard self != .name else { return entries }
        let folders = entries.filter { $0.kind == .directory }, files = entries.filter { $0.kind != .directory }
        return stable(folders, facts) + stable(files, facts)
    }

    private func stable(_ entries: [Browser.Entry], _ facts: [String: FileFacts]) -> [Browser.Entry] {
        let amounts = entries.map { amount(of: $0, facts[$0.name]) }
        return entries.indices.sorted { (amounts[$1], $0) < (amounts[$0], $1) }.map { entries[$0] }
    }

    private func amount(of entry: Browser.Entry, _ facts: FileFacts?) -> Int64 {
        switch self {
        case .name: return 0
        case .date:
            guard let date = entry.changed else { return -1 }
            return Int64((((date.year * 12 + date.month) * 31 + date.day) * 24 + date.hour) * 60 + date.minute)
        case .size: return entry.kind == .directory ? 0 : entry.bytes
        case .length: return facts?.duration?.nanoseconds ?? -1
        }
    }
}

/// The way in which a person looks at directories: kept from one opening of the browser to the next.
struct BrowserHabit: Sendable, Equatable {
    var order = BrowserOrder.name
    var showsHidden = false
    /// The person has written shares down: they are listed beside what was played before, and at the root.
    var listsShares = false
}
