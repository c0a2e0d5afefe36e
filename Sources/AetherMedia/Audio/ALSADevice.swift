public import AetherCore
import CALSA
import Glibc

/// A PCM of ALSA by name: a card, or a sound server behind ALSA's `default`. Non-blocking; owned and called by one thread.
///
/// Trouble: an underrun (EPIPE) and a suspended machine (ESTRPIPE) are recovered, counted, and leave the device prepared and
/// empty, to be filled and started again. A device that is gone (ENODEV, EBADFD, EIO) throws `.audioDevice`; `configure`
/// may be tried again.
///
/// Samples that are written before `start` wait in our memory: ALSA's pulse plugin (1.2.7) lets the server play after the first
/// period, whatever the start threshold. Measured behind it, 48 kHz float, on a null sink whose monitor is being read: buffer 8640
/// and period 960 frames as asked for; configure 7...28 ms, start 7...10 ms, drop 0.5...3 ms (so pause = drop, resume = rewrite and
/// start); position (written − delay) against the host clock 0.2 ms off from the first status on, and steady within 0.1 ms for
/// 5 s. Starving it is an underrun like any other. A null sink has 2 s of silence rendered ahead and asks for no samples for
/// 0.2...1.5 s after a start, until its monitor was read for as long; its delay until then: `DeviceDelay`.
public final class ALSADevice: AudioDevice {
    /// ALSA's name of the PCM, as given.
    public let name: String
    /// Frames that the ring takes, 16 less than ALSA's own buffer; 0 before `configure`.
    public private(set) var bufferFrames = 0
    /// Underruns since `configure`.
    public internal(set) var xrunCount = 0
    /// The device's period: it asks for samples in steps of this, in frames; 0 before `configure`.
    public private(set) var periodFrames = 0
    private var ringFrames = 0
    private var pcm: OpaquePointer?
    /// The last delay that the device reported.
    var lastDelay: (frames: Int, host: HostTime)?
    /// Bytes written before the start, and how many frames they are.
    private var pending: [UInt8] = []
    var isStarted = false
    private(set) var format = AudioFormat(sampleRate: 48000, channelCount: 2)
    private let period: TimeSpan
    /// The time that the buffer was asked to hold.
    private var span = TimeSpan.zero
    let time: any TimeSource

    /// The period beside video, whose clock the device's readings are.
    public static let closePeriod = TimeSpan.milliseconds(20)
    /// The period of audio alone. A third of the buffer: two thirds are left to a machine that is late. By fewer wake-ups, our own and
    /// the sound server's, a song takes 0.6 % of a core less.
    public static let longPeriod = TimeSpan.milliseconds(60)
    /// Frames of the ring that stay empty: filled to the brim, the pulse plugin loses count of one whole buffer and then takes
    /// nothing for a second.
    private static let reserve = 16
    /// Resuming a suspended card is answered with EAGAIN until its bus is back; then the PCM is prepared anew.
    static let resumeAttempts = 10

    /// A closed device that asks for samples once a `period`, if it lets one choose; nothing is opened before `configure`. Routes ALSA's
    /// messages into the log.
    public init(name: String = "default", period: TimeSpan = ALSADevice.closePeriod, time: any TimeSource = SystemTime()) {
        self.name = name
        self.period = period
        self.time = time
        _ = ALSALog.install
    }

    deinit {
        // snd_pcm_close drops what is queued.
        if let pcm { snd_pcm_close(pcm) }
    }

    /// Opens the PCM with the nearest format that it has. Blocks for as long as a sound server takes (7…28 ms measured). Throws
    /// `.audioDevice`, also where a bitstream would be converted.
    public func configure(_ wanted: AudioFormat) throws(MediaError) -> AudioFormat {
        release()
        var opened: OpaquePointer?
        var mode = Int32(SND_PCM_NONBLOCK)
        if wanted.isBitstream {
            guard DigitalOutput.mayCarry(name) else {
                throw MediaError(
                    .audioDevice, "send a bitstream to audio device", subject: name, reason: "it is not a digital output")
            }
            // Nothing may be converted on the way.
            mode |= Int32(SND_PCM_NO_AUTO_RESAMPLE | SND_PCM_NO_AUTO_CHANNELS | SND_PCM_NO_AUTO_FORMAT | SND_PCM_NO_SOFTVOL)
        }
        let path = wanted.isBitstream ? DigitalOutput.name(name, sampleRate: wanted.sampleRate) : name
        let result = snd_pcm_open(&opened, path, SND_PCM_STREAM_PLAYBACK, mode)
        guard result >= 0, let opened else { throw .alsa("open audio device", name: name, result) }
        pcm = opened
        do throws(MediaError) {
            span = DeviceBuffers.span(of: name)
            let parameters = try ALSAParameters(opened, wanted: wanted, period: period, buffer: span, name: name)
            format = parameters.format
            if wanted.isBitstream {
                let isExact = format.sampleRate == wanted.sampleRate && format.channelCount == wanted.channelCount
                guard isExact, format.sample == wanted.sample else {
                    throw MediaError(
                        .audioDevice, "send a bitstream to audio device", subject: name,
                        reason: translated("it does not take \(wanted.channelCount) x \(wanted.sampleRate) Hz"))
                }
                // Bursts have no speakers.
                format = wanted
            }
            take(parameters)
        } catch {
            release()
            throw error
        }
        xrunCount = 0
        let (type, buffer, period) = (format.sample.rawValue, bufferFrames, periodFrames)
        let (rate, channels, subject) = (format.sampleRate, format.channels.map(\.rawValue).joined(separator: " "), name)
        Log.module("alsa").info(
            "\(subject): \(rate) Hz, \(channels), \(type), buffer \(buffer), period \(period) frames")
        return format
    }

    /// Closes the PCM and drops what is queued. Blocks as snd_pcm_close(3) does.
    public func close() { release() }

    /// Queues whole frames: before `start` in memory, afterwards in the ring. Recovers from an underrun.
    public func write(_ samples: UnsafeRawBufferPointer) throws(MediaError) -> Int {
        let pcm = try open()
        let frames = samples.count / format.bytesPerFrame
        guard isStarted else {
            let taken = min(frames, bufferFrames - pendingFrames)
            pending.append(contentsOf: samples[..<(taken * format.bytesPerFrame)])
            return taken
        }
        let room = min(frames, try available(pcm))
        guard isStarted, room > 0, let base = samples.baseAddress else { return 0 }
        let written = snd_pcm_writei(pcm, base, snd_pcm_uframes_t(room))
        if written >= 0 { return written }
        if written != -Int(EAGAIN) { try recover(pcm, Int32(clamping: written), "write to audio device") }
        return 0
    }

    /// Prepares the PCM, hands over what waits in memory, and starts. 7…10 ms behind a sound server.
    public func start() throws(MediaError) {
        let pcm = try open()
        guard !isStarted else { return }
        try enlarge(pcm)
        // A stream of the pulse plugin runs from `prepare` on, and its delay is short by the time that it then stood idle (98 ms
        // after a pause of 100 ms): so it is made only now. 5...10 ms; nothing on a card.
        let prepared = snd_pcm_prepare(pcm)
        if prepared < 0 { throw .alsa("start audio device", name: name, prepared) }
        let frames = pendingFrames
        let written = pending.withUnsafeBytes { bytes in
            bytes.baseAddress.map { snd_pcm_writei(pcm, $0, snd_pcm_uframes_t(frames)) } ?? 0
        }
        // The empty ring takes all that `write` let in.
        guard written == frames else {
            throw .alsa("start audio device", name: name, written < 0 ? Int32(clamping: written) : -EIO)
        }
        pending.removeAll(keepingCapacity: true)
        if snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED {
            let result = snd_pcm_start(pcm)
            if result < 0 { throw .alsa("start audio device", name: name, result) }
        }
        isStarted = true
    }

    /// Stops at once and leaves the PCM prepared and empty. 0.5…3 ms behind a sound server.
    public func drop() throws(MediaError) {
        let pcm = try open()
        pending.removeAll(keepingCapacity: true)
        lastDelay = nil
        guard isStarted else { return }
        isStarted = false
        // Dropping a device in error is how one gets out of it: only whether it can be prepared counts.
        snd_pcm_drop(pcm)
        let result = snd_pcm_prepare(pcm)
        if result < 0 { throw .alsa("stop audio device", name: name, result) }
    }

    /// The delay at the device's own time stamp. Recovers from an underrun and from a suspended machine.
    public func status() throws(MediaError) -> AudioDeviceStatus {
        let pcm = try open()
        guard isStarted else { return idleStatus }
        var status: OpaquePointer?
        guard snd_pcm_status_malloc(&status) >= 0 else {
            throw MediaError(.audioDevice, "read state of audio device", subject: name)
        }
        defer { snd_pcm_status_free(status) }
        let result = snd_pcm_status(pcm, status)
        if result < 0 {
            try recover(pcm, result, "read state of audio device")
            return idleStatus
        }
        switch snd_pcm_status_get_state(status) {
        case SND_PCM_STATE_XRUN:
            if let tail = unheardTail { return tail }
            try recover(pcm, -EPIPE, "read state of audio device")
        case SND_PCM_STATE_SUSPENDED: try recover(pcm, -ESTRPIPE, "read state of audio device")
        case SND_PCM_STATE_DISCONNECTED: throw .alsa("read state of audio device", name: name, -ENODEV)
        case let state:
            let available = Int(clamping: snd_pcm_status_get_avail(status))
            let delay = DeviceDelay.frames(
                reported: snd_pcm_status_get_delay(status), queued: ringFrames - available, ring: ringFrames,
                period: periodFrames)
            let host = stamp(status)
            lastDelay = (delay, host)
            return AudioDeviceStatus(
                delayFrames: delay, availableFrames: room(available), host: host, isRunning: state == SND_PCM_STATE_RUNNING)
        }
        return idleStatus
    }

    /// Waits on the PCM's descriptor for one period, and by the clock for more.
    public func wait(frames: Int, wake: WakeHandle, until deadline: HostTime) throws(MediaError) -> AudioWaitResult {
        let pcm = try open()
        let wanted = min(frames, bufferFrames)
        while true {
            let available = try available(pcm)
            if available >= wanted { return .ready }
            let remaining = deadline - time.now()
            if remaining <= .zero { return .woken }
            // The PCM wakes us at one period of room. For more than that its descriptor is of no use (it would stay readable):
            // wait for as long as the missing frames last. Nothing moves before the start.
            let usesDevice = isStarted && available + ALSADevice.reserve < periodFrames
            let isTimed = isStarted && !usesDevice
            let span = isTimed ? min(remaining, format.duration(frames: wanted - available)) : remaining
            let sleep = try ALSASleep(pcm, isDeviceUsed: usesDevice, wake: wake, atMost: span, name: name)
            if sleep.isDeviceInTrouble { try recoverFromState(pcm) }
            if sleep.isWoken { return .woken }
        }
    }

    // MARK: Inside

    private func take(_ parameters: ALSAParameters) {
        ringFrames = parameters.bufferFrames
        bufferFrames = max(1, ringFrames - ALSADevice.reserve)
        periodFrames = parameters.periodFrames
    }

    /// A device that has run dry holds more from its next start on; what was written since then waits in our memory.
    private func enlarge(_ pcm: OpaquePointer) throws(MediaError) {
        let wanted = DeviceBuffers.span(of: name)
        guard wanted > span, !format.isBitstream else { return }
        span = wanted
        snd_pcm_drop(pcm)
        snd_pcm_hw_free(pcm)
        let parameters = try ALSAParameters(pcm, wanted: format, period: period, buffer: span, name: name)
        guard parameters.format == format, parameters.bufferFrames - ALSADevice.reserve >= pendingFrames else {
            throw MediaError(.audioDevice, "enlarge buffer of audio device", subject: name, reason: "its format has changed")
        }
        take(parameters)
    }

    private func release() {
        if let pcm { snd_pcm_close(pcm) }
        pcm = nil
        pending = []
        isStarted = false
        bufferFrames = 0
        periodFrames = 0
    }

    private func open() throws(MediaError) -> OpaquePointer {
        guard let pcm else { throw MediaError(.audioDevice, "use audio device", subject: name, reason: "it is not configured") }
        return pcm
    }

    private var pendingFrames: Int { pending.count / format.bytesPerFrame }

    private var idleStatus: AudioDeviceStatus {
        let frames = pendingFrames
        return AudioDeviceStatus(
            delayFrames: frames, availableFrames: bufferFrames - frames, host: time.now(), isRunning: false)
    }

    /// Frames that may be written when ALSA says that so many could.
    private func room(_ available: Int) -> Int { max(0, min(bufferFrames, available - ALSADevice.reserve)) }

    private func available(_ pcm: OpaquePointer) throws(MediaError) -> Int {
        guard isStarted else { return bufferFrames - pendingFrames }
        let available = snd_pcm_avail_update(pcm)
        if available >= 0 { return room(available) }
        try recover(pcm, Int32(clamping: available), "wait for audio device")
        return bufferFrames
    }

    /// The device's own time stamp, or now where it has none or one of another clock (more than a second off).
    private func stamp(_ status: OpaquePointer?) -> HostTime {
        let now = time.now()
        var ts = timespec()
        snd_pcm_status_get_htstamp(status, &ts)
        let own = HostTime(nanoseconds: Int64(ts.tv_sec) &* 1_000_000_000 &+ Int64(ts.tv_nsec))
        return (now - own).magnitude > .seconds(1) ? now : own
    }
}
