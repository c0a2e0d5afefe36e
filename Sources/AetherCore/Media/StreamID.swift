/// Names a stream across all sources that are read together.
public struct StreamID: Hashable, Sendable, Codable, Comparable {
    /// The number of its source: 0 is the one that was opened, others were added to it in this order.
    public let source: Int
    /// The stream's number inside its source.
    public let number: Int

    /// A stream of a source.
    public init(source: Int = 0, number: Int) {
        self.source = source
        self.number = number
    }

    /// By the source, then by the number.
    public static func < (a: StreamID, b: StreamID) -> Bool { (a.source, a.number) < (b.source, b.number) }
}
