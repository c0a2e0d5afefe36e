public import AetherCore

/// The policy when a worker has ended: it is started again behind the place; where that place ends it once more it is passed by; then the
/// source is given up. Pure.
public struct RestartPolicy: Sendable, Equatable {
    /// The decision on a fault.
    public enum Step: Sendable, Equatable {
        /// Start another one and go on with what comes next.
        case goOn
        /// Start another one and go on that much behind the place.
        case passBy(TimeSpan)
        /// No other one is started.
        case giveUp
    }

    /// Faults that are nearer to each other are of one place: as long as most groups of frames, of which one broken frame is met by several.
    public static let reach = TimeSpan.seconds(10)
    /// Behind a place that has ended a worker twice.
    public static let leap = TimeSpan.seconds(1)
    /// Faults of one source in all: a file that is made of them ends, too.
    public static let most = 8

    private var place: MediaTime?
    private var faultsThere = 0
    private var faults = 0

    /// Nothing has happened yet.
    public init() {}

    /// Decides on a fault at a time of the source; nil where that is not known, which is always the same place.
    public mutating func step(at time: MediaTime?) -> Step {
        faults += 1
        let isSame =
            if let time, let place { (time - place).magnitude <= Self.reach } else { faults > 1 }
        faultsThere = isSame ? faultsThere + 1 : 1
        if let time { place = time }
        if faults >= Self.most || faultsThere > 2 { return .giveUp }
        return faultsThere == 1 ? .goOn : .passBy(Self.leap)
    }
}
