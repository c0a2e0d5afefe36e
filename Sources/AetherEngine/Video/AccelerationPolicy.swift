import AetherCore
import AetherMedia

/// Decides whether a device decodes a stream: only where that is cheaper, in time, and right. Pure; what was measured is an argument.
///
/// The measure is the CPU time of a frame until it lies in main memory, where the scaler reads it: frames of a device are copied out of it, so that
/// small ones, and those of codecs that are simple, cost less by software. Time on the clock counts where there is not enough of it.
struct AccelerationPolicy {
    /// Packets that both decode, from a key frame on; the first one is not counted. A third of a second: what is shown waits for it.
    static let packets = 9
    /// The least number of frames that say something.
    static let leastFrames = 4
    /// The time that software may take for its part of the trial once it has the least of frames, and so may the device, whose driver loads its
    /// programs first.
    static let limits = (software: TimeSpan.milliseconds(300), device: TimeSpan.milliseconds(800))
    /// A fifth must be saved. Less is within what two runs of the same decoder differ, and a driver is one thing more that may fail.
    private static let saving = 0.8
    /// The part of a frame's time in which a device must have it, one after the other. The rest is for costlier scenes.
    private static let share = 0.7
    /// Levels of 255 by which frames may differ: codecs without exact transforms (MPEG-2, MPEG-4) drift by one or two until the next key frame.
    private static let tolerance = 4.0

    /// The choice between both ways of decoding. `interval`: how long a frame is shown; nil where that is not known. `threads`: those that
    /// software may use at once, of which the trial used one.
    static func choice(
        device: DecodeSpending, software: DecodeSpending, interval: TimeSpan?, threads: Int
    ) -> DecodingChoice {
        guard device.frames >= leastFrames, software.frames >= leastFrames else { return .unmeasured }
        if let pictures = pictures(device, software), pictures > tolerance { return .differing }
        let isLate = interval.map { device.clock > $0.scaled(by: share) } ?? false
        // With threads software is that much faster at best.
        let parallel = software.clock.scaled(by: 1 / Double(max(1, threads)))
        if let interval, isLate, device.clock >= parallel { return .late(device.clock, interval: interval) }
        if device.processor <= software.processor.scaled(by: saving) {
            return .cheaper(device.processor, software: software.processor)
        }
        if let interval, !isLate, parallel > interval { return .inTime(software: parallel, interval: interval) }
        return .costlier(device.processor, software: software.processor)
    }

    /// How far the frames differ; infinitely where they have not even the same size; nil where that cannot be told.
    private static func pictures(_ device: DecodeSpending, _ software: DecodeSpending) -> Double? {
        // Of one that its limit broke off some are missing.
        guard device.packets < software.packets || device.frames == software.frames else { return .infinity }
        guard let (a, b) = zip(device.pictures, software.pictures).map({ ($0, $1) }).last else { return nil }
        return a.difference(from: b) ?? .infinity
    }
}
