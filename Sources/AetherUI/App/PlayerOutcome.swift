import AetherTerminal

/// The end of a run of the player.
public enum PlayerOutcome: Sendable, Equatable {
    /// With an exit status.
    case exit(ExitStatus)
    /// By the signal of this number, which the process shall die of now that everything was put back.
    case signal(number: Int32)

    /// Dies of a signal with its default effect, so that the parent sees what ended us.
    public static func die(ofSignal number: Int32) { TerminalSignal(number: number)?.raiseInThisProcess() }
}

extension PlayerOutcome {
    static func signal(_ signal: TerminalSignal) -> PlayerOutcome { .signal(number: signal.number) }
}
