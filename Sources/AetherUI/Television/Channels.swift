import AetherCore
import AetherFormats
import AetherTerminal

/// The channels of a list, group by group, as a list to choose from: what is found, where the selection is, what part is seen. A value that draws
/// nothing: `ChannelsPane` draws it.
struct Channels: Sendable {
    /// The channels that are listed.
    enum Group: Sendable, Equatable {
        case all, favourites
        /// By its place in the list's groups.
        case named(Int)
    }

    private(set) var group = Group.all
    private var typed = TypedWords()
    /// A find was begun: signs are typed into it.
    private(set) var isFinding = false
    /// Channels of the group that are found, from 0.
    private(set) var found: [Int] = []
    private var cursor = ListCursor()
    /// The names were not read yet when it was looked for something.
    private var lacksNames = false

    /// The channels of a list, standing on the one that plays.
    init(_ television: Television) {
        find(in: television)
        if let present = television.present ?? television.last, let row = found.firstIndex(of: present) { cursor.row = row }
    }

    var query: String { typed.text }
    /// An index into `found`; -1 for none.
    var selection: Int { cursor.row }
    /// The channel that is selected; nil for none.
    var channel: Int? { found.indices.contains(selection) ? found[selection] : nil }
    /// "2/5".
    var ordinal: String { "\(max(0, selection + 1))/\(found.count)" }

    /// The name of the group.
    func heading(_ television: Television) -> String {
        switch group {
        case .all: translated("All channels")
        case .favourites: translated("Favourites")
        case .named(let place): television.book.list.groups.indices.contains(place) ? television.book.list.groups[place] : ""
        }
    }

    // MARK: - Contents

    /// Something is known by now that was not: names, or other favourites.
    mutating func refresh(_ television: Television) {
        guard lacksNames && television.names != nil || group == .favourites else { return }
        let chosen = channel
        find(in: television)
        if let row = found.firstIndex(where: { $0 == chosen }) { cursor.row = row }
    }

    private mutating func find(in television: Television) {
        let list = television.book.list
        let channels =
            switch group {
            case .all: Array(0..<list.count)
            case .favourites: (0..<list.count).filter { television.isFavourite($0) }
            case .named(let place): list.channels(inGroup: place)
            }
        lacksNames = !typed.isEmpty && television.names == nil
        found = typed.isEmpty ? channels : television.names?.find(typed.folded, among: channels) ?? []
        cursor.begin(at: found.isEmpty ? -1 : 0)
    }

    /// The next group, or the one before; round the ends. The favourites are left out while there are none.
    mutating func stepGroup(_ direction: Int, in television: Television) {
        var groups: [Group] = [.all]
        if !television.favourites.isEmpty { groups.append(.favourites) }
        groups += television.book.list.groups.indices.map { .named($0) }
        let place = groups.firstIndex(of: group) ?? 0, chosen = channel
        group = groups[((place + direction) % groups.count + groups.count) % groups.count]
        find(in: television)
        if let row = found.firstIndex(where: { $0 == chosen }) { cursor.row = row }
    }

    // MARK: - Moving

    mutating func move(by rows: Int, wraps: Bool = false) { cursor.move(by: rows, of: found.count, wraps: wraps) }
    mutating func moveToFirst() { move(by: .min) }
    mutating func moveToLast() { move(by: .max) }

    mutating func select(_ row: Int) -> Bool {
        guard found.indices.contains(row) else { return false }
        cursor.row = row
        return true
    }

    /// Stands on a channel, where it is listed.
    mutating func stand(on channel: Int) { if let row = found.firstIndex(of: channel) { cursor.row = row } }

    // MARK: - Finding

    mutating func beginFind() { isFinding = true }

    mutating func endFind(in television: Television) {
        (typed, isFinding) = (TypedWords(), false)
        let chosen = channel
        find(in: television)
        if let chosen { stand(on: chosen) }
    }

    mutating func type(_ character: Character, in television: Television) {
        isFinding = true
        if typed.type(character) { find(in: television) }
    }

    mutating func erase(in television: Television) { if typed.erase() { find(in: television) } }

    // MARK: - What is seen

    func window(rows: Int) -> Range<Int> { cursor.window(rows: rows, of: found.count) }
    mutating func settle(rows: Int) { cursor.settle(window(rows: rows)) }
}
