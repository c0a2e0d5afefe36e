import AetherCore

/// A wish for some of a source's variants (AVAssetVariantQualifier). Several in a row are tried in their order: see
/// `LoadOptions.variantQualifiers`.
public struct MediaVariantQualifier: Sendable {
    private enum Rule: Sendable {
        case all, best, worst
        /// By its place in the manifest, from 1.
        case number(Int)
        case variant(MediaVariant.ID)
        case predicate(VariantPredicate)
        case condition(@Sendable (MediaVariant) -> Bool)
        case extreme(any KeyPath<MediaVariant, Double?> & Sendable, isMaximum: Bool)
    }

    private let rule: Rule

    /// The qualifier as a person wrote it, or a description of it; not yet safe to display.
    public let text: String

    private init(_ rule: Rule, _ text: String) { (self.rule, self.text) = (rule, text) }

    /// All variants: the player chooses.
    public static let all = MediaVariantQualifier(.all, "auto")
    /// The best by score, size, rate of frames and bits; and the worst.
    public static let best = MediaVariantQualifier(.best, "best"), worst = MediaVariantQualifier(.worst, "worst")

    /// The one at a place of the manifest, from 1.
    public static func number(_ number: Int) -> Self { Self(.number(number), "\(number)") }

    /// One variant alone, by its name.
    public init(variant: MediaVariant) { self.init(.variant(variant.id), variant.name) }

    /// The variants that meet a condition. `name`: the name of the condition in the message that it leaves no variant.
    public init(name: String = "a condition", where condition: @escaping @Sendable (MediaVariant) -> Bool) {
        self.init(.condition(condition), name)
    }

    /// The variants that meet an expression: `videoRange == PQ && peakBitRate < 5M` (`VariantPredicate`). Throws with the place at which
    /// the expression is not understood.
    public init(predicateFormat: String) throws(PredicateFault) {
        self.init(.predicate(try VariantPredicate(predicateFormat)), predicateFormat)
    }

    /// A wish of the command line: "auto", "best", "worst", a number from 1, or an expression. Throws as `init(predicateFormat:)`.
    public init(_ text: String) throws(PredicateFault) {
        switch text {
        case "auto": self = .all
        case "best": self = .best
        case "worst": self = .worst
        default:
            if let number = Int(text), number > 0 { self = .number(number) } else { try self.init(predicateFormat: text) }
        }
    }

    /// The variants with the largest value, where any variant has one.
    public static func maximumValue(_ keyPath: any KeyPath<MediaVariant, Double?> & Sendable) -> Self {
        Self(.extreme(keyPath, isMaximum: true), "the largest value")
    }

    /// The variants with the smallest value, where any variant has one.
    public static func minimumValue(_ keyPath: any KeyPath<MediaVariant, Double?> & Sendable) -> Self {
        Self(.extreme(keyPath, isMaximum: false), "the smallest value")
    }

    /// The number of a place in the manifest; nil for another wish.
    var number: Int? { if case .number(let number) = rule { number } else { nil } }

    /// Those of a manifest's variants that it leaves, in their order. One that was named is left whatever speaks against it; all else is
    /// chosen among `playable`.
    func left(of all: [MediaVariant], playable: [MediaVariant]) -> [MediaVariant] {
        switch rule {
        case .all: return playable
        case .best: return Self.best(of: playable)
        case .worst:
            let seen = Self.seen(playable)
            return seen.min(by: Self.isLess).map { [$0] } ?? []
        case .number(let number): return all.indices.contains(number - 1) ? [all[number - 1]] : []
        case .variant(let id): return all.filter { $0.id == id }
        case .predicate(let predicate): return predicate.filter(playable)
        case .condition(let meets): return playable.filter(meets)
        case .extreme(let path, let isMaximum):
            let values = playable.compactMap { $0[keyPath: path] }
            guard let wanted = isMaximum ? values.max() : values.min() else { return [] }
            return playable.filter { $0[keyPath: path] == wanted }
        }
    }

    /// The first of equals.
    private static func best(of some: [MediaVariant]) -> [MediaVariant] {
        var best: MediaVariant?
        for variant in seen(some) where best.map({ isLess($0, variant) }) ?? true { best = variant }
        return best.map { [$0] } ?? []
    }

    /// Those with video, where there are any.
    private static func seen(_ some: [MediaVariant]) -> [MediaVariant] {
        let video = some.filter(\.hasVideo)
        return video.isEmpty ? some : video
    }

    private static func isLess(_ a: MediaVariant, _ b: MediaVariant) -> Bool {
        func key(_ variant: MediaVariant) -> (Double, Int, Double, Double) {
            (
                variant.score ?? 0, variant.size.map { $0.width * $0.height } ?? 0,
                variant.videoAttributes?.nominalFrameRate ?? 0,
                variant.peakBitRate ?? 0
            )
        }
        return key(a) < key(b)
    }
}
