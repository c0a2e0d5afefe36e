/// The terminal's name and version, by its own word.
public struct TerminalIdentity: Sendable, Hashable {
    /// "kitty", "XTerm", "tmux"; "" when unknown.
    public let name: String
    /// "0.26.5"; "" when unknown.
    public let version: String

    /// An identity.
    public init(name: String = "", version: String = "") {
        self.name = name
        self.version = version
    }

    /// From an XTVERSION text: "XTerm(379)", "tmux 3.3a", "Windows Terminal 1.24". The version begins at the first bracket, or behind
    /// the first blank or slash that a digit follows.
    public init(report: String) {
        let text = Array(report)
        let end =
            text.indices.first { index in
                if text[index] == "(" { return true }
                guard text[index] == " " || text[index] == "/", index + 1 < text.count else { return false }
                return text[index + 1].isNumber || text[index + 1] == "("
            } ?? text.count
        name = String(text[..<end])
        version = String(text[end...].drop { "( /".contains($0) }.prefix { $0 != ")" && $0 != " " })
    }

    /// From DA2, for programs that say nothing else: VTE says its version there, rxvt a letter. nil for all others, because most
    /// terminals pretend to be one of DEC's.
    init?(secondaryAttributes values: [Int]) {
        guard values.count >= 2 else { return nil }
        switch (values[0], values[1]) {
        // VTE's is 100 × minor + micro, and some program says 65 and little else.
        case (65, 1000...): self.init(name: "VTE", version: String(values[1]))
        case (85, _): self.init(name: "rxvt-unicode")
        case (83, _): self.init(name: "screen")
        case (84, _): self.init(name: "tmux")
        default: return nil
        }
    }

    /// Whether it is the program of that name, in any spelling of case, with blanks or without.
    public func isProgram(_ program: String) -> Bool { Self.folded(name) == Self.folded(program) }

    private static func folded(_ name: String) -> String { name.lowercased().filter { $0 != " " } }
}
