import AetherEngine

/// A turn in the playing of a file of the list.
struct PlayedTurn: Sendable, Equatable {
    /// Its place in the list, from 1.
    let number: Int
    let title: String
    let turn: PlaybackNews.Turn
}
