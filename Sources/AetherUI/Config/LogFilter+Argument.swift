public import AetherCore
public import ArgumentParser

extension LogFilter: ExpressibleByArgument {
    /// As a person writes it.
    public init?(argument: String) { self.init(argument) }

    /// As it is written for `--help`.
    public var defaultValueDescription: String {
        ([word(level)] + parts.sorted { $0.key < $1.key }.map { "\($0.key)=\(word($0.value))" }).joined(separator: ",")
    }

    private func word(_ level: LogLevel?) -> String { level.map { "\($0)" } ?? "off" }
}
