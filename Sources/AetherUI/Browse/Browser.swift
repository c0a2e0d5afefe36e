import AetherCore
import AetherEngine
import AetherSources

/// The state of a request.
public struct DirectoryAnswer: Sendable {
    let request: DirectoryRequest
    let listing: Listing

    enum Listing: Sendable {
        case read([Browser.Entry], isCut: Bool)
        /// A sentence that says why not.
        case failed(String)
        /// The server wants a name and a password, or other ones.
        case loginRefused(String)
    }
}

/// The files that can be played, directory by directory: what is listed, what was typed to find one, where the selection is, what part is
/// seen. A value that draws nothing: `BrowserPane` draws it, `DirectoryReader` reads for it.
public struct Browser: Sendable {
    /// The meaning of Enter.
    enum Choice: Sendable, Equatable {
        case directory(String)
        /// Paths of the directory's media files, and which of them comes first.
        case files([String], from: Int)
        /// A playlist, or something that was played before.
        case list(String)
    }

    /// The use of a file that is chosen.
    enum Purpose: Sendable, Equatable {
        case play
        /// Its audio is played with the present source.
        case addAudio
    }

    let purpose: Purpose
    private(set) var habit: BrowserHabit
    /// The known facts of the directory's files, by their names.
    private(set) var facts: [String: FileFacts] = [:]
    /// The directory's own entries, in natural order.
    private var listed: [Entry] = []
    /// The directory that is listed, from the root on.
    private(set) var path: String
    private(set) var entries: [Entry] = []
    /// More lies there than is listed.
    private(set) var isCut = false
    /// The reason why the last directory that was asked for is not listed.
    private(set) var failure: String?
    /// The directory that is being read; nil while none is.
    private(set) var awaited: DirectoryRequest?
    private var typed = TypedWords()
    /// A filter was begun: signs are typed into it.
    private(set) var isFiltering = false
    /// Indices of the entries that are found.
    private(set) var found: [Int] = []
    private var cursor = ListCursor()
    private(set) var recent: [RecentFile]
    private var requests = 0
    /// The path under which the recent files are listed.
    private let home: String
    /// The name to stand on when the listing comes.
    private var wished: String?

    /// Eight: what was played this week, and the directory is still seen below them.
    static let recentLimit = 8

    /// The text typed to find an entry.
    var query: String { typed.text }

    /// An index into `found`; -1 for none.
    var selection: Int { cursor.row }

    /// A browser of a directory, empty until that is read: see `awaited`. `standingOn` is a name in it.
    init(
        _ path: String, recent: [RecentFile] = [], purpose: Purpose = .play, standingOn name: String? = nil,
        habit: BrowserHabit = BrowserHabit()
    ) {
        (self.path, home, wished) = (path, path, name)
        self.habit = habit
        self.purpose = purpose
        self.recent = Array(recent.prefix(Self.recentLimit))
        ask(for: path, standingOn: name)
    }

    // MARK: - Contents

    private mutating func ask(for path: String, standingOn name: String?) {
        requests += 1
        awaited = DirectoryRequest(path: path, number: requests, showsHidden: habit.showsHidden)
        wished = name
        (typed, isFiltering) = (TypedWords(), false)
    }

    /// Into a directory; what is listed stays until it is read.
    mutating func enter(_ path: String) { ask(for: path, standingOn: nil) }

    /// To the directory above, standing on the one that is left; false at the root.
    mutating func goUp() -> Bool {
        // Twice in a row means two up, read or not.
        guard let (above, name) = above(awaited?.path ?? path) else { return false }
        ask(for: above, standingOn: name)
        return true
    }

    /// The directory above one; from the list of shares the way leads back to the disk.
    private func above(_ path: String) -> (path: String, name: String)? {
        if path == RemotePath.shares { return (RemotePath.isRemote(home) ? "/" : home, RemotePath.shares) }
        return Self.parent(of: path)
    }

    /// Takes a listing in; one that the browser waits for no more changes nothing.
    mutating func take(_ answer: DirectoryAnswer) {
        guard answer.request == awaited else { return }
        awaited = nil
        switch answer.listing {
        case .failed(let reason), .loginRefused(let reason):
            failure = DisplayText.singleLine(reason, limit: 300)
            guard entries.isEmpty else { return find(standingOn: nil) }
            (path, listed, facts) = (answer.request.path, [], [:])
            entries = heading(of: path)
        case .read(let listed, let isCut):
            failure = nil
            if path != answer.request.path { facts = [:] }
            (path, self.isCut, self.listed) = (answer.request.path, isCut, listed)
            entries = heading(of: path) + habit.order.sorted(listed, facts)
        }
        cursor.begin(at: cursor.row)
        find(standingOn: wished)
    }

    /// The files that were played before have become known; the selection stays where it is.
    mutating func take(recent: [RecentFile]) {
        let recent = Array(recent.prefix(Self.recentLimit))
        guard recent != self.recent else { return }
        self.recent = recent
        guard path == home, !entries.isEmpty else { return }
        let selected = selected
        entries = heading(of: path) + habit.order.sorted(listed, facts)
        find(standingOn: nil)
        if let selected, let place = found.firstIndex(where: { entries[$0] == selected }) { cursor.row = place }
    }

    // MARK: - Order

    /// On to the next order; the selection stays on its entry.
    mutating func sortOn() {
        habit.order = habit.order.next
        arrange()
    }

    /// Hidden files and directories are listed from now on, or are not: the directory is read again.
    mutating func toggleHidden() {
        habit.showsHidden.toggle()
        ask(for: awaited?.path ?? path, standingOn: selected?.name)
    }

    /// More is known of files, by their paths.
    mutating func take(_ more: [String: FileFacts]) {
        let prefix = Self.join(path, "")
        for (file, known) in more where file.hasPrefix(prefix) { facts[String(file.dropFirst(prefix.count))] = known }
        if habit.order == .length { arrange() }
    }

    private mutating func arrange() {
        let selected = selected
        entries = heading(of: path) + habit.order.sorted(listed, facts)
        find(standingOn: nil)
        if let selected, let place = found.firstIndex(where: { entries[$0] == selected }) { cursor.row = place }
    }

    /// The paths of files that are seen in so many rows, or by whose length all are sorted, and of which nothing is known yet.
    func unknownFiles(rows: Int) -> [String] {
        guard awaited == nil, !RemotePath.isRemote(path) else { return [] }
        let seen = habit.order == .length ? found[...] : found[window(rows: rows)]
        let names = seen.prefix(Self.surveyLimit).map { entries[$0] }.filter { $0.kind == .media && facts[$0.name] == nil }
        return names.map { Self.join(path, $0.name) }
    }

    /// 1000: some seconds of reading heads on a disk that turns.
    private static let surveyLimit = 1000

    /// The rows above a directory's own entries.
    private func heading(of path: String) -> [Entry] {
        let played = path == home ? recent.map { Entry(.recent, name: $0.location, label: $0.title) } : []
        let shares =
            habit.listsShares && (path == home || path == "/")
            ? [Entry(.directory, name: RemotePath.shares, label: translated("Shares"))] : []
        return played + shares + (above(path) == nil ? [] : [Entry(.parent, name: "..")])
    }

    /// Every word that was typed must be in a name, in whatever order. `isNarrower`: only what is found already can be.
    private mutating func find(standingOn name: String?, isNarrower: Bool = false) {
        let words = typed.folded.map { Array($0.utf8) }
        let places = isNarrower ? found : Array(entries.indices)
        found =
            words.isEmpty
            ? places
            : places.filter { index in
                entries[index].kind != .parent && words.allSatisfy { entries[index].contains($0) }
            }
        let standing = name.flatMap { name in found.firstIndex { entries[$0].name == name && entries[$0].kind != .recent } }
        // A directory is not opened to be left again.
        cursor.row =
            standing ?? found.firstIndex { entries[$0].kind != .parent && entries[$0].name != RemotePath.shares }
            ?? (found.isEmpty ? -1 : 0)
    }

    // MARK: - Moving

    /// The entry that would be opened.
    var selected: Entry? { found.indices.contains(selection) ? entries[found[selection]] : nil }

    /// "2/5" on a file, else "5 files": files and playlists are counted.
    var ordinal: String {
        func isFile(_ index: Int) -> Bool { [.media, .playlist].contains(entries[index].kind) }
        let count = found.count(where: isFile)
        guard found.indices.contains(selection), isFile(found[selection]) else {
            return count == 0 ? translated("no files") : translated(one: "\(count) file", other: "\(count) files", count: count)
        }
        return "\(found[...selection].count(where: isFile))/\(count)"
    }

    /// The meaning of Enter at the selection; nil where there is nothing, or while another directory is being read.
    var choice: Choice? {
        guard awaited == nil, let entry = selected else { return nil }
        switch entry.kind {
        case .recent: return .list(entry.name)
        case .parent: return above(path).map { .directory($0.path) }
        case .directory: return .directory(Self.join(path, entry.name))
        case .playlist: return .list(Self.join(path, entry.name))
        case .media:
            let files = entries.filter { $0.kind == .media }.map(\.name)
            return .files(files.map { Self.join(path, $0) }, from: files.firstIndex(of: entry.name) ?? 0)
        }
    }

    /// Rows on or back; round the ends where it `wraps`.
    mutating func move(by rows: Int, wraps: Bool = false) {
        cursor.move(by: rows, of: found.count, wraps: wraps)
    }

    mutating func moveToFirst() { move(by: .min) }
    mutating func moveToLast() { move(by: .max) }

    /// Selects a row; false where there is none.
    mutating func select(_ index: Int) -> Bool {
        guard found.indices.contains(index) else { return false }
        cursor.row = index
        return true
    }

    // MARK: - Filtering

    /// Begins a filter with nothing typed yet.
    mutating func beginFilter() { isFiltering = true }

    /// Another letter of a name.
    mutating func type(_ character: Character) {
        guard typed.type(character) else { return }
        isFiltering = true
        failure = nil
        find(standingOn: nil, isNarrower: true)
    }

    /// Takes the last letter back.
    mutating func erase() {
        guard typed.erase() else { return }
        isFiltering = !query.isEmpty
        find(standingOn: selected?.name)
    }

    /// Takes all of it back.
    mutating func clearQuery() {
        (typed, isFiltering) = (TypedWords(), false)
        find(standingOn: selected?.name)
    }

    // MARK: - What is seen

    /// The part that is seen in so many rows: it moves only as far as the selection makes it.
    func window(rows: Int) -> Range<Int> {
        // The way up over the first entry comes along.
        if selection <= 1, rows > 1 { return ListCursor.window(from: 0, rows: rows, of: found.count) }
        return cursor.window(rows: rows, of: found.count)
    }

    /// Keeps the part that is seen in so many rows as the one to move from. Say it after each change.
    mutating func settle(rows: Int) { cursor.settle(window(rows: rows)) }
}
