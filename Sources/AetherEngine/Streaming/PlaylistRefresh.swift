import AetherCore
import AetherFormats

/// When a list of segments that grows is asked for again. Pure: time is an argument.
struct PlaylistRefresh: Sendable {
    /// The states of a list.
    enum State: Sendable, Equatable {
        /// The playlist grows as it should.
        case fresh
        /// Nothing new for six target durations: the source stands still, and is asked on, more rarely.
        case stalled
        /// There will be nothing new.
        case ended
    }

    private(set) var state = State.fresh
    /// When to ask; nil once it has ended.
    private(set) var next: HostTime?
    /// When to ask a server that holds its answer back until there is something new; nil once it has ended.
    private(set) var nextBlocking: HostTime?
    private var target = TimeSpan.seconds(6)
    /// The same, or more where the last segment is longer than the list says.
    private var step = TimeSpan.seconds(6)
    /// The list has grown last, or was read first, then.
    private(set) var changedAt: HostTime
    private var failures = 0
    private var backwards = 0

    /// Six target durations without a segment are a stall; then the pauses double up to this.
    private static let stallFactor = 6.0, longest = TimeSpan.seconds(30)
    /// Target durations below this would be a storm of requests.
    private static let shortest = TimeSpan.milliseconds(500)

    /// Nothing was read yet: at once.
    init(now: HostTime) {
        (next, nextBlocking) = (now, now)
        changedAt = now
    }

    /// A list has arrived. `asked` is when it was asked for: an update that took its time delays the next one by nothing.
    mutating func arrived(_ list: HLSSegmentList, after previous: HLSSegmentList?, asked: HostTime, now: HostTime) {
        failures = 0
        if list.isEnded {
            (state, next, nextBlocking) = (.ended, nil, nil)
            return
        }
        target = max(TimeSpan(nanoseconds: list.targetDuration), Self.shortest)
        step = max(target, list.segments.segment(list.segments.numbers.upperBound - 1)?.duration.span ?? target)
        let isUnchanged = previous.map { list.isUnchanged(since: $0) } ?? false
        if !isUnchanged { changedAt = now }
        // RFC 8216bis, 6.3.4: a target duration after a change, half of one after none, counted from the request.
        var pause = isUnchanged ? target.scaled(by: 0.5) : target
        let still = now - changedAt
        let limit = target.scaled(by: Self.stallFactor)
        state = still >= limit && still > .zero ? .stalled : .fresh
        if state == .stalled { pause = min(max(pause, still.scaled(by: 0.25)), Self.longest) }
        next = max(asked + pause, now)
        // One that answers without news does not hold back.
        nextBlocking = isUnchanged ? max(asked + max(target.scaled(by: 0.25), Self.shortest), now) : now
    }

    /// A request was given up: what is there stays good, and is asked for again after a pause.
    mutating func failed(now: HostTime) {
        failures += 1
        let pause = min(target.scaled(by: Double(1 << min(failures - 1, 8))), Self.longest)
        if now - changedAt >= target.scaled(by: Self.stallFactor) { state = .stalled }
        next = now + max(pause, Self.shortest)
        nextBlocking = next
    }

    /// Whether a segment is overdue: the list has not grown for two and a half segments, or for one and a half where two requests in a row came to
    /// nothing.
    func isLate(now: HostTime) -> Bool {
        state != .ended && now - changedAt >= step.scaled(by: failures > 1 ? 1.5 : 2.5)
    }

    /// Whether a list whose numbers go backwards is to be taken as a new beginning: where it names other files under the same numbers, where it
    /// has ended with none of the former files, else the third time in a row. Once or twice it is an old copy of a cache, which has not ended.
    mutating func beginsAnew(_ list: HLSSegmentList, after previous: HLSSegmentList) -> Bool {
        guard list.segments.numbers.upperBound < previous.segments.numbers.upperBound else {
            backwards = 0
            return false
        }
        backwards += 1
        let isOther = list.isEnded ? !list.sharesFiles(with: previous) : list.namesOthers(than: previous)
        if backwards < 3, !isOther { return false }
        backwards = 0
        return true
    }
}
