import AetherCore
import AetherFormats
import AetherMedia

/// The list of a rendition's segments as it was read last, and when it is read again.
struct GrowingPlaylist: Sendable {
    private(set) var list: HLSSegmentList
    private(set) var refresh: PlaylistRefresh
    /// Where it came from; nil: the manifest itself.
    private(set) var origin: StreamAddress?
    private(set) var readAt: HostTime
    /// The last answer could not be used.
    private var needsWhole = false
    private static let log = Log.module("net")

    /// A list that was asked for at a moment. `neighbour`: of another rendition, on whose axis it is placed.
    init(
        _ list: HLSSegmentList, from origin: StreamAddress? = nil, beside neighbour: HLSSegmentList.Neighbour? = nil,
        asked: HostTime,
        now: HostTime
    ) {
        let list = neighbour.map { list.placed(beside: $0) } ?? list
        refresh = PlaylistRefresh(now: now)
        refresh.arrived(list, after: nil, asked: asked, now: now)
        (self.list, self.origin, readAt) = (list, origin, now)
    }

    /// Goes on with a list that was read from another address. Throws where it cannot follow.
    mutating func follow(_ next: HLSSegmentList, from origin: StreamAddress, asked: HostTime, now: HostTime) throws(MediaError) {
        defer { self.origin = origin }
        if list.isEnded { return take(next, asked: asked, now: now) }
        guard goesOn(in: next, now: now) else {
            return take(next.takingOver(from: neighbour(since: readAt, now: now)), asked: asked, now: now)
        }
        // Another server may be behind: what is there stays good.
        let isBehind = next.skip == nil && !next.isEnded && next.segments.numbers.upperBound < list.segments.numbers.upperBound
        if isBehind { return refresh.failed(now: now) }
        take(try joined(next), asked: asked, now: now)
    }

    /// Whether another server's list has the same numbers as this one: some in common, or no more between them than time has passed for.
    private func goesOn(in next: HLSSegmentList, now: HostTime) -> Bool {
        let known = list.segments.numbers, numbers = next.segments.numbers
        guard next.skip == nil, !known.isEmpty, !numbers.isEmpty, !numbers.overlaps(known) else { return true }
        guard numbers.lowerBound >= known.upperBound else { return known.lowerBound - numbers.upperBound <= Self.slack }
        let length = max(0.1, list.duration.span.seconds / Double(known.count))
        return Double(numbers.lowerBound - known.upperBound) <= (now - readAt).seconds / length + Double(Self.slack)
    }

    /// Segments that another server may be ahead, or behind.
    private static let slack: Int64 = 4

    /// It, for the lists of other renditions. One that stands still says nothing of the time since it has grown.
    func neighbour(now: HostTime) -> HLSSegmentList.Neighbour {
        neighbour(since: refresh.isLate(now: now) ? refresh.changedAt : readAt, now: now)
    }

    private func neighbour(since readAt: HostTime, now: HostTime) -> HLSSegmentList.Neighbour {
        let age = list.isEnded ? .zero : now - readAt
        return HLSSegmentList.Neighbour(list, age: Ticks(age.nanoseconds, timescale: Ticks.nanoseconds))
    }

    private mutating func take(_ next: HLSSegmentList, asked: HostTime, now: HostTime) {
        refresh.arrived(next, after: list, asked: asked, now: now)
        (list, readAt, needsWhole) = (next, now, false)
    }

    /// The moment at which a request that waits for news may go out: at once where the server holds it back until there are some.
    func moment(now: HostTime) -> HostTime? { list.reload() == nil ? refresh.next : refresh.nextBlocking }

    /// Waits until there may be news, and reads them; `waits` false: asks for what there is by now. Blocks. Throws `.interrupted`, or with the
    /// reason where there was no answer that could be understood; what is there stays good.
    mutating func renew(
        at address: StreamAddress, by reading: PlaylistReading, beside neighbour: HLSSegmentList.Neighbour? = nil,
        waits: Bool = true, time: any TimeSource
    ) throws(MediaError) {
        guard let moment = waits ? moment(now: time.now()) : refresh.next else { return }
        try reading.fetch.wait(until: moment)
        let asked = time.now()
        do throws(MediaError) {
            let reload = waits ? list.reload(isRecent: isRecent(asked), withParts: reading.takesParts) : nil
            let update = try reading.list(at: address, reload)
            try take(update, at: address, beside: neighbour, asked: asked, now: time.now())
        } catch {
            if error.code != .interrupted {
                refresh.failed(now: time.now())
                needsWhole = true
            }
            throw error
        }
    }

    /// An answer may leave out what is so young (RFC 8216bis, 6.2.5.1): half of what the server may skip.
    private func isRecent(_ now: HostTime) -> Bool {
        !needsWhole && list.serverControl.skipUntil.map { now - readAt < TimeSpan(nanoseconds: $0 / 2) } == true
    }

    private mutating func take(
        _ update: HLSSegmentList, at address: StreamAddress, beside neighbour: HLSSegmentList.Neighbour?, asked: HostTime,
        now: HostTime
    ) throws(MediaError) {
        let former = list
        if let origin, origin != address, !goesOn(in: update, now: now) {
            Self.log.warning("\(address.text): this server counts its segments otherwise")
            return try follow(update, from: address, asked: asked, now: now)
        }
        // Segments that an update leaves out are put in before anything is counted.
        let isPart = update.skip != nil
        let update = isPart ? try joined(update) : update
        if refresh.beginsAnew(update, after: former) {
            Self.log.warning("\(address.text): the list of segments begins anew")
            return take(update.beginning(behind: former), asked: asked, now: now)
        }
        guard update.segments.numbers.upperBound >= former.segments.numbers.upperBound || update.isEnded else {
            return refresh.failed(now: now)
        }
        take(isPart ? update : try joined(update, beside: neighbour), asked: asked, now: now)
        origin = address
    }

    /// An update with what it has left out, at its place on the axis.
    private func joined(
        _ update: HLSSegmentList, beside neighbour: HLSSegmentList.Neighbour? = nil
    ) throws(MediaError) -> HLSSegmentList {
        let former = list
        return try StreamCatalog.understood(update.address.text) { () throws(StreamFault) in
            try update.following(former, beside: neighbour)
        }
    }
}
