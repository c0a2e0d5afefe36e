import CFFmpeg

/// An exact quotient of two positive numbers: a frame rate or a pixel's aspect.
public struct Ratio: Hashable, Sendable {
    public let numerator, denominator: Int32

    /// A ratio, or nil where a part is not positive: containers write 0/0 for "unknown".
    public init?(_ numerator: Int32, _ denominator: Int32) {
        guard numerator > 0, denominator > 0 else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    init?(_ rational: AVRational) { self.init(rational.num, rational.den) }

    private init(whole: Int32) {
        numerator = whole
        denominator = 1
    }

    /// 1:1.
    public static let one = Ratio(whole: 1)

    /// The quotient, for arithmetic that need not be exact.
    public var value: Double { Double(numerator) / Double(denominator) }
}
