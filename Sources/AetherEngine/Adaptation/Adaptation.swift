import AetherCore

/// Chooses among the variants of a source while it plays, by the window, the machine, the link and what is held. Pure: time is an argument.
struct Adaptation: Sendable {
    /// The state of playing that a choice goes by.
    struct Situation: Sendable, Equatable {
        /// Media that is held ahead of the decoders.
        var buffer: TimeSpan
        /// Media that the buffer can hold at the present rate.
        var capacity = TimeSpan.seconds(30)
        /// Bits a second; nil while unknown.
        var link: Double?
        /// Between a request and its first byte.
        var latency = TimeSpan.zero
        /// The length of a segment.
        var segment: TimeSpan
        /// Media seconds that playing takes in a second.
        var speed = 1.0
        /// Of a broadcast: how far behind its edge playing is; nil for others.
        var liveOffset: TimeSpan?
    }
    /// A segment on its way.
    struct Load: Sendable, Equatable {
        /// Since it was asked for.
        var elapsed: TimeSpan
        var bytes: Int64, size: Int64
        /// Of media.
        var duration: TimeSpan
    }
    /// The ways in which another variant follows.
    enum Entry: Sendable, Equatable {
        /// None does.
        case none
        /// Behind what was read.
        case behind
        /// In the place of what is held, from so much ahead of the decoders on.
        case replacing(from: TimeSpan)
        /// In the place of the segment that is on its way.
        case abandoning
    }
    struct Decision: Sendable, Equatable {
        let variant: MediaVariant.ID
        let reason: AdaptationReason
        let entry: Entry
    }

    private(set) var ladder: AdaptationLadder
    private(set) var active: MediaVariant.ID
    /// When the quality fell last.
    private var falls: [HostTime] = []

    // The shares and times below were found with the published 3G, 4G and broadband links of Sabre (docs/benchmarks/streaming.md).

    /// Shares of the link that a variant may take: to be chosen, to be kept, and to be chosen while the buffer is not safe yet. The estimate is
    /// the lower of two averages.
    private static let rising = 1.1, keeping = 1.1, quick = 1.05
    /// Where the buffer carries it, so much more than the link gives; and the share of the buffer that the highest variant asks for.
    private static let bold = 1.6, full = 0.87
    /// A variant that the buffer has raised is left only where so much more would not carry it either.
    private static let hysteresis = TimeSpan.seconds(5)
    /// So many falls in so long are enough: the buffer raises nothing then. With a rise for each, that is one change in eight seconds.
    private static let enough = (falls: 12, span: TimeSpan.seconds(192))
    /// Held media at which the buffer rule counts.
    private static let safe = TimeSpan.seconds(10)
    /// Less than this is an emergency.
    private static let low = TimeSpan.seconds(4)
    /// Media held in a lower quality is fetched anew where the link gives so many times the rate of the higher quality.
    private static let plenty = 2.0

    init(_ ladder: AdaptationLadder, active: MediaVariant.ID) { (self.ladder, self.active) = (ladder, active) }

    /// The window or the limits are others.
    mutating func set(_ ladder: AdaptationLadder) { self.ladder = ladder }

    /// The choice at the border of a segment.
    mutating func decide(_ now: HostTime, _ state: Situation) -> Decision {
        guard let present = ladder.index(of: active) else { return left(now, state) }
        guard let link = link(state) else { return Decision(variant: active, reason: .unknown, entry: .none) }
        let affordable = ladder.index(within: link * Self.rising), isCarried = rate(present) <= link * Self.keeping
        let threshold = threshold(state)
        if state.buffer < min(Self.low, threshold), !isCarried, affordable < present {
            return go(to: affordable, .emergency, .behind, now)
        }
        if state.buffer < threshold {
            let quick = ladder.index(within: link * Self.quick)
            if quick > present { return go(to: quick, .link, .behind, now) }
            guard !isCarried, affordable < present else { return stay(.link) }
            return go(to: affordable, .link, .behind, now)
        }
        // The held buffer carries a variant for a while that the link alone does not: the more is held, the higher the variant.
        let room = (state.capacity - state.segment).scaled(by: Self.full)
        let held = min(
            ladder.index(holding: state.buffer, of: room), max(ladder.index(within: link * Self.bold), present))
        let wanted = max(affordable, held)
        if wanted == present { return stay(affordable < present ? .buffer : .link) }
        if wanted < present {
            if ladder.index(holding: state.buffer + Self.hysteresis, of: room) >= present { return stay(.buffer) }
            return go(to: wanted, .link, .behind, now)
        }
        if wanted > affordable {
            return isRestless(now) ? stay(.settling) : go(to: wanted, .buffer, .behind, now)
        }
        let pays = state.buffer > Self.safe && link >= Self.plenty * rate(wanted)
        return go(to: wanted, .link, pays ? .replacing(from: .seconds(6)) : .behind, now)
    }

    /// The choice while a segment is on its way: whether it is given up for one of less bits.
    mutating func decide(_ now: HostTime, _ state: Situation, _ load: Load) -> Decision? {
        guard let present = ladder.index(of: active), present > 0, load.elapsed >= .milliseconds(500), load.bytes > 0 else {
            return nil
        }
        let rate = Double(load.bytes) * 8 / load.elapsed.seconds
        let rest = Double(max(0, load.size - load.bytes)) * 8 / rate
        let whole = load.elapsed.seconds + rest, playing = state.buffer.seconds / state.speed
        guard whole > 1.8 * load.duration.seconds / state.speed, rest > playing - load.duration.seconds else { return nil }
        func time(_ index: Int) -> Double {
            state.latency.seconds + ladder.variants[index].adaptationRate * load.duration.seconds / rate
        }
        // The highest that the link carries now and that is there in time, else the lowest, where that is sooner than the rest of this one.
        let chosen = (0..<present).last { self.rate($0) <= rate && time($0) < playing && time($0) < rest } ?? 0
        guard time(chosen) < rest else { return nil }
        return go(to: chosen, .abandoned, .abandoning, now)
    }

    /// The present variant may not be chosen any more: it is banned, or larger than the window.
    private mutating func left(_ now: HostTime, _ state: Situation) -> Decision {
        let affordable = link(state).map { ladder.index(within: $0 * Self.rising) } ?? max(0, ladder.variants.count - 1)
        guard ladder.variants.indices.contains(affordable) else { return stay(.unknown) }
        return go(to: affordable, .ladder, .behind, now)
    }

    private func rate(_ index: Int) -> Double { ladder.variants[index].adaptationRate }

    private func stay(_ reason: AdaptationReason) -> Decision { Decision(variant: active, reason: reason, entry: .none) }

    private mutating func go(to index: Int, _ reason: AdaptationReason, _ entry: Entry, _ now: HostTime) -> Decision {
        if let present = ladder.index(of: active), index < present {
            if falls.count == Self.enough.falls { falls.removeFirst() }
            falls.append(now)
        }
        active = ladder.variants[index].id
        return Decision(variant: active, reason: reason, entry: entry)
    }

    private func isRestless(_ now: HostTime) -> Bool {
        falls.count == Self.enough.falls && falls.first.map { now - $0 < Self.enough.span } ?? false
    }

    /// The link's rate at the present speed, less the time in which each request waits for its first byte.
    private func link(_ state: Situation) -> Double? {
        state.link.map { $0 / max(state.speed, 0.01) * max(0.1, 1 - state.latency.seconds / max(state.segment.seconds, 0.1)) }
    }

    /// So much has to be held before the quality rises: less where the buffer cannot hold it, or a broadcast's edge is nearer.
    private func threshold(_ state: Situation) -> TimeSpan {
        min(Self.safe, state.capacity.scaled(by: 0.75), state.liveOffset?.scaled(by: 0.75) ?? Self.safe)
    }
}

/// The rule by which a variant was chosen.
public enum AdaptationReason: String, Sendable, CaseIterable {
    /// Nothing has come over the link yet.
    case unknown
    /// The link carries it.
    case link
    /// The link does not carry it, and the buffer does.
    case buffer
    /// The buffer would carry a higher quality, but it fell often just now.
    case settling
    /// The buffer is nearly empty.
    case emergency
    /// A segment would have come too late.
    case abandoned
    /// The window, the person or the machine allows the former one no more.
    case ladder

    /// The reason in words for people.
    public var words: String {
        switch self {
        case .unknown: translated("first choice")
        case .link: translated("the link carries it")
        case .buffer: translated("the buffer carries it")
        case .settling: translated("settling", context: "adaptation")
        case .emergency: translated("the buffer is nearly empty")
        case .abandoned: translated("a segment came too slowly")
        case .ladder: translated("window, limits or machine")
        }
    }
}
