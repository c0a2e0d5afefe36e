import AetherCore
import AetherMedia

/// The next source's audio, queued behind the end of the present one's in the same device.
struct AudioJoint: ~Copyable {
    var feed: AudioFeed
    let revision: Int
    /// The first device frame that is not the present source's.
    let frame: Int
    /// The next session knows that it has audio.
    var isPrimed = false
    /// The present source was heard to its end.
    var isHeard = false

    consuming func takeFeed() -> AudioFeed { feed }
}

/// Going from one source to the next in the middle of the device's buffer.
extension AudioWork {
    /// Whether the next source's first sample is, or was, heard.
    var isBeyondJoint: Bool {
        mutating get { joint?.isHeard ?? false }
    }

    /// Behind the end of what is decoded, decodes the next source's audio; returns whether anything moved.
    mutating func joinNext() throws(MediaError) -> Bool {
        if joint == nil { beginJoint() }
        guard let there = joint?.feed.stage.pipeline.state.read({ AudioIntent($0) }) else { return false }
        if there.isStopped || there.epoch != joint?.feed.epoch {
            breakJoint(isWanted: !there.isStopped)
            return false
        }
        if joint?.feed.isRefused ?? true { return false }
        let moved = try joint?.feed.decodeMore(landing: there.landing, into: &renderer) ?? false
        if hasJoined { sayPrimed() }
        return moved
    }

    /// The first of the next source's audio lies behind the joint by now. Silence for the last frame, which is queued before it, is not
    /// its audio: in another format that waits for a device of its own.
    private var hasJoined: Bool {
        mutating get {
            guard let frame = joint?.frame, !(joint?.isPrimed ?? true), !(joint?.feed.isRefused ?? true) else { return false }
            return renderer?.endFrame ?? 0 > frame
        }
    }

    /// Longer silence is not queued behind the end for frames that last on: they end without audio, and the next source opens the device
    /// for itself.
    private static var longestTail: TimeSpan { .seconds(2) }

    private mutating func beginJoint() {
        let mayJoin = stage.pipeline.state.read { $0.intent.isFollowed && $0.intent.clockRuns }
        guard mayJoin, !feed.isBitstream, let format = feed.wanted, renderer?.isRunning ?? false, let next = stage.succession.next
        else { return }
        let there = next.pipeline.state.read { AudioIntent($0) }
        var following = AudioFeed(stage: next)
        guard there.landing != nil, !there.isStopped, let stream = there.stream, !following.wantsBitstream(stream),
            waitForFrames()
        else { return }
        following.roster = feed.roster
        following.tempo = there.settings.rate
        following.joined = format
        following.delay.set(there.settings.audioDelay, at: stage.time.now())
        do throws(MediaError) {
            try following.restart(there.epoch, stream: stream)
        } catch {
            // It says so itself when it is its turn.
            following.isRefused = true
        }
        joint = AudioJoint(feed: following, revision: there.revision, frame: renderer?.endFrame ?? 0)
    }

    /// Queues silence until the last frame is over; false where that takes too long.
    private mutating func waitForFrames() -> Bool {
        guard let end = videoEnd, let heard = feed.expected.map({ $0 + feed.delay.current }), end > heard else { return true }
        guard end - heard < Self.longestTail else { return false }
        renderer?.enqueueSilence((end - heard).scaled(by: 1 / feed.tempo))
        feed.expected = feed.expected.map { $0 + (end - heard) }
        return true
    }

    /// When the last frame is over, by its packet; nil where there are none, or more may come.
    private var videoEnd: MediaTime? {
        let (last, stream, stop) = stage.pipeline.state.read { state in
            let lane = state.intent.activeVideo.flatMap { state.lanes[$0] }
            return (lane?.hasEnded ?? false ? lane?.last : nil, state.intent.activeVideo, state.intent.plan.end)
        }
        guard let last else { return nil }
        let interval = stream.flatMap { stage.stream($0)?.frameRate }.map { TimeSpan.seconds(1 / $0.value) }
        let end = last.time + (last.duration ?? interval ?? .zero)
        return stop.map { min($0, end) } ?? end
    }

    private mutating func sayPrimed() {
        joint?.isPrimed = true
        guard let next = joint?.feed.stage, let epoch = joint?.feed.epoch, let format = renderer?.format else { return }
        let route = AudioOutputRoute(
            device: feed.roster.isSilent ? nil : renderer?.deviceName, format: format,
            sourceChannels: joint?.feed.wanted?.channels ?? [])
        next.report(.audioOutput(route))
        next.report(.primed(.audio, epoch, joint?.feed.expected ?? .zero))
    }

    /// The queued audio of the next source is of no use any more: the device is about to forget it, or it is not wanted.
    mutating func breakJoint(isWanted: Bool = true) {
        guard joint != nil else { return }
        if let frame = joint?.frame, joint?.isPrimed ?? false { renderer?.removeQueued(from: frame) }
        joint = nil
        if isWanted { stage.report(.successorSpoilt) }
    }

    /// Whether the device plays the next source's audio by now; says so to the present one.
    mutating func passJoint(at now: HostTime) -> Bool {
        guard joint?.isPrimed ?? false, let frame = joint?.frame, renderer?.hasHeard(frame: frame, at: now) ?? false else {
            return false
        }
        joint?.isHeard = true
        let end = feed.expected.map { $0 + feed.delay.current }
        // The last frame goes by this clock until it is over.
        let tempo = feed.tempo
        let rate = stage.pipeline.state.read { $0.intent.activeVideo == nil ? 0 : tempo }
        if let end { stage.synchronizer.anchor(ClockAnchor(media: end, host: now, rate: rate), epoch: epoch) }
        stage.report(.finished(.audio, epoch, at: end))
        return true
    }

    /// Between the joint and the word of the control task, which is on its way: the next source plays on.
    mutating func playOn() throws(MediaError) {
        if renderer?.pendingFrames ?? 0 == 0, try joinNext() { return }
        _ = try renderer?.write()
        let deadline = stage.time.now() + .milliseconds(20)
        _ = stage.pipeline.state.wait(for: .intent, until: deadline) { [epoch] state -> Bool? in
            state.intent.isStopped || state.intent.epoch != epoch ? true : nil
        }
    }

    /// The session is over. Goes on with the next one, in whose audio it may be already; false where there is none.
    mutating func goOn() -> Bool {
        guard let next = stage.succession.take() else {
            // A thread that waits for the device waits until this one is gone.
            stage.seat.leave(threadEnds: true)
            return false
        }
        let isSame = joint?.feed.stage.pipeline === next.pipeline
        let isOpen = joint?.feed.isDecoding ?? false
        let isHeard = isBeyondJoint
        let isHeld = isSame && isOpen
        let isInside = isHeld && isHeard
        let held = joint.take()
        // Audio that was queued behind a joint which was never heard goes with the device.
        if !isInside { renderer = nil }
        stage.seat.leave(threadEnds: false)
        stage = next
        (phase, isPrimed, wasDry) = (.idle, false, false)
        (epoch, stream, revision) = (Epoch(), nil, 0)
        guard isHeld, let held, isInside || held.feed.isRefused else {
            feed = AudioFeed(stage: next)
            return true
        }
        // Audio in another format was decoded to its first piece, which waits for a device of its own.
        revision = held.revision
        let prospect = feed.prospect.take()
        feed = held.takeFeed()
        feed.prospect = prospect
        (feed.joined, feed.isRefused) = (nil, false)
        (epoch, stream) = (feed.epoch, feed.stream)
        (phase, isPrimed) = (.feeding, isInside)
        return true
    }
}
