import AetherCore

/// What is wrong with a theme, and where.
public struct ThemeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file as it was named.
    public let file: String
    /// The line, from 1; nil where the whole file is meant.
    public let line: Int?
    /// The key, for example "roles.bar.foreground"; nil where none is meant.
    public let key: String?
    /// What is wrong, and what would be right.
    public let reason: String

    init(file: String, line: Int? = nil, key: String? = nil, reason: String) {
        self.file = DisplayText.singleLine(file)
        self.line = line
        self.key = key.map { DisplayText.singleLine($0, limit: 100) }
        self.reason = DisplayText.singleLine(reason)
    }

    /// One line: "dark.toml:12: roles.bar.foreground: …".
    public var description: String {
        let place = line.map { ":\($0)" } ?? ""
        let subject = key.map { " \($0):" } ?? ""
        return "\(file)\(place):\(subject) \(reason)"
    }
}
