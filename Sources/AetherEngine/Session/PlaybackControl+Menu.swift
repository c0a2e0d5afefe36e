import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia

/// The menus of a disc: what a person does in them, and where they lead.
extension PlaybackControl {
    /// The source has menus.
    mutating func take(_ found: DiscNavigator) {
        // The one that leads already knows the way.
        if navigator?.leads ?? false { return }
        navigator = found
    }

    /// Buttons have come, or their time is over.
    mutating func take(_ news: MenuBoard.News) {
        guard var navigator, let session else { return }
        switch news {
        case .page(let selected):
            navigator.note(selected: selected)
            self.navigator = navigator
            publish { _ in }
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
            if isWay { notice("this source has no menus") }
            return
        }
        if isWay { leaveTitle(&navigator, session) }
        guard let turn = navigator.obey(wish, on: session.menu, at: menuTime, now: time.now()) else {
            if isWay { notice("this disc has no such menu") }
            return
        }
        self.navigator = navigator
        take(turn)
    }

    /// What is played may be gone back to, with the tracks that are chosen by now.
    private func leaveTitle(_ navigator: inout DiscNavigator, _ session: PlaybackSession) {
        let facts = session.menu.facts
        guard facts.map({ !$0.isMenu }) ?? true, let info = session.info,
            let title = facts?.passage?.title ?? info.titles.first(where: \.isDefault)?.id,
            let entry = navigator.disc.titles.first(where: { $0.id == title })
        else { return }
        let offset = max(.zero, menuTime - machine.shape.startTime)
        if facts == nil { navigator.adopt(title: title, cell: entry.cell(at: offset)) }
        let audio = session.pipeline.state.read { $0.intent.activeAudio }
        func number(_ stream: StreamID?, _ tracks: [TrackInfo], _ entries: [DiscStream], _ known: [Int: StreamID]?) -> Int? {
            guard let stream else { return nil }
            if let known { return known.first { $0.value == stream }?.key }
            let index = tracks.firstIndex { $0.id.stream == stream }
            return index.flatMap { entries.indices.contains($0) ? entries[$0].number : nil }
        }
        navigator.note(
            audio: number(audio, info.tracks(.audio), entry.audio, facts?.audio),
            subtitles: number(activeSubtitle?.stream, info.tracks(.subtitle), entry.subtitles, facts?.subtitles),
            areShown: true)
        if activeSubtitle == nil { navigator.note(audio: nil, subtitles: 62, areShown: false) }
        navigator.leave(title: title, at: offset, isWhole: facts == nil)
    }

    /// Goes where a turn of the menus leads.
    private mutating func take(_ turn: MenuMachine.Turn) {
        switch turn {
        case .stay:
            session?.pipeline.change { $0.subtitleRevision += 1 }
            applyStreams()
            publish { _ in }
        case .play(let passage): open(passage, at: nil)
        case .resume(let passage): open(passage, at: navigator?.point(of: passage))
        case .stop(let fault):
            navigator?.leads = false
            if let fault { notice(fault.reason) }
            if !machine.hasEnded { for effect in machine.finish() { perform(effect) } }
            publishMachine()
        }
    }

    private mutating func open(_ passage: DiscPassage, at offset: TimeSpan?) {
        guard let navigator, let (source, former) = origin, let session else { return }
        var options = former
        let plan = navigator.plan(passage)
        if let facts = session.menu.facts, facts.passage?.isSame(as: passage) ?? false, offset == nil {
            session.menu.select(plan.button)
            let start = facts.cells.last { $0.cell <= passage.start }?.start
            let isFirst = passage.start <= passage.cells.lowerBound
            return fold(event(for: .seek(to: isFirst ? machine.shape.firstPoint : start ?? machine.shape.firstPoint, .exact)))
        }
        (options.passage, options.title) = (plan, passage.title)
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

    /// Another title is played as the menus would play it. False: they do not lead.
    mutating func playsByMenu(title: Int) -> Bool {
        guard var navigator, navigator.leads else { return false }
        let turn = navigator.play(title: title)
        self.navigator = navigator
        take(turn)
        return true
    }

    // MARK: - Streams

    /// The menus have chosen audio.
    mutating func takeMenuChoice() {
        guard let session, let number = menuPlan?.audio, let stream = session.menu.facts?.audio[number] else { return }
        session.perform(.selectAudio(TrackID(stream)))
    }

    /// What the menus have chosen for the passage that is open; nil where they do not lead.
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

extension DiscTitle {
    /// The cell of a point behind the start, by the disc's word.
    fileprivate func cell(at offset: TimeSpan) -> Int {
        var passed = TimeSpan.zero
        for (index, cell) in cells.enumerated() where cell.angle <= 1 {
            passed = passed + cell.duration
            if offset < passed { return index }
        }
        return max(0, cells.count - 1)
    }
}
