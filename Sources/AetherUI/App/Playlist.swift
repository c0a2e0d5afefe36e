import AetherCore
import AetherFormats
import AetherSources
import Foundation

/// The files to play, in order. A value.
struct Playlist: Sendable {
    /// One of them.
    struct Item: Sendable, Equatable {
        let location: MediaLocation
        /// What the list calls it, safe to display; "" where it says nothing.
        var title = ""
        /// The part of it that is meant; nil: from its start, to its end.
        var start, end: TimeSpan?
    }

    private(set) var items: [Item]
    private(set) var index = 0
    /// Files in a row that could not be played.
    private var failures = 0
    private(set) var loops: Bool
    /// The order that a shuffle has undone; nil: it is this one.
    private var ordered: [Item]?

    /// From the command line: a directory stands for its media files in natural order, a playlist (M3U, PLS, XSPF, CUE) for what it
    /// lists. Throws when one of them holds nothing or cannot be read. Blocks on the file system.
    init(arguments: [String], loops: Bool) throws(MediaError) {
        self.loops = loops
        items = []
        for argument in arguments {
            let location = MediaLocation.parse(argument)
            guard case .file(let path) = location else {
                items.append(Item(location: location))
                continue
            }
            if DirectoryListing.isDirectory(path) {
                items += try Playlist.files(in: path)
            } else if let listed = try Playlist.listed(in: path) {
                items += listed
            } else {
                items.append(Item(location: location))
            }
        }
    }

    /// Items as they are.
    init(items: [Item], loops: Bool = false, from index: Int = 0) {
        self.items = items
        self.loops = loops
        self.index = items.indices.contains(index) ? index : 0
    }

    /// Plays in an order that nobody knows.
    mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        if ordered == nil { ordered = items }
        items.shuffle(using: &generator)
    }

    /// Whether the order is one that nobody knows.
    var isShuffled: Bool { ordered != nil }

    /// Shuffles what comes, or goes back to the order in which it was given; what plays now stays where it is found.
    mutating func setShuffled(_ isOn: Bool, using generator: inout some RandomNumberGenerator) {
        guard isOn != isShuffled, items.indices.contains(index) else { return }
        let present = items[index]
        if isOn {
            var rest = items
            rest.remove(at: index)
            ordered = items
            items = [present] + rest.shuffled(using: &generator)
            index = 0
        } else {
            items = ordered ?? items
            index = items.firstIndex(of: present) ?? 0
            ordered = nil
        }
    }

    /// Plays this instead of everything, or after it.
    mutating func take(_ location: MediaLocation, isAppended: Bool) {
        let item = Item(location: location)
        if isAppended { return append([item]) }
        (items, index, ordered, failures) = ([item], 0, nil, 0)
    }

    /// Starts again after the last file, or not.
    mutating func setLoops(_ isOn: Bool) { loops = isOn }

    /// Puts more behind the last.
    mutating func append(_ more: [Item]) {
        items += more
        ordered? += more
    }

    /// Whether there is a file so many on, or back.
    func canStep(_ count: Int) -> Bool { items.count > 1 && (loops || items.indices.contains(index + count)) }

    /// No file was named: there is nothing to play yet.
    var isEmpty: Bool { items.isEmpty }

    /// A file without a name where there is none.
    var currentItem: Item { items.indices.contains(index) ? items[index] : Item(location: .file("")) }

    var current: MediaLocation { currentItem.location }

    /// What the bar says of it.
    var position: PlaylistPosition {
        var path = "", scheme = ""
        switch current {
        case .file(let named): path = named
        case .url(let url): scheme = url.range(of: "://").map { String(url[..<$0.lowerBound]) } ?? ""
        case .standardInput: break
        }
        return PlaylistPosition(
            index: index, count: items.count, name: current.displayName, title: currentItem.title, path: path,
            scheme: scheme)
    }

    /// What a person would call each of them.
    var names: [String] { items.map { $0.title.isEmpty ? $0.location.displayName : $0.title } }

    /// Goes on; false at the end, and when nothing of the whole list can be played any more.
    mutating func advance(afterFailure hasFailed: Bool) -> Bool {
        failures = hasFailed ? failures + 1 : 0
        if failures >= items.count { return false }
        return step(1)
    }

    /// So many on, or back; false where the list ends and does not begin again.
    mutating func step(_ count: Int) -> Bool {
        let (target, overflow) = index.addingReportingOverflow(count)
        guard !overflow else { return false }
        guard !items.indices.contains(target) else { return go(to: target) }
        guard loops, !items.isEmpty else { return false }
        return go(to: (target % items.count + items.count) % items.count)
    }

    /// What comes after the present one; nil where the list ends.
    var following: Item? {
        var rest = self
        return rest.step(1) ? rest.currentItem : nil
    }

    /// To one of them; false where there is none.
    mutating func go(to target: Int) -> Bool {
        guard items.indices.contains(target) else { return false }
        index = target
        return true
    }

    // MARK: - Reading

    private static func files(in path: String) throws(MediaError) -> [Item] {
        do throws(IOReaderError) {
            let files = try DirectoryListing.mediaFiles(in: path)
            if files.isEmpty { throw IOReaderError.closed }
            return files.map { Item(location: .file($0)) }
        } catch {
            if case .posix(let number) = error {
                throw MediaError(.cannotOpen, "open", subject: path, cause: -number, reason: SystemText.error(number))
            }
            throw MediaError(.cannotOpen, "play", subject: path, reason: "the directory holds no media files")
        }
    }

    /// What a playlist lists; nil for what is no playlist, or a stream that only looks like one.
    private static func listed(in path: String) throws(MediaError) -> [Item]? {
        guard let format = PlaylistDocument.Format(fileName: path) else { return nil }
        let bytes: [UInt8]
        do {
            bytes = Array(
                try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: PlaylistDocument.sizeLimit) ?? Data())
        } catch {
            throw MediaError(.cannotOpen, "open", subject: path, reason: error.localizedDescription)
        }
        let document = PlaylistDocument(bytes, format: format)
        if document.isStream { return nil }
        guard !document.entries.isEmpty else {
            throw MediaError(.cannotOpen, "play", subject: path, reason: "the playlist lists nothing")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return document.entries.map { item($0, in: folder) }
    }

    /// Relative paths are meant from the folder of the list. Lists from Windows have the other slash.
    static func item(_ entry: PlaylistDocument.Entry, in folder: String) -> Item {
        var location = MediaLocation.parse(entry.location)
        if case .file(var path) = location, !path.hasPrefix("/") {
            if !path.contains("/") { path = path.replacing("\\", with: "/") }
            location = .file(folder + path)
        }
        // "-" in a list is a file of that name.
        if location == .standardInput { location = .file(folder + "-") }
        return Item(location: location, title: entry.title, start: entry.start, end: entry.end)
    }
}
