import AetherEngine

/// A turn in the playing of a file of the list.
struct PlayedTurn: Sendable, Equatable {
    /// The place of the file in the list, from 1.
    let number: Int
    let title: String
    let turn: PlaybackNews.Turn
}
