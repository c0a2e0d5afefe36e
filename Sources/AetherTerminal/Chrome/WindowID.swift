/// Names a window of the chrome. A higher number lies over a lower one.
public struct WindowID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The height in the stack.
    public let rawValue: Int

    /// A window of the given height in the stack.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Lower lies below.
    public static func < (a: WindowID, b: WindowID) -> Bool { a.rawValue < b.rawValue }
}
