import AetherCore

/// The source that plays after this one, prepared while this one still sounds.
extension PlaybackControl {
    /// Opens the next source, when the reader is done with this one. Sound alone: pictures want the screen.
    mutating func prepareNext() {
        guard draft == nil, upcoming.isEmpty, hasReadToEnd, let next, let session, machine.isOpen, !machine.shape.hasVideo else {
            return
        }
        let draft = Monitor(PublishedState())
        var control = PlaybackControl(
            sink: sink, time: time, teardown: teardown, audience: audience, taps: taps, post: post,
            publish: { change in draft.update { change(&$0) } })
        lastToken += 1
        control.token = lastToken
        control.draft = draft
        // Ahead of all that seeks may still begin here: a surface forgets older ones.
        control.machine = PlaybackStateMachine(wantsToPlay: true, epoch: Epoch(machine.epoch.number + 1000))
        // What was set since it was announced counts for it, too.
        var options = next.options
        options.settings = machine.settings.forNextFile
        _ = control.open(next.source, options, after: session, joins: true)
        let name = next.source.displayName
        control.publish { $0.snapshot.source = name }
        upcoming = [control]
    }

    mutating func dropUpcoming() {
        for session in upcoming.compactMap(\.session) { end(session) }
        upcoming = []
        sayWhetherFollowed()
    }

    /// The audio thread joins the next source's sound where this one's ends, unless that is the end of a loop.
    mutating func sayWhetherFollowed() {
        let isFollowed = !machine.turnsBack && upcoming.first?.machine.isOpen ?? false
        guard isFollowed != self.isFollowed else { return }
        self.isFollowed = isFollowed
        session?.pipeline.change { $0.isFollowed = isFollowed }
    }

    /// This source has ended: the next one takes its place, in whose sound the device may be already.
    mutating func promote() {
        guard let following = upcoming.popLast(), let former = session, let draft = following.draft else { return }
        for case .seek(let event) in machine.abandonSeeks() { audience.tell(event) }
        if let turn = newTurn() { publish { $0.tell(turn) } }
        told = ToldTurns()
        (machine, session, token) = (following.machine, following.session, following.token)
        (subtitleTracks, activeSubtitle, hasChosenSubtitle) = (following.subtitleTracks, following.activeSubtitle, false)
        (isPassedThrough, hasReadToEnd) = (following.isPassedThrough, following.hasReadToEnd)
        (next, isFollowed) = (nil, false)
        // From here on the audio thread is the next session's.
        end(former)
        showCover()
        let ready = draft.read { $0.snapshot }, session = session, settings = machine.settings
        publish { state in
            let before = state.snapshot
            state.session = session
            state.snapshot = ready
            state.snapshot.notices = before.notices
            state.snapshot.audioDevice = before.audioDevice
            state.snapshot.settings = settings
            state.snapshot.advances = before.advances + 1
            state.openOutcome = .success(state.snapshot)
        }
        Self.log.info("\(session?.name ?? "") follows without a pause")
        publishMachine()
    }
}
