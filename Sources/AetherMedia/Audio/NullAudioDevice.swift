public import AetherCore
import CALSA
import Glibc

/// A silent device that consumes in real time of the given clock: for `--audio null`, machines without a card, and
/// tests with `ManualTime`. Same contract as a real one, underruns included. Takes any format.
public final class NullAudioDevice: AudioDevice {
    /// Always "null".
    public let name = "null"
    /// The buffer in frames; 0 before `configure`.
    public private(set) var bufferFrames = 0
    /// Underruns since `configure`.
    public private(set) var xrunCount = 0
    private let time: any TimeSource
    private let bufferSpan: TimeSpan
    private var format = AudioFormat(sampleRate: 48000, channelCount: 2)
    /// Frames since the last empty state, and of them the ones written before the clock was started.
    private var written = 0
    private var startedAt: HostTime?

    /// A device on a clock, with a buffer of 180 ms unless told otherwise.
    public init(time: any TimeSource = SystemTime(), buffer: TimeSpan = .milliseconds(180)) {
        self.time = time
        bufferSpan = buffer
    }

    /// Takes any format but bitstreams, for which it throws `.audioDevice`. Never blocks.
    public func configure(_ wanted: AudioFormat) throws(MediaError) -> AudioFormat {
        if wanted.isBitstream {
            throw MediaError(
                .audioDevice, "send a bitstream to audio device", subject: name, reason: "it is not a digital output")
        }
        format = AudioFormat(
            sampleRate: max(1, wanted.sampleRate), channels: wanted.channels.isEmpty ? [.frontCenter] : wanted.channels,
            sample: wanted.sample)
        bufferFrames = max(1, format.frames(in: bufferSpan))
        xrunCount = 0
        clear()
        return format
    }

    /// Counts the frames as queued, as many as the buffer has room for. Throws where the device is not configured.
    public func write(_ samples: UnsafeRawBufferPointer) throws(MediaError) -> Int {
        try checkConfigured()
        let queued = settle()
        let taken = min(samples.count / format.bytesPerFrame, bufferFrames - queued)
        written += taken
        return taken
    }

    /// Starts the clock. Throws where the device is not configured.
    public func start() throws(MediaError) {
        try checkConfigured()
        if startedAt == nil { startedAt = time.now() }
    }

    /// Stops the clock and forgets the frames. Throws where the device is not configured.
    public func drop() throws(MediaError) {
        try checkConfigured()
        clear()
    }

    /// Forgets everything: the device is as before `configure`.
    public func close() {
        clear()
        bufferFrames = 0
    }

    /// The delay by the clock, now. Throws where the device is not configured.
    public func status() throws(MediaError) -> AudioDeviceStatus {
        try checkConfigured()
        let now = time.now()
        let queued = settle(at: now)
        return AudioDeviceStatus(
            delayFrames: queued, availableFrames: bufferFrames - queued, host: now, isRunning: startedAt != nil)
    }

    /// As in the protocol; on a clock that stands still it returns `.woken` after the time that it would have taken.
    public func wait(frames: Int, wake: WakeHandle, until deadline: HostTime) throws(MediaError) -> AudioWaitResult {
        try checkConfigured()
        let now = time.now()
        let wanted = min(frames, bufferFrames)
        let missing = wanted - (bufferFrames - settle(at: now))
        if missing <= 0 { return .ready }
        // Not started: nothing will be consumed before another thread wakes us.
        let span = startedAt == nil ? deadline - now : min(deadline - now, format.duration(frames: missing))
        // In a simulation nobody else moves the clock while this thread polls.
        if ThreadTurns.rest(until: now + max(.milliseconds(1), min(span, .milliseconds(10)))) {
            return bufferFrames - settle() >= wanted ? .ready : .woken
        }
        var descriptor = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(clamping: span <= .zero ? 0 : min(3_600_000, span.nanoseconds / 1_000_000 + 1))
        if poll(&descriptor, 1, milliseconds) > 0 { return .woken }
        return bufferFrames - settle() >= wanted ? .ready : .woken
    }

    private func checkConfigured() throws(MediaError) {
        if bufferFrames == 0 { throw MediaError(.audioDevice, "use audio device", subject: name, reason: "it is not configured") }
    }

    private func clear() {
        written = 0
        startedAt = nil
    }

    /// Frames still queued now. When the clock has run past the last one that was an underrun, and the device stands empty.
    private func settle(at now: HostTime? = nil) -> Int {
        guard let startedAt else { return written }
        let consumed = Int(((now ?? time.now()) - startedAt).seconds * Double(format.sampleRate))
        if consumed < written { return written - consumed }
        xrunCount += 1
        clear()
        return 0
    }
}
