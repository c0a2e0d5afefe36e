import AetherCore
import Glibc
import Synchronization

/// Where a source is read once more, and how it goes on there.
struct ReloadPlace: Sendable {
    /// After its start; nil: where a broadcast is joined.
    let offset: TimeSpan?
    let plays: Bool
    let secondarySubtitle: TrackID?
}

/// The tracks that were played when a source was read once more.
struct ReloadedTracks: Sendable {
    let video: StreamID?
    let audio: StreamID?
    let subtitle: TrackID?
    let secondary: TrackID?
    let hasChosenSubtitle: Bool
}

extension PlaybackControl {
    /// The present source from its beginning, as far as its reader is concerned.
    mutating func reload(_ number: Int, at place: ReloadPlace) {
        guard var (source, options) = origin, let session else { return }
        if case .custom(let reader, let name) = source {
            guard let own = reader.makeIndependentReader() else {
                loadNumber = number
                notice(translated("this source cannot be read once more"))
                publish { $0.openOutcome = .success($0.snapshot) }
                return publishMachine()
            }
            source = .custom(own, name: name)
        }
        let intent = session.pipeline.state.read { $0.intent }
        let tracks = ReloadedTracks(
            video: intent.activeVideo, audio: intent.activeAudio, subtitle: activeSubtitle, secondary: place.secondarySubtitle,
            hasChosenSubtitle: hasChosenSubtitle)
        options.start = place.offset.map { .time($0) }
        (options.autoplay, options.settings, options.title) = (place.plays, machine.settings, machine.shape.title)
        options.teletextPage = intent.teletextPage
        options.externalSubtitles += session.loadedSubtitles.withLock { $0 }
        options.externalAudio += session.loadedAudio.withLock { $0 }
        load(number, source, options)
        reloaded = tracks
    }

    /// The position at which the present source is left; nil where it has not begun.
    var positionToLeave: MediaTime? {
        guard machine.isOpen, machine.error == nil, let session else { return nil }
        return machine.seeks.goal ?? session.synchronizer.time(at: time.now())
    }

    /// Puts the tracks back that were played before; the choice of subtitles, where there was one.
    mutating func takeReloaded() {
        guard let reloaded, let session else { return }
        if let video = reloaded.video { session.perform(.selectVideo(TrackID(video))) }
        if let audio = reloaded.audio { session.perform(.selectAudio(TrackID(audio))) }
    }

    /// A file that is replaced again and again is read anew no more often than this.
    private static let shortestChange = TimeSpan.seconds(5)

    /// Reads the source anew from where playing ended, where it broke off because its server has another file by now: what was held was the old
    /// one's, and nothing of both is mixed. False: nothing has changed, or it was read anew a moment ago.
    mutating func readsChangedSource() -> Bool {
        guard machine.hasEnded, draft == nil, machine.breakOff?.isOfChangedFile ?? false, let session else { return false }
        let now = time.now()
        guard changedAt.map({ now - $0 >= Self.shortestChange }) ?? true else { return false }
        changedAt = now
        let position = session.synchronizer.time(at: now) ?? machine.shape.startTime
        let place = ReloadPlace(
            offset: position - machine.shape.startTime, plays: machine.wantsToPlay,
            secondarySubtitle: session.pipeline.state.read { $0.intent.subtitles.secondary })
        // For those who follow the list it is the same turn of the same file.
        let kept = (next, told)
        notice(translated("the file on the server has changed: it is read anew from here"))
        reload(loadNumber, at: place)
        (next, told) = kept
        return true
    }
}

extension MediaError {
    /// Whether a server has another file by now at the address that is read.
    var isOfChangedFile: Bool { cause == -ESTALE }
}
