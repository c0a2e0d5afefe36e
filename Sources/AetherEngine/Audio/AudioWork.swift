import AetherCore
import AetherMedia

/// The audio thread's state between two steps.
struct AudioWork: ~Copyable {
    var stage: AudioStage
    var renderer: AudioRenderer?
    var feed: AudioFeed
    /// The queued audio of the next source.
    var joint: AudioJoint?
    var epoch = Epoch()
    var stream: StreamID?
    var phase = Phase.idle
    var isPrimed = false
    /// Audio has run dry in this epoch: it begins again only with a reserve, or it would chop.
    var wasDry = false
    var revision = 0
    var lease: DeviceLease
    static var log: ModuleLog { Log.module("audio") }

    enum Phase { case idle, feeding, draining, finished }

    init(stage: AudioStage) {
        self.stage = stage
        feed = AudioFeed(stage: stage)
        lease = stage.lease
    }

    /// Does one thing and returns; false when the session is over.
    mutating func step() -> Bool {
        let intent = currentIntent()
        if intent.isStopped { return goOn() }
        do throws(MediaError) {
            if intent.epoch != epoch || intent.stream != stream || intent.revision != revision {
                try restart(intent)
            } else if isBeyondJoint {
                try playOn()
            } else if phase == .idle || phase == .finished {
                waitForIntent()
            } else {
                try play(intent)
            }
        } catch {
            recover(from: error)
        }
        return true
    }

    func currentIntent() -> AudioIntent { stage.pipeline.state.read { AudioIntent($0) } }

    // MARK: - Beginning an epoch

    private mutating func restart(_ intent: AudioIntent) throws(MediaError) {
        breakJoint()
        let newStream = intent.stream != stream, isChosen = intent.revision != revision
        revision = intent.revision
        epoch = intent.epoch
        stream = intent.stream
        isPrimed = false
        wasDry = false
        phase = .idle
        stage.pipeline.audioWake.drain()
        do throws(MediaError) {
            try renderer?.flush()
        } catch {
            // Another one is opened at the first audio of the epoch.
            renderer = nil
            feed.roster.lose(error, at: stage.time.now())
        }
        let asked = renderer?.wanted
        if feed.mustReopen(intent.device, asked: asked) {
            renderer = nil
            feed.prospect = nil
        }
        // A device is opened for samples or for a bitstream.
        if newStream, feed.isBitstream || feed.wantsBitstream(stream) { renderer = nil }
        // A choice of track or device is another chance for the device that was asked for.
        if newStream || isChosen, feed.roster.usesStandIn {
            renderer = nil
            feed.roster.reset()
        }
        feed.delay.set(intent.settings.audioDelay, at: stage.time.now())
        try feed.restart(epoch, stream: stream)
        if stream != nil { phase = .feeding }
    }

    // MARK: - Playing

    private mutating func play(_ intent: AudioIntent) throws(MediaError) {
        try follow(intent)
        if phase == .finished { return }
        if joint == nil { try feed.takeBetterDevice(into: &renderer) }
        if renderer?.pendingFrames ?? 0 == 0, !feed.hasEnded {
            if try feed.decodeMore(landing: intent.landing, into: &renderer) { return }
        }
        if renderer?.pendingFrames ?? 0 == 0, feed.hasEnded, try joinNext() { return }
        let written = try renderer?.write() ?? 0
        try publishClock()
        if written > 0 && !(feed.hasEnded && renderer?.pendingFrames == 0) { return }
        try idleUntilUseful(intent)
    }

    /// Carries out rate, volume and play / pause.
    private mutating func follow(_ intent: AudioIntent) throws(MediaError) {
        let settings = intent.settings
        feed.follow(settings)
        joint?.feed.follow(settings)
        if intent.rate != feed.tempo, !feed.isBitstream { try changeTempo(to: intent.rate) }
        if !intent.clockRuns { standStill() }
        guard renderer != nil else { return }
        let isRunning = renderer?.isRunning ?? false
        if intent.clockRuns && !isRunning && isPrimed {
            if hasNothingLeft {
                finish()
                return
            }
            try retakeDevice()
            lease.note(isHeard: true, now: stage.time.now())
            guard try isAtClock() else {
                isPrimed = false
                return
            }
            let now = stage.time.now()
            if let anchor = try renderer?.start(now: now) { publish(anchor, at: now) }
        } else if !intent.clockRuns && isRunning {
            // Video stands at once, however long the device takes for it. A clock that stands already was put there by a single step.
            let isPlaced = stage.synchronizer.anchor(epoch: epoch)?.rate == 0
            holdClock()
            if let heard = try renderer?.pause(), !isPlaced {
                let now = stage.time.now()
                publish(ClockAnchor(media: heard, host: now, rate: 0), at: now)
            }
        }
    }

    /// Leaves out what a clock that went on without audio has passed; false where nothing is left that could be started.
    private mutating func isAtClock() throws(MediaError) -> Bool {
        guard let clock = feed.clockOnAudio() else { return true }
        let isLeft = try renderer?.join(clock) ?? true
        feed.skipOwed += renderer?.takeOwedFrames() ?? 0
        return isLeft
    }

    /// Behind the joint the present source has nothing more to give at another speed.
    private mutating func changeTempo(to rate: Double) throws(MediaError) {
        guard joint != nil else { return try feed.changeTempo(to: rate, into: &renderer) }
        feed.tempo = rate
        if !(joint?.feed.isRefused ?? true) { try joint?.feed.changeTempo(to: rate, into: &renderer) }
    }

    /// Moves the clock to what is heard.
    private mutating func publish(_ heard: ClockAnchor, at now: HostTime) {
        feed.delay.advance(to: now, isRunning: heard.rate > 0)
        stage.synchronizer.anchor(feed.delay.clock(heard), epoch: epoch)
    }

    /// A pause while audio was about to join a running clock: nothing else stops that.
    private mutating func standStill() {
        if !(renderer?.isRunning ?? false) { holdClock() }
    }

    private mutating func holdClock() {
        guard let line = stage.synchronizer.anchor(epoch: epoch), line.rate != 0 else { return }
        let now = stage.time.now()
        stage.synchronizer.anchor(ClockAnchor(media: line.time(at: now), host: now, rate: 0), epoch: epoch)
    }

    private mutating func publishClock() throws(MediaError) {
        guard renderer?.isRunning ?? false else { return }
        let now = stage.time.now()
        let anchor = try renderer?.observe(now: now)
        feed.skipOwed += renderer?.takeOwedFrames() ?? 0
        if let delay = renderer?.delay, let queued = renderer?.queuedSpan {
            stage.counters.audioDelayMicroseconds.set(Int(delay.nanoseconds / 1000))
            stage.counters.audioLeadMicroseconds.set(Int((delay + queued).nanoseconds / 1000))
        }
        if stage.tap.clock.isHeard, let reading = renderer?.reading { stage.tap.clock.tell(reading) }
        if let span = renderer?.bufferSpan { stage.counters.audioBufferMicroseconds.set(Int(span.nanoseconds / 1000)) }
        if let drift = renderer?.driftPPM { stage.counters.driftPartsPerBillion.set(Int(drift * 1000)) }
        if passJoint(at: now) { return }
        guard let anchor else { return ranDry(now: now) }
        publish(anchor, at: now)
        if feed.hasEnded, try renderer?.concludeIfHeard(at: now) ?? false { finish() }
    }

    /// The device has played everything it had. At the end of the stream that is the end; where the source is slow the clock stands until
    /// there is audio again; where this machine was, it runs on, and audio joins it where it is by then.
    private mutating func ranDry(now: HostTime) {
        if hasNothingLeft {
            finish()
            return
        }
        let isSlowSource = stage.pipeline.state.read { [stream] state in
            stream.map { state.packets.isEmpty($0) && !state.packets.isExhausted($0) } ?? true
        }
        if !isSlowSource, joint == nil {
            isPrimed = false
            stage.counters.xruns.add()
            renderer?.noteUnderrun()
            return
        }
        if let end = renderer?.endOfHeard { publish(ClockAnchor(media: end, host: now, rate: 0), at: now) }
        isPrimed = false
        wasDry = true
        // Running out at the end of the stream is no underrun; this is one.
        stage.counters.xruns.add()
        stage.report(.starved(epoch))
    }

    // MARK: - Waiting

    private mutating func idleUntilUseful(_ intent: AudioIntent) throws(MediaError) {
        guard let renderer = renderer.take() else {
            if feed.awaitsDevice { waitForPlay() } else if feed.hasEnded { finish() } else { waitForPackets(until: nil) }
            return
        }
        self.renderer = consume renderer
        let pending = self.renderer?.pendingFrames ?? 0
        let isFull = pending > 0
        if !isPrimed && hasNothingLeft {
            finish()
            return
        }
        if !isPrimed && (isFull || feed.hasEnded) {
            if wasDry && !feed.hasEnded { waitForReserve() }
            isPrimed = true
            stage.report(.primed(.audio, epoch, feed.expected ?? .zero))
            return
        }
        guard self.renderer?.isRunning ?? false else {
            waitWhileQuiet(intent, mayDecode: !isFull && !feed.hasEnded)
            return
        }
        let now = stage.time.now()
        if isFull {
            let deadline = earlier(now + .milliseconds(100))
            _ = try self.renderer?.wait(wake: stage.pipeline.audioWake, until: deadline)
            stage.pipeline.audioWake.drain()
        } else {
            // Nothing to write: look again when packets come, and often enough to see the device run dry.
            let half = (self.renderer?.delay ?? .zero).scaled(by: 0.5)
            waitForPackets(until: earlier(now + min(.milliseconds(50), max(.milliseconds(5), half))))
        }
    }

    /// The deadline, or before it the moment at which the clock takes another slope.
    private mutating func earlier(_ deadline: HostTime) -> HostTime {
        let change = renderer?.nextChange
        return min(deadline, change ?? deadline, feed.delay.settlesAt ?? deadline)
    }

    /// The stream is over and all of it was heard, or there never was any.
    private var hasNothingLeft: Bool {
        mutating get {
            let hasUnheard = renderer?.hasUnheard ?? false
            return feed.hasEnded && !hasUnheard
        }
    }

    /// All was heard: the clock goes on from there for the frames that remain, unless it stood.
    private mutating func finish() {
        phase = .finished
        let end = renderer?.isEmpty ?? true ? nil : renderer?.endOfHeard
        let runs = stage.pipeline.state.read { $0.intent.clockRuns }
        let delay = feed.delay.current
        if let end {
            let now = stage.time.now(), rate = runs ? feed.tempo : 0
            // This thread hears of the end some time after it: a running clock does not come back for that.
            let present = stage.synchronizer.anchor(epoch: epoch).flatMap { runs && $0.rate > 0 ? $0.time(at: now) : nil }
            let ahead = present.map { $0 - (end + delay) } ?? .zero
            let media = end + delay + (ahead < DeviceProgress.longestStand ? max(.zero, ahead) : .zero)
            stage.synchronizer.anchor(ClockAnchor(media: media, host: now, rate: rate), epoch: epoch)
        }
        stage.report(.finished(.audio, epoch, at: end.map { $0 + delay }))
    }
}
