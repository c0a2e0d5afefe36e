public import AetherCore

/// A stream of the opened source, by its number.
extension StreamID: ExpressibleByIntegerLiteral {
    /// The stream of that number.
    public init(integerLiteral number: Int) { self.init(number: number) }
}
