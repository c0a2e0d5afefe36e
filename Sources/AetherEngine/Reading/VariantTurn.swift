/// When a quality that a person chooses takes the place of the present one.
public enum VariantTurn: String, Sendable, Equatable, CaseIterable {
    /// From the next segment on that is not played within a second: nothing is fetched twice that is played.
    case atBorder = "border"
    /// As soon as it can be fetched: all that is held ahead is dropped, the segment on screen too.
    case atOnce = "now"
}
