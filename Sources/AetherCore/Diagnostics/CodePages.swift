import CLinux

/// The pages of code that a process has mapped. For programs, once they have started: a library leaves it to its host.
public struct CodePages: Sendable {
    private var isKept = true

    /// All that has run so far.
    public init() {}

    /// Lets the code go that nothing but the start has run, the first time that it `hasStarted`: 13 MB of 104 of a player of 1080p. What runs is
    /// mapped again as it runs, which takes less than a millisecond in all.
    public mutating func letGo(where hasStarted: Bool) {
        guard isKept, hasStarted else { return }
        isKept = false
        clinux_unmap_code()
    }
}
