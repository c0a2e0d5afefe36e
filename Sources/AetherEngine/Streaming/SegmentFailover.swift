import AetherCore
import AetherFormats

/// Where a segment that one address does not give is looked for next: at the same rendition on another server, at other
/// renditions of the same time, and only then is it a gap. Pure.
struct SegmentFailover: Sendable {
    /// The places.
    enum Place: Sendable, Equatable {
        /// Another address of the same rendition, by its position.
        case address(Int)
        /// Another rendition, with its segment that covers the time.
        case rendition(Rendition.ID)
        /// Nowhere: the time is passed by and shown as missing.
        case gap
    }

    /// A rendition that fails stays out for a minute, an address for five.
    static let renditionBan = TimeSpan.seconds(60), addressBan = TimeSpan.seconds(300)

    private var bannedRenditions: [Rendition.ID: HostTime] = [:]
    private var bannedAddresses: [StreamAddress: HostTime] = [:]

    init() {}

    /// The rendition's address to use now: the first that is not banned, else the one whose ban ends first.
    func address(of rendition: Rendition, now: HostTime) -> Int? {
        let open = rendition.addresses.firstIndex { (bannedAddresses[$0] ?? now) <= now }
        return open ?? rendition.addresses.indices.min { until($0, rendition) < until($1, rendition) }
    }

    private func until(_ place: Int, _ rendition: Rendition) -> HostTime {
        bannedAddresses[rendition.addresses[place]] ?? HostTime(nanoseconds: .min)
    }

    /// Whether an address may be used.
    func isOpen(_ address: StreamAddress, now: HostTime) -> Bool { (bannedAddresses[address] ?? now) <= now }

    /// A whole address (its playlist, its init section, its key) was given up.
    mutating func ban(_ address: StreamAddress, now: HostTime) { bannedAddresses[address] = now + Self.addressBan }

    /// A rendition's init section or key was given up at all its addresses.
    mutating func ban(_ rendition: Rendition.ID, now: HostTime) { bannedRenditions[rendition] = now + Self.renditionBan }

    /// Whether a rendition may be chosen.
    func isOpen(_ rendition: Rendition.ID, now: HostTime) -> Bool { (bannedRenditions[rendition] ?? now) <= now }

    /// The place to look at next for a segment of `rendition` after the places that were tried. Of other renditions the nearest
    /// lower bit rate comes first, then the nearest higher one: what is missing is rather shown worse than late. Their indexes
    /// must be there to tell whether they have the time; one without an index is tried as well.
    func next(
        after rendition: Rendition, triedAddresses: Set<Int>, triedRenditions: Set<Rendition.ID>, group: Group, at time: Ticks,
        now: HostTime
    ) -> Place {
        if let other = rendition.addresses.indices.first(where: { place in
            !triedAddresses.contains(place) && (bannedAddresses[rendition.addresses[place]] ?? now) <= now
        }) {
            return .address(other)
        }
        let rate = rendition.peakBitRate ?? 0
        let others = group.renditions.filter { other in
            other.id != rendition.id && !triedRenditions.contains(other.id) && isOpen(other.id, now: now) && Self.has(other, time)
        }
        let lower = others.filter { ($0.peakBitRate ?? 0) <= rate }.max { ($0.peakBitRate ?? 0) < ($1.peakBitRate ?? 0) }
        let higher = others.filter { ($0.peakBitRate ?? 0) > rate }.min { ($0.peakBitRate ?? 0) < ($1.peakBitRate ?? 0) }
        return (lower ?? higher).map { .rendition($0.id) } ?? .gap
    }

    private static func has(_ rendition: Rendition, _ time: Ticks) -> Bool {
        guard let index = rendition.index else { return true }
        guard let number = index.number(at: time), let segment = index.segment(number) else { return false }
        return !segment.isGap && segment.start <= time && time < segment.end
    }
}
