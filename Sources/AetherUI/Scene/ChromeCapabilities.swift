/// The signs of ours that the terminal can show.
public struct ChromeCapabilities: Sendable, Equatable {
    /// False: ASCII only.
    public var isUnicode: Bool
    /// False: no colours, roles are told apart by reverse, bold and signs.
    public var hasColor: Bool

    /// Capabilities; a modern terminal without arguments.
    public init(isUnicode: Bool = true, hasColor: Bool = true) {
        self.isUnicode = isUnicode
        self.hasColor = hasColor
    }
}
