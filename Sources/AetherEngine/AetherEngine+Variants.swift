extension AetherEngine {
    /// The qualities of a source in segments, in the manifest's order; empty where there is no choice. Any thread; never blocks.
    public var variants: [MediaVariant] { snapshot().variants }

    /// The quality that is read; nil where there is no choice. Any thread; never blocks.
    public var activeVariant: MediaVariant? {
        let snapshot = snapshot()
        return snapshot.variants.first { $0.id == snapshot.activeVariant }
    }

    /// Another quality of a source in segments; nil: the player chooses by window, machine and link, among those that
    /// `LoadOptions.variantQualifiers` leave.
    public func selectVariant(_ variant: MediaVariant?, _ turn: VariantTurn = .atBorder) { selectVariant(id: variant?.id, turn) }
}
