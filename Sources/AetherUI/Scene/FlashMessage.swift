public import AetherCore

/// One short line that goes by itself.
public struct FlashMessage: Sendable, Equatable {
    /// One line, safe to display.
    public let text: String
    /// The time at which it goes.
    public let until: HostTime
    /// True for what the engine reports; it is shown longer and brings the bar back.
    public let isNotice: Bool
}
