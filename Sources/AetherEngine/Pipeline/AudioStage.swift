import AetherCore
import AetherMedia

/// Thread `audio`: decodes, converts and hands over sound, and drives the clock from what the device reports.
///
/// Sound never waits for the picture once the clock runs, and never for the terminal. It waits for its device (poll), for packets
/// and for intent (the pipeline's monitor).
struct AudioStage<Device: AudioDevice & ~Copyable> {
    let pipeline: Pipeline
    let synchronizer: RenderSynchronizer
    let counters: SessionCounters
    let time: any TimeSource
    /// Sound from here on is not wanted; nil for the whole source.
    let end: MediaTime?
    let report: @Sendable (StageEvent) -> Void
    let parameters: @Sendable (Int) -> CodecParameters?
    let makeDevice: @Sendable () -> Device

    func run() {
        var work = AudioWork<Device>(stage: self)
        while work.step() {}
    }
}

/// What the audio thread holds between two steps.
struct AudioWork<Device: AudioDevice & ~Copyable>: ~Copyable {
    private let stage: AudioStage<Device>
    private var renderer: AudioRenderer<Device>?
    private var decoder: AudioDecoder?
    private var converter: AudioConverter?
    private var epoch = Epoch()
    private var stream: Int?
    private var phase = Phase.idle
    private var tempo = 1.0
    /// Where the next decoded sample belongs.
    private var expected: MediaTime?
    private var isFirstPiece = true
    private var inputEnded = false
    private var isPrimed = false
    /// Why there is no device any more; nil while there may be one.
    private var deviceLoss: MediaError?
    /// Silence still to be queued before `heldPiece`: in small portions, for a hole may last minutes.
    private var holeLeft = TimeSpan.zero
    /// Device frames still to be cut off: a filter may give none of them with the piece that they belong to.
    private var skipOwed = 0
    /// Sound has run dry in this epoch: it begins again only with a reserve, or it would chop.
    private var wasDry = false
    private var heldPiece: DecodedFrame?
    private static var log: ModuleLog { Log.module("audio") }

    private enum Phase { case idle, feeding, draining, finished }

    private struct Intent: Sendable {
        let isStopped: Bool
        let epoch: Epoch
        let stream: Int?
        let clockRuns: Bool
        let rate, volume: Double
        let isMuted: Bool
        let landing: MediaTime?
    }

    init(stage: AudioStage<Device>) { self.stage = stage }

    /// Does one thing and returns; false when the session is over.
    mutating func step() -> Bool {
        let intent = currentIntent()
        if intent.isStopped { return false }
        do throws(MediaError) {
            if intent.epoch != epoch || intent.stream != stream {
                try restart(intent)
            } else if phase == .idle || phase == .finished {
                waitForIntent(intent)
            } else {
                try play(intent)
            }
        } catch {
            fail(error)
        }
        return true
    }

    private func currentIntent() -> Intent {
        stage.pipeline.state.read { state in
            Intent(
                isStopped: state.isStopped, epoch: state.epoch, stream: state.activeAudio, clockRuns: state.clockRuns,
                rate: state.rate, volume: state.volume, isMuted: state.isMuted, landing: state.landing)
        }
    }

    /// Sleeps until the epoch, the stream or the session changes.
    private func waitForIntent(_ intent: Intent) {
        let running = intent.clockRuns
        _ = stage.pipeline.state.wait { state -> Bool? in
            state.isStopped || state.epoch != intent.epoch || state.activeAudio != intent.stream
                || (phase == .feeding && state.clockRuns != running) ? true : nil
        }
    }

    // MARK: - Beginning an epoch

    private mutating func restart(_ intent: Intent) throws(MediaError) {
        let newStream = intent.stream != stream
        epoch = intent.epoch
        stream = intent.stream
        expected = nil
        isFirstPiece = true
        inputEnded = false
        isPrimed = false
        holeLeft = .zero
        heldPiece = nil
        skipOwed = 0
        wasDry = false
        phase = .idle
        stage.pipeline.audioWake.drain()
        try renderer?.flush()
        // Another choice of track is another chance for the device.
        if newStream {
            deviceLoss = nil
            // A decoder of another stream must not be left to this one where none can be opened for it.
            decoder = nil
        }
        guard let stream else { return }
        // Said in an epoch that was over already, the loss was not heard: nobody may wait for sound in this one.
        if let deviceLoss { throw deviceLoss }
        if decoder == nil {
            guard let parameters = stage.parameters(stream) else {
                throw MediaError(.unsupported, "play sound", reason: "there is no such track")
            }
            decoder = try AudioDecoder(parameters)
            converter?.reset()
        } else {
            decoder?.flush()
            converter?.reset()
        }
        phase = .feeding
    }

    /// Opens the device at the first sound there is to play.
    private mutating func openDevice(for frame: borrowing DecodedFrame) throws(MediaError) {
        let wanted = AudioFormat(sampleRate: max(8000, frame.sampleRate), channelCount: frame.channelCount)
        do throws(MediaError) {
            let opened = try AudioRenderer(stage.makeDevice(), wanted: wanted)
            converter = AudioConverter(output: opened.format)
            // Without a ramp from full volume: muted from the start is silent from the start.
            converter?.gain = stage.pipeline.state.read { AudioGain(volume: $0.volume, isMuted: $0.isMuted) }
            Self.log.info("\(opened.deviceName): \(opened.format.sampleRate) Hz, \(opened.format.channelCount) ch, \(opened.format.sample.rawValue)")
            stage.report(.audioOutput(opened.deviceName))
            renderer = consume opened
        } catch {
            deviceLoss = error
            throw error
        }
    }

    private mutating func fail(_ error: MediaError) {
        if error.code == .audioDevice { deviceLoss = error }
        Self.log.error("\(error)")
        phase = .finished
        let now = stage.time.now()
        if let anchor = stage.synchronizer.anchor(epoch: epoch) {
            // The picture goes on from the point last heard, on the monotonic clock.
            stage.synchronizer.anchor(ClockAnchor(media: anchor.time(at: now), host: now, rate: anchor.rate == 0 ? 0 : tempo), epoch: epoch)
        }
        renderer = nil
        if deviceLoss != nil { stage.report(.audioOutput(nil)) }
        stage.report(.lost(.audio, epoch, error))
    }

    // MARK: - Playing

    private mutating func play(_ intent: Intent) throws(MediaError) {
        try follow(intent)
        if phase == .finished { return }
        if renderer?.pendingFrames ?? 0 == 0, !inputEnded {
            if try decodeMore(intent) { return }
        }
        let written = try renderer?.write() ?? 0
        try publishClock()
        if written > 0 && !(inputEnded && renderer?.pendingFrames == 0) { return }
        try idleUntilUseful(intent)
    }

    /// Carries out rate, volume and play / pause.
    private mutating func follow(_ intent: Intent) throws(MediaError) {
        converter?.gain.volume = intent.volume
        converter?.gain.isMuted = intent.isMuted
        if intent.rate != tempo { try changeTempo(to: intent.rate) }
        guard renderer != nil else { return }
        let isRunning = renderer?.isRunning ?? false
        if intent.clockRuns && !isRunning && isPrimed {
            if hasNothingLeft {
                finish()
                return
            }
            let now = stage.time.now()
            if let anchor = try renderer?.start(now: now) { stage.synchronizer.anchor(anchor, epoch: epoch) }
        } else if !intent.clockRuns && isRunning {
            if let heard = try renderer?.pause() {
                stage.synchronizer.anchor(ClockAnchor(media: heard, host: stage.time.now(), rate: 0), epoch: epoch)
            }
        }
    }

    private mutating func changeTempo(to rate: Double) throws(MediaError) {
        tempo = rate
        guard renderer != nil, converter != nil else { return }
        _ = try renderer?.enqueue { bytes throws(MediaError) in try converter?.drain(into: &bytes) }
        converter?.tempo = rate
        if let expected, !isFirstPiece { renderer?.beginSegment(media: expected, rate: rate) }
    }

    /// Decodes one packet's worth; returns whether anything moved (else there is nothing to decode now).
    private mutating func decodeMore(_ intent: Intent) throws(MediaError) -> Bool {
        guard let stream else { return false }
        guard let landing = intent.landing else {
            waitForLanding()
            return true
        }
        if expected == nil { expected = startingPoint(landing) }
        if try fillHole() { return true }
        if try receiveFrames() { return true }
        let (packet, exhausted): (Packet?, Bool) = stage.pipeline.state.update { state in
            guard state.epoch == epoch else { return (nil, false) }
            return (state.popPacket(stream: stream), state.isExhausted(stream: stream))
        }
        if let packet {
            try send(packet)
            return true
        }
        if exhausted { return try endInput() }
        return false
    }

    /// Where the first sample belongs: at the landing, or where a clock that already runs will be when it is heard.
    private func startingPoint(_ landing: MediaTime) -> MediaTime {
        guard let anchor = stage.synchronizer.anchor(epoch: epoch), anchor.rate > 0 else { return landing }
        return max(landing, anchor.time(at: stage.time.now()))
    }

    /// Queues the next portion of a hole, or the piece behind it; returns whether there was any.
    private mutating func fillHole() throws(MediaError) -> Bool {
        if holeLeft > .zero {
            let portion = min(holeLeft, .milliseconds(500))
            renderer?.enqueueSilence(portion.scaled(by: 1 / tempo))
            holeLeft = holeLeft - portion
            expected = expected.map { $0 + portion }
            return true
        }
        guard let piece = heldPiece.take() else { return false }
        try accept(piece)
        return true
    }

    private func waitForLanding() {
        let mine = epoch
        _ = stage.pipeline.state.wait { state -> Bool? in
            if state.isStopped || state.epoch != mine || state.landing != nil { return true }
            // No picture will ever say where the epoch lands: sound does.
            let noPicture = state.activeVideo.map { state.isExhausted(stream: $0) && state.videoDrained } ?? true
            guard noPicture || state.isBlockedFull else { return nil }
            state.landing = state.plan.target
            return true
        }
    }

    private mutating func send(_ packet: Packet) throws(MediaError) {
        do throws(MediaError) {
            // A full decoder is emptied first; then the same packet is sent again.
            while try decoder?.send(packet) == .full {
                if try !receiveFrames() { break }
            }
        } catch {
            stage.counters.decodeErrors.add()
            Self.log.warning("\(error)")
        }
    }

    /// Takes every frame the decoder has; returns whether there was one.
    private mutating func receiveFrames() throws(MediaError) -> Bool {
        var any = false
        while holeLeft == .zero {
            do throws(MediaError) {
                guard let frame = try decoder?.receive() else { return any }
                any = true
                try accept(frame)
            } catch {
                if error.code == .endOfMedia { return any }
                if error.code == .audioDevice { throw error }
                stage.counters.decodeErrors.add()
                Self.log.warning("\(error)")
                return any
            }
        }
        return true
    }

    private mutating func accept(_ frame: consuming DecodedFrame) throws(MediaError) {
        guard frame.sampleCount > 0, frame.sampleRate > 0, var next = expected else { return }
        if let end = stage.end, next >= end {
            inputEnded = true
            return
        }
        let length = TimeSpan.seconds(Double(frame.sampleCount) / Double(frame.sampleRate))
        if renderer == nil { try openDevice(for: frame) }
        if let late = clockAhead(of: next) {
            // The clock went on without sound: it is joined where it is now.
            next = late
            isFirstPiece = true
        }
        var begins = isFirstPiece, trimmed = false
        switch AudioSplice.decide(pts: frame.pts, duration: length, expected: next, isFirst: isFirstPiece) {
        case .join: break
        case .discard: return
        case .trim(let span):
            skipOwed = renderer?.format.frames(in: span.scaled(by: 1 / tempo)) ?? 0
            trimmed = true
        case .silence(let span):
            if isFirstPiece { renderer?.beginSegment(media: next, rate: tempo) }
            isFirstPiece = false
            holeLeft = span
            heldPiece = consume frame
            return
        case .restart:
            next = frame.pts ?? next
            begins = true
        }
        if begins { renderer?.beginSegment(media: next, rate: tempo) }
        isFirstPiece = false
        if converter?.tempo != tempo { converter?.tempo = tempo }
        let added = try renderer?.enqueue(skipping: skipOwed) { bytes throws(MediaError) in
            try converter?.convert(frame, into: &bytes)
        }
        skipOwed = max(0, skipOwed - (added ?? 0))
        expected = trimmed ? (frame.pts ?? next) + length : next + length
    }

    /// Where a clock that runs, or has run, without sound is by now, when that is beyond the point that sound would begin at.
    private mutating func clockAhead(of next: MediaTime) -> MediaTime? {
        let isSilent = !(renderer?.isRunning ?? false) && renderer?.pendingFrames ?? 0 == 0 && !(renderer?.hasUnheard ?? false)
        guard isSilent, let anchor = stage.synchronizer.anchor(epoch: epoch) else { return nil }
        let now = anchor.time(at: stage.time.now())
        return now > next + .milliseconds(1) ? now : nil
    }

    /// The stream is over: the decoder's and the converter's last samples are fetched. Returns whether there were any.
    private mutating func endInput() throws(MediaError) -> Bool {
        _ = try decoder?.send(nil)
        let any = try receiveFrames()
        inputEnded = true
        let tail = try renderer?.enqueue { bytes throws(MediaError) in try converter?.drain(into: &bytes) } ?? 0
        return any || tail > 0
    }

    private mutating func publishClock() throws(MediaError) {
        guard renderer?.isRunning ?? false else { return }
        let now = stage.time.now()
        let anchor = try renderer?.observe(now: now)
        if let delay = renderer?.delay { stage.counters.audioDelayMicroseconds.set(Int(delay.nanoseconds / 1000)) }
        if let drift = renderer?.driftPPM { stage.counters.driftPartsPerBillion.set(Int(drift * 1000)) }
        if let anchor {
            stage.synchronizer.anchor(anchor, epoch: epoch)
        } else {
            ranDry(now: now)
        }
    }

    /// The device has played everything it had. At the end of the stream that is the end; before it, the clock stands until there
    /// is sound again.
    private mutating func ranDry(now: HostTime) {
        if hasNothingLeft {
            finish()
            return
        }
        if let end = renderer?.endOfHeard { stage.synchronizer.anchor(ClockAnchor(media: end, host: now, rate: 0), epoch: epoch) }
        isPrimed = false
        wasDry = true
        // Running out at the end of the stream is no underrun; this is one.
        stage.counters.xruns.add()
        stage.report(.starved(epoch))
    }

    // MARK: - Waiting

    private mutating func idleUntilUseful(_ intent: Intent) throws(MediaError) {
        guard let renderer = renderer.take() else {
            if inputEnded { finish() } else { waitForPackets(until: nil) }
            return
        }
        self.renderer = consume renderer
        let pending = self.renderer?.pendingFrames ?? 0
        let isFull = pending > 0
        if !isPrimed && hasNothingLeft {
            finish()
            return
        }
        if !isPrimed && (isFull || inputEnded) {
            if wasDry && !inputEnded { waitForReserve() }
            isPrimed = true
            stage.report(.primed(.audio, epoch, expected ?? .zero))
            return
        }
        guard self.renderer?.isRunning ?? false else {
            waitWhileQuiet(intent, mayDecode: !isFull && !inputEnded)
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
        return min(deadline, change ?? deadline)
    }

    /// The stream is over and all of it was heard, or there never was any.
    private var hasNothingLeft: Bool {
        mutating get {
            let hasUnheard = renderer?.hasUnheard ?? false
            return inputEnded && !hasUnheard
        }
    }

    /// All was heard: the clock goes on from there for the pictures that remain, unless it stood.
    private mutating func finish() {
        phase = .finished
        let end = renderer?.isEmpty ?? true ? nil : renderer?.endOfHeard
        let runs = stage.pipeline.state.read { $0.clockRuns }
        if let end { stage.synchronizer.anchor(ClockAnchor(media: end, host: stage.time.now(), rate: runs ? tempo : 0), epoch: epoch) }
        stage.report(.finished(.audio, epoch, at: end))
    }

    /// Sleeps until the stream has a packet or has ended, intent changes, or the deadline.
    private func waitForPackets(until deadline: HostTime?) {
        guard let stream else { return }
        let mine = epoch, ended = inputEnded
        let before = currentIntent()
        _ = stage.pipeline.state.wait(until: deadline) { state -> Bool? in
            if state.isStopped || state.epoch != mine || state.activeAudio != stream { return true }
            if state.clockRuns != before.clockRuns || state.rate != before.rate { return true }
            if ended { return nil }
            return !state.isEmpty(stream: stream) || state.isExhausted(stream: stream) ? true : nil
        }
    }

    /// After running dry: sleeps until two seconds are queued, or all there will be.
    private func waitForReserve() {
        guard let stream else { return }
        let mine = epoch
        _ = stage.pipeline.state.wait { state -> Bool? in
            if state.isStopped || state.epoch != mine || state.activeAudio != stream { return true }
            return state.hasReserve(stream: stream) ? true : nil
        }
    }

    /// Primed and quiet: sleeps until playing begins or anything else is wanted.
    private func waitWhileQuiet(_ intent: Intent, mayDecode: Bool) {
        if mayDecode {
            waitForPackets(until: nil)
            return
        }
        let mine = epoch
        _ = stage.pipeline.state.wait { state -> Bool? in
            state.isStopped || state.epoch != mine || state.activeAudio != intent.stream || state.clockRuns
                || state.rate != intent.rate ? true : nil
        }
    }
}
