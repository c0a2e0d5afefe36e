import AetherCore
import AetherMedia
import Synchronization

/// All cues of a session, by track. Ids and de-duplication live here, so that they survive seeks and decoder rebuilds: the same line
/// read twice is one cue. Bounded in memory; what is farthest from where reading is goes first.
final class CueStore: Sendable {
    private struct State {
        var tracks: [TrackID: CueTrack] = [:]
        var nextID = 1
        /// The point up to which the source was read.
        var newest = MediaTime.zero
        /// The parts of the container that were read.
        var extent = ReadExtent()
        /// The tracks that are read for the list of cues beside playing, and the part of them that is known by that.
        var surveyed: Set<TrackID> = []
        var survey = ReadExtent()
        /// That part is the whole source.
        var isSurveyed = false
    }
    /// Of one track: a video with bitmap subtitles in one language takes 10 … 20 MB.
    static let trackByteLimit = 32 << 20
    /// Of all tracks together.
    static let byteLimit = 96 << 20
    private let state = Mutex(State())
    /// A bitmap inside the container was read, a moment before it is due.
    private let imageAdded: @Sendable (SubtitleCue) -> Void

    /// `former` has the cues of the same source from another session: they are known from the start.
    init(former: CueStore? = nil, imageAdded: @escaping @Sendable (SubtitleCue) -> Void = { _ in }) {
        self.imageAdded = imageAdded
        guard let known = former?.state.withLock({ $0 }) else { return }
        state.withLock { $0 = known }
        interrupt(at: nil)
    }

    /// Adds one decoded subtitle. Any thread.
    func add(_ subtitle: DecodedSubtitle, track id: TrackID, from reader: CueReader = .playing) {
        let number: Int? = state.withLock { state in
            if reader == .playing { state.newest = subtitle.start }
            // In place: a copy of the track would copy all its cues with each one that is added.
            guard state.tracks[id, default: CueTrack()].insert(subtitle, track: id, id: state.nextID, from: reader) else {
                return nil
            }
            state.nextID += 1
            Self.bound(&state, added: id)
            return state.nextID - 1
        }
        if let number, id.origin == .container, let body = subtitle.body, case .image = body {
            imageAdded(
                SubtitleCue(id: number, track: id, start: subtitle.start, end: subtitle.end ?? subtitle.start, body: body))
        }
    }

    private static func bound(_ state: inout State, added id: TrackID) {
        let newest = state.newest
        if let count = state.tracks[id]?.cues.count, count > CueTrack.cueLimit { state.tracks[id]?.drop(farFrom: newest) }
        while let bytes = state.tracks[id]?.byteCount, bytes > trackByteLimit { state.tracks[id]?.drop(farFrom: newest) }
        while state.tracks.values.reduce(0, { $0 + $1.byteCount }) > byteLimit {
            guard let largest = state.tracks.max(by: { $0.value.byteCount < $1.value.byteCount })?.key else { return }
            state.tracks[largest]?.drop(farFrom: newest)
        }
    }

    /// Reading of the container goes on elsewhere; `time` is where it was, nil where that is not known.
    func interrupt(at time: MediaTime?) {
        state.withLock { state in
            state.extent.interrupt()
            for id in state.tracks.keys where id.origin == .container { state.tracks[id]?.interrupt(at: time) }
        }
    }

    /// Reading of the container has come to a packet of this time.
    func advance(to time: MediaTime) { state.withLock { $0.extent.advance(to: time) } }

    /// Text tracks are going to be read from the start of the source beside playing.
    func beginSurvey(of tracks: Set<TrackID>) { state.withLock { $0.surveyed = tracks } }

    /// That reading has come to a packet of this time.
    func advanceSurvey(to time: MediaTime) { state.withLock { $0.survey.advance(to: time) } }

    /// Reading has come to the end of the source: all cues of those tracks are known.
    func endSurvey() { state.withLock { $0.isSurveyed = true } }

    /// A track has other cues than those that were found: it is to be surveyed anew.
    func reopenSurvey() {
        state.withLock { state in
            state.isSurveyed = false
            state.survey = ReadExtent()
        }
    }

    /// Whether there is nothing left to survey.
    var isSurveyed: Bool { state.withLock { $0.isSurveyed } }

    /// As `interrupt(at:)` for one track that is not read with the container.
    func interrupt(track id: TrackID, at time: MediaTime?) { state.withLock { $0.tracks[id]?.interrupt(at: time) } }

    /// Memory of all cues, in bytes.
    var byteCount: Int { state.withLock { $0.tracks.values.reduce(0) { $0 + $1.byteCount } } }

    /// Rises with every change of a track; 0 for one without cues.
    func revision(track id: TrackID) -> Int { state.withLock { $0.tracks[id]?.revision ?? 0 } }

    /// All cues of a track, and how much of the source they come from.
    func listing(of id: TrackID) -> CueListing {
        state.withLock { state in
            let track = state.tracks[id]
            var spans: [ClosedRange<MediaTime>]? = state.extent.spans
            if state.surveyed.contains(id) { spans = state.isSurveyed ? nil : state.extent.joined(with: state.survey).spans }
            return CueListing(
                track: id, revision: track?.revision ?? 0, cues: track?.cues ?? [], spans: id.origin == .external ? nil : spans)
        }
    }

    /// All cues of a track, in order.
    func cues(track id: TrackID) -> [SubtitleCue] { state.withLock { $0.tracks[id]?.cues ?? [] } }

    /// The cues of a track of which a part lies in a span, in order.
    func cues(track id: TrackID, overlapping span: Range<MediaTime>) -> [SubtitleCue] {
        state.withLock { $0.tracks[id]?.overlapping(span) ?? [] }
    }

    /// The cues of a track on screen at a point.
    func visible(track id: TrackID, at time: MediaTime) -> [SubtitleCue] {
        state.withLock { $0.tracks[id]?.visible(at: time) ?? [] }
    }

    /// The next point after `time` at which a cue of the track comes or goes.
    func nextChange(track id: TrackID, after time: MediaTime) -> MediaTime? {
        state.withLock { $0.tracks[id]?.nextChange(after: time) }
    }

    /// Forgets the cues of a track that begin at these times.
    func remove(track id: TrackID, startingAt times: Set<MediaTime>) {
        state.withLock { $0.tracks[id]?.remove(startingAt: times) }
    }

    /// Forgets a track.
    func remove(track id: TrackID) { state.withLock { $0.tracks[id] = nil } }
}
