import AetherCore

/// The player's decisions as a pure fold: event in, effects out. Intent (`wantsToPlay`) is its own variable: play and pause
/// write it at any time, and it is read when a seek lands. Written by this type alone; its commands are in a file of their own.
struct PlaybackStateMachine: Sendable {
    var shape = SourceShape()
    private(set) var epoch = Epoch()
    var wantsToPlay: Bool
    /// As the person has them, each within its range.
    var settings = PlaybackSettings()
    private(set) var error: MediaError?
    private(set) var isOpen = false
    /// Keeps the distance from the end of a broadcast.
    var latency = LatencyControl()
    var loop = LoopMarks()
    /// The source begins again at its end.
    var repeats = false
    /// The next source, this one once more or another, stands ready: the end is the end.
    var isFollowed = false
    /// Playing turns back at the end of the loop.
    var turnsBack = false
    /// The seeks that were asked for and have not arrived.
    var seeks = SeekQueue()
    /// The frame that the epoch landed on.
    private(set) var landedFrame: MediaTime?
    /// The landed frame is a key frame, and not the one that is on screen at the target.
    private var isOnKey = false
    /// The epoch goes from a key frame that is on screen to the target itself.
    private(set) var isRefining = false
    /// The selected streams whose first output is still awaited.
    private(set) var awaited: Set<StageKind> = []
    var finished: Set<StageKind> = []
    private(set) var isRunning = false
    var isStarved = false
    /// The attempt to reach the server that the reader waits for.
    private(set) var reconnecting: ReconnectAttempt?
    private(set) var hasEnded = false
    private(set) var hasFirstFrame = false
    /// Something of the source was ready to be seen or heard.
    private(set) var hasOutput = false
    /// The reason why reading ended before the source does; nil where it did not.
    private(set) var breakOff: MediaError?
    /// The source has begun to play, or to stand ready.
    private(set) var hasLanded = false
    /// The clock and the frame were moved by single steps: audio is found again by a seek to here.
    var steppedTo: MediaTime?
    private var landing = MediaTime.zero
    var audioIsLost = false
    /// The reader can hold no more although the audio stage has nothing: the clock does without audio until it comes.
    var audioIsAbsent = false
    private var sourceIsFull = false

    /// Idle, with the intent to play as soon as something is loaded or not. Epochs go on from the one given: a surface keeps frames
    /// of an earlier source apart by them.
    init(wantsToPlay: Bool = true, epoch: Epoch = Epoch()) {
        self.wantsToPlay = wantsToPlay
        self.epoch = epoch
    }

    /// Derived, never stored: what the player is doing.
    var phase: PlaybackPhase {
        if let error { return .error(error) }
        if !isOpen { return .loading }
        if hasEnded { return .ended }
        if !seeks.isEmpty { return hasLanded ? .seeking : .loading }
        if !wantsToPlay { return .paused }
        if isStarved { return reconnecting.map { .stalled(reconnecting: $0) } ?? .rebuffering }
        return .playing
    }

    var audioDrivesClock: Bool { shape.hasAudio && !audioIsLost && !audioIsAbsent && !finished.contains(.audio) }

    /// Takes one event. Anything of another epoch is ignored.
    mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect] {
        switch event {
        case .command(let command, let position, let shown, let held):
            return obey(command, position: position, shown: shown, held: held)
        case .opened(let shape, let start): return opened(shape, start: start)
        case .openFailed(let failure):
            error = failure
            return told(seeks.giveUp(.stalled))
        case .window(let window, let position, let now): return take(window, position: position, now: now)
        case .primed(let stage, let epoch, let at): return epoch == self.epoch ? primed(stage, at: at) : []
        case .fellShort(let epoch, let plan): return epoch == self.epoch ? begin(plan, id: seeks.inFlightID) : []
        case .landedOnKey(let epoch):
            if epoch == self.epoch { isOnKey = true }
            return []
        case .finished(let stage, let epoch, let at): return epoch == self.epoch ? stageFinished(stage, at: at) : []
        case .blocked(let epoch):
            guard epoch == self.epoch else { return [] }
            sourceIsFull = true
            return doWithoutWhatIsMissing()
        case .starved(let epoch):
            guard epoch == self.epoch, isRunning else { return [] }
            isStarved = true
            return keepingDistance { $0.latency.stalled() } + doWithoutWhatIsMissing()
        case .videoStarved(let epoch, let at):
            guard epoch == self.epoch, isRunning, !audioDrivesClock else { return [] }
            isStarved = true
            return keepingDistance { $0.latency.stalled() } + [.holdMonotonic(at: at)]
        case .videoRestored(let epoch):
            guard epoch == self.epoch, isStarved, !audioDrivesClock else { return [] }
            isStarved = false
            return isRunning ? [.runMonotonic(from: nil, rate: rate)] : []
        case .lost(let stage, let epoch, let failure): return epoch == self.epoch ? lose(stage, failure) : []
        case .brokeOff(let failure):
            breakOff = failure
            return []
        case .reconnecting(let attempt):
            reconnecting = attempt
            return []
        case .firstFrame(let epoch, _):
            if epoch == self.epoch { hasFirstFrame = true }
            return []
        case .stepped(let epoch, let pts):
            guard epoch == self.epoch, !wantsToPlay else { return [] }
            steppedTo = pts
            return [.holdMonotonic(at: pts)]
        }
    }

    // MARK: - Loading and landing

    private mutating func opened(_ shape: SourceShape, start: MediaTime?) -> [PlaybackEffect] {
        self.shape = shape
        isOpen = true
        let asked = seeks.takeWaiting()
        var target = asked?.wish.plan?.target
        if case .fraction(let fraction) = asked?.wish { target = shape.point(at: fraction) }
        return begin(SeekPlan(target: clamped(target ?? start ?? shape.firstPoint), landing: .exact), id: asked?.id)
    }

    /// Begins an epoch; `id` is that of the seek that was asked for.
    mutating func begin(_ wanted: SeekPlan, id: Int? = nil) -> [PlaybackEffect] {
        var plan = shape.path.enter(wanted)
        let turn = loop.turn(from: plan.target)
        // The earliest of three points ends the epoch: the end of the loop, of the stretch, or the one that the person asked for.
        turnsBack = turn.map { turn in shape.path.end.map { turn <= $0 } ?? true } ?? false
        plan.end = turnsBack ? turn : shape.limit
        epoch = epoch.next
        awaited = []
        if shape.hasVideo { awaited.insert(.video) }
        if shape.hasAudio && !audioIsLost { awaited.insert(.audio) }
        finished = []
        isRunning = false
        isStarved = false
        hasEnded = false
        audioIsAbsent = false
        sourceIsFull = false
        steppedTo = nil
        (landedFrame, isOnKey, isRefining) = (nil, false, false)
        landing = plan.target
        return keepingDistance { $0.latency.rest() } + [.begin(epoch, plan)] + told(seeks.begin(plan, id: id))
    }

    func told(_ events: [SeekEvent]) -> [PlaybackEffect] { events.map { .seek($0) } }

    private mutating func primed(_ stage: StageKind, at pts: MediaTime) -> [PlaybackEffect] {
        isStarved = false
        hasOutput = true
        if stage == .audio {
            // Audio is there (again): it starts by itself where the clock runs, and drives it from then on.
            audioIsAbsent = false
            sourceIsFull = false
        }
        if stage == .video { landedFrame = pts }
        guard awaited.remove(stage) != nil else { return [] }
        // A first frame more than two seconds late is not a lead-in but another timeline: the clock begins there.
        let isAlone = stage == .video && (!shape.hasAudio || audioIsLost)
        // It begins at the frame also where that was shown for the target; else the frame may have been on screen for long.
        let isAtFrame = isOnKey || seeks.inFlight?.landing == .frameBefore
        if stage == .video, isAtFrame || (isAlone && pts - landing > .seconds(2)) { landing = pts }
        return landIfReady()
    }

    private mutating func landIfReady() -> [PlaybackEffect] {
        guard awaited.isEmpty, seeks.inFlight != nil else { return [] }
        hasLanded = true
        if let exact = refinement {
            defer { isRefining = true }
            return begin(exact, id: seeks.inFlightID)
        }
        return told(seeks.land(renderedTime: landedFrame ?? landing)) + goOnFromLanding()
    }

    /// The plan that the epoch goes on to once its key frame is shown: the target itself, unless another seek waits by now.
    private var refinement: SeekPlan? {
        guard isOnKey, let plan = seeks.inFlight, plan.isRefined, seeks.hasNoneWaiting else { return nil }
        var exact = SeekPlan(target: plan.target, landing: .exact, end: plan.end)
        exact.isRefined = true
        return exact
    }

    private mutating func goOnFromLanding() -> [PlaybackEffect] {
        if let next = seeks.takeGoal() { return begin(next.plan, id: next.id) }
        let steps = seeks.takeSteps()
        if shape.hasVideo && finished.contains(.video) && finished.contains(.audio) { return endIfOver(at: nil) }
        if wantsToPlay { return run(from: landing) }
        return [.holdMonotonic(at: landing)] + stepOn(steps, from: landedFrame ?? landing)
    }

    mutating func run(from point: MediaTime?) -> [PlaybackEffect] {
        isRunning = true
        // Frames that ran dry are waited for.
        guard audioDrivesClock else { return isStarved ? [] : [.runMonotonic(from: point, rate: rate)] }
        // From the landing on the clock has a time, also while the device still takes a moment to start.
        return (point.map { [.holdMonotonic(at: $0)] } ?? []) + [.runAudio(true)]
    }

    mutating func halt() -> [PlaybackEffect] {
        isRunning = false
        return audioDrivesClock ? [.runAudio(false)] : [.holdMonotonic(at: nil)]
    }

    /// The reader may hold no more although a stream has nothing: waiting for that stream would wait for ever, for only the others
    /// make room.
    private mutating func doWithoutWhatIsMissing() -> [PlaybackEffect] {
        guard sourceIsFull else { return [] }
        if seeks.inFlight != nil, !awaited.isEmpty {
            audioIsAbsent = audioIsAbsent || awaited.contains(.audio)
            awaited = []
            return landIfReady()
        }
        guard isRunning, isStarved else { return [] }
        audioIsAbsent = true
        isStarved = false
        return [.runMonotonic(from: nil, rate: rate)]
    }

    private mutating func lose(_ stage: StageKind, _ failure: MediaError) -> [PlaybackEffect] {
        var effects: [PlaybackEffect] = []
        switch stage {
        case .audio:
            audioIsLost = true
            effects.append(.dropAudio)
            effects.append(.notice(translated("audio cannot be decoded")))
            if isRunning { effects.append(.runMonotonic(from: nil, rate: rate)) }
        case .video:
            shape.hasVideo = false
            effects.append(.dropVideo)
            effects.append(.notice(translated("video cannot be decoded")))
        }
        if !shape.hasVideo && (!shape.hasAudio || audioIsLost) {
            error = failure
            return effects + told(seeks.giveUp(.stalled))
        }
        awaited.remove(stage)
        effects += landIfReady()
        return effects + endIfOver(at: nil)
    }

    // MARK: - The end

    private mutating func stageFinished(_ stage: StageKind, at point: MediaTime?) -> [PlaybackEffect] {
        finished.insert(stage)
        var effects: [PlaybackEffect] = []
        if stage == .audio { isStarved = false }
        if awaited.remove(stage) != nil {
            effects += landIfReady()
        } else if stage == .audio && shape.hasVideo && !finished.contains(.video) {
            // The clock is ours now: it goes on for the frames that remain, or stands if a pause came just before.
            effects.append(isRunning ? .runMonotonic(from: nil, rate: rate) : .holdMonotonic(at: nil))
        }
        return effects + endIfOver(at: point)
    }

    /// All of its stages are at the end.
    var isOver: Bool {
        (!shape.hasVideo || finished.contains(.video)) && (!shape.hasAudio || audioIsLost || finished.contains(.audio))
    }

    mutating func endIfOver(at point: MediaTime?) -> [PlaybackEffect] {
        guard isOver, !hasEnded, error == nil else { return [] }
        // An end to which nothing has led is no end.
        if !hasOutput, landing <= shape.firstPoint || breakOff != nil {
            error =
                breakOff ?? MediaError(.decodeFailed, "play", subject: shape.name, reason: "nothing in it can be seen or heard")
            return told(seeks.giveUp(.stalled))
        }
        if turnsBack, wantsToPlay, let start = loop.start { return begin(SeekPlan(target: start, landing: .exact)) }
        if let next = shape.path.advance() { return begin(SeekPlan(target: next, landing: .exact)) }
        // From a pause at the end nothing goes on by itself, neither this source nor the next one: it ends when it is played.
        guard wantsToPlay else {
            isRunning = false
            return [.holdMonotonic(at: point)]
        }
        if repeats, !isFollowed, shape.hasVideo, shape.isSeekable {
            shape.path.rewind()
            return begin(SeekPlan(target: shape.firstPoint, landing: .exact))
        }
        hasEnded = true
        isRunning = false
        return [.holdMonotonic(at: point)]
    }

    /// The end of the source, as the menus that lead it say.
    mutating func finish() -> [PlaybackEffect] {
        guard isOpen, error == nil else { return [] }
        (hasEnded, isRunning) = (true, false)
        return [.holdMonotonic(at: nil)]
    }

    /// Inside the source; instead of its end, or what lies behind that, a little before it, so that there is a frame to land on.
    func clamped(_ target: MediaTime) -> MediaTime {
        guard let end = shape.end, target >= end else { return max(shape.startTime, target) }
        return max(shape.startTime, end - .milliseconds(100))
    }
}
