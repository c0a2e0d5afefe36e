public import ArgumentParser

/// An amount of memory on the command line: bytes, or with a suffix of `k`, `M` or `G` multiples of 1024.
public struct ByteCount: ExpressibleByArgument, Sendable, Equatable {
    public let bytes: Int

    /// An amount.
    public init(bytes: Int) { self.bytes = bytes }

    /// Parses; nil for anything but digits and one suffix, and for more than an Int holds.
    public init?(argument: String) {
        let suffixes: [Character: Int] = ["k": 10, "K": 10, "m": 20, "M": 20, "g": 30, "G": 30]
        var digits = Substring(argument)
        let shift = digits.last.flatMap { suffixes[$0] }
        if shift != nil { digits.removeLast() }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) else {
            return nil
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    public var defaultValueDescription: String {
        for (shift, suffix) in [(30, "G"), (20, "M"), (10, "k")] where bytes > 0 && bytes % (1 << shift) == 0 {
            return "\(bytes >> shift)\(suffix)"
        }
        return String(bytes)
    }
}
