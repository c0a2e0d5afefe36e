import AetherCore

/// The packet cache's offer at the playback position.
struct Holdings: Sendable, Equatable {
    /// Where one can go without the source; nil: nowhere.
    var range: ClosedRange<MediaTime>?
    /// Tracks of sound that can be heard from the present position on.
    var sound: Set<StreamID> = []
    /// The stream that is heard now.
    var activeSound: StreamID?
}
