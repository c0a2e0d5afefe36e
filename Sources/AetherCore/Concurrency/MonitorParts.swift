/// Parts of a monitor's value that its waiters tell apart. The type of the value gives them their names.
public struct MonitorParts: OptionSet, Sendable {
    /// A bit for each part.
    public let rawValue: UInt32
    /// The parts of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The whole value.
    public static let all = Self(rawValue: .max)
}
