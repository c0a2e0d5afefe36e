/// How far the notices of the engine were told.
struct EngineNotices: Sendable, Equatable {
    /// The number of the last one.
    var last = 0
    var hasSaidSilent = false
    /// A sentence that waits for the bar.
    var held: String?
}
