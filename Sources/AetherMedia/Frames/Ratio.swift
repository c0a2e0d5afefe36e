import CFFmpeg

/// An exact quotient of two positive numbers: a frame rate or a pixel's aspect.
public struct Ratio: Hashable, Sendable {
    /// Both above 0.
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

    /// Whether a pixel can have this shape: what says that it is over ten times as wide as high, or as high as wide, is garbage.
    var isSane: Bool { (0.1...10).contains(value) }

    /// The quotient, for arithmetic that need not be exact.
    public var value: Double { Double(numerator) / Double(denominator) }
}
