/// The state of a channel that plays beside the player's own.
public enum TileState: Sendable, Equatable {
    case opening, playing
    /// A sentence that says why.
    case failed(String)
}
