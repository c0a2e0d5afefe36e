public import AetherCore
import Glibc

/// A device that lives on a thread of its own, so that no call to it lasts longer than a time: libpulse waits for a server that is stopped
/// for ever, and nothing interrupts that. One that does not answer within that time throws `.audioDevice` (ETIMEDOUT) and is left to its thread
/// (`DeviceDesk`); it may be configured again when that thread is gone. Each call costs two turns of a thread, so that no more of them are
/// made than are needed.
public final class ThreadedDevice: AudioDevice {
    /// The device's own name.
    public let name: String
    /// The device's buffer in frames; 0 before `configure`.
    public private(set) var bufferFrames = 0
    /// Underruns since `configure`, as of the last answer.
    public private(set) var xrunCount = 0
    private let patience: TimeSpan
    private let make: @Sendable () -> any AudioDevice
    private var desk: DeviceDesk?
    private var bytesPerFrame = 1
    /// The device took less than it was offered, and nothing has been asked of it since.
    private var isFull = false
    /// The device's status by its last answer, and until when that is not old.
    private var news: (status: AudioDeviceStatus, until: HostTime)?
    /// The format that the device was asked for and has not answered.
    private var asked: AudioFormat?

    /// 2 s: what takes longest of a device that is well are headphones that wake up.
    public static var longestCall: TimeSpan { .seconds(2) }
    /// A card is closed within 10 ms; a caller that wants it next waits for that.
    private static var longestClose: TimeSpan { .milliseconds(500) }
    /// A status is true for 0.5 ms, to 24 frames.
    private static var longestNews: TimeSpan { .milliseconds(0.5) }

    /// A closed device; `make` is called on its thread at `configure`. `patience`: how long a call may take.
    public init(
        name: String, patience: TimeSpan = ThreadedDevice.longestCall, make: @escaping @Sendable () -> any AudioDevice
    ) {
        self.name = name
        self.patience = patience
        self.make = make
    }

    deinit { desk?.leave(within: Self.longestClose) }

    /// Configures within the patience of this device; throws `.audioDevice` where the device has not answered by then.
    public func configure(_ wanted: AudioFormat) throws(MediaError) -> AudioFormat {
        if let format = try configure(wanted, within: patience) { return format }
        throw giveUp("open audio device")
    }

    /// Configures on the device's thread and waits for at most `span`; nil: no answer yet. Asked again for the same format, it
    /// waits for the same opening.
    public func configure(_ wanted: AudioFormat, within span: TimeSpan) throws(MediaError) -> AudioFormat? {
        if asked != wanted { close() }
        asked = wanted
        let began = SystemTime().now()
        if desk == nil {
            guard StuckDevices.mayOpen(name, within: span) else { return nil }
            desk = DeviceDesk(name: name, make: make)
            desk?.ask(.configure(wanted))
        }
        let left = max(.zero, span - (SystemTime().now() - began))
        guard let outcome = take(desk?.answer(within: left)) else { return nil }
        asked = nil
        if case .format(let format) = outcome {
            bytesPerFrame = max(1, format.bytesPerFrame)
            return format
        }
        close()
        throw failure(outcome, "open audio device")
    }

    /// Hands the frames to the device's thread and waits for its answer; 0 while it is known to be full.
    public func write(_ samples: UnsafeRawBufferPointer) throws(MediaError) -> Int {
        if isFull { return 0 }
        // A copy: a thread that is left behind may still read it.
        let offered = samples.prefix(bufferFrames * bytesPerFrame)
        let outcome = try call(.write([UInt8](offered)), "write to audio device")
        guard case .written(let frames, let status) = outcome else { throw failure(outcome, "write to audio device") }
        isFull = frames * bytesPerFrame < offered.count
        news = status.map { ($0, SystemTime().now() + Self.longestNews) }
        return frames
    }

    /// Starts on the device's thread. Throws `.audioDevice` where no answer comes in time.
    public func start() throws(MediaError) { try carryOut(.start, "start audio device") }

    /// Stops on the device's thread. Throws `.audioDevice` where no answer comes in time.
    public func drop() throws(MediaError) { try carryOut(.drop, "stop audio device") }

    /// One order: with two a busy machine lets a thread wait in between.
    public func stop() throws(MediaError) -> AudioDeviceStatus {
        let outcome = try call(.stop, "stop audio device")
        if case .status(let status) = outcome { return status }
        throw failure(outcome, "stop audio device")
    }

    /// Has the device closed by its own thread, and does not wait for one that hangs.
    public func close() {
        desk?.leave(within: Self.longestClose)
        (desk, asked, bufferFrames) = (nil, nil, 0)
    }

    /// The state by the last answer where that is still true, else by a new one.
    public func status() throws(MediaError) -> AudioDeviceStatus {
        if let news = news.take(), SystemTime().now() < news.until { return news.status }
        let outcome = try call(.status, "read state of audio device")
        if case .status(let status) = outcome { return status }
        throw failure(outcome, "read state of audio device")
    }

    /// Waits on the device's thread; the wake handle ends the wait here.
    public func wait(frames: Int, wake: WakeHandle, until deadline: HostTime) throws(MediaError) -> AudioWaitResult {
        let outcome = try call(
            .wait(frames: frames, wake: wake, until: deadline), "wait for audio device",
            longer: max(.zero, deadline - SystemTime().now()))
        if case .wait(let result) = outcome { return result }
        throw failure(outcome, "wait for audio device")
    }

    // MARK: Inside

    private func carryOut(_ order: DeviceOrder, _ operation: String) throws(MediaError) {
        let outcome = try call(order, operation)
        guard case .done = outcome else { throw failure(outcome, operation) }
    }

    private func call(
        _ order: DeviceOrder, _ operation: String, longer: TimeSpan = .zero
    ) throws(MediaError) -> DeviceAnswer.Outcome {
        guard let desk, asked == nil else {
            throw MediaError(.audioDevice, operation, subject: name, reason: "it is not configured")
        }
        (isFull, news) = (false, nil)
        desk.ask(order)
        guard let outcome = take(desk.answer(within: patience + longer)) else { throw giveUp(operation) }
        return outcome
    }

    private func take(_ answer: DeviceAnswer?) -> DeviceAnswer.Outcome? {
        guard let answer else { return nil }
        (bufferFrames, xrunCount) = (answer.bufferFrames, answer.xrunCount)
        return answer.outcome
    }

    /// The thread is left to the call that it is stuck in.
    private func giveUp(_ operation: String) -> MediaError {
        desk?.leave(within: .zero)
        (desk, asked, bufferFrames) = (nil, nil, 0)
        return silence(operation)
    }

    private func silence(_ operation: String) -> MediaError {
        MediaError(.audioDevice, operation, subject: name, cause: -ETIMEDOUT, reason: "it does not answer")
    }

    private func failure(_ outcome: DeviceAnswer.Outcome, _ operation: String) -> MediaError {
        if case .failed(let error) = outcome { return error }
        return silence(operation)
    }
}
