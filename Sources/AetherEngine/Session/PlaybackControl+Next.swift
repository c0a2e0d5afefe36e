import AetherCore
import Synchronization

/// The source that plays after the present one, prepared while the present one is still heard.
extension PlaybackControl {
    /// The source behind the end: this one once more, or the next.
    private var successor: (source: MediaSource, options: LoadOptions)? {
        guard machine.repeats else { return next }
        // Parts of a source, and what is played on behind a point, go back by a seek.
        guard machine.shape.hasVideo, machine.shape.isSeekable, machine.shape.path.isWhole, var origin, origin.options.end == nil,
            machine.shape.title == session?.info?.firstTitle(wanted: origin.options.title)?.id
        else { return nil }
        origin.options.start = nil
        // The present session has the reader's position; without a second reader the source is repeated by a seek.
        if case .custom(let reader, let name) = origin.source {
            guard let own = reader.makeIndependentReader() else { return nil }
            origin.source = .custom(own, name: name)
        }
        return origin
    }

    /// Opens the next source, when the reader is done with this one. Video follows video, audio alone audio alone.
    mutating func prepareNext() {
        guard draft == nil, upcoming.isEmpty, hasReadToEnd, let next = successor, let session, machine.isOpen,
            !machine.shape.hasVideo || machine.audioDrivesClock
        else { return }
        let draft = Monitor(PublishedState())
        var control = PlaybackControl(
            sink: sink, time: time, teardown: teardown, audience: audience, taps: taps, resets: resets, post: post,
            publish: { change in draft.update { change(&$0) } })
        lastToken += 1
        control.token = lastToken
        control.draft = PlaybackDraft(
            published: draft, followsVideo: machine.shape.hasVideo, repeated: machine.repeats ? session : nil)
        // Ahead of all that seeks may still begin here: a surface forgets older ones.
        control.machine = PlaybackStateMachine(wantsToPlay: true, epoch: Epoch(machine.epoch.number + 1000))
        // Settings that were changed since the announcement count for the next source, too.
        var options = next.options
        options.settings = settings(for: control)
        _ = control.open(next.source, options, after: session, joins: true)
        let name = next.source.displayName
        control.publish { $0.snapshot.source = name }
        upcoming = [control]
    }

    /// The settings of the source behind the end: all of them where this source plays once more.
    func settings(for following: PlaybackControl) -> PlaybackSettings {
        following.draft?.repeated == nil ? machine.settings.forNextFile : machine.settings
    }

    mutating func dropUpcoming() {
        for session in upcoming.compactMap(\.session) { end(session) }
        upcoming = []
        sayWhetherFollowed()
    }

    /// The audio thread joins the next source's audio where this one's ends, unless that is the end of a loop.
    mutating func sayWhetherFollowed() {
        if let following = upcoming.first, !isWanted(following) {
            upcoming = []
            if let session = following.session { end(session) }
            prepareNext()
        }
        let isFollowed = !machine.turnsBack && upcoming.first?.machine.isOpen ?? false
        machine.isFollowed = isFollowed
        guard isFollowed != self.isFollowed else { return }
        self.isFollowed = isFollowed
        session?.pipeline.change { $0.isFollowed = isFollowed }
    }

    /// Whether what stands ready is still what shall follow: this source once more, with the tracks that are played now, or another one.
    private func isWanted(_ following: PlaybackControl) -> Bool {
        let isRepeat = following.draft?.repeated != nil
        guard machine.repeats == isRepeat else { return false }
        guard isRepeat, let session, let next = following.session, next.info != nil, !following.machine.audioIsLost else {
            return true
        }
        return session.pipeline.state.read { $0.intent.activeStreams } == next.pipeline.state.read { $0.intent.activeStreams }
            && machine.shape.title == following.machine.shape.title
    }

    /// The person's choices for this source stay where it begins once more.
    private func carry(into following: inout PlaybackControl) {
        (following.machine.repeats, following.machine.loop) = (true, machine.loop)
        guard let session, let next = following.session else { return }
        let subtitles = session.pipeline.state.read { $0.intent.subtitles }
        let late = session.loadedSubtitles.withLock { $0 }.dropFirst(next.loadedSubtitles.withLock { $0.count })
        following.perform(.selectSubtitle(subtitles.track))
        following.perform(.selectSecondarySubtitle(subtitles.secondary))
        for track in late { following.perform(.loadSubtitles(track)) }
        following.hasChosenSubtitle = hasChosenSubtitle
    }

    /// This source has ended: the next one takes its place, in whose audio the device may be already.
    mutating func promote() {
        guard var following = upcoming.popLast(), let former = session, let draft = following.draft?.published else { return }
        for case .seek(let event) in machine.abandonSeeks() { audience.tell(event) }
        let isRepeated = following.draft?.repeated != nil
        // Once more is no end.
        if !isRepeated {
            if let turn = newTurn() { publish { $0.tell(turn) } }
            told = ToldTurns()
        }
        if isRepeated {
            carry(into: &following)
            following.session?.takePlace()
        }
        // Into its draft: who sees that it plays sees what was set.
        following.publishMachine()
        (machine, session, token) = (following.machine, following.session, following.token)
        (subtitleTracks, activeSubtitle, hasChosenSubtitle) = (
            following.subtitleTracks, following.activeSubtitle, following.hasChosenSubtitle
        )
        origin = following.origin
        (isPassedThrough, hasReadToEnd) = (following.isPassedThrough, following.hasReadToEnd)
        if !isRepeated { next = nil }
        isFollowed = false
        // From here on the audio thread is the next session's.
        end(former)
        if !machine.shape.hasVideo { showCover() }
        let ready = draft.read { $0.snapshot }, session = session
        publish { state in
            let before = state.snapshot
            state.session = session
            state.snapshot = ready
            state.snapshot.notices = before.notices
            state.snapshot.audioDevice = before.audioDevice
            state.snapshot.advances = before.advances + (isRepeated ? 0 : 1)
            state.snapshot.starts = before.starts + 1
            state.openOutcome = .success(state.snapshot)
        }
        Self.log.info("\(session?.name ?? "") follows without a pause")
        publishMachine()
        // Who sees the first frame finds what it belongs to.
        if machine.shape.hasVideo { session?.pipeline.change { $0.awaitsScreen = false } }
        // A short one may have been read to its end already.
        prepareNext()
    }
}
