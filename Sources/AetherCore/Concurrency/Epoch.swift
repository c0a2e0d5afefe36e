/// A generation of the pipeline. Rises by one at every load and seek; whatever carries an older one is stale and is dropped
/// where it is popped.
public struct Epoch: Hashable, Comparable, Sendable {
    /// The number; 0 before anything was loaded.
    public let number: UInt64

    /// An epoch of the given number.
    public init(_ number: UInt64 = 0) { self.number = number }

    /// The next generation.
    public var next: Epoch { Epoch(number + 1) }

    /// Lower is older.
    public static func < (a: Epoch, b: Epoch) -> Bool { a.number < b.number }
}
