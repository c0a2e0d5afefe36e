import AetherCore

/// Bans a variant that the machine cannot play in time: one of which more than 15 % of the frames are dropped over two seconds. Pure.
struct DropWatch: Sendable, Equatable {
    private var start: (time: HostTime, dropped: Int, shown: Int, variant: MediaVariant.ID)?
    private var bans: [MediaVariant.ID: (until: HostTime, count: Int)] = [:]

    private static let span = TimeSpan.seconds(2), share = 0.15
    /// The first ban; each further one of the same variant is twice as long.
    private static let shortest = TimeSpan.seconds(30), mostDoublings = 5

    init() {}

    /// The counts of frames since playing began. Returns whether the variant was banned.
    mutating func note(dropped: Int, shown: Int, of variant: MediaVariant.ID, now: HostTime) -> Bool {
        guard let start, start.variant == variant, dropped >= start.dropped, shown >= start.shown else {
            start = (now, dropped, shown, variant)
            return false
        }
        guard now - start.time >= Self.span else { return false }
        self.start = (now, dropped, shown, variant)
        let lost = dropped - start.dropped, all = lost + shown - start.shown
        // A handful of frames is a seek or a pause.
        guard all >= 12, Double(lost) > Self.share * Double(all) else { return false }
        let count = bans[variant]?.count ?? 0
        bans[variant] = (now + Self.shortest.scaled(by: Double(1 << min(count, Self.mostDoublings))), count + 1)
        return true
    }

    /// The variants that are banned by now.
    func banned(_ now: HostTime) -> Set<MediaVariant.ID> { Set(bans.filter { $0.value.until > now }.keys) }

    static func == (a: DropWatch, b: DropWatch) -> Bool {
        a.bans.mapValues(\.until) == b.bans.mapValues(\.until) && a.start?.time == b.start?.time
    }
}
