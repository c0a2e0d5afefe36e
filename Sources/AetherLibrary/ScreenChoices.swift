/// The person's choices for the screen, whatever plays there. Nil: nothing was.
public struct ScreenChoices: Sendable, Equatable {
    /// A theme's name, or the path of its file.
    public var theme: String?
    /// The transport bar is off.
    public var hidesBar: Bool?
    /// The time to the end in place of the duration.
    public var showsRemaining: Bool?

    /// The equaliser's curve for all files, in words.
    public var equalizer: String?

    /// The choices that were made; nil for what was not chosen.
    public init(theme: String? = nil, hidesBar: Bool? = nil, showsRemaining: Bool? = nil, equalizer: String? = nil) {
        (self.theme, self.hidesBar, self.showsRemaining) = (theme, hidesBar, showsRemaining)
        self.equalizer = equalizer
    }
}
