/// A number of bytes on the command line: 250000, 250K, 4M, 1.5M, 1G. K, M and G are powers of 1000.
public struct ByteCount: Sendable, Equatable {
    /// The number of bytes, at least 0.
    public let bytes: Int

    /// A number of bytes.
    public init(bytes: Int) { self.bytes = max(0, bytes) }

    /// Parses; nil for anything else, negative numbers and what does not fit 2^53 among it.
    public init?(argument: String) {
        var digits = Substring(argument)
        var unit = 1.0
        if let last = digits.last, let index = "KMG".firstIndex(of: Character(last.uppercased())) {
            unit = [1e3, 1e6, 1e9]["KMG".distance(from: "KMG".startIndex, to: index)]
            digits = digits.dropLast()
        }
        guard let first = digits.first, first.isASCII, first.isNumber,
            digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let value = Double(digits), (value * unit) < 9e15
        else { return nil }
        bytes = Int((value * unit).rounded())
    }

    /// The number as it is written on the command line, such as "64M".
    public var defaultValueDescription: String {
        for (unit, suffix) in [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "K")] where bytes > 0 && bytes % unit == 0 {
            return "\(bytes / unit)\(suffix)"
        }
        return String(bytes)
    }
}
