import AetherCore
import AetherMedia

/// The menus of a disc: what a person does in them, and where they lead.
extension PlaybackControl {
    /// The source has menus.
    mutating func take(_ found: any MenuNavigator) {
        // The one that leads already knows the way.
        if navigator?.leads ?? false { return }
        navigator = found
    }

    /// Buttons have come, or their time is over.
    mutating func take(_ news: MenuBoard.News) {
        guard var navigator, let session else { return }
        switch news {
        case .page(let selected):
            let turn = navigator.pageCame(selected: selected, on: session.menu, at: menuTime)
            self.navigator = navigator
            if let turn, turn != .stay { take(turn) } else { publish { _ in } }
        case .timeOut(let button):
            let turn = navigator.timeOut(button, on: session.menu, at: menuTime, now: time.now())
            self.navigator = navigator
            if let turn { take(turn) }
        }
    }

    private var menuTime: MediaTime {
        session?.synchronizer.time(at: time.now()) ?? machine.seeks.goal ?? machine.shape.startTime
    }

    mutating func obey(_ wish: DiscMenuCommand) {
        let isWay = wish == .open || wish == .goUp
        guard var navigator, let session else {
            if isWay { notice(translated("this source has no menus")) }
            return
        }
        if isWay { leaveTitle(&navigator, session) }
        guard let turn = navigator.obey(wish, on: session.menu, at: menuTime, now: time.now()) else {
            if isWay { notice(translated("this disc has no such menu")) }
            return
        }
        self.navigator = navigator
        take(turn)
    }

    /// Tells the navigator that the title may be gone back to, with the tracks that are chosen by now.
    private func leaveTitle(_ navigator: inout any MenuNavigator, _ session: PlaybackSession) {
        let facts = session.menu.facts
        guard facts.map({ !$0.isMenu }) ?? true, let info = session.info,
            let title = facts?.passage?.title ?? info.titles.first(where: \.isDefault)?.id
        else { return }
        func track(_ stream: StreamID?, _ tracks: [TrackInfo]) -> TitleLeft.Track? {
            stream.map { stream in TitleLeft.Track(stream: stream, place: tracks.firstIndex { $0.id.stream == stream }) }
        }
        let audio = session.pipeline.state.read { $0.intent.activeAudio }
        navigator.leave(
            TitleLeft(
                title: title, offset: max(.zero, menuTime - machine.shape.startTime), facts: facts,
                audio: track(audio, info.tracks(.audio)), subtitles: track(activeSubtitle?.stream, info.tracks(.subtitle))))
    }

    /// Goes where a turn of the menus leads.
    private mutating func take(_ turn: MenuTurn) {
        switch turn {
        case .stay:
            session?.pipeline.change { $0.subtitleRevision += 1 }
            applyStreams()
            publish { _ in }
        case .play(let passage): open(passage, at: nil)
        case .resume(let passage): open(passage, at: navigator?.point(of: passage))
        case .refused(let fault): notice(fault.reason)
        case .seek(let point): fold(event(for: .seek(to: point, .exact)))
        case .stop(let fault):
            navigator?.leads = false
            if let fault { notice(fault.reason) }
            if !machine.hasEnded { for effect in machine.finish() { perform(effect) } }
            publishMachine()
        }
    }

    private mutating func open(_ passage: MenuPassage, at offset: TimeSpan?) {
        guard let navigator, let (source, former) = origin, let session else { return }
        var options = former
        let plan = navigator.plan(passage)
        if let facts = session.menu.facts, facts.passage?.isSame(as: passage) ?? false, offset == nil {
            session.menu.select(plan.button ?? 1)
            session.menu.restart(plan)
            return fold(event(for: .seek(to: facts.start(of: passage) ?? machine.shape.firstPoint, .exact)))
        }
        (options.passage, options.title) = (plan, passage.title)
        // Whether a playlist is a menu or a title, its buttons say.
        if case .bluRay = passage { options.title = nil }
        (options.start, options.end, options.part) = (offset.map { .time($0) }, nil, nil)
        (options.autoplay, options.settings) = (machine.wantsToPlay, machine.settings)
        let kept = (next, told)
        load(loadNumber, source, options)
        (next, told) = kept
    }

    /// At the end of a passage the menus say what comes. False: they do not lead.
    mutating func goesOnByMenu() -> Bool {
        guard machine.hasEnded, machine.wantsToPlay, machine.breakOff == nil, draft == nil, var navigator, navigator.leads else {
            return false
        }
        let turn = navigator.passageEnded(now: time.now())
        self.navigator = navigator
        take(turn)
        return true
    }

    /// Another title is played as the menus would play it. False: they do not lead, or do not know it.
    mutating func playsByMenu(title: Int) -> Bool {
        guard var navigator, navigator.leads else { return false }
        let turn = navigator.play(title: title)
        navigator.leads = turn != nil
        self.navigator = navigator
        guard let turn else { return false }
        take(turn)
        return true
    }

    // MARK: - Streams

    /// The menus have chosen audio.
    mutating func takeMenuChoice() {
        guard let session, let number = menuPlan?.audio, let stream = session.menu.facts?.audio[number] else { return }
        session.perform(.selectAudio(TrackID(stream)))
    }

    /// The choices of the menus for the passage that is open; nil where they do not lead.
    private var menuPlan: PassagePlan? {
        guard let navigator, navigator.leads, let passage = session?.menu.facts?.passage else { return nil }
        return navigator.plan(passage)
    }

    /// The subtitles that the menus have chosen: none of them is one, too. nil: they have chosen nothing.
    var menuChoice: TrackID?? {
        guard let session, let wish = menuPlan?.subtitles else { return nil }
        guard case .stream(let number) = wish, let stream = session.menu.facts?.subtitles[number] else { return .some(nil) }
        return TrackID(stream)
    }

    /// Buttons over a title have chosen other streams.
    private mutating func applyStreams() {
        guard let session, let facts = session.menu.facts, !facts.isMenu, let plan = menuPlan else { return }
        let present = session.pipeline.state.read { $0.intent.activeAudio }
        if let stream = plan.audio.flatMap({ facts.audio[$0] }), stream != present {
            fold(event(for: .selectAudioTrack(TrackID(stream))))
        }
        guard let wish = plan.subtitles else { return }
        var track: TrackID?
        if case .stream(let number) = wish { track = facts.subtitles[number].map { TrackID($0) } }
        if track != activeSubtitle { fold(event(for: .selectSubtitleTrack(track))) }
    }
}
