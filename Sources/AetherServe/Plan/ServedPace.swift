import AetherCore

/// When the next segment of a source that cannot be sent back is made. Pure.
enum ServedPace: Sendable, Equatable {
    /// As it comes: a broadcast.
    case asItComes
    /// As far as a client follows: a pipe waits.
    case asAsked
    /// As far as a client follows, but no slower than it plays: a server does not wait for ever.
    case inTime

    /// By the way in which the bytes come.
    init(isLive: Bool, _ traits: IOReaderTraits) {
        self = isLive ? .asItComes : traits.isLocal || traits.hasKnownEnd ? .asAsked : .inTime
    }

    /// Segments that are made before anybody asks for them. Players begin with the third segment from the end of a playlist that is not over: of so
    /// many that is the first.
    static let first = 3
    /// Segments that are made ahead of the latest that was asked for.
    static let ahead = 6

    enum Decision: Equatable {
        case now
        case at(HostTime)
        /// Once a client has asked for more.
        case whenAsked
    }

    /// The decision on a segment. `asked`: the latest that was asked for, counted from 1, 0 for none; `former`: the length of the segment before it,
    /// and when that was made.
    func decision(_ number: Int, asked: Int, former: (length: TimeSpan, made: HostTime)?, now: HostTime) -> Decision {
        if self == .asItComes || number < Self.first || asked > 0 && number <= asked + Self.ahead { return .now }
        guard self == .inTime, let former else { return .whenAsked }
        let due = former.made + former.length
        return due <= now ? .now : .at(due)
    }
}
