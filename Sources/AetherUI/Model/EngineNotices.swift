/// The notices of the engine that were told so far.
struct EngineNotices: Sendable, Equatable {
    /// The number of the last notice.
    var last = 0
    var hasSaidSilent = false
    /// A sentence that waits for the bar.
    var held: String?
}
