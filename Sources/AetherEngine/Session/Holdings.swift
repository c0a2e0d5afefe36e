import AetherCore

/// The packet cache's offer at the playback position.
struct Holdings: Sendable, Equatable {
    /// The range that can be gone to without the source; nil: none.
    var range: ClosedRange<MediaTime>?
    /// Audio tracks that can be heard from the present position on.
    var audio: Set<StreamID> = []
    /// The stream that is heard now.
    var activeAudio: StreamID?
}
