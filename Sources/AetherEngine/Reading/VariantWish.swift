/// The quality that a person wants of a source in segments.
public enum VariantWish: Sendable, Equatable {
    /// The largest that the surface can show.
    case fitting
    /// The best and the worst by score, size and bits.
    case best, worst
    /// By its place in the manifest, from 1.
    case number(Int)

    /// Reads "auto", "best", "worst" or a number from 1; nil for anything else.
    public init?(_ text: String) {
        switch text {
        case "auto": self = .fitting
        case "best": self = .best
        case "worst": self = .worst
        default:
            guard let number = Int(text), number > 0 else { return nil }
            self = .number(number)
        }
    }
}

/// The quality that a person holds to while it plays.
struct VariantPin: Sendable, Equatable {
    /// nil: none; the source chooses.
    let id: MediaVariant.ID?
}
