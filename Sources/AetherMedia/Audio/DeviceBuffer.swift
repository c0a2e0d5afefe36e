public import AetherCore
import Synchronization

/// The time of audio that a device holds. Pure: it grows by a step after each underrun, and stays.
///
/// A quarter of a second survives a machine whose cores are all busy, and a volume key is still heard soon; a pause and a seek wait for none
/// of it. Where that was too little, the machine is one on which more is worth a slower volume key.
public struct DeviceBuffer: Sendable, Equatable {
    private static let steps: [TimeSpan] = [.milliseconds(250), .milliseconds(500), .milliseconds(900)]
    private var step = 0

    /// The first step.
    public init() {}

    /// The time that a device is asked for.
    public var span: TimeSpan { Self.steps[step] }

    /// After an underrun; false where it does not grow any further.
    public mutating func grow() -> Bool {
        guard step + 1 < Self.steps.count else { return false }
        step += 1
        return true
    }
}

/// The buffers of this process by the names of their devices: what one file has taught holds for the next. Any thread.
public enum DeviceBuffers {
    private static let known = Mutex<[String: DeviceBuffer]>([:])

    /// The time that a device is asked for when it is opened or started.
    public static func span(of name: String) -> TimeSpan { known.withLock { $0[name, default: DeviceBuffer()].span } }

    /// After an underrun: what the device is asked for from its next start on; nil where it does not grow any further.
    public static func grow(_ name: String) -> TimeSpan? {
        known.withLock { $0[name, default: DeviceBuffer()].grow() ? $0[name]?.span : nil }
    }
}
