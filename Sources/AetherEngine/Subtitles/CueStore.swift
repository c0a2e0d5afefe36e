import AetherCore
import AetherMedia
import Synchronization

/// All cues of a session, by track, sorted by start. Ids and de-duplication live here, so that they survive seeks and decoder
/// rebuilds: the same line read twice is one cue.
final class CueStore: Sendable {
    private struct Key: Hashable {
        let start, end: MediaTime
        let lines: [String]
    }
    private struct Track {
        var cues: [SubtitleCue] = []
        var seen: Set<Key> = []
        /// A cue whose end the file did not say: closed by the next one, or by a seek.
        var openIndex: Int?
    }
    private struct State {
        var tracks: [TrackID: Track] = [:]
        var nextID = 1
    }
    /// A track that says more than this is not subtitles.
    private static let cueLimit = 20_000
    /// How long a cue without an end stays when nothing follows.
    private static let openLength = TimeSpan.seconds(5)
    private let state = Mutex(State())

    init() {}

    /// Adds one decoded subtitle. Any thread.
    func add(_ subtitle: DecodedSubtitle, track id: TrackID) {
        state.withLock { state in
            // In place: a copy of the track would copy all its cues with each one that is added.
            if Self.insert(subtitle, of: id, number: state.nextID, into: &state.tracks[id, default: Track()]) { state.nextID += 1 }
        }
    }

    private static func insert(_ subtitle: DecodedSubtitle, of id: TrackID, number: Int, into track: inout Track) -> Bool {
        closeOpenCue(of: &track, at: subtitle.start)
        let end = subtitle.end ?? subtitle.start + openLength
        let key = Key(start: subtitle.start, end: end, lines: subtitle.lines)
        guard !subtitle.lines.isEmpty, track.cues.count < cueLimit, track.seen.insert(key).inserted else { return false }
        let cue = SubtitleCue(id: number, track: id, start: subtitle.start, end: end, body: .text(subtitle.lines))
        let index = track.cues.partitioningIndex { $0.start > cue.start }
        track.cues.insert(cue, at: index)
        if subtitle.end == nil { track.openIndex = index }
        return true
    }

    /// The cues of a track on screen at a point.
    func visible(track id: TrackID, at time: MediaTime) -> [SubtitleCue] {
        state.withLock { state in
            guard let cues = state.tracks[id]?.cues else { return [] }
            // A cue that began over a minute ago and still stands is a broken end.
            let first = cues.partitioningIndex { $0.start > time - .seconds(60) }
            return cues[first...].prefix { $0.start <= time }.filter { $0.end > time }
        }
    }

    /// The next point after `time` at which a cue of the track comes or goes.
    func nextChange(track id: TrackID, after time: MediaTime) -> MediaTime? {
        state.withLock { state in
            guard let cues = state.tracks[id]?.cues else { return nil }
            let first = cues.partitioningIndex { $0.start > time - .seconds(60) }
            var next: MediaTime?
            for cue in cues[first...] {
                if cue.start > time { return min(next ?? cue.start, cue.start) }
                if cue.end > time { next = min(next ?? cue.end, cue.end) }
            }
            return next
        }
    }

    private static func closeOpenCue(of track: inout Track, at time: MediaTime) {
        guard let index = track.openIndex, track.cues.indices.contains(index) else { return }
        let open = track.cues[index]
        if time > open.start, time < open.end {
            track.cues[index] = SubtitleCue(id: open.id, track: open.track, start: open.start, end: time, body: open.body)
        }
        track.openIndex = nil
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
