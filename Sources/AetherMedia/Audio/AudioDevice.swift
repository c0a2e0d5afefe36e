public import AetherCore

/// A device's state at one moment.
public struct AudioDeviceStatus: Sendable, Equatable {
    /// Frames accepted but not yet heard, as of `host`.
    public var delayFrames: Int
    /// Frames that a write would take now without waiting.
    public var availableFrames: Int
    /// The time at which the two were true: the device's own time stamp where it has one.
    public var host: HostTime
    /// Whether samples are being consumed.
    public var isRunning: Bool

    /// A status.
    public init(delayFrames: Int, availableFrames: Int, host: HostTime, isRunning: Bool) {
        self.delayFrames = delayFrames
        self.availableFrames = availableFrames
        self.host = host
        self.isRunning = isRunning
    }
}

/// The result of a wait.
public enum AudioWaitResult: Sendable, Equatable {
    /// The device takes samples.
    case ready
    /// The wake handle was signalled or the time is over.
    case woken
}

/// A sink for samples that tells how much of them is still unheard. Owned and called by one thread (`audio`), except where
/// noted. Conformers: `ALSADevice`, `NullAudioDevice`, and the scripted PCM of the tests.
///
/// Life: `configure`, then writes (which queue without sounding), `start`, writes and waits, then `drop`. After
/// `drop` the device is configured and empty: writes queue again. Underruns are recovered inside `write`/`status` and counted
/// in `xrunCount`; after one the device is as after `drop`, and `status().isRunning` is false.
public protocol AudioDevice: AnyObject {
    /// Opens or re-opens the device for a format near the wanted one and returns what it takes. May block for long (servers).
    func configure(_ wanted: AudioFormat) throws(MediaError) -> AudioFormat

    /// Configures and waits for at most `span`, where the device can be left alone with it: nil while it has not answered. Asked again for the
    /// same format, it is the same opening that is waited for.
    func configure(_ wanted: AudioFormat, within span: TimeSpan) throws(MediaError) -> AudioFormat?

    /// The device's buffer in frames; 0 before `configure`.
    var bufferFrames: Int { get }

    /// Queues whole frames and returns how many were taken: 0 when the buffer is full. Never blocks.
    func write(_ samples: UnsafeRawBufferPointer) throws(MediaError) -> Int

    /// Starts consuming what was queued.
    func start() throws(MediaError)

    /// Stops at once and forgets what was queued.
    func drop() throws(MediaError)

    /// Stops at once and returns the status just before: its delay was queued and is never heard. Between asking and stopping a device plays on:
    /// nothing may come between the two.
    func stop() throws(MediaError) -> AudioDeviceStatus

    /// Gives the device back to others: from then on it is as before `configure`.
    func close()

    /// The delay, and the time at which it was true.
    func status() throws(MediaError) -> AudioDeviceStatus

    /// Blocks until at least `frames` can be written, the wake handle is signalled, or the deadline passes.
    func wait(frames: Int, wake: WakeHandle, until deadline: HostTime) throws(MediaError) -> AudioWaitResult

    /// Underruns since `configure`.
    var xrunCount: Int { get }

    /// The name to show.
    var name: String { get }
}

extension AudioDevice {
    /// Waits as long as it takes.
    public func configure(_ wanted: AudioFormat, within span: TimeSpan) throws(MediaError) -> AudioFormat? {
        try configure(wanted)
    }

    /// `status`, then `drop`: for devices between whose calls nothing else comes.
    public func stop() throws(MediaError) -> AudioDeviceStatus {
        let last = try status()
        try drop()
        return last
    }
}
