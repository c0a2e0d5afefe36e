public import AetherCore
import AetherEngine

/// The cues of a subtitle track, as a list to read, to search and to jump in: what is found, where the selection is, what part is seen. A
/// value that draws nothing: `CueListPane` draws it.
public struct CueList: Sendable {
    /// A line of the list.
    struct Entry: Sendable {
        let id: Int
        let start, end: MediaTime
        /// One line, safe to display.
        let text: String
        /// As `TypedWords.folded(_:)` has it: what is looked for is found in this.
        let folded: String
    }

    /// The track whose cues are listed.
    public let track: TrackID
    private(set) var entries: [Entry] = []
    private(set) var revision = -1
    /// The parts of the source that were read, nil where the track is known as a whole.
    private(set) var spans: [ClosedRange<MediaTime>]?
    private var typed: TypedWords?
    /// Indices of the entries that are found; all where nothing is looked for.
    private(set) var found: [Int] = []
    private var cursor = ListCursor()
    /// The selection goes along with the video.
    private(set) var isFollowing = true
    /// The search began in the list, and ends there.
    var returnsToList = false

    /// 200 characters of a cue: more than a line of a terminal has.
    private static let textLimit = 200

    /// The list of a track, empty until it is told what there is. `isSearch`: with nothing typed yet.
    public init(_ track: TrackID, isSearch: Bool) {
        self.track = track
        typed = isSearch ? TypedWords() : nil
    }

    /// Whether something is looked for, or about to be.
    public var isSearch: Bool { typed != nil }

    /// The text typed; nil where nothing is looked for.
    var query: String? { typed?.text }

    /// An index into `found`; -1 for none.
    var selection: Int { cursor.row }

    /// The cue that Enter would jump to.
    var choice: Entry? { found.indices.contains(selection) ? entries[found[selection]] : nil }

    /// "2/5".
    var ordinal: String { selection < 0 ? "0/\(found.count)" : "\(selection + 1)/\(found.count)" }

    // MARK: - Contents

    /// Takes over what is known by now; returns whether that is more than before. `point` is where the video is, in the time of the cues.
    mutating func take(_ listing: CueListing, at point: MediaTime) -> Bool {
        guard listing.track == track else { return false }
        let hasRead = listing.spans != spans
        spans = listing.spans
        guard listing.revision != revision else { return hasRead }
        revision = listing.revision
        let chosen = choice?.id
        var known: [Int: Entry] = [:]
        for entry in entries { known[entry.id] = entry }
        entries = []
        for cue in listing.cues {
            guard let entry = Self.entry(cue, known[cue.id]) else { continue }
            // Scripts say one thing in several layers.
            if let last = entries.last, last.text == entry.text, last.start == entry.start { continue }
            entries.append(entry)
        }
        find()
        cursor.row = found.firstIndex { entries[$0].id == chosen } ?? min(selection, found.count - 1)
        if isFollowing || selection < 0 { follow(point) }
        return true
    }

    private static func entry(_ cue: SubtitleCue, _ known: Entry?) -> Entry? {
        if let known { return Entry(id: cue.id, start: cue.start, end: cue.end, text: known.text, folded: known.folded) }
        var text = DisplayText.singleLine(cue.lines.joined(separator: " "), limit: textLimit)
        if text.isEmpty {
            guard case .image = cue.body else { return nil }
            text = translated("(image)")
        }
        return Entry(id: cue.id, start: cue.start, end: cue.end, text: text, folded: TypedWords.folded(text))
    }

    /// Every word that was typed must be in a cue, in whatever order.
    private mutating func find() {
        let words = typed?.folded ?? []
        found =
            words.isEmpty
            ? Array(entries.indices) : entries.indices.filter { index in words.allSatisfy { entries[index].folded.contains($0) } }
    }

    // MARK: - The place of the video

    /// The entry of a time, as an index into `found`: the last that has begun; -1 before the first.
    func present(at point: MediaTime) -> Int {
        var low = 0, high = found.count
        while low < high {
            let middle = (low + high) / 2
            if entries[found[middle]].start > point { high = middle } else { low = middle + 1 }
        }
        return low - 1
    }

    /// Goes along with the video, unless the person has gone elsewhere; returns whether the selection moved. What is looked for is found
    /// from here on.
    @discardableResult
    mutating func follow(_ point: MediaTime) -> Bool {
        guard isFollowing else { return false }
        let former = selection
        let present = present(at: point)
        if query?.isEmpty == false {
            let stands = found.indices.contains(present) && entries[found[present]].end > point
            cursor.row = found.isEmpty ? -1 : stands ? present : min(present + 1, found.count - 1)
        } else {
            cursor.row = found.isEmpty ? -1 : max(0, present)
        }
        return selection != former
    }

    // MARK: - Moving

    /// Rows on or back; from then on the list stays where it is.
    mutating func move(by rows: Int, wraps: Bool = false) {
        guard !found.isEmpty else { return }
        isFollowing = false
        cursor.move(by: rows, of: found.count, wraps: wraps)
    }

    mutating func moveToFirst() { move(by: .min) }
    mutating func moveToLast() { move(by: .max) }

    /// Selects a row; false where there is none.
    mutating func select(_ index: Int) -> Bool {
        guard found.indices.contains(index) else { return false }
        (cursor.row, isFollowing) = (index, false)
        return true
    }

    /// Goes along with the video again.
    mutating func release(to point: MediaTime) {
        isFollowing = true
        follow(point)
    }

    // MARK: - Searching

    /// Begins a search.
    mutating func beginSearch() {
        if typed == nil { typed = TypedWords() }
    }

    /// The list without a search.
    mutating func endSearch(at point: MediaTime) {
        typed = nil
        find()
        release(to: point)
    }

    /// Another letter of what is looked for.
    mutating func type(_ character: Character, at point: MediaTime) {
        guard typed?.type(character) == true else { return }
        find()
        release(to: point)
    }

    /// Takes the last letter back.
    mutating func erase(at point: MediaTime) {
        guard typed?.erase() == true else { return }
        find()
        release(to: point)
    }

    // MARK: - What is seen

    /// The part that is seen in so many rows. Following, the present entry stands in the middle.
    func window(rows: Int) -> Range<Int> {
        guard isFollowing else { return cursor.window(rows: rows, of: found.count) }
        return ListCursor.window(from: selection - min(rows, found.count) / 2, rows: rows, of: found.count)
    }

    /// Keeps the part that is seen in so many rows as the one to move from. Say it after each change.
    mutating func settle(rows: Int) { cursor.settle(window(rows: rows)) }
}
