import AetherCore
import AetherEngine

/// The stalls and drops of what plays, with the reason of each. A value: it is folded from snapshots, time is an argument.
struct StallLog: Sendable {
    /// One of them.
    struct Entry: Sendable, Equatable {
        /// The place on the source axis.
        let position: MediaTime
        let kind: Kind
        var reason: String

        enum Kind: Sendable, Equatable {
            /// Playing stood; nil: it still does.
            case stall(TimeSpan?)
            /// So many frames were left out.
            case drop(Int)
            /// The audio device ran out so many times.
            case silence(Int)
        }
    }

    /// The oldest first.
    private(set) var entries: [Entry] = []
    private var stall: (begin: HostTime, place: Int)?
    private var last: LiveTelemetry?

    private static let limit = 64

    /// Takes in how it stands.
    mutating func note(_ snapshot: EngineSnapshot, at now: HostTime) {
        noteStall(snapshot, now)
        guard let live = snapshot.telemetry, live.sequence != last?.sequence else { return }
        // Another source counts from 0 again.
        let former = last.flatMap { live.sequence > $0.sequence ? $0 : nil }
        if former == nil, last != nil { (entries, stall) = ([], nil) }
        last = live
        func rise(_ count: (LiveTelemetry) -> Int?) -> Int { max(0, (count(live) ?? 0) - (former.flatMap(count) ?? 0)) }
        for (reason, count) in [
            (translated("decoded too late"), rise(\.droppedLateDecode)),
            (translated("encoded too slowly"), rise(\.droppedSlowEncode)),
            (translated("the terminal was too slow"), rise(\.droppedSlowTerminal)),
        ] where count > 0 { add(Entry(position: snapshot.position, kind: .drop(count), reason: reason)) }
        let silences = rise(\.alsaXruns)
        if silences > 0 {
            add(Entry(position: snapshot.position, kind: .silence(silences), reason: translated("the audio device ran out")))
        }
    }

    private mutating func noteStall(_ snapshot: EngineSnapshot, _ now: HostTime) {
        let isStalled =
            switch snapshot.phase {
            case .rebuffering, .stalled: true
            default: false
            }
        guard isStalled else {
            if let stall, entries.indices.contains(stall.place) {
                let former = entries[stall.place]
                entries[stall.place] = Entry(
                    position: former.position, kind: .stall(now - stall.begin), reason: former.reason)
            }
            stall = nil
            return
        }
        let reason = Self.reason(snapshot)
        if let stall, entries.indices.contains(stall.place) {
            // A connection that is lost on the way explains more than a buffer that is empty.
            if case .stalled = snapshot.phase { entries[stall.place].reason = reason }
            return
        }
        add(Entry(position: snapshot.position, kind: .stall(nil), reason: reason))
        stall = (now, entries.count - 1)
    }

    private mutating func add(_ entry: Entry) {
        entries.append(entry)
        guard entries.count > Self.limit else { return }
        let surplus = entries.count - Self.limit
        entries.removeFirst(surplus)
        if let stall { self.stall = stall.place >= surplus ? (stall.begin, stall.place - surplus) : nil }
    }

    /// Why playing stands.
    private static func reason(_ snapshot: EngineSnapshot) -> String {
        if case .stalled(let attempt) = snapshot.phase {
            return translated("the connection was lost, attempt \(attempt.number) of \(attempt.limit)")
        }
        guard let live = snapshot.telemetry else { return translated("the source gave too little") }
        if let ahead = live.forwardBufferSeconds, ahead > 0.2 { return translated("decoding was too slow: packets wait") }
        guard let throughput = live.networkThroughputMbps else { return translated("the source gave too little") }
        let rate = live.averageBitrateMbps ?? live.instantBitrateMbps
        guard let rate, throughput < rate else { return translated("the server gave too little") }
        return translated(
            "the server gave \(Figures.decimal(throughput, places: 1)) of \(Figures.decimal(rate, places: 1)) Mbit/s")
    }
}
