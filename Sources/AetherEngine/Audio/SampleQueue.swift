import AetherCore

/// Interleaved samples waiting to be handed to a device, with a memory of those already handed over, so that what a device
/// throws away unheard (pause, seek within the buffer) can be put back in front.
struct SampleQueue {
    private let bytesPerFrame: Int
    /// Frames of the past that are kept: one second, more than any device buffer here.
    private let historyLimit: Int
    private var bytes: [UInt8] = []
    /// Where the next frame to hand over begins; what lies before it is the past.
    private var head = 0

    init(format: AudioFormat) {
        bytesPerFrame = max(1, format.bytesPerFrame)
        historyLimit = format.sampleRate
    }

    /// Frames not yet handed over.
    var frameCount: Int { (bytes.count - head) / bytesPerFrame }

    /// Frames of the past that can be taken back.
    var historyCount: Int { head / bytesPerFrame }

    /// Adds through a body that appends whole frames; returns how many it added.
    mutating func append<Failure: Error>(_ body: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) -> Int {
        let before = bytes.count
        try body(&bytes)
        return (bytes.count - before) / bytesPerFrame
    }

    /// Adds silence. Zero bytes are silence in every format a device is given here.
    mutating func appendSilence(frames: Int) { bytes.append(contentsOf: repeatElement(0, count: max(0, frames) * bytesPerFrame)) }

    /// Drops the newest frames: those before the landing of a seek.
    mutating func removeLast(frames: Int) { bytes.removeLast(min(bytes.count - head, max(0, frames) * bytesPerFrame)) }

    /// Drops frames in the middle: `count` of those added last begin `from` frames before the end.
    mutating func removeFirst(_ count: Int, ofLast added: Int) {
        let start = bytes.count - added * bytesPerFrame
        bytes.removeSubrange(start..<(start + min(count, added) * bytesPerFrame))
    }

    /// Hands over: the body is given what waits and returns how many frames it took.
    mutating func consume<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Int) throws(Failure) -> Int {
        guard frameCount > 0 else { return 0 }
        var taken = 0
        // withUnsafeBytes rethrows untyped errors; carry the failure out by hand.
        var failure: Failure?
        bytes.withUnsafeBytes { all in
            do throws(Failure) { taken = try body(UnsafeRawBufferPointer(rebasing: all[head...])) } catch { failure = error }
        }
        if let failure { throw failure }
        head += taken * bytesPerFrame
        // Forget the distant past in large bites, so that moving the rest costs little.
        let limit = historyLimit * bytesPerFrame
        if head > 2 * limit {
            bytes.removeFirst(head - limit)
            head = limit
        }
        return taken
    }

    /// Leaves out the next frames to hand over; returns how many there were.
    mutating func drop(frames: Int) -> Int {
        let count = min(max(0, frames), frameCount)
        bytes.removeSubrange(head..<head + count * bytesPerFrame)
        return count
    }

    /// Puts the last `frames` handed over back in front; returns how many there were.
    mutating func takeBack(frames: Int) -> Int {
        let count = min(max(0, frames), historyCount)
        head -= count * bytesPerFrame
        return count
    }

    /// Forgets past and future.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        head = 0
    }
}
