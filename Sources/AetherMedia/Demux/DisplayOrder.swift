/// Puts the frames of a raw stream, which come in the order of decoding, into the order of showing, by the order counts that the codec gives
/// them (POC), and adds their lengths up to times. Pure; lengths and times are ticks of any unit.
struct DisplayOrder {
    /// The facts that a frame's bytes tell.
    struct Frame {
        /// Frames are shown in the order of these counts, until one begins anew.
        let count: Int
        /// All frames before it are shown before it, whatever they count (IDR).
        let beginsAnew: Bool
        let length: Int64
    }

    /// H.264 and HEVC hold 16 frames back at most, which may be 32 fields.
    private static let depth = 32

    /// In the order of decoding: those that have a time, or wait for one. The first was taken as number `first`.
    private var times: [Int64?] = []
    private var first = 0
    private var held: [(number: Int, frame: Frame)] = []
    /// The time at which the next frame is shown.
    private var next: Int64

    /// Frames from a key frame on, the first of which is shown at `start`; leading ones of an open GOP are shown before the key frame.
    init(start: Int64 = 0) { next = start }

    mutating func take(_ frame: Frame) {
        if frame.beginsAnew { end() }
        held.append((first + times.count, frame))
        times.append(nil)
        if held.count > Self.depth { showLowest() }
    }

    /// None follow.
    mutating func end() {
        while !held.isEmpty { showLowest() }
    }

    /// The time at which the earliest taken frame that was not asked for yet is shown; nil while that is not known.
    mutating func popTime() -> Int64? {
        guard let time = times.first.flatMap({ $0 }) else { return nil }
        times.removeFirst()
        first += 1
        return time
    }

    private mutating func showLowest() {
        guard let lowest = held.indices.min(by: { held[$0].frame.count < held[$1].frame.count }) else { return }
        let shown = held.remove(at: lowest)
        times[shown.number - first] = next
        next = next &+ shown.frame.length
    }
}
