import AetherCore

/// Everything said to the control task, in the order it was said.
enum ControlMessage: Sendable {
    /// The number is that of `PublishedState.load`: what an earlier load has to say is not published any more.
    case load(Int, MediaSource, LoadOptions)
    /// The present source once more, from a place on.
    case reload(Int, ReloadPlace)
    /// The source that follows the load of that number; nil: none.
    case next(Int, MediaSource?, LoadOptions)
    /// The sources to be kept ready, instead of those that were.
    case ready([(MediaSource, LoadOptions)])
    case command(PlayerCommand)
    case stage(Int, StageEvent)
    /// Served stops are counted in `Teardown`.
    case stop
}
