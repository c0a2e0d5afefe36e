import AetherCore

/// Announcements to a terminal outside of its screen: the title of its window, the progress of its tab, a notification. Only where it is
/// known to be understood, and only where it changed.
public struct TerminalAnnouncer: Sendable {
    /// The ways in which a terminal notifies.
    public enum Notification: Sendable, Equatable {
        /// iTerm2's OSC 9.
        case osc9
        /// urxvt's OSC 777.
        case osc777
        /// kitty's OSC 99.
        case osc99
    }

    /// The terminals that draw ConEmu's progress (OSC 9;4). Others take OSC 9 for a notification and would pop one up at each percent.
    public static let progressTable: [ProgramFact<Bool>] = [
        ProgramFact("WindowsTerminal", .all, true, source: "Windows Terminal documentation, progress bar: since 1.6"),
        ProgramFact("ghostty", .from("1.2"), true, source: "Ghostty release notes, 1.2.0: graphical progress bars"),
        ProgramFact("WezTerm", .from("20250209"), true, source: "wezterm issue 6581: early 2025"),
        ProgramFact("iTerm2", .from("3.6.6"), true, source: "iTerm2 downloads page, 3.6.6"),
        ProgramFact("iTerm.app", .from("3.6.6"), true, source: "the same by TERM_PROGRAM"),
        ProgramFact("VTE", .from("7900"), true, source: "VTE 0.79.0"),
    ]

    /// The notification of each terminal; all others get OSC 777, which a terminal that does not know it swallows.
    public static let notificationTable: [ProgramFact<Notification>] = [
        ProgramFact("kitty", .all, .osc99, source: "kitty documentation, desktop notifications"),
        ProgramFact("iTerm2", .all, .osc9, source: "iTerm2 documentation, proprietary escape codes"),
        ProgramFact("iTerm.app", .all, .osc9, source: "the same by TERM_PROGRAM"),
    ]

    private let hasTitle: Bool
    private let hasProgress: Bool
    private let way: Notification
    /// tmux has a title of its own for each pane; all else is for the terminal behind it.
    private let isThroughTmux: Bool
    private var lastTitle: String?
    private var lastProgress: Progress?

    private struct Progress: Equatable {
        let percent: Int
        let isPaused: Bool
    }

    /// For a terminal; says nothing at all unless it is wanted.
    public init(_ capabilities: TerminalCapabilities, environment: ProbeEnvironment, isWanted: Bool) {
        let identity = capabilities.outerIdentity ?? capabilities.identity
        isThroughTmux = capabilities.isTmux
        // The kernel's console prints what it does not know, and GNU screen takes titles in a way of its own.
        hasTitle =
            isWanted && !environment.isConsole && !capabilities.identity.isProgram("screen")
            && !capabilities.identity.isProgram("linux")
        hasProgress = hasTitle && Self.progressTable.contains { $0.holds(for: identity) }
        way = Self.notificationTable.first { $0.holds(for: identity) }?.value ?? .osc777
    }

    /// The modes that have to be put back at the end.
    public var modes: TerminalModes { hasTitle ? .windowTitle : [] }

    /// The bytes that go out at the end, with the modes on.
    public var partingBytes: [UInt8] { hasProgress ? outside(Escape.progressOff) : [] }

    /// The bytes to send now; nothing where it is known already. The progress is that of a whole percent.
    public mutating func bytes(title: String, fraction: Double?, isPaused: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        if hasTitle, title != lastTitle {
            lastTitle = title
            bytes += Escape.title(DisplayText.singleLine(title, limit: 120) + " - aether-tui")
        }
        guard hasProgress, let fraction, fraction.isFinite else { return bytes }
        let progress = Progress(percent: Int(min(max(fraction, 0), 1) * 100), isPaused: isPaused)
        if progress != lastProgress {
            lastProgress = progress
            bytes += outside(Escape.progress(progress.percent, isPaused: isPaused))
        }
        return bytes
    }

    /// Another program had the terminal: everything is sent anew.
    public mutating func forget() { (lastTitle, lastProgress) = (nil, nil) }

    /// A desktop notification.
    public func notification(_ text: String) -> [UInt8] {
        // A semicolon parts the fields.
        let text = DisplayText.singleLine(text, limit: 200).replacing(";", with: ",")
        return switch way {
        case .osc9: outside(Escape.osc("9;\(text)"))
        case .osc99: outside(Escape.osc("99;;\(text)"))
        case .osc777: outside(Escape.osc("777;notify;aether-tui;\(text)"))
        }
    }

    private func outside(_ sequence: [UInt8]) -> [UInt8] { isThroughTmux ? Escape.throughTmux(sequence) : sequence }
}
