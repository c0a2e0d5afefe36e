import AetherCore
import AetherMedia

/// A reader of subtitles inside a container. Two go through a local file, each at its own place.
enum CueReader: Hashable, Sendable {
    /// The one whose packets are played.
    case playing
    /// The one that reads ahead for the list of cues: `CueSurvey`.
    case survey
}

/// The cues of one track, sorted by start. A value: `CueStore` keeps one a track under its lock.
struct CueTrack {
    private struct Key: Hashable {
        let start: MediaTime
        /// nil where the next cue decides.
        let end: MediaTime?
        let body: SubtitleCue.Body
        let markup: String?
    }
    /// A cue that the next one ends.
    private struct Open {
        let id: Int
        let start: MediaTime
        /// The end where nothing follows.
        let latest: MediaTime
        /// Taken away by what follows; otherwise only not longer than until then.
        let isReplaced: Bool
    }

    private(set) var cues: [SubtitleCue] = []
    private(set) var byteCount = 0
    /// Rises with every change.
    private(set) var revision = 0
    /// Ids by the hashes of their keys: keys themselves would be three times the memory of the cues.
    private var seen: [Int: Int] = [:]
    /// By reader: each goes through the source at its own place.
    private var open: [CueReader: [Open]] = [:]
    /// Cues whose end no packet has stated yet: they still wait for it, or a seek cut them off.
    private var unended: Set<Int> = []
    /// The longest cue so far: how far back to look for what is on screen.
    private var longest = TimeSpan.zero

    /// A track that says more than this is not subtitles.
    static let cueLimit = 20_000
    /// The duration of a text without an end when nothing follows.
    static let openText = TimeSpan.seconds(5)
    /// A bitmap or caption without an end is always taken away by the next; a minute is longer than any is read.
    static let openImage = TimeSpan.seconds(60)
    /// Longer than any line stands: a broken end.
    static let longestCue = TimeSpan.seconds(4 * 3600)

    /// Adds what was decoded; returns whether it is a cue that was not known.
    mutating func insert(_ subtitle: DecodedSubtitle, track: TrackID, id: Int, from reader: CueReader = .playing) -> Bool {
        close(at: subtitle.start, reader)
        guard let body = subtitle.body else { return false }
        let (start, stays) = (subtitle.start, subtitle.isReplacedByNext ? Self.openImage : Self.openText)
        let end = min(start + Self.longestCue, subtitle.end ?? start + stays)
        let key = Key(
            start: start, end: subtitle.endsWithNext ? nil : end, body: body, markup: subtitle.markup)
        let known = knownID(key)
        if subtitle.endsWithNext, known.map({ unended.contains($0) }) ?? true {
            let isReplaced = subtitle.isReplacedByNext
            open[reader, default: []].append(Open(id: known ?? id, start: start, latest: end, isReplaced: isReplaced))
            unended.insert(known ?? id)
        }
        if let known {
            // A seek had cut it off; now it waits for its end again.
            if open[reader]?.last?.id == known, let index = index(of: known, at: start), cues[index].end != end {
                cues[index] = cues[index].ending(at: end)
                revision += 1
            }
            return false
        }
        let cue = SubtitleCue(
            id: id, track: track, start: start, end: end, body: body, placement: subtitle.placement, markup: subtitle.markup)
        seen[key.hashValue] = id
        cues.insert(cue, at: cues.partitioningIndex { $0.start > start })
        byteCount += cue.byteCount
        longest = max(longest, end - start)
        revision += 1
        return true
    }

    /// Reading goes on elsewhere: a bitmap that waits for its end ends where reading has come to, until it is read again.
    mutating func interrupt(at time: MediaTime?) {
        open[.playing]?.removeAll { !$0.isReplaced }
        if let time { close(at: time, .playing, isCut: true) }
        open[.playing] = nil
    }

    /// Cues of the same start are parts of one; one that begins later was read before a seek back.
    private mutating func close(at time: MediaTime, _ reader: CueReader, isCut: Bool = false) {
        for cue in open[reader] ?? [] where time > cue.start {
            // The other reader may have found its end.
            guard unended.contains(cue.id) else { continue }
            if !isCut { unended.remove(cue.id) }
            let end = min(time, cue.latest)
            guard let index = index(of: cue), end != cues[index].end else { continue }
            cues[index] = cues[index].ending(at: end)
            revision += 1
        }
        open[reader]?.removeAll { $0.start != time }
    }

    private func index(of cue: Open) -> Int? { index(of: cue.id, at: cue.start) }

    private func index(of id: Int, at start: MediaTime) -> Int? {
        let first = cues.partitioningIndex { $0.start >= start }
        return cues[first...].prefix { $0.start == start }.firstIndex { $0.id == id }
    }

    /// The cue that was read already; two that only share a hash are two.
    private func knownID(_ key: Key) -> Int? {
        guard let id = seen[key.hashValue], let index = index(of: id, at: key.start) else { return nil }
        return cues[index].body == key.body && cues[index].markup == key.markup ? id : nil
    }

    /// Drops the cue that is farthest from a point, at one end of the list.
    mutating func drop(farFrom time: MediaTime) {
        guard let first = cues.first, let last = cues.last else { return }
        forget((time - first.start).magnitude >= (last.start - time).magnitude ? cues.removeFirst() : cues.removeLast())
        revision += 1
    }

    /// Drops the cues that begin at these times.
    mutating func remove(startingAt times: Set<MediaTime>) {
        for cue in cues where times.contains(cue.start) { forget(cue) }
        cues.removeAll { times.contains($0.start) }
        revision += 1
    }

    private mutating func forget(_ cue: SubtitleCue) {
        byteCount -= cue.byteCount
        for end in [cue.end, nil] {
            let hash = Key(start: cue.start, end: end, body: cue.body, markup: cue.markup).hashValue
            if seen[hash] == cue.id { seen[hash] = nil }
        }
        for reader in open.keys { open[reader]?.removeAll { $0.id == cue.id } }
        unended.remove(cue.id)
    }

    // MARK: - Looking

    /// The cues of which a part lies in a span, in order.
    func overlapping(_ span: Range<MediaTime>) -> [SubtitleCue] {
        let first = cues.partitioningIndex { $0.start > span.lowerBound - longest - .milliseconds(1) }
        return cues[first...].prefix { $0.start < span.upperBound }.filter { $0.end > span.lowerBound }
    }

    /// The cues on screen at a point.
    func visible(at time: MediaTime) -> [SubtitleCue] {
        overlapping(time..<MediaTime(nanoseconds: time.nanoseconds == .max ? .max : time.nanoseconds + 1))
    }

    /// The next point after `time` at which a cue comes or goes.
    func nextChange(after time: MediaTime) -> MediaTime? {
        let first = cues.partitioningIndex { $0.start > time - longest - .milliseconds(1) }
        var next: MediaTime?
        for cue in cues[first...] {
            if cue.start > time { return min(next ?? cue.start, cue.start) }
            if cue.end > time { next = min(next ?? cue.end, cue.end) }
        }
        return next
    }
}

extension Array {
    /// The first index whose element satisfies the predicate, where all that do come after all that do not.
    func partitioningIndex(where belongsAfter: (Element) -> Bool) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
