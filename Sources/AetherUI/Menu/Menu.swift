public import AetherCore
import AetherTerminal

/// A list to choose one entry from: where the selection is, what part is seen, and what was typed to get there. A value that draws
/// nothing: `MenuPane` draws it.
public struct Menu: Sendable, Equatable {
    /// The subject of the menu.
    public let kind: MenuKind
    /// The entries in their order, headings too; while a filter is typed the entries that it finds.
    public private(set) var items: [MenuItem]
    /// The entries without a filter.
    private(set) var all: [MenuItem]
    /// The filter; nil: none was begun.
    private(set) var filter: TypedWords?
    /// An index into `items`; -1 where nothing can be chosen.
    public private(set) var selection: Int
    /// The typed filter, "" when that is over.
    public private(set) var typed = ""
    /// The time at which the typed filter is forgotten; nil without one.
    public private(set) var typedUntil: HostTime?
    private var top = 0
    /// The column of the pointer that opened it, over which it stands; nil: at the right.
    var anchor: Int?

    /// 5000: more chapters than any video has, few enough to lay out in a millisecond.
    public static let limit = 5000
    /// 1.5 s after the last letter a new word begins.
    static let typingPause = TimeSpan.seconds(1.5)
    /// Longer than any word that is typed to find something.
    private static let typedLimit = 40

    /// A menu that stands on what plays now, else on its first entry.
    public init(_ kind: MenuKind, items: [MenuItem]) {
        self.kind = kind
        self.items = Array(items.prefix(Menu.limit))
        all = self.items
        selection = self.items.firstIndex { $0.isPresent } ?? self.items.firstIndex { $0.choice != nil } ?? -1
    }

    /// The choice that Enter would make.
    public var choice: MenuChoice? { items.indices.contains(selection) ? items[selection].choice : nil }

    /// "2/5": which of the entries that can be chosen.
    public var ordinal: String {
        let total = items.count { $0.choice != nil }
        guard selection >= 0 else { return "" }
        return "\(items[...selection].count { $0.choice != nil })/\(total)"
    }

    /// The part that is seen in so many rows: it moves only as far as the selection makes it.
    public func window(rows: Int) -> Range<Int> {
        let rows = min(max(0, rows), items.count)
        guard rows > 0 else { return 0..<0 }
        var first = min(max(0, top), items.count - rows)
        if selection >= 0 {
            // The heading over the first entry comes along.
            let upper = items[..<selection].contains { $0.choice != nil } ? selection : 0
            first = min(max(first, selection - rows + 1), selection - upper < rows ? upper : selection)
        }
        return first..<first + rows
    }

    /// Keeps the part that is seen in so many rows as the one to move from. Say it after each change.
    public mutating func settle(rows: Int) { top = window(rows: rows).lowerBound }

    /// Brings the selection to the middle of so many rows: what comes next is seen as well as what was before.
    public mutating func centre(rows: Int) {
        top = max(0, selection - rows / 2)
        settle(rows: rows)
    }

    /// Takes newer items in; the selection stays on the same choice where that is still there.
    public mutating func replace(_ newItems: [MenuItem]) {
        all = Array(newItems.prefix(Menu.limit))
        show()
    }

    /// Lists what the filter finds; the selection stays on the same choice where that is still there.
    private mutating func show() {
        let former = choice
        let words = filter?.folded ?? []
        items =
            words.isEmpty
            ? all
            : all.filter { item in
                let text = TypedWords.folded(item.label + " " + item.detail)
                return item.choice != nil && words.allSatisfy { text.contains($0) }
            }
        if let place = items.firstIndex(where: { $0.choice != nil && $0.choice == former }) {
            selection = place
        } else {
            selection = nearest(to: min(selection, items.count - 1))
        }
    }

    /// There are qualities of a stream among the entries.
    var hasQualities: Bool {
        all.contains { if case .variant(.some, _)? = $0.choice { true } else { false } }
    }

    // MARK: - Moving

    /// One entry on (+1) or back (-1); from the last to the first and back again when `wraps`.
    public mutating func step(_ direction: Int, wraps: Bool = true) {
        guard selection >= 0, direction != 0 else { return }
        var place = selection
        for _ in items.indices {
            place += direction.signum()
            if !items.indices.contains(place) {
                guard wraps else { return }
                place = place < 0 ? items.count - 1 : 0
            }
            if items[place].choice != nil {
                selection = place
                return
            }
        }
    }

    /// Rows on or back, and not further than the first and the last entry.
    public mutating func move(by rows: Int) {
        guard selection >= 0 else { return }
        let place = min(max(0, selection.addingReportingOverflow(rows).partialValue), items.count - 1)
        selection = nearest(to: place)
    }

    /// Selects the first entry that can be chosen.
    public mutating func moveToFirst() { selection = items.firstIndex { $0.choice != nil } ?? -1 }

    /// Selects the last entry that can be chosen.
    public mutating func moveToLast() { selection = items.lastIndex { $0.choice != nil } ?? -1 }

    /// Selects an entry; false where there is none at that index.
    public mutating func select(_ index: Int) -> Bool {
        guard items.indices.contains(index), items[index].choice != nil else { return false }
        selection = index
        return true
    }

    /// The entry at an index, or else the next one to it.
    private func nearest(to index: Int) -> Int {
        guard index >= 0, !items.isEmpty else { return items.firstIndex { $0.choice != nil } ?? -1 }
        let after = items[min(index, items.count)...].firstIndex { $0.choice != nil }
        return after ?? items[..<min(index, items.count)].lastIndex { $0.choice != nil } ?? -1
    }

    // MARK: - Filter

    /// Takes one more letter into the filter, and begins one with nil.
    mutating func narrow(by character: Character?) {
        var words = filter ?? TypedWords()
        if let character, !words.type(character) { return }
        (filter, typed, typedUntil) = (words, "", nil)
        show()
    }

    /// Takes the filter's last letter back, and ends it where there is none.
    mutating func widen() {
        guard var words = filter else { return }
        filter = words.erase() ? words : nil
        show()
    }

    /// Lists everything again.
    mutating func endFilter() {
        filter = nil
        show()
    }

    // MARK: - Type-ahead

    /// Goes to the entry that begins with what was typed, or has a word that does, or contains it. The same letter again goes on to
    /// the next such entry.
    public mutating func type(_ character: Character, now: HostTime) {
        guard typed.count < Menu.typedLimit else { return }
        let isRepeated = !typed.isEmpty && typed.allSatisfy { $0 == character }
        typed.append(character)
        typedUntil = now + Menu.typingPause
        if let found = find(typed, from: selection) {
            selection = found
        } else if isRepeated, let found = find(String(character), from: selection + 1) {
            selection = found
        }
    }

    /// Takes the last letter back.
    public mutating func erase(now: HostTime) {
        guard !typed.isEmpty else { return }
        typed.removeLast()
        typedUntil = typed.isEmpty ? nil : now + Menu.typingPause
        if !typed.isEmpty, let found = find(typed, from: selection) { selection = found }
    }

    /// Forgets what was typed when its time is over; returns whether it did.
    public mutating func expire(_ now: HostTime) -> Bool {
        guard let until = typedUntil, now >= until else { return false }
        typed = ""
        typedUntil = nil
        return true
    }

    private func find(_ word: String, from start: Int) -> Int? {
        let word = Menu.folded(word)
        let order =
            Array(items.indices[max(0, min(start, items.count))...]) + Array(items.indices[..<max(0, min(start, items.count))])
        var best: (rank: Int, index: Int)?
        for index in order where items[index].choice != nil {
            guard let rank = Menu.rank(of: word, in: items[index]), rank < best?.rank ?? .max else { continue }
            best = (rank, index)
            if rank == 0 { break }
        }
        return best?.index
    }

    /// 0 at the start, 1 at the start of a word, 2 inside; nil: not there.
    private static func rank(of word: String, in item: MenuItem) -> Int? {
        let label = folded(item.label)
        if label.hasPrefix(word) { return 0 }
        let all = label + " " + folded(item.detail)
        if all.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains(where: { $0.hasPrefix(word) }) { return 1 }
        return all.contains(word) ? 2 : nil
    }

    private static func folded(_ text: String) -> String {
        FoldedText.of(text)
    }
}
