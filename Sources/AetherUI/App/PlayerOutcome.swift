import AetherTerminal

/// How a run of the player ends.
public enum PlayerOutcome: Sendable, Equatable {
    /// With an exit status.
    case exit(ExitStatus)
    /// By a signal, which is raised again after everything was put back.
    case signal(TerminalSignal)
}
