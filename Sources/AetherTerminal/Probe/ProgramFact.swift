/// Something about a terminal program that no question brings out: from which version on, and where that is known from.
public struct ProgramFact<Value: Sendable>: Sendable {
    /// The name as in XTVERSION or the environment, in any case.
    public let program: String
    /// The versions for which it holds.
    public let versions: VersionRange
    /// The value that holds.
    public let value: Value
    /// The source of the fact.
    public let source: String

    init(_ program: String, _ versions: VersionRange, _ value: Value, source: String) {
        self.program = program
        self.versions = versions
        self.value = value
        self.source = source
    }

    /// Whether it holds for a terminal.
    public func holds(for identity: TerminalIdentity) -> Bool {
        identity.isProgram(program) && versions.contains(identity.version)
    }
}
