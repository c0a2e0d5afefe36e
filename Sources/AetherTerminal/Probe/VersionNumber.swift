/// A program's version, for comparing: the numbers at its beginning, and one letter behind them ("3.3a" is later than "3.3" and
/// earlier than "3.4"). What else stands there is ignored ("1.2.0-dev", "20240203-110809-5046fc22").
public struct VersionNumber: Sendable, Hashable, Comparable {
    private let parts: [Int]

    /// Reads a version; nil when it does not begin with a number (a "v" before it is allowed).
    public init?(_ text: String) {
        var rest = Substring(text)
        if rest.first == "v" || rest.first == "V" { rest.removeFirst() }
        var parts: [Int] = []
        while parts.count < Self.limit {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty else { break }
            // 15 digits: wezterm's dates have eight, and more is garbage that must not overflow.
            parts.append(Int(digits.prefix(15)) ?? 0)
            rest = rest.dropFirst(digits.count)
            if let letter = rest.first, ("a"..."z").contains(letter), let ascii = letter.asciiValue {
                parts.append(Int(ascii) - 0x60)
                break
            }
            guard rest.first == "." else { break }
            rest.removeFirst()
        }
        guard !parts.isEmpty else { return nil }
        // "1.0" is "1".
        while parts.count > 1, parts.last == 0 { parts.removeLast() }
        self.parts = parts
    }

    /// More numbers than any program has.
    private static let limit = 6

    /// Part by part; of two that agree as far as one goes, the shorter is the lower.
    public static func < (a: VersionNumber, b: VersionNumber) -> Bool { a.parts.lexicographicallyPrecedes(b.parts) }
}

/// A range of versions, as a table of what programs do needs it. A version that cannot be read is in no bounded range: what is not
/// proven is not used.
public struct VersionRange: Sendable, Hashable {
    private let lower: String?
    private let upper: String?

    private init(lower: String?, upper: String?) {
        self.lower = lower
        self.upper = upper
    }

    /// All versions, unknown ones too.
    public static let all = VersionRange(lower: nil, upper: nil)
    /// That version and later ones.
    public static func from(_ version: String) -> VersionRange { VersionRange(lower: version, upper: nil) }
    /// The versions before it.
    public static func before(_ version: String) -> VersionRange { VersionRange(lower: nil, upper: version) }

    /// Whether a program's version lies in it.
    public func contains(_ version: String) -> Bool {
        if self == .all { return true }
        guard let version = VersionNumber(version) else { return false }
        if let lower = lower.flatMap(VersionNumber.init), version < lower { return false }
        if let upper = upper.flatMap(VersionNumber.init), version >= upper { return false }
        return true
    }

    /// The range in words: "all versions", "from 0.20", "before 369".
    public var words: String {
        if let lower { return "from \(lower)" }
        return upper.map { "before \($0)" } ?? "all versions"
    }
}
