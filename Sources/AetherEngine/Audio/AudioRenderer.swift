import AetherCore
import AetherMedia

/// Samples in, audio and a clock out: keeps count of what a device was given, what it still holds, and therefore which point of
/// the media is heard. Owned by the audio thread; needs no other.
///
/// Position = frames handed over − frames the device still holds, at the device's own time stamp. Effects on the clock:
/// - `start`: runs from the first queued frame; a device with latency of its own begins before it, so that the line reaches the
///   first frame when that is really heard;
/// - `pause`: stands at the frame last heard; what the device had not played is taken back and played first after `start`;
/// - `flush`: no position until new samples are queued;
/// - underrun: stands after the last frame handed over, as after a pause with nothing to take back;
/// - a device that does not move: stands with it, and throws when that lasts.
struct AudioRenderer: ~Copyable {
    private let device: any AudioDevice
    let format: AudioFormat
    private var queue: SampleQueue
    private var timeline: AudioTimeline
    /// Runs on the device's own time axis (frames over sample rate), so that neither a new tempo nor a jump of the source
    /// disturbs what it learns of the device.
    private(set) var filter = PlayheadFilter()
    private var progress: DeviceProgress
    /// The device takes samples and plays none of them.
    private(set) var isStuck = false
    /// Frames handed over since `flush` and not taken back.
    private var framesWritten = 0
    private var hasSegment = false
    /// Frames handed over since the device was last empty; of use only while it stands.
    private var framesHeld = 0
    private var knownXruns = 0
    /// False while the device is given back; samples wait here meanwhile.
    private(set) var isOpen = true
    let wanted: AudioFormat
    private(set) var isRunning = false
    private(set) var delay = TimeSpan.zero
    /// After an underrun the clock goes on while the device takes its time to start: what it is late by is left out, and no frame waits.
    private var runsOn = false
    /// The frame that was heard when the device was started after it.
    private var restartFrame: Int?
    /// Frames to be left out that are not queued yet.
    private(set) var owedFrames = 0

    /// Opens the device near the wanted format.
    init(_ device: any AudioDevice, wanted: AudioFormat) throws(MediaError) {
        let format = try device.configure(wanted)
        self.init(opened: device, wanted: wanted, format: format)
    }

    /// On a device that agreed to a format when it was asked for the wanted one.
    init(opened device: any AudioDevice, wanted: AudioFormat, format: AudioFormat) {
        progress = DeviceProgress(bufferFrames: device.bufferFrames, sampleRate: format.sampleRate)
        self.device = device
        self.wanted = wanted
        self.format = format
        queue = SampleQueue(format: format)
        timeline = AudioTimeline(sampleRate: format.sampleRate)
    }

    var deviceName: String { device.name }
    var xrunCount: Int { device.xrunCount }
    var driftPPM: Double? { filter.driftPPM }
    /// The device's last reading and what was made of it; nil before one.
    var reading: ClockReading? {
        filter.lastReport.map {
            ClockReading(
                host: $0.host, error: $0.error, delay: delay, drift: filter.driftPPM, correction: $0.correction * 1e6,
                isStep: $0.isStep)
        }
    }
    /// Frames queued here and not yet handed over.
    var pendingFrames: Int { queue.frameCount }
    /// The same as time.
    var queuedSpan: TimeSpan { .seconds(Double(queue.frameCount) / Double(max(1, format.sampleRate))) }

    /// Whether nothing was queued or handed over since `flush`.
    var isEmpty: Bool { framesWritten == 0 && queue.frameCount == 0 }

    /// Whether the device or the queue holds samples that were not heard. True only while it stands.
    var hasUnheard: Bool { queue.frameCount > 0 || framesHeld > 0 }

    /// When the slope of the clock changes next: a new tempo or a jump that is already queued; nil when none is.
    var nextChange: HostTime? {
        guard isRunning, let line = filter.current, let frame = timeline.nextBegin(after: position(at: line.host)) else {
            return nil
        }
        return line.host(of: deviceTime(frame))
    }

    /// Samples added from now on begin at `media` and pass at `rate` media seconds per second.
    mutating func beginSegment(media: MediaTime, rate: Double) {
        timeline.begin(frame: framesWritten + queue.frameCount, media: media, rate: rate)
        hasSegment = true
    }

    /// Adds samples through a body that appends whole device frames; `skipping` frames of what it adds are dropped at its front.
    mutating func enqueue(
        skipping: Int = 0, _ body: (inout [UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) -> Int {
        let added = try queue.append(body)
        if skipping > 0 { queue.removeFirst(skipping, ofLast: added) }
        return added
    }

    /// The device frame that is queued next.
    var endFrame: Int { framesWritten + queue.frameCount }

    /// Whether what is queued up to a device frame was heard.
    func hasHeard(frame: Int, at now: HostTime) -> Bool {
        isRunning ? position(at: now) >= Double(frame) : framesWritten - framesHeld >= frame
    }

    /// Takes the newest frames back out of the queue.
    mutating func removeLast(_ frames: Int) { queue.removeLast(frames: frames) }

    /// Takes out what is queued from a device frame on and was not handed over.
    mutating func removeQueued(from frame: Int) { queue.removeLast(frames: max(0, endFrame - max(frame, framesWritten))) }

    /// Adds silence, at most ten seconds at once: the queue is memory.
    mutating func enqueueSilence(_ span: TimeSpan) {
        queue.appendSilence(frames: min(format.frames(in: span), 10 * format.sampleRate))
    }

    /// Hands over what the device takes now; returns how many frames that was. Never blocks.
    mutating func write() throws(MediaError) -> Int {
        guard isOpen else { return 0 }
        var total = 0
        while queue.frameCount > 0 {
            let taken = try queue.consume { bytes throws(MediaError) in try device.write(bytes) }
            if taken == 0 { break }
            framesWritten += taken
            framesHeld += taken
            total += taken
        }
        return total
    }

    /// Gives a standing device back; what it held unheard is kept here and played first after `start`.
    mutating func release() {
        guard isOpen, !isRunning else { return }
        framesWritten -= queue.takeBack(frames: min(framesHeld, framesWritten))
        framesHeld = 0
        device.close()
        isOpen = false
    }

    /// Takes the device again; false when it agrees to another format now, of which what waits here is none.
    mutating func reopen() throws(MediaError) -> Bool {
        guard !isOpen else { return true }
        guard try device.configure(wanted) == format else { return false }
        isOpen = true
        return true
    }

    /// The time that the device may hold.
    var bufferSpan: TimeSpan { format.duration(frames: device.bufferFrames) }

    /// The device ran dry although there was audio for it. Its next start goes on with a larger buffer where it has one.
    mutating func noteUnderrun() {
        runsOn = true
        let name = device.name
        guard let span = DeviceBuffers.grow(name) else { return }
        Log.module("audio").info("underrun: \(name) is asked for a buffer of \(span.milliseconds) ms")
    }

    /// The frames that `enqueue` has to skip, once.
    mutating func takeOwedFrames() -> Int {
        defer { owedFrames = 0 }
        return owedFrames
    }

    /// The clock was at frame `due` when the device was heard at `heard`: what it holds is labelled with the clock's time, wrong by as much
    /// until it has passed, and as much of what follows is left out.
    private mutating func catchUp(from heard: Int, to due: Double) {
        let late = Int(due) - heard
        guard late > format.frames(in: Self.smallestLag), late < format.frames(in: DeviceProgress.longestStand),
            timeline.nextBegin(after: Double(framesWritten)) == nil
        else {
            // It plays for longer than it could have stood unnoticed: it had no start to wait for.
            if heard - (restartFrame ?? heard) >= format.frames(in: DeviceProgress.shortestStand) { runsOn = false }
            return
        }
        runsOn = false
        timeline.advance(by: late)
        owedFrames += late - queue.drop(frames: late)
        unlock()
    }

    /// After an underrun the clock went on, and is at `clock` now: what it has passed meanwhile is left out, even where the device was
    /// given it, so that it need not come back when the device starts. Returns false where nothing is left to be played.
    mutating func join(_ clock: MediaTime) throws(MediaError) -> Bool {
        let first = framesWritten - framesHeld
        guard runsOn, !isRunning, !format.isBitstream, let target = timeline.frame(of: clock, from: first) else { return true }
        let late = target - first
        guard late > 0, late < format.frames(in: DeviceProgress.longestStand) else { return true }
        if framesHeld > 0 {
            try device.drop()
            framesWritten -= queue.takeBack(frames: min(framesHeld, framesWritten))
            framesHeld = 0
        }
        owedFrames += late - queue.drop(frames: late)
        // They count as played.
        framesWritten += late
        return queue.frameCount > 0
    }

    /// The clock waits for less than that: no more than a frame's time.
    private static var smallestLag: TimeSpan { .milliseconds(40) }

    /// Starts the device and returns the clock's line from now on.
    mutating func start(now: HostTime) throws(MediaError) -> ClockAnchor? {
        // After a pause the device is empty.
        _ = try write()
        try device.start()
        isRunning = true
        knownXruns = device.xrunCount
        unlock()
        return try observe(now: now)
    }

    /// Asks the device where it is and returns the clock's line; nil when it has no position, or has run dry (then `isRunning` is
    /// false).
    mutating func observe(now: HostTime) throws(MediaError) -> ClockAnchor? {
        guard isRunning, hasSegment else { return nil }
        let status = try device.status()
        if device.xrunCount != knownXruns || !status.isRunning {
            knownXruns = device.xrunCount
            isRunning = false
            // Frames that were written since the xrun wait in the device: handed over, but not heard.
            framesHeld = min(max(0, status.delayFrames), framesWritten)
            delay = .zero
            unlock()
            return nil
        }
        delay = format.duration(frames: status.delayFrames)
        let heard = framesWritten - status.delayFrames
        // The same position again tells how coarse the device counts, not where it is: it was true when it was new.
        switch progress.note(frame: heard, hasUnheard: status.delayFrames > 0, at: now) {
        case .moved:
            if filter.current == nil { restartFrame = heard }
            if runsOn, filter.current != nil { catchUp(from: heard, to: position(at: status.host)) }
            _ = filter.observe(media: deviceTime(heard), host: status.host, rate: 1, now: now)
        case .resting: break
        case .standing where runsOn: break
        case .standing:
            // A clock that ran on by itself here would have to come back.
            filter.unlock()
            return timeline.media(atFrame: heard).map { ClockAnchor(media: $0, host: now, rate: 0) }
        case .stuck:
            isStuck = true
            throw MediaError(.audioDevice, "play on audio device", subject: device.name, reason: "it does not move")
        }
        return filter.current.flatMap { clock(on: $0, at: now) }
    }

    /// The clock's line from the device's, with the next tempo where that is queued: nobody need look at the very moment.
    private func clock(on line: ClockAnchor, at now: HostTime) -> ClockAnchor? {
        let place = position(at: now)
        guard let media = timeline.media(at: place) else { return nil }
        var clock = ClockAnchor(media: media, host: now, rate: line.rate * timeline.rate(at: place))
        if let frame = timeline.nextBegin(after: place), timeline.isContinuous(at: frame) {
            clock.bend = line.host(of: deviceTime(frame)).map {
                .init(host: $0, rate: line.rate * timeline.rate(at: Double(frame)))
            }
        }
        return clock
    }

    /// Ends the audio where all that was queued was heard although the device has not run dry: ALSA's `null` and `file` take whatever they
    /// are given and never do. Returns whether that is so. By the clock's own line, for a delay of nothing may be a device's mistake.
    mutating func concludeIfHeard(at now: HostTime) throws(MediaError) -> Bool {
        guard isRunning, queue.frameCount == 0, delay == .zero, hasHeard(frame: framesWritten, at: now) else { return false }
        try device.drop()
        (isRunning, framesHeld) = (false, 0)
        unlock()
        return true
    }

    private func deviceTime(_ frame: Int) -> MediaTime { .seconds(Double(frame) / Double(format.sampleRate)) }

    /// Which frame is heard at a host time, by the filter's line.
    private func position(at host: HostTime) -> Double {
        (filter.current?.time(at: host).seconds ?? 0) * Double(format.sampleRate)
    }

    private mutating func unlock() {
        filter.unlock()
        progress.forget()
    }

    /// Stops the audio at once and takes back what was not heard. Returns the point last heard, nil when there is none, or where the device
    /// has run dry unseen: the clock has gone on then, and is joined by the next start.
    mutating func pause() throws(MediaError) -> MediaTime? {
        guard hasSegment else { return nil }
        guard isRunning else { return endOfHeard }
        let isDry = device.xrunCount != knownXruns
        let unheard = max(0, try device.stop().delayFrames)
        framesWritten -= queue.takeBack(frames: min(unheard, framesWritten))
        isRunning = false
        framesHeld = 0
        delay = .zero
        (runsOn, owedFrames) = (isDry, 0)
        unlock()
        return isDry ? nil : timeline.media(atFrame: framesWritten)
    }

    /// Forgets everything: a seek.
    mutating func flush() throws(MediaError) {
        if isOpen { try device.drop() }
        queue.removeAll()
        timeline = AudioTimeline(sampleRate: format.sampleRate)
        framesWritten = 0
        framesHeld = 0
        hasSegment = false
        isRunning = false
        delay = .zero
        (runsOn, owedFrames) = (false, 0)
        unlock()
    }

    /// The point last heard while the device stands: after an underrun, and at the end.
    var endOfHeard: MediaTime? { timeline.media(atFrame: framesWritten - framesHeld) }

    /// Blocks until the device takes a period more, the wake handle is signalled, or the deadline.
    mutating func wait(wake: WakeHandle, until deadline: HostTime) throws(MediaError) -> AudioWaitResult {
        try device.wait(frames: max(1, format.sampleRate / 50), wake: wake, until: deadline)
    }
}
