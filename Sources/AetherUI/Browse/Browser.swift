import AetherCore
import AetherSources

/// The state of a request.
public struct DirectoryAnswer: Sendable {
    let request: DirectoryRequest
    let listing: Listing

    enum Listing: Sendable {
        case read([Browser.Entry], isCut: Bool)
        /// A sentence that says why not.
        case failed(String)
    }
}

/// The files that can be played, directory by directory: what is listed, what was typed to find one, where the selection is, what part is
/// seen. A value that draws nothing: `BrowserPane` draws it, `DirectoryReader` reads for it.
public struct Browser: Sendable {
    /// A line of the list.
    struct Entry: Sendable, Equatable {
        enum Kind: Sendable, Equatable { case recent, parent, directory, playlist, media }

        let kind: Kind
        /// As the file system has it; the location of a recent file.
        let name: String
        /// One line, safe to display.
        let label: String
        /// As `TypedWords.folded(_:)` has it, in UTF-8: what is typed is found in this. In bytes for speed: ten thousand names are looked through at
        /// each letter, in 1.5 ms and not in 60.
        let folded: [UInt8]
        var bytes: Int64 = 0
        var changed: FileDate?

        init(_ kind: Kind, name: String, label: String? = nil, bytes: Int64 = 0, changed: FileDate? = nil) {
            (self.kind, self.name, self.bytes, self.changed) = (kind, name, bytes, changed)
            let safe = DisplayText.singleLine(label ?? name, limit: 255)
            self.label = safe.isEmpty ? "(no name)" : safe
            folded = Array(TypedWords.folded(self.label).utf8)
        }

        /// The file behind a title; nil where that is what the list says already.
        var fileName: String? {
            guard kind == .recent, let last = name.split(separator: "/").last else { return nil }
            let safe = DisplayText.singleLine(String(last), limit: 255)
            return safe == label ? nil : safe
        }

        /// Whether the name has this in it.
        func contains(_ word: [UInt8]) -> Bool {
            guard let first = word.first else { return true }
            guard folded.count >= word.count else { return false }
            for start in 0...(folded.count - word.count) where folded[start] == first {
                if folded[start..<start + word.count].elementsEqual(word) { return true }
            }
            return false
        }
    }

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
    init(_ path: String, recent: [RecentFile] = [], purpose: Purpose = .play, standingOn name: String? = nil) {
        (self.path, home, wished) = (path, path, name)
        self.purpose = purpose
        self.recent = Array(recent.prefix(Self.recentLimit))
        ask(for: path, standingOn: name)
    }

    // MARK: - Paths

    static func join(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }

    /// The directory above; nil for the root.
    static func parent(of path: String) -> (path: String, name: String)? {
        if WebPath.isWeb(path) { return WebPath.parent(of: path) }
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return nil }
        return ("/" + parts.dropLast().joined(separator: "/"), String(last))
    }

    /// The directory of a video, and its name there; the present directory where there is no video.
    static func place(of path: String, in present: String) -> (directory: String, name: String?) {
        guard !path.isEmpty else { return (present, nil) }
        if let (folder, name) = WebPath.parts(of: path) { return (folder, name) }
        let whole = path.hasPrefix("/") ? path : join(present, path)
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        guard let name = parts.popLast() else { return ("/", nil) }
        return ("/" + parts.joined(separator: "/"), String(name))
    }

    // MARK: - Contents

    private mutating func ask(for path: String, standingOn name: String?) {
        requests += 1
        awaited = DirectoryRequest(path: path, number: requests)
        wished = name
        (typed, isFiltering) = (TypedWords(), false)
    }

    /// Into a directory; what is listed stays until it is read.
    mutating func enter(_ path: String) { ask(for: path, standingOn: nil) }

    /// To the directory above, standing on the one that is left; false at the root.
    mutating func goUp() -> Bool {
        // Twice in a row means two up, read or not.
        guard let (above, name) = Self.parent(of: awaited?.path ?? path) else { return false }
        ask(for: above, standingOn: name)
        return true
    }

    /// Takes a listing in; one that the browser waits for no more changes nothing.
    mutating func take(_ answer: DirectoryAnswer) {
        guard answer.request == awaited else { return }
        awaited = nil
        switch answer.listing {
        case .failed(let reason):
            failure = DisplayText.singleLine(reason, limit: 300)
            guard entries.isEmpty else { return find(standingOn: nil) }
            path = answer.request.path
            entries = heading(of: path)
        case .read(let listed, let isCut):
            failure = nil
            (path, self.isCut) = (answer.request.path, isCut)
            entries = heading(of: path) + listed
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
        let selected = selected, listed = entries.filter { $0.kind != .recent && $0.kind != .parent }
        entries = heading(of: path) + listed
        find(standingOn: nil)
        if let selected, let place = found.firstIndex(where: { entries[$0] == selected }) { cursor.row = place }
    }

    /// The rows above a directory's own entries.
    private func heading(of path: String) -> [Entry] {
        let played = path == home ? recent.map { Entry(.recent, name: $0.location, label: $0.title) } : []
        return played + (Self.parent(of: path) == nil ? [] : [Entry(.parent, name: "..")])
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
        cursor.row = standing ?? found.firstIndex { entries[$0].kind != .parent } ?? (found.isEmpty ? -1 : 0)
    }

    // MARK: - Moving

    /// The entry that would be opened.
    var selected: Entry? { found.indices.contains(selection) ? entries[found[selection]] : nil }

    /// "2/5"; the way up does not count.
    var ordinal: String {
        // The way up stands behind the files that were played last.
        let parent = found.prefix(Self.recentLimit + 1).firstIndex { entries[$0].kind == .parent }
        let isBelow = parent.map { selection >= $0 } ?? false
        return "\(max(0, selection + (isBelow ? 0 : 1)))/\(found.count - (parent == nil ? 0 : 1))"
    }

    /// The meaning of Enter at the selection; nil where there is nothing, or while another directory is being read.
    var choice: Choice? {
        guard awaited == nil, let entry = selected else { return nil }
        switch entry.kind {
        case .recent: return .list(entry.name)
        case .parent: return Self.parent(of: path).map { .directory($0.path) }
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
