/// A person's wishes for what is served.
public struct ServedWishes: Sendable, Equatable {
    /// The format that replaces such audio.
    public var audio: AudioBridge
    /// Such video is made into H.264; false: it is refused.
    public var transcodes: Bool
    /// All qualities of HLS and DASH are served; false: one is.
    public var hasVariants: Bool

    /// Wishes.
    public init(audio: AudioBridge = .surroundCompat, transcodes: Bool = false, hasVariants: Bool = false) {
        (self.audio, self.transcodes, self.hasVariants) = (audio, transcodes, hasVariants)
    }
}
