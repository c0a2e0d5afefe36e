import AetherCore

/// The quality that a person holds to while it plays.
struct VariantPin: Sendable, Equatable {
    /// nil: none; the source chooses.
    let id: MediaVariant.ID?
    var turn = VariantTurn.atBorder

    /// When it takes the place of the present quality, and from which point on. `next`, `newest`: of the packets that wait for the decoder;
    /// `oldest`: where the source begins.
    func entry(next: MediaTime?, newest: MediaTime?, oldest: MediaTime?, hasVideo: Bool) -> (turn: VariantTurn, point: MediaTime)
    {
        let here = next ?? newest ?? oldest ?? .zero
        // Audio that was heard is not heard once more.
        switch hasVideo ? turn : .atBorder {
        // A second: by then the other one is there.
        case .atBorder: return (.atBorder, here + .seconds(1))
        // No further than what is held: beyond lies nothing.
        case .atOnce: return (.atOnce, max(here, min(here + .milliseconds(500), newest ?? here)))
        }
    }
}
