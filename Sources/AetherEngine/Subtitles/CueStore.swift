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
        var seen: [Key: Int] = [:]
        /// The starts of cues, by id, whose end the file did not say: closed by the next cue that begins later.
        var open: [Int: MediaTime] = [:]
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
            if Self.insert(subtitle, of: id, number: state.nextID, into: &state.tracks[id, default: Track()]) {
                state.nextID += 1
            }
        }
    }

    private static func insert(_ subtitle: DecodedSubtitle, of id: TrackID, number: Int, into track: inout Track) -> Bool {
        closeOpenCues(of: &track, at: subtitle.start)
        let end = subtitle.end ?? subtitle.start + openLength
        let key = Key(start: subtitle.start, end: end, lines: subtitle.lines)
        if let known = track.seen[key] {
            // Read again after a seek: what follows closes it as it would have the first time.
            if subtitle.end == nil { track.open[known] = subtitle.start }
            return false
        }
        guard !subtitle.lines.isEmpty, track.cues.count < cueLimit else { return false }
        track.seen[key] = number
        let cue = SubtitleCue(id: number, track: id, start: subtitle.start, end: end, body: .text(subtitle.lines))
        let index = track.cues.partitioningIndex { $0.start > cue.start }
        track.cues.insert(cue, at: index)
        if subtitle.end == nil { track.open[cue.id] = cue.start }
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

    private static func closeOpenCues(of track: inout Track, at time: MediaTime) {
        // Cues of the same start are one text in several parts; one that begins earlier is read after a seek back.
        for (id, start) in track.open where start != time {
            track.open[id] = nil
            let first = track.cues.partitioningIndex { $0.start >= start }
            guard let index = track.cues[first...].firstIndex(where: { $0.id == id }), time > start, time < track.cues[index].end
            else { continue }
            let open = track.cues[index]
            track.cues[index] = SubtitleCue(id: id, track: open.track, start: start, end: time, body: open.body)
        }
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
