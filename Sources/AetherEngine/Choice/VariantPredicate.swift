/// A condition that variants meet or not, as a person writes it: `videoRange == PQ && peakBitRate < 5M`. Key paths have Apple's names and short
/// ones; docs/streaming.md has the grammar. A value; nothing in it blocks.
public struct VariantPredicate: Sendable, Equatable {
    /// The predicate as it was written.
    public let text: String
    private let tree: PredicateTree

    /// Reads an expression of 4096 bytes at most. Throws with the place at which it is not understood.
    public init(_ text: String) throws(PredicateFault) {
        self.text = text
        var parsing = try PredicateParsing(text)
        tree = try parsing.run()
    }

    /// The variants that meet the predicate, in their order. `max()` and `min()` are over the given variants; behind `&&`, over those that
    /// the left side leaves.
    public func filter(_ variants: [MediaVariant]) -> [MediaVariant] {
        tree.left(of: Array(variants.indices), in: variants).map { variants[$0] }
    }
}
