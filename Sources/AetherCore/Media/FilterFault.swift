/// The reason why a graph of filters is refused, and where in its text.
public struct FilterFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The character at fault, counted from 1.
    public let column: Int
    /// The reason in words, safe to display.
    public let reason: String
    /// The name that no filter has; nil where that is not the fault.
    public let unknownName: String?

    /// A fault at a character. `reason` holds nothing of the text but names of letters and digits: it is safe to display.
    public init(_ column: Int, _ reason: String, unknownName: String? = nil) {
        self.column = column
        self.unknownName = unknownName
        self.reason = String(reason.prefix(200))
    }

    /// One line: "character 7: there is no filter hflop".
    public var description: String { "character \(column): \(reason)" }
}
