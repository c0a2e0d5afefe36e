import AetherCore
import AetherMedia

/// A live source whose packets of the last while lie on disk. A thread of its own reads it, whatever becomes of playing; what is played is read
/// from the disk, also at the edge, where the system has it in memory still.
final class TimeShiftSource: PacketSource {
    private let shared: Monitor<ShiftedPackets>
    /// Breaks the reading of the source, and that of the past.
    private let below: Interrupt, above: Interrupt
    private let worker: WorkerThread
    private let watch: Int
    private var cursor = PacketRing.Place()
    /// Packets of the lead before this are not wanted.
    private var key = PacketRing.Place()
    private var selected: Set<StreamID>?
    private var shelf = PacketShelf()
    private var hasMoved = false
    private var toldWindow: SourceWindow?
    private var readsUntilLook = 0
    /// Places that the disk did not give back.
    private var lost = 0
    private(set) var description: SourceDescription
    private let counters = Counter(), damage = Counter()

    /// Takes a source over and goes on with it from where it is: no other owner keeps it. `below` breaks its reading, `above` that of this one.
    init(
        _ source: any PacketSource, ring storage: any RingStorage, options: TimeShiftOptions, below: Interrupt,
        above: Interrupt, time: any TimeSource, reopening: TimeShiftReopening? = nil,
        passed: @escaping @Sendable (MediaTime?) -> Void = { _ in }, say: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        var description = source.description
        description.info = description.info.broadcast()
        let streams = description.info.streams
        let video = streams.first { $0.kind == .video && $0.isDecodable && $0.enhancedStream == nil }
        let lead = video ?? streams.first { $0.kind == .audio }
        let shared = Monitor(
            ShiftedPackets(
                PacketRing(
                    storage, capacity: options.byteLimit, span: options.span, lead: lead?.id, leadHasKeys: video != nil)))
        (self.shared, self.below, self.above) = (shared, below, above)
        self.description = description
        let filler = TimeShiftFiller(
            shared: shared, interrupt: below, time: time, bytes: counters, damage: damage, passed: passed,
            reopening: reopening, say: say)
        // It has no other owner: it lives on that thread from here on.
        nonisolated(unsafe) let source = source
        worker = WorkerThread(name: "time-shift", urgency: .bulk) { filler.run(source) }
        watch = above.watch { _ in shared.update { $0.nudges += 1 } }
    }

    deinit {
        above.unwatch(watch)
        shared.update { $0.isStopped = true }
        below.raise()
        worker.join()
    }

    var window: SourceWindow { shared.read { $0.window } }
    var bytesFetched: Int64 { Int64(counters.current) }
    var damageCount: Int { damage.current + lost }

    /// All streams are read, so that what is not played now can be played of the past. Those of one that fetches them one by one are not.
    func select(_ streams: Set<StreamID>) { selected = streams }

    func keep(for span: TimeSpan) { shared.update { $0.ring.span = span } }

    /// The packets for a recording, whatever is played: from a point on, nil for the oldest packet.
    func past(from start: MediaTime?) -> RecordedPast { RecordedPast(shared, from: start) }

    /// The window where it has moved by half a second since it was told. Asked for every 16th packet.
    private func movedWindow() -> SourceWindow? {
        readsUntilLook -= 1
        guard readsUntilLook < 0 else { return nil }
        readsUntilLook = 16
        let window = window
        if let edge = window.liveEdge, let told = toldWindow?.liveEdge, (edge - told).magnitude < .milliseconds(500) {
            return nil
        }
        guard window != toldWindow, window.seekable != nil else { return nil }
        toldWindow = window
        return window
    }

    private enum Step {
        case record([UInt8])
        case event(SourceEvent)
        case expired(MediaTime)
        case ended(MediaError)
        /// The disk does not give back what was written.
        case unreadable
        case interrupted
    }

    func read(run: Epoch) throws(MediaError) -> SourceEvent {
        if let window = movedWindow() { return .window(window) }
        while true {
            switch next() {
            case .record(let bytes):
                guard let packet = PacketRecord.packet(bytes, epoch: run, in: &shelf) else { continue }
                return .packet(packet)
            case .event(let event):
                if case .described(let described) = event {
                    description.formats = described.formats
                    description.revision = described.revision
                    return .described(description)
                }
                return event
            case .expired(let oldest): return .expired(to: oldest)
            case .ended(let error): throw error
            case .unreadable: lost += 1
            case .interrupted: throw MediaError(.interrupted, "read packet")
            }
        }
    }

    private func next() -> Step {
        let above = above, selected = selected, key = key
        let (step, place): (Step, PacketRing.Place) =
            shared.wait { [cursor] state -> (Step, PacketRing.Place)? in
                if above.isRaised { return (.interrupted, cursor) }
                if !state.events.isEmpty { return (.event(state.events.removeFirst()), cursor) }
                if let oldest = state.ring.oldest, !state.ring.holds(cursor) { return (.expired(oldest.time), oldest.start) }
                var place = cursor
                while let (bytes, next) = state.ring.record(at: place) {
                    place = next
                    guard let head = PacketRecord.head(of: bytes), selected?.contains(head.stream) ?? true else { continue }
                    if head.stream == state.ring.lead, next <= key { continue }
                    state.taken = head.time ?? state.taken
                    return (.record(bytes), next)
                }
                if let next = state.ring.placeBehindDamage(at: place) { return (.unreadable, next) }
                if let ending = state.ending { return (.ended(ending), place) }
                return nil
            } ?? (.interrupted, cursor)
        cursor = place
        return step
    }

    func seek(to plan: SeekPlan, video: StreamID?) throws(MediaError) -> Bool {
        let isFirst = !hasMoved
        hasMoved = true
        let found = shared.read { state in
            var plan = plan
            guard let point = state.ring.point(for: plan.demuxTarget) else { return nil as PacketRing.Entry? }
            if let next = point.next { plan = plan.snapped(keyBefore: point.entry.time, keyAfter: next.time) }
            return state.ring.point(for: plan.demuxTarget)?.entry
        }
        // Nothing was read yet: it begins where it is.
        guard let found, !isFirst else { return false }
        (cursor, key) = (found.start, found.key)
        return true
    }
}
