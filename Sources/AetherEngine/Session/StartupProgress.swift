/// The way of a source from being asked for to being played, in the order of time. A file passes the steps of the network over.
public enum StartupCheckpoint: Int, Sendable, CaseIterable, Comparable {
    /// The source was requested.
    case dispatched
    /// The server's name is looked up.
    case resolving
    /// A connection to the server is made.
    case connecting
    /// The server was asked, and has not answered yet.
    case waiting
    /// The first bytes have come: the header is read.
    case sourceOpened
    /// The header is understood: the first frame or sample is decoded.
    case containerOpened
    /// The first frame or sample is there.
    case ready
    /// A frame was shown, or audio runs.
    case presenting

    /// The order in time.
    public static func < (left: StartupCheckpoint, right: StartupCheckpoint) -> Bool { left.rawValue < right.rawValue }
}

/// How far a source has come.
public struct StartupProgress: Sendable, Equatable {
    /// The number of the load, as `AetherEngine.begin` returned it.
    public let generation: UInt64
    /// The last step that was reached.
    public let checkpoint: StartupCheckpoint

    /// A progress.
    public init(generation: UInt64, checkpoint: StartupCheckpoint) {
        (self.generation, self.checkpoint) = (generation, checkpoint)
    }
}
