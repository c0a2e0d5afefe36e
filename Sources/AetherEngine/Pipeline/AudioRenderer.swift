import AetherCore
import AetherMedia

/// Samples in, sound and a clock out: keeps count of what a device was given, what it still holds, and therefore which point of
/// the media is heard. Owned by the audio thread; needs no other.
///
/// Position = frames handed over − frames the device still holds, at the device's own time stamp. Effects on the clock:
/// - `start`: runs from the first queued frame; a device with latency of its own begins before it, so that the line reaches the
///   first frame when that is really heard;
/// - `pause`: stands at the frame last heard; what the device had not played is taken back and played first after `start`;
/// - `flush`: no position until new samples are queued;
/// - underrun: stands after the last frame handed over, as after a pause with nothing to take back.
struct AudioRenderer<Device: AudioDevice & ~Copyable>: ~Copyable {
    private var device: Device
    let format: AudioFormat
    private var queue: SampleQueue
    private var timeline: AudioTimeline
    private var filter = PlayheadFilter()
    /// Frames handed over since `flush` and not taken back.
    private var framesWritten = 0
    private var hasSegment = false
    private var knownXruns = 0
    private(set) var isRunning = false
    private(set) var delay = TimeSpan.zero

    /// Opens the device near the wanted format.
    init(_ device: consuming Device, wanted: AudioFormat) throws(MediaError) {
        var device = device
        let format = try device.configure(wanted)
        self.device = device
        self.format = format
        queue = SampleQueue(format: format)
        timeline = AudioTimeline(sampleRate: format.sampleRate)
    }

    var deviceName: String { device.name }
    var xrunCount: Int { device.xrunCount }
    var driftPPM: Double? { filter.driftPPM }
    var clockSteps: Int { filter.stepCount }
    /// Frames queued here and not yet handed over.
    var pendingFrames: Int { queue.frameCount }

    /// Whether nothing was queued or handed over since `flush`.
    var isEmpty: Bool { framesWritten == 0 && queue.frameCount == 0 }

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

    /// Adds silence, at most ten seconds at once: the queue is memory.
    mutating func enqueueSilence(_ span: TimeSpan) {
        queue.appendSilence(frames: min(format.frames(in: span), 10 * format.sampleRate))
    }

    /// Hands over what the device takes now; returns how many frames that was. Never blocks.
    mutating func write() throws(MediaError) -> Int {
        var total = 0
        while queue.frameCount > 0 {
            let taken = try queue.consume { bytes throws(MediaError) in try device.write(bytes) }
            if taken == 0 { break }
            framesWritten += taken
            total += taken
        }
        return total
    }

    /// Lets the device sound and returns the clock's line from now on.
    mutating func start(now: HostTime) throws(MediaError) -> ClockAnchor? {
        // After a pause the device is empty.
        _ = try write()
        try device.start()
        isRunning = true
        knownXruns = device.xrunCount
        filter.unlock()
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
            delay = .zero
            filter.unlock()
            return nil
        }
        delay = format.duration(frames: status.delayFrames)
        let heard = framesWritten - status.delayFrames
        guard let media = timeline.media(atFrame: heard) else { return nil }
        return filter.observe(media: media, host: status.host, rate: timeline.rate(atFrame: heard))
    }

    /// Stops the sound at once and takes back what was not heard. Returns the point last heard, nil when there is none.
    mutating func pause() throws(MediaError) -> MediaTime? {
        guard hasSegment else { return nil }
        guard isRunning else { return timeline.media(atFrame: framesWritten) }
        let unheard = max(0, try device.status().delayFrames)
        try device.drop()
        framesWritten -= queue.takeBack(frames: min(unheard, framesWritten))
        isRunning = false
        delay = .zero
        filter.unlock()
        return timeline.media(atFrame: framesWritten)
    }

    /// Forgets everything: a seek.
    mutating func flush() throws(MediaError) {
        try device.drop()
        queue.removeAll()
        timeline = AudioTimeline(sampleRate: format.sampleRate)
        framesWritten = 0
        hasSegment = false
        isRunning = false
        delay = .zero
        filter.unlock()
    }

    /// The media time of the end of everything queued.
    var endOfQueue: MediaTime? { timeline.media(atFrame: framesWritten + queue.frameCount) }

    /// The point last handed over: where the clock stands after an underrun.
    var endOfWritten: MediaTime? { timeline.media(atFrame: framesWritten) }

    /// Blocks until the device takes a period more, the wake handle is signalled, or the deadline.
    mutating func wait(wake: WakeHandle, until deadline: HostTime) throws(MediaError) -> AudioWaitResult {
        try device.wait(frames: max(1, format.sampleRate / 50), wake: wake, until: deadline)
    }
}
