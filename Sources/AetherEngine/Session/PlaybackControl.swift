import AetherCore
import AetherMedia
import AetherSources

/// The control plane: one consumer of one stream, folding messages through the state machine and performing its effects. Never
/// blocks; what blocks was given to a thread.
struct PlaybackControl {
    var machine = PlaybackStateMachine()
    var session: PlaybackSession?
    var token = 0
    var lastToken = 0
    /// The source that plays when this one ends.
    var next: (source: MediaSource, options: LoadOptions)?
    /// The reader is done: there is time for the next source.
    var hasReadToEnd = false
    /// The control of the next source while it gets ready, none or one: an array, because a value cannot hold itself.
    var upcoming: [PlaybackControl] = []
    /// Sources that are kept ready.
    var standbys: [Standby] = []
    /// nil for the source that is played.
    var draft: PlaybackDraft?
    var isFollowed = false
    /// The source that is played, and how.
    var origin: (source: MediaSource, options: LoadOptions)?
    /// The bitstream goes out untouched.
    var isPassedThrough = false
    private var noticeCount = 0
    var told = ToldTurns()
    var subtitleTracks: [TrackInfo] = []
    var activeSubtitle: TrackID?
    /// The titles that a radio station has told, the latest last.
    var songs: [String] = []
    /// The present and the next programme, by the numbers of the programs of a transport stream.
    var programmes: [Int: NowNext] = [:]
    /// The tracks to go on with where the source is read once more.
    var reloaded: ReloadedTracks?
    /// When the source was read anew because its file had changed; nil: never.
    var changedAt: HostTime?
    /// The way through the menus of a disc; nil for sources without.
    var navigator: (any MenuNavigator)?
    /// A person has chosen subtitles, or none.
    var hasChosenSubtitle = false
    let sink: any VideoSink
    let time: any TimeSource
    let post: @Sendable (ControlMessage) -> Void
    private let publishAlways: (sending @escaping (inout PublishedState) -> Void) -> Void
    var loadNumber = 0
    var checkpoint = StartupCheckpoint.dispatched
    var pace = SourcePace()
    let teardown: Monitor<Teardown>
    let audience: Audience<SeekEvent>
    let taps: AudioTaps
    let resets: Audience<Void>
    static let log = Log.module("engine")

    init(
        sink: any VideoSink, time: any TimeSource, teardown: Monitor<Teardown>, audience: Audience<SeekEvent>,
        taps: AudioTaps, resets: Audience<Void> = Audience(), post: @escaping @Sendable (ControlMessage) -> Void,
        publish: @escaping (sending @escaping (inout PublishedState) -> Void) -> Void
    ) {
        self.sink = sink
        self.time = time
        self.teardown = teardown
        self.audience = audience
        self.taps = taps
        self.resets = resets
        self.post = post
        publishAlways = publish
    }

    mutating func handle(_ message: ControlMessage) {
        switch message {
        case .load(let number, let source, let options):
            (changedAt, navigator) = (nil, nil)
            load(number, source, options)
        case .reload(let number, let place): reload(number, at: place)
        case .command(let command):
            if let obstacle = obstacle(to: command) { return notice(obstacle) }
            fold(event(for: command))
        case .next(let number, let source, let options):
            guard number == loadNumber else { return }
            next = source.map { ($0, options) }
            dropUpcoming()
            prepareNext()
        case .stage(let from, let event) where from == token: stage(event)
        case .ready(let sources): keepReady(sources)
        case .stage(let from, let event):
            if takeStandby(from, event) { return }
            guard let index = upcoming.firstIndex(where: { $0.token == from }) else { return }
            upcoming[index].stage(event)
            if upcoming[index].machine.error != nil { dropUpcoming() }
            sayWhetherFollowed()
        case .stop:
            retire()
            dropStandbys()
            audience.finish()
            taps.finish()
            resets.finish()
            machine = PlaybackStateMachine(epoch: machine.epoch)
            publish { state in
                state.session = nil
                state.snapshot.phase = .idle
                // A caller that waits for the opening is not left waiting.
                if state.openOutcome == nil { state.openOutcome = .failure(MediaError(.interrupted, "open")) }
            }
            teardown.update { $0.stopsServed += 1 }
        }
    }

    mutating func load(_ number: Int, _ source: MediaSource, _ options: LoadOptions) {
        let former = session, position = positionToLeave, wantsToPlay = machine.wantsToPlay
        retire()
        loadNumber = number
        (checkpoint, pace) = (.dispatched, SourcePace())
        (told, songs, programmes) = (ToldTurns(), [], [:])
        machine = PlaybackStateMachine(wantsToPlay: options.autoplay, epoch: machine.epoch)
        let session = open(source, options, after: former, joins: false)
        let name = source.displayName, machine = machine
        publish { state in
            let former = state.snapshot
            state.snapshot = EngineSnapshot()
            state.openOutcome = nil
            state.session = session
            state.snapshot.source = name
            state.snapshot.phase = .loading
            state.snapshot.startupProgress = StartupProgress(generation: UInt64(number), checkpoint: .dispatched)
            (state.snapshot.notices, state.snapshot.starts) = (former.notices, former.starts)
            state.snapshot.left =
                position.map {
                    LeftPosition(position: former.isSeekable ? max(.zero, $0 - former.startTime) : nil, wantsToPlay: wantsToPlay)
                } ?? former.left
            // 0 but where the same load is read anew.
            state.snapshot.advances = former.advances
            state.snapshot.settings = machine.settings
            if case .alsa(let device) = options.audioOutput { state.snapshot.audioDevice = device }
        }
    }

    /// Makes the session of a source and tells it what was set.
    mutating func open(
        _ source: MediaSource, _ options: LoadOptions, after former: PlaybackSession?, joins: Bool
    ) -> PlaybackSession {
        let post = post
        origin = (source, options)
        let ready = joins ? nil : takeUp(source, options, after: former)
        let session =
            ready
            ?? PlaybackSession(
                token: token, source: source, options: options, sink: sink, time: time, taps: taps, predecessor: former,
                joins: joins, repeating: draft?.repeated
            ) { token, event in
                post(.stage(token, event))
            }
        self.session = session
        adopt(options.settings)
        return session
    }

    /// All settings at once, for a source that does not play yet.
    mutating func adopt(_ settings: PlaybackSettings) {
        machine.settings = settings.checked
        session?.adopt(machine.settings)
    }

    private mutating func retire() {
        (isPassedThrough, reloaded) = (false, nil)
        // Late words of the old session carry an old token.
        lastToken += 1
        token = lastToken
        (next, hasReadToEnd, isFollowed) = (nil, false, false)
        dropUpcoming()
        for case .seek(let event) in machine.abandonSeeks() { audience.tell(event) }
        guard let former = session else { return }
        end(former)
        session = nil
    }

    func end(_ session: PlaybackSession) {
        session.requestStop()
        teardown.update {
            $0.retired.removeAll { $0.isOver }
            $0.retired.append(session)
        }
    }

    /// Publishes what concerns the present load; nothing once another was asked for.
    func publish(_ change: sending @escaping (inout PublishedState) -> Void) {
        let number = loadNumber
        publishAlways { state in
            if state.load == number { change(&state) }
        }
    }

    func event(for command: PlayerCommand) -> PlaybackEvent {
        let now = time.now()
        let position = session?.synchronizer.time(at: now) ?? machine.seeks.goal ?? .zero
        let shown = sink.lastShown
        return .command(
            command, position: position, shown: shown.flatMap { $0.epoch == machine.epoch ? $0.pts : nil },
            held: session?.holdings(at: position) ?? Holdings())
    }

    mutating func stage(_ event: StageEvent) {
        switch event {
        case .network(.step(let step)): reach(StartupCheckpoint(step))
        case .network(.reconnecting(let attempt)): fold(.reconnecting(attempt))
        case .sourceOpened: reach(.sourceOpened)
        case .opened(let description):
            reach(.containerOpened)
            opened(description)
        case .described(let description): described(description)
        case .window(let window): take(window)
        case .expired(let oldest): fold(self.event(for: .seek(to: oldest, .keyframe)))
        case .openFailed(let error):
            Self.log.error("\(error)")
            // The phase first: a caller that waits for the outcome must find the phase that belongs to it.
            fold(.openFailed(error))
            publish { $0.openOutcome = .failure(error) }
        case .primed(let kind, let epoch, let at): fold(.primed(kind, epoch, at))
        case .fellShort(let epoch, let plan): fold(.fellShort(epoch, plan))
        case .landedOnKey(let epoch): fold(.landedOnKey(epoch))
        case .finished(let kind, let epoch, let at): fold(.finished(kind, epoch, at: at))
        case .blocked(let epoch): fold(.blocked(epoch))
        case .starved(let epoch):
            ranDry(epoch)
            fold(.starved(epoch))
        case .videoStarved(let epoch, let at):
            ranDry(epoch)
            fold(.videoStarved(epoch, at: at))
        case .videoRestored(let epoch): fold(.videoRestored(epoch))
        case .lost(let kind, let epoch, let error): fold(.lost(kind, epoch, error))
        case .brokeOff(let error): fold(.brokeOff(error))
        case .firstFrame(let epoch, let pts): fold(.firstFrame(epoch, pts))
        case .stepped(let epoch, let pts): fold(.stepped(epoch, pts))
        case .audioOutput(let route):
            isPassedThrough = route.kind != .pcm
            publish {
                $0.snapshot.audioOutputRoute = route
                $0.snapshot.isSilent = route.device == nil
            }
        case .videoFormat(let format, let epoch):
            if epoch == machine.epoch { publish { $0.snapshot.sourceVideoFormat = format } }
        case .transparent(let epoch):
            if epoch == machine.epoch { publish { $0.snapshot.isTransparent = true } }
        case .subtitlesFound(let tracks, let isWanted, let file): found(tracks, isWanted: isWanted, in: file)
        case .teletextTurned:
            session?.surveyAnew()
            stage(.cuesChanged)
        case .cuesChanged:
            session?.pipeline.change { $0.subtitleRevision += 1 }
            publish { _ in }
        case .readToEnd:
            hasReadToEnd = true
            prepareNext()
        case .successorSpoilt:
            dropUpcoming()
            prepareNext()
        case .notice(let text): notice(text)
        case .navigator(let found): take(found)
        case .menu(let news): take(news)
        case .teletextPages(let pages): publish { $0.snapshot.teletextPages = pages }
        case .song(let title): take(song: title)
        case .programmes(let all): take(all)
        case .coverFetched(let artwork): take(cover: artwork)
        case .sourceReset:
            Self.log.info("the live source has begun anew")
            resets.tell(())
        }
    }

    mutating func fold(_ event: PlaybackEvent) {
        // Without a source there is nothing to be asked; what was asked does not wait for one.
        guard session != nil else { return }
        let repeated = machine.repeats
        for effect in machine.handle(event) {
            if case .selectSubtitle = effect { hasChosenSubtitle = true }
            perform(effect)
        }
        if machine.wantsToPlay { session?.allowDevice() } else { pace.forget() }
        if machine.hasEnded, machine.wantsToPlay, upcoming.first?.machine.isOpen ?? false { return promote() }
        if readsChangedSource() || goesOnByMenu() { return }
        sayWhetherFollowed()
        if machine.repeats != repeated { prepareNext() }
        if machine.hasFirstFrame || machine.isRunning {
            reach(.presenting)
        } else if machine.hasLanded {
            reach(.ready)
        }
        publishMachine()
    }

    mutating func publishMachine() {
        let machine = machine, turn = newTurn()
        publish { state in
            state.snapshot.phase = machine.phase
            state.snapshot.reconnecting = machine.reconnecting
            state.snapshot.wantsToPlay = machine.wantsToPlay
            state.snapshot.epoch = machine.epoch
            state.snapshot.seekTarget = machine.seeks.goal
            state.snapshot.loopStart = machine.loop.start
            state.snapshot.loopEnd = machine.loop.end
            state.snapshot.settings = machine.settings
            state.snapshot.distanceRate = machine.latency.rate
            state.snapshot.hasFirstFrame = machine.hasFirstFrame
            // With the phase that it belongs to: who sees that finds this.
            if let turn { state.tell(turn) }
        }
    }

    mutating func perform(_ effect: PlaybackEffect) {
        session?.perform(effect)
        switch effect {
        case .begin: pace.forget()
        case .selectTitle(let id): enter(id)
        case .menu(let wish): obey(wish)
        case .setAudioDevice(let name): publish { if $0.snapshot.audioDevice != nil { $0.snapshot.audioDevice = name } }
        case .notice(let text): notice(text)
        case .seek(let event): audience.tell(event)
        case .selectAudio(let id), .switchAudio(let id): publish { $0.snapshot.activeAudioTrack = id }
        case .selectVideo(let id):
            let info = session?.info
            publish { $0.snapshot.show(id, of: info) }
        case .selectSubtitle(let id):
            activeSubtitle = id
            publish { $0.snapshot.activeSubtitleTrack = id }
        case .selectSecondarySubtitle(let id): publish { $0.snapshot.activeSecondarySubtitleTrack = id }
        case .removeSubtitles(let id): forget(subtitles: id)
        case .setTeletextPage(let page): publish { $0.snapshot.teletextPage = page }
        // The next source's first sample is treated already as the last one of this.
        case .set: if let following = upcoming.first { upcoming[0].adopt(settings(for: following)) }
        case .dropAudio: publish { $0.snapshot.isSilent = true }
        default: break
        }
    }

    mutating func notice(_ text: String) {
        noticeCount += 1
        let notice = EngineSnapshot.Notice(number: noticeCount, text: DisplayText.singleLine(text, limit: 200))
        Self.log.info("notice: \(notice.text)")
        publish { $0.snapshot.notices = Array(($0.snapshot.notices + [notice]).suffix(8)) }
    }
}
