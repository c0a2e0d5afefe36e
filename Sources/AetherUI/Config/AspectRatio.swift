import AetherCore
public import ArgumentParser

/// Width to height of a frame on the command line: 16:9, 2.35.
public struct AspectRatio: Sendable, Equatable, ExpressibleByArgument {
    /// 0.1...10.
    public let value: Double
    private let text: String

    /// Parses; nil for anything else and for shapes that no frame has.
    public init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        let ratio: Double? =
            switch parts.count {
            case 1: parts[0]
            case 2: parts[0].flatMap { width in parts[1].map { width / $0 } }
            default: nil
            }
        guard let ratio, (0.1...10).contains(ratio) else { return nil }
        (value, text) = (ratio, argument)
    }

    /// The ratio as it is written on the command line.
    public var defaultValueDescription: String { text }
}
