/// The modes of a terminal that we turn on and must turn off again.
public struct TerminalModes: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16
    /// Modes by their bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The alternate screen, cleared.
    public static let alternateScreen = TerminalModes(rawValue: 1)
    /// No cursor.
    public static let hiddenCursor = TerminalModes(rawValue: 2)
    /// No wrap at the right margin.
    public static let noAutowrap = TerminalModes(rawValue: 4)
    /// Pastes are marked as such.
    public static let bracketedPaste = TerminalModes(rawValue: 8)
    /// Gaining and losing the keyboard is told.
    public static let focusReports = TerminalModes(rawValue: 16)
    /// Reports of buttons, drags and moves in cells; of moves only where the terminal has them.
    public static let mouse = TerminalModes(rawValue: 32)
    /// Mouse reports in pixels; only together with `mouse`.
    public static let pixelMouse = TerminalModes(rawValue: 64)
    /// Frames go out inside synchronized updates, so one may be open when we leave.
    public static let synchronizedUpdates = TerminalModes(rawValue: 128)
    /// The window's title is put away, and comes back. Twice back would be one too far, but for terminals that take nothing.
    public static let windowTitle = TerminalModes(rawValue: 256)
    /// kitty's keyboard protocol: the Escape key is no beginning of anything else. Ctrl-C, Ctrl-Z and Ctrl-\\ come as keys then, and not as
    /// the kernel's signals: see `TerminalEvents.next`.
    public static let keyboardProtocol = TerminalModes(rawValue: 512)

    /// The modes of a full-screen program with keys.
    public static let screen: TerminalModes = [.alternateScreen, .hiddenCursor, .noAutowrap, .bracketedPaste]

    /// In the order in which they are turned on; off goes the other way round.
    private static let table: [(mode: TerminalModes, on: [UInt8], off: [UInt8])] = [
        (.windowTitle, Escape.titlePush, Escape.titlePop),
        (.alternateScreen, Escape.alternateScreenOn, Escape.alternateScreenOff),
        (.hiddenCursor, Escape.cursorHide, Escape.cursorShow),
        (.noAutowrap, Escape.autowrapOff, Escape.autowrapOn),
        (.keyboardProtocol, Escape.keyboardPush, Escape.keyboardPop),
        (.bracketedPaste, Escape.bracketedPasteOn, Escape.bracketedPasteOff),
        (.focusReports, Escape.focusReportsOn, Escape.focusReportsOff),
        (.mouse, Escape.mouseOn, Escape.mouseOff),
        (.pixelMouse, Escape.pixelMouseOn, Escape.pixelMouseOff),
        (.synchronizedUpdates, [], Escape.synchronizedUpdateEnd),
    ]

    /// The bytes that turn these modes on; the alternate screen comes up cleared.
    public var enteringBytes: [UInt8] {
        var bytes = Self.table.filter { contains($0.mode) }.flatMap(\.on)
        if contains(.alternateScreen) { bytes += Escape.attributesReset + Escape.cursorHome + Escape.clearScreen }
        return bytes
    }

    /// The bytes that turn exactly these modes off, from any state of the terminal's parser; nothing when nothing is on. The
    /// attributes are reset while the alternate screen is still shown, since 1049 saves and restores them with the cursor.
    public var leavingBytes: [UInt8] {
        guard !isEmpty else { return [] }
        var bytes = Escape.cancel
        for entry in Self.table.reversed() where contains(entry.mode) {
            if entry.mode == .alternateScreen { bytes += Escape.attributesReset }
            bytes += entry.off
        }
        return bytes + Escape.attributesReset
    }
}
