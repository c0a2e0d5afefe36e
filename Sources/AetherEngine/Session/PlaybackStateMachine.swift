import AetherCore

/// The player's decisions as a pure fold: event in, effects out. Intent (`wantsToPlay`) is its own variable: play and pause
/// write it at any time, and it is read when a seek lands.
struct PlaybackStateMachine: Sendable {
    private(set) var shape = SourceShape()
    private(set) var epoch = Epoch()
    private(set) var wantsToPlay: Bool
    private(set) var rate = 1.0
    private(set) var volume = 1.0
    private(set) var isMuted = false
    private(set) var audioDelay = TimeSpan.zero
    private(set) var error: MediaError?
    private(set) var isOpen = false
    private(set) var loop = LoopMarks()
    /// What is played now ends at the end of the loop.
    private var turnsBack = false
    /// The seeks that somebody asked for, counted; the ones in flight and waiting among them.
    private var seekCount = 0
    private var idInFlight: Int?
    private var pendingID: Int?
    /// Where the seek in flight goes; nil when none is.
    private(set) var seekInFlight: SeekPlan?
    /// One seek waits while another is in flight; the latest wins.
    private(set) var pendingSeek: SeekPlan?
    /// Steps asked for while a seek is in flight: taken from its picture on.
    private(set) var pendingSteps = 0
    /// Held keys repeat faster than a GOP is decoded: at most so many steps follow after the key was let go.
    static let longestStepQueue = 12
    /// The picture that the epoch landed on.
    private var landedPicture: MediaTime?
    /// A share of the duration that was asked for before the duration is known.
    private var pendingFraction: Double?
    /// The selected streams whose first output is still awaited.
    private(set) var awaited: Set<StageKind> = []
    private(set) var finished: Set<StageKind> = []
    private(set) var isRunning = false
    private(set) var isStarved = false
    private(set) var hasEnded = false
    private(set) var hasFirstFrame = false
    /// The source has begun to play, or to stand ready.
    private(set) var hasLanded = false
    /// The clock and the picture were moved by single steps: sound is found again by a seek to here.
    private(set) var steppedTo: MediaTime?
    private var landing = MediaTime.zero
    private var soundIsLost = false
    /// The reader can hold no more although sound has nothing: the clock does without it until it comes.
    private var soundIsAbsent = false
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
        if seekInFlight != nil || pendingSeek != nil { return hasLanded ? .seeking : .loading }
        if !wantsToPlay { return .paused }
        return isStarved ? .rebuffering : .playing
    }

    private var soundDrivesClock: Bool { shape.hasAudio && !soundIsLost && !soundIsAbsent && !finished.contains(.audio) }

    /// Takes one event. Anything of another epoch is ignored.
    mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect] {
        switch event {
        case .command(let command, let position, let shown, let held):
            return obey(command, position: position, shown: shown, held: held)
        case .opened(let shape, let start): return opened(shape, start: start)
        case .openFailed(let failure):
            error = failure
            return giveUpSeeks()
        case .primed(let stage, let epoch, let at): return epoch == self.epoch ? primed(stage, at: at) : []
        case .finished(let stage, let epoch, let at): return epoch == self.epoch ? stageFinished(stage, at: at) : []
        case .blocked(let epoch):
            guard epoch == self.epoch else { return [] }
            sourceIsFull = true
            return doWithoutWhatIsMissing()
        case .starved(let epoch):
            guard epoch == self.epoch, isRunning else { return [] }
            isStarved = true
            return doWithoutWhatIsMissing()
        case .lost(let stage, let epoch, let failure): return epoch == self.epoch ? lose(stage, failure) : []
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
        let deferred = pendingSeek, id = pendingID
        (pendingSeek, pendingID) = (nil, nil)
        let share = pendingFraction.flatMap { fraction in shape.duration.map { shape.startTime + $0.scaled(by: fraction) } }
        pendingFraction = nil
        let target = deferred?.target ?? share ?? start ?? shape.startTime
        return begin(SeekPlan(target: clamped(target), landing: .exact), id: id)
    }

    /// Begins an epoch; `id` is that of the seek that somebody asked for.
    private mutating func begin(_ wanted: SeekPlan, id: Int? = nil) -> [PlaybackEffect] {
        var plan = wanted
        let turn = loop.turn(from: plan.target)
        turnsBack = turn != nil
        plan.end = turn ?? shape.stop
        idInFlight = id
        epoch = epoch.next
        seekInFlight = plan
        awaited = []
        if shape.hasVideo { awaited.insert(.video) }
        if shape.hasAudio && !soundIsLost { awaited.insert(.audio) }
        finished = []
        isRunning = false
        isStarved = false
        hasEnded = false
        soundIsAbsent = false
        sourceIsFull = false
        steppedTo = nil
        landedPicture = nil
        landing = plan.target
        return [.begin(epoch, plan)] + tell(id, plan.target, .began)
    }

    private func tell(_ id: Int?, _ target: MediaTime, _ outcome: SeekEvent.Outcome) -> [PlaybackEffect] {
        id.map { [.seek(SeekEvent(id: $0, target: target, outcome: outcome))] } ?? []
    }

    /// Nothing that is on its way, or waits, will arrive.
    private mutating func giveUpSeeks() -> [PlaybackEffect] {
        defer { (idInFlight, pendingID) = (nil, nil) }
        return tell(idInFlight, seekInFlight?.target ?? .zero, .stalled) + tell(pendingID, pendingSeek?.target ?? .zero, .stalled)
    }

    private mutating func primed(_ stage: StageKind, at pts: MediaTime) -> [PlaybackEffect] {
        isStarved = false
        if stage == .audio {
            // Sound is there (again): it starts by itself where the clock runs, and drives it from then on.
            soundIsAbsent = false
            sourceIsFull = false
        }
        if stage == .video { landedPicture = pts }
        guard awaited.remove(stage) != nil else { return [] }
        // What begins more than two seconds late is not a lead-in but another time line: the clock begins there.
        let isAlone = stage == .video && (!shape.hasAudio || soundIsLost)
        if stage == .video, seekInFlight?.landing != .exact || (isAlone && (pts - landing).magnitude > .seconds(2)) {
            landing = pts
        }
        return landIfReady()
    }

    private mutating func landIfReady() -> [PlaybackEffect] {
        guard awaited.isEmpty, let landed = seekInFlight else { return [] }
        let news = tell(idInFlight, landed.target, .landed(renderedTime: landedPicture ?? landing))
        (seekInFlight, idInFlight) = (nil, nil)
        hasLanded = true
        return news + goOnFromLanding()
    }

    private mutating func goOnFromLanding() -> [PlaybackEffect] {
        if let next = pendingSeek {
            let id = pendingID
            (pendingSeek, pendingID) = (nil, nil)
            return begin(next, id: id)
        }
        let steps = pendingSteps
        pendingSteps = 0
        if shape.hasVideo && finished.contains(.video) && finished.contains(.audio) { return endIfOver(at: nil) }
        if wantsToPlay { return run(from: landing) }
        return [.holdMonotonic(at: landing)] + stepOn(steps, from: landedPicture ?? landing)
    }

    private mutating func run(from point: MediaTime?) -> [PlaybackEffect] {
        isRunning = true
        guard soundDrivesClock else { return [.runMonotonic(from: point, rate: rate)] }
        // From the landing on the clock has a time, also while the device still takes a moment to start.
        return (point.map { [.holdMonotonic(at: $0)] } ?? []) + [.runSound(true)]
    }

    private mutating func halt() -> [PlaybackEffect] {
        isRunning = false
        return soundDrivesClock ? [.runSound(false)] : [.holdMonotonic(at: nil)]
    }

    /// The reader may hold no more although a stream has nothing: waiting for that stream would wait for ever, for only the others
    /// make room.
    private mutating func doWithoutWhatIsMissing() -> [PlaybackEffect] {
        guard sourceIsFull else { return [] }
        if seekInFlight != nil, !awaited.isEmpty {
            soundIsAbsent = soundIsAbsent || awaited.contains(.audio)
            awaited = []
            return landIfReady()
        }
        guard isRunning, isStarved else { return [] }
        soundIsAbsent = true
        isStarved = false
        return [.runMonotonic(from: nil, rate: rate)]
    }

    private mutating func lose(_ stage: StageKind, _ failure: MediaError) -> [PlaybackEffect] {
        var effects: [PlaybackEffect] = []
        switch stage {
        case .audio:
            soundIsLost = true
            effects.append(.dropAudio)
            effects.append(.notice("sound cannot be decoded"))
            if isRunning { effects.append(.runMonotonic(from: nil, rate: rate)) }
        case .video:
            shape.hasVideo = false
            effects.append(.dropVideo)
            effects.append(.notice("picture cannot be decoded"))
        }
        if !shape.hasVideo && (!shape.hasAudio || soundIsLost) {
            error = failure
            return effects + giveUpSeeks()
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
            // The clock is ours now: it goes on for the pictures that remain, or stands if a pause came just before.
            effects.append(isRunning ? .runMonotonic(from: nil, rate: rate) : .holdMonotonic(at: nil))
        }
        return effects + endIfOver(at: point)
    }

    private mutating func endIfOver(at point: MediaTime?) -> [PlaybackEffect] {
        let pictureOver = !shape.hasVideo || finished.contains(.video)
        let soundOver = !shape.hasAudio || soundIsLost || finished.contains(.audio)
        guard pictureOver && soundOver && !hasEnded else { return [] }
        if turnsBack, wantsToPlay, let start = loop.start { return begin(SeekPlan(target: start, landing: .exact)) }
        hasEnded = true
        isRunning = false
        return [.holdMonotonic(at: point)]
    }

    // MARK: - Commands

    private mutating func obey(
        _ command: PlayerCommand, position: MediaTime, shown: MediaTime?, held: Holdings
    ) -> [PlaybackEffect] {
        switch command {
        case .play: return setIntent(true)
        case .pause: return setIntent(false)
        case .togglePlayPause: return setIntent(!wantsToPlay || hasEnded)
        case .seek(to: let target, let precision): return seek(to: target, precision, from: position, held: held)
        case .skip(by: let span, let precision):
            return seek(
                to: (pendingSeek?.target ?? seekInFlight?.target ?? steppedTo ?? position) + span, precision, from: position,
                held: held)
        case .seekToFraction(let fraction):
            guard isOpen else {
                seekCount += 1
                let former = tell(pendingID, pendingSeek?.target ?? .zero, .superseded)
                (pendingSeek, pendingID) = (nil, seekCount)
                pendingFraction = fraction.isNaN ? nil : min(max(fraction, 0), 1)
                return former
            }
            guard let duration = shape.duration else { return [.notice("the length of this source is unknown")] }
            return seek(
                to: shape.startTime + duration.scaled(by: min(max(fraction, 0), 1)), .keyframe, from: position, held: held,
                isSkip: false)
        case .stepFrame(let count): return step(count, shown: shown ?? position)
        case .stepChapter(let count):
            return stepChapter(count, position: pendingSeek?.target ?? seekInFlight?.target ?? position, held: held)
        case .markLoop: return markLoop(at: steppedTo ?? position)
        case .setRate(let wanted):
            guard !wanted.isNaN else { return [] }
            rate = min(max(wanted, 0.25), 4)
            let free: [PlaybackEffect] = isRunning && !soundDrivesClock ? [.runMonotonic(from: nil, rate: rate)] : []
            return [.setRate(rate)] + free
        case .setVolume(let wanted):
            guard !wanted.isNaN else { return [] }
            volume = min(max(wanted, 0), 1.5)
            return [.setVolume(volume, isMuted: isMuted)]
        case .setMuted(let wanted):
            isMuted = wanted
            return [.setVolume(volume, isMuted: isMuted)]
        case .setAudioDelay(let wanted): return setAudioDelay(wanted, position: position)
        case .selectAudioTrack(let id): return selectAudio(id, position: position, isHeld: held.sound.contains(id.number))
        case .selectSubtitleTrack(let id): return [.selectSubtitle(id)]
        }
    }

    /// A track whose packets are held joins the clock, which meanwhile goes on by itself; for another one everything begins anew where one
    /// is, or where one is going.
    private mutating func selectAudio(_ id: TrackID, position: MediaTime, isHeld: Bool) -> [PlaybackEffect] {
        guard isOpen, error == nil else { return [] }
        guard shape.canSound else { return [.notice("sound is switched off")] }
        if isHeld, shape.hasAudio, !soundIsLost, !hasEnded, seekInFlight == nil, steppedTo == nil {
            finished.remove(.audio)
            soundIsAbsent = true
            isStarved = false
            return (isRunning ? [.runMonotonic(from: nil, rate: rate)] : []) + [.switchAudio(id)]
        }
        soundIsLost = false
        shape.hasAudio = true
        let plan = pendingSeek ?? seekInFlight ?? SeekPlan(target: clamped(steppedTo ?? position), landing: .exact)
        let seek = pendingID ?? idInFlight
        let former = pendingID == nil ? [] : tell(idInFlight, seekInFlight?.target ?? .zero, .superseded)
        (pendingSeek, pendingID) = (nil, nil)
        return former + [.selectAudio(id)] + begin(plan, id: seek)
    }

    private mutating func setAudioDelay(_ wanted: TimeSpan, position: MediaTime) -> [PlaybackEffect] {
        let former = audioDelay
        audioDelay = SoundDelay.clamped(wanted)
        let isFar = (audioDelay - former).magnitude > SoundDelay.longestSlew
        guard isFar, isOpen, error == nil, shape.hasAudio, shape.isSeekable, !hasEnded, seekInFlight == nil, steppedTo == nil else {
            return [.setAudioDelay(audioDelay)]
        }
        return [.setAudioDelay(audioDelay)] + begin(SeekPlan(target: clamped(position), landing: .exact))
    }

    private mutating func setIntent(_ wants: Bool) -> [PlaybackEffect] {
        if wants && hasEnded {
            wantsToPlay = true
            let start = turnsBack ? loop.start ?? shape.startTime : shape.startTime
            return shape.isSeekable ? begin(SeekPlan(target: start, landing: .exact)) : []
        }
        guard wants != wantsToPlay else { return [] }
        wantsToPlay = wants
        if wants { pendingSteps = 0 }
        guard isOpen, error == nil, seekInFlight == nil else { return [] }
        if wants, let point = steppedTo {
            if shape.isSeekable { return begin(SeekPlan(target: point, landing: .exact)) }
            // A pipe cannot go back for its sound: what lies before the picture is dropped on the way.
            steppedTo = nil
        }
        return wants ? run(from: nil) : halt()
    }

    private mutating func seek(
        to target: MediaTime, _ precision: SeekPrecision, from position: MediaTime, held: Holdings, isSkip: Bool = true
    ) -> [PlaybackEffect] {
        let target = clamped(target)
        let floor = isSkip && target > position ? position : nil
        let plan = SeekPlan(
            target: target,
            landing: precision == .exact ? .exact : .keyframe(tolerance: SeekPlan.keyframeTolerance, floor: floor))
        seekCount += 1
        guard isOpen else {
            pendingFraction = nil
            return wait(for: plan, id: seekCount)
        }
        guard shape.isSeekable || held.range?.contains(target) ?? false else {
            let reason = held.range == nil ? "this source cannot seek" : "this source can only go to what is in memory"
            return [.notice(reason)] + tell(seekCount, target, .rejected)
        }
        pendingSteps = 0
        return seekInFlight != nil ? wait(for: plan, id: seekCount) : begin(plan, id: seekCount)
    }

    /// One seek waits: the latest.
    private mutating func wait(for plan: SeekPlan, id: Int) -> [PlaybackEffect] {
        let former = tell(pendingID, pendingSeek?.target ?? .zero, .superseded)
        (pendingSeek, pendingID) = (plan, id)
        return former
    }

    /// From the second mark on playing goes round.
    private mutating func markLoop(at position: MediaTime) -> [PlaybackEffect] {
        guard isOpen, error == nil else { return [] }
        guard shape.isSeekable else { return [.notice("this source cannot seek")] }
        let former = loop
        guard loop.mark(position) else { return [.notice("the loop would be too short")] }
        if let start = loop.start, loop.end != nil { return begin(SeekPlan(target: start, landing: .exact)) }
        guard turnsBack, let end = former.end else { return [] }
        turnsBack = false
        // Close to the end what lies behind it was left out already: it is fetched by beginning here once more.
        let isNear = end - position < TimeSpan.seconds(2).scaled(by: max(1, rate))
        guard isNear, !hasEnded, seekInFlight == nil else { return [.setEnd(shape.stop)] }
        return begin(SeekPlan(target: position, landing: .exact))
    }

    /// The source is given up for another one, or for none: what becomes of the seeks.
    mutating func abandonSeeks() -> [PlaybackEffect] {
        defer { (idInFlight, pendingID) = (nil, nil) }
        return tell(idInFlight, seekInFlight?.target ?? .zero, .superseded)
            + tell(pendingID, pendingSeek?.target ?? .zero, .superseded)
    }

    private mutating func step(_ count: Int, shown: MediaTime) -> [PlaybackEffect] {
        guard isOpen, shape.hasVideo, count != 0 else { return [] }
        if seekInFlight != nil {
            wantsToPlay = false
            pendingSteps = min(max(pendingSteps + count.signum(), -Self.longestStepQueue), Self.longestStepQueue)
            return []
        }
        var effects: [PlaybackEffect] = []
        if wantsToPlay {
            wantsToPlay = false
            effects += halt()
        }
        return effects + stepOn(count.signum(), from: shown)
    }

    /// Steps on from the picture that is shown: forward by showing the frames that come, back by a seek for each.
    private mutating func stepOn(_ count: Int, from shown: MediaTime) -> [PlaybackEffect] {
        if count == 0 || (count > 0 && hasEnded) { return [] }
        if count > 0 { return Array(repeating: .showNextFrame, count: count) }
        guard shape.isSeekable else { return [.notice("this source cannot seek")] }
        pendingSteps = count + 1
        return begin(SeekPlan(target: shown, landing: .frameBefore))
    }

    private mutating func stepChapter(_ count: Int, position: MediaTime, held: Holdings) -> [PlaybackEffect] {
        let starts = shape.chapterStarts
        guard !starts.isEmpty else { return [.notice("no chapters")] }
        if let index = ChapterStep.destination(from: position, count: count, starts: starts) {
            return seek(to: starts[index], .exact, from: position, held: held)
        }
        return count > 0 ? [.notice("last chapter")] : seek(to: shape.startTime, .exact, from: position, held: held)
    }

    /// Inside the source; a little before its end, so that there is a frame to land on.
    private func clamped(_ target: MediaTime) -> MediaTime {
        let upper = shape.end.map { max(shape.startTime, $0 - .milliseconds(100)) }
        return max(shape.startTime, min(target, upper ?? target))
    }
}
