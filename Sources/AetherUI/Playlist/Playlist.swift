import AetherCore
import AetherEngine
import AetherFormats
import AetherSources

/// The files to play, in order. A value.
struct Playlist: Sendable {
    /// A file of the list.
    struct Item: Sendable, Equatable {
        let location: MediaLocation
        /// The title in the list, safe to display; "" without one.
        var title = ""
        /// The part of it that is meant; nil: from its start, to its end.
        var start, end: TimeSpan?
        /// The document of a web server that names it; nil: a person does, or a file.
        var document: Provenance?
        /// Lists of web servers around it.
        var depth = 0
        /// The item lies in a folder of a web server that was listed.
        var isInListedFolder = false
        /// The item is a channel of a list, or what one broadcast.
        var channel: ChannelTicket?
    }

    private(set) var items: [Item]
    private(set) var index = 0
    /// Files in a row that could not be played.
    private var failures = 0
    /// The repeat mode.
    var repeats: RepeatMode
    /// The number of files behind the present one that were asked for as the next.
    private(set) var queued = 0
    /// Names by the tags of files, by their paths; "" for a file that has none.
    private var tagged: [String: String] = [:]
    /// The order that a shuffle has undone; nil: it is this one.
    private var ordered: [Item]?
    /// The list of channels that was named, of which the items are what plays; nil: none was.
    private(set) var channels: ChannelBook?
    /// The folder of folders that was named, path or address: there is nothing to play in it, but something to look for.
    private(set) var folder: String?

    /// From the command line: a directory stands for its media files in natural order, a playlist (M3U, PLS, XSPF, CUE) for what it
    /// lists. Throws when one of them holds nothing or cannot be read. Blocks on the file system.
    init(arguments: [String], repeats: RepeatMode = .off) throws(MediaError) {
        self.repeats = repeats
        var reading = PlaylistReading()
        for argument in arguments { try reading.read(.parse(argument)) }
        items = reading.items
        // Channels among other things to play are things to play.
        guard let book = reading.channels, items.count <= 1, arguments.count == 1 else { return }
        channels = book
    }

    /// Nothing to play yet: a folder in which it is to be looked for.
    init(folder: String, repeats: RepeatMode = .off) {
        (items, self.folder, self.repeats) = ([], folder, repeats)
    }

    /// Items as they are.
    init(items: [Item], repeats: RepeatMode = .off, from index: Int = 0) {
        self.items = items
        self.repeats = repeats
        self.index = items.indices.contains(index) ? index : 0
    }

    /// Shuffles the list.
    mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        if ordered == nil { ordered = items }
        items.shuffle(using: &generator)
    }

    /// True while the list is shuffled.
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
            (index, queued) = (0, 0)
        } else {
            items = ordered ?? items
            index = items.firstIndex(of: present) ?? 0
            (ordered, queued) = (nil, 0)
        }
    }

    /// Shuffles by the system's dice.
    mutating func setShuffled(_ isOn: Bool) {
        var generator = SystemRandomNumberGenerator()
        setShuffled(isOn, using: &generator)
    }

    /// Whether there is a file so many on, or back.
    func canStep(_ count: Int) -> Bool { items.count > 1 && (repeats == .list || items.indices.contains(index + count)) }

    /// No file was named: there is nothing to play yet.
    var isEmpty: Bool { items.isEmpty }

    /// A file without a name where there is none.
    var currentItem: Item { items.indices.contains(index) ? items[index] : Item(location: .file("")) }

    var current: MediaLocation { currentItem.location }

    /// The position for the bar.
    var position: PlaylistPosition {
        var path = "", scheme = ""
        switch current {
        case .file(let named): path = named
        case .url(let url):
            path = currentItem.isInListedFolder || ShareReader.opens(url) ? url : ""
            scheme = url.firstRange(of: "://").map { String(url[..<$0.lowerBound]) } ?? ""
        case .standardInput: break
        }
        if isEmpty, let folder { path = folder.hasSuffix("/") ? folder : folder + "/" }
        var position = PlaylistPosition(
            index: index, count: items.count, name: current.displayName, title: currentItem.title, path: path,
            scheme: scheme, repeats: repeats, isShuffled: isShuffled, queued: queued)
        position.channel = currentItem.channel
        return position
    }

    /// The names of the files to show.
    var names: [String] {
        items.map { item in
            if !item.title.isEmpty { return item.title }
            guard case .file(let path) = item.location, let name = tagged[path], !name.isEmpty else {
                return item.location.displayName
            }
            return name
        }
    }

    /// The paths of files in these places whose tags were not read yet.
    func untold(_ places: ClosedRange<Int>) -> [String] {
        items.indices.filter { places.contains($0) }.compactMap { place in
            guard items[place].title.isEmpty, case .file(let path) = items[place].location else { return nil }
            return tagged[path] == nil ? path : nil
        }
    }

    /// Takes in the tags of files, by their paths; returns whether a name is another one.
    mutating func note(_ facts: [String: FileFacts]) -> Bool {
        let former = names
        for (path, known) in facts where tagged.count < PlaylistDocument.entryLimit {
            let isSong = known.size == nil && !known.artist.isEmpty
            tagged[path] = known.title.isEmpty ? "" : isSong ? "\(known.artist) – \(known.title)" : known.title
        }
        return names != former
    }

    /// Goes on; false at the end, and when nothing of the whole list can be played any more.
    mutating func advance(afterFailure hasFailed: Bool) -> Bool {
        let failed = hasFailed ? failures + 1 : 0
        defer { failures = failed }
        if failed >= items.count { return false }
        // Standard input cannot be read a second time.
        if repeats == .file, !hasFailed, !items.isEmpty, current != .standardInput { return true }
        return step(1)
    }

    /// So many on, or back; false where the list ends and does not begin again.
    mutating func step(_ count: Int) -> Bool {
        let (target, overflow) = index.addingReportingOverflow(count)
        guard !overflow else { return false }
        guard !items.indices.contains(target) else { return go(to: target) }
        guard repeats == .list, !items.isEmpty else { return false }
        return go(to: (target % items.count + items.count) % items.count)
    }

    /// The item behind the present one; nil where the list ends.
    var following: Item? {
        var rest = self
        return rest.advance(afterFailure: false) ? rest.currentItem : nil
    }

    /// To one of them; false where there is none. A wish for a file is also a wish for those that could not be played.
    mutating func go(to target: Int) -> Bool {
        guard items.indices.contains(target) else { return false }
        // Files that were asked for as the next stay so while playing goes on through them.
        queued =
            target == index ? queued : (index + 1...index + queued + 1).contains(target) ? max(0, queued - target + index) : 0
        index = target
        failures = 0
        return true
    }

    // MARK: - Other files

    /// The place for more files.
    enum Place: Sendable, Equatable {
        /// In place of all.
        case instead
        /// Behind the present one and those that were put there before.
        case next
        case atEnd
    }

    /// Takes more files in; true: another one is the present one now.
    mutating func take(_ more: [Item], _ place: Place) -> Bool {
        let more = more.prefix(max(0, PlaylistDocument.entryLimit - (place == .instead ? 0 : items.count)))
        guard !more.isEmpty else { return false }
        if place == .instead || items.isEmpty {
            (items, index, ordered, queued, failures) = (Array(more), 0, nil, 0, 0)
            return true
        }
        ordered? += more
        if place == .next {
            items.insert(contentsOf: more, at: min(index + 1 + queued, items.count))
            queued += more.count
        } else {
            items += more
        }
        return false
    }

    /// Puts what a list holds in the place of the present item, which was that list.
    mutating func unfold(into more: [Item]) {
        guard items.indices.contains(index), !more.isEmpty else { return }
        let list = items[index], room = PlaylistDocument.entryLimit - items.count + 1
        let more = Array(more.prefix(max(1, room)))
        items.replaceSubrange(index...index, with: more)
        if let place = ordered?.firstIndex(of: list) { ordered?.replaceSubrange(place...place, with: more) }
        failures = 0
    }

    /// Takes a file out; false for the present one, and where there is none.
    mutating func remove(_ place: Int) -> Bool {
        guard items.indices.contains(place), place != index else { return false }
        let item = items.remove(at: place)
        if let former = ordered?.firstIndex(of: item) { ordered?.remove(at: former) }
        if (index + 1..<index + 1 + queued).contains(place) { queued -= 1 }
        if place < index { index -= 1 }
        return true
    }

    /// Puts a file to another place; false where one of both is not there.
    mutating func move(_ place: Int, to target: Int) -> Bool {
        guard items.indices.contains(place), items.indices.contains(target), place != target else { return false }
        let item = items.remove(at: place)
        items.insert(item, at: target)
        if place == index {
            index = target
        } else {
            index += place < index && target >= index ? -1 : place > index && target <= index ? 1 : 0
        }
        queued = 0
        return true
    }

    /// Applies the person's change of the list; true: it is another one now.
    mutating func obey(_ effect: AppEffect) -> Bool {
        switch effect {
        case .removeFile(let place): return remove(place)
        case .moveFile(let place, let target): return move(place, to: target)
        case .setRepeats(let mode): repeats = mode
        case .setShuffled(let isOn): setShuffled(isOn)
        default: return false
        }
        return true
    }

    // MARK: - Reading

    /// Relative paths are meant from the folder of the list. Lists from Windows have the other slash.
    static func item(_ entry: PlaylistDocument.Entry, in folder: String) -> Item {
        var location = MediaLocation.parse(entry.location)
        if case .file(var path) = location, !path.hasPrefix("/") {
            if !path.contains("/") { path = path.replacing("\\", with: "/") }
            location = .file(folder + path)
        }
        // "-" in a list is a file of that name.
        if location == .standardInput { location = .file(folder + "-") }
        // Some lists have the address for a title.
        return Item(location: location, title: Redaction.text(entry.title), start: entry.start, end: entry.end)
    }
}

extension Playlist.Item {
    /// nil for all of the file.
    var part: SourcePart? { start == nil && end == nil ? nil : SourcePart(start: start ?? .zero, end: end) }

    /// A file of a directory that a person looks at, or of a server's folder.
    init(chosen path: String) {
        self.init(location: RemotePath.location(path))
        isInListedFolder = RemotePath.isRemote(path)
    }
}
