/// What a person wants of the tracks that clients cannot take.
public struct ServedWishes: Sendable, Equatable {
    /// The format that replaces such audio.
    public var audio: AudioBridge
    /// Such video is made into H.264; false: it is refused.
    public var transcodes: Bool

    /// Wishes.
    public init(audio: AudioBridge = .surroundCompat, transcodes: Bool = false) {
        (self.audio, self.transcodes) = (audio, transcodes)
    }
}
