/// The quality that a person holds to while it plays.
struct VariantPin: Sendable, Equatable {
    /// nil: none; the source chooses.
    let id: MediaVariant.ID?
    var turn = VariantTurn.atBorder
}
