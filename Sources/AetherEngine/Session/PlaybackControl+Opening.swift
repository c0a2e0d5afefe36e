import AetherCore
import AetherMedia

/// The consequences of a source that has opened: its tracks, its titles, its cover.
extension PlaybackControl {
    mutating func opened(_ description: SourceDescription) {
        guard let session else { return }
        let offersAdaptation = description.variants != nil, part = session.options.part
        let description = description.supplemented(by: session.options.supplement).limited(to: part)
        let info = description.info
        let hasVideo = !session.options.isAudioPreferred && TrackSelection.video(info.tracks(.video)) != nil
        // Behind audio alone a video has the screen to take, and a video without audio the clock: they are loaded when this one has ended.
        if let draft, hasVideo != draft.followsVideo || (hasVideo && info.decodable(.audio).isEmpty) {
            fold(.openFailed(MediaError(.unsupported, "prepare", subject: session.name)))
            return
        }
        if draft != nil, hasVideo { session.pipeline.change { $0.awaitsScreen = true } }
        let title = info.firstTitle(wanted: session.options.title)
        for record in info.decodable(.video).compactMap(\.dolbyVision) { Self.log.info("\(record.name)") }
        let startTime = title?.startTime ?? info.startTime, duration = title.map(\.duration) ?? info.duration
        func point(_ position: StartPosition?) -> MediaTime? {
            switch position {
            case nil: nil
            case .time(let span): startTime + span
            case .fraction(let fraction): duration.map { startTime + $0.scaled(by: min(max(fraction, 0), 1)) }
            case .beforeEnd(let span): duration.map { startTime + max(.zero, $0 - span) }
            }
        }
        var shape = session.start(description, end: point(session.options.end))
        shape.isPart = part != nil
        guard shape.hasVideo || shape.hasAudio else {
            let isSilenced = session.options.audioOutput == .none && !info.decodable(.audio).isEmpty
            let error =
                isSilenced
                ? MediaError(.unsupported, "play", subject: session.name, reason: "it has no video, and audio is switched off")
                : MediaError(.noDecodableStream, "play", subject: session.name)
            fold(.openFailed(error))
            publish { $0.openOutcome = .failure(error) }
            return
        }
        // Once more means the same tracks.
        if let played = draft?.repeated?.pipeline.state.read({ ($0.intent.activeVideo, $0.intent.activeAudio) }) {
            if let video = played.0 { session.perform(.selectVideo(TrackID(video))) }
            if let audio = played.1 { session.perform(.selectAudio(TrackID(audio))) }
        }
        takeReloaded()
        takeMenuChoice()
        // The last frame of another file has no place over a song.
        if !shape.hasVideo, draft == nil { showCover() }
        let video = shape.hasVideo ? TrackSelection.video(info.tracks(.video, of: title)) : nil
        subtitleTracks = info.tracks(.subtitle, of: title) + description.captions
        hasChosenSubtitle = reloaded?.hasChosenSubtitle ?? false
        let subtitle = hasChosenSubtitle ? reloaded?.subtitle : menuChoice ?? ownChoice(session.options)
        activeSubtitle = subtitle
        session.note(external: description.captions)
        session.perform(.selectSubtitle(subtitle))
        if let second = reloaded?.secondary { session.perform(.selectSecondarySubtitle(second)) }
        let audio = session.pipeline.state.read { $0.intent.activeAudio }, songs = songs
        let hasMenus = navigator != nil, page = session.pipeline.state.read { $0.intent.teletextPage }
        publish { state in
            state.snapshot.describe(info, title)
            if let song = songs.last { state.snapshot.metadata = MediaMetadata(title: song) }
            state.snapshot.activeVideoTrack = video
            state.snapshot.variants = description.variants?.list ?? []
            state.snapshot.activeVariant = description.variants?.active
            state.snapshot.adaptsVariant = description.variants?.isAdaptive ?? false
            state.snapshot.offersAdaptation = offersAdaptation
            state.snapshot.hasMenus = hasMenus
            state.snapshot.marks = description.marks
            (state.snapshot.teletextPages, state.snapshot.teletextPage) = ([], page)
            state.snapshot.subtitleTracks += description.captions
            state.snapshot.activeAudioTrack = audio.map { TrackID($0) }
            state.snapshot.activeSubtitleTrack = subtitle
        }
        Self.log.info("\(session.name): \(info.container), \(info.duration.map { "\($0.seconds) s" } ?? "of unknown length")")
        fold(
            .opened(shape, start: (session.menu.facts?.isMenu ?? false ? nil : point(session.options.start)) ?? description.start)
        )
        if description.window.isLive { take(description.window) }
        publish { $0.openOutcome = .success($0.snapshot) }
        tellOfLinks(title)
    }

    /// A track that a person has asked for is heard as soon as it is there.
    mutating func described(_ plain: SourceDescription) {
        guard let session else { return }
        let description = plain.supplemented(by: session.options.supplement).limited(to: session.options.part)
        let info = description.info
        publish { state in
            state.snapshot.activeVariant = description.variants?.active
            state.snapshot.adaptsVariant = description.variants?.isAdaptive ?? false
            state.snapshot.marks = description.marks
            if plain.variants != nil { state.snapshot.show(state.snapshot.activeVideoTrack, of: description.newest) }
        }
        let known = Set(session.info?.tracks(.audio).map(\.id) ?? [])
        session.describe(info)
        let added = info.tracks(.audio).filter { !known.contains($0.id) }
        publish { $0.snapshot.audioTracks += added }
        guard let first = added.first, draft == nil else { return }
        fold(event(for: .selectAudioTrack(first.id)))
    }

    func ownChoice(_ options: LoadOptions) -> TrackID? {
        TrackSelection.subtitle(
            subtitleTracks, languages: options.subtitleLanguages, forcedOnly: options.forcedSubtitlesOnly)
    }

    /// Another part of the axis than before can be gone to.
    mutating func take(_ window: SourceWindow) {
        let now = time.now()
        fold(.window(window, position: session?.synchronizer.time(at: now) ?? .zero, now: now))
        let (start, duration) = (machine.shape.startTime, machine.shape.duration)
        publish {
            ($0.snapshot.startTime, $0.snapshot.duration) = (start, duration)
            ($0.snapshot.liveEdge, $0.snapshot.edgeStep) = (window.liveEdge, window.step)
            $0.snapshot.wallZero = window.wallZero
            $0.snapshot.shiftedRange = window.held
        }
    }

    /// Tracks that come later are chosen as if they had been there, unless a person has chosen meanwhile.
    mutating func found(_ tracks: [TrackInfo], isWanted: Bool, in file: ExternalSubtitleTrack?) {
        guard let options = session?.options else { return }
        // Captions that the manifest has named are there already.
        let tracks = tracks.filter { track in isWanted || !subtitleTracks.contains { $0.id == track.id } }
        guard !tracks.isEmpty else { return }
        subtitleTracks += tracks
        session?.note(external: tracks, in: file)
        publish { $0.snapshot.subtitleTracks += tracks }
        let choice = isWanted ? tracks.first?.id : hasChosenSubtitle ? activeSubtitle : ownChoice(options)
        if isWanted { hasChosenSubtitle = true }
        if choice != activeSubtitle { perform(.selectSubtitle(choice)) }
    }

    /// A track is not offered any more, and not shown.
    mutating func forget(subtitles id: TrackID) {
        guard subtitleTracks.contains(where: { $0.id == id }) else { return }
        subtitleTracks.removeAll { $0.id == id }
        if activeSubtitle == id { perform(.selectSubtitle(nil)) }
        let isSecond = session?.pipeline.state.read { $0.intent.subtitles.secondary } == id
        if isSecond { perform(.selectSecondarySubtitle(nil)) }
        publish { $0.snapshot.subtitleTracks.removeAll { $0.id == id } }
    }

    /// The cover of a song, in the place of the last frame before it.
    func showCover() {
        guard let session, let info = session.info else { return }
        sink.clear()
        session.showCover(of: info)
    }

    /// A cover was fetched: it is shown, and is the source's from now on.
    func take(cover artwork: [UInt8]) {
        guard let session else { return }
        publish { $0.snapshot.metadata = $0.snapshot.metadata.covered(by: artwork) }
        session.show(cover: artwork)
    }
}
