import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Glibc

/// The past of a broadcast in segments, on disk: those that were played, and those that would have left the server's list before they are. A thread
/// of its own writes and fetches, so that neither a slow disk nor a paused player holds anything up.
///
/// Any thread may call it. Reading a segment blocks on the disk.
final class KeptSegments: Sendable {
    /// Whether the work is done by a thread, or by the caller, in tests.
    enum Worker { case thread, caller }
    private let past: SegmentPast
    private let thread: WorkerThread?

    /// Keeps segments in a storage. `say`: one sentence for the person.
    init(
        _ storage: any RingStorage, options: TimeShiftOptions, by worker: Worker = .thread,
        say: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let past = SegmentPast(storage, options: options, say: say)
        self.past = past
        thread = worker == .thread ? WorkerThread(name: "time-shift", urgency: .bulk) { past.loop() } : nil
    }

    deinit {
        past.stop()
        thread?.join()
    }

    // MARK: - Keeping

    /// Keeps the bytes of a segment as the server gave them.
    func keep(_ bytes: [UInt8], _ segment: Segment, of rendition: Rendition.ID, source: Int) {
        past.add(.keep(bytes, SegmentPast.Wanted(segment: segment, rendition: rendition, source: source)))
        if thread == nil { past.finishAll() }
    }

    /// Fetches those segments of a list that would be gone when playing comes to them. `next` is the one that is read, or will be.
    func follow(_ segments: any SegmentIndex, of rendition: Rendition.ID, source: Int, reading next: Int64, by fetch: StreamFetch)
    {
        for number in SegmentFollowing.due(segments.numbers, reading: next) {
            guard let segment = segments.segment(number), !segment.isGap, !segment.isOpen else { continue }
            past.add(.fetch(SegmentPast.Wanted(segment: segment, rendition: rendition, source: source), fetch))
        }
        if thread == nil { past.finishAll() }
    }

    /// So much is kept from now on.
    func keep(for span: TimeSpan) { past.state.update { $0.ledger.span = span } }

    // MARK: - Reading

    /// The bytes of a segment that is kept; nil for others.
    func reader(of segment: Segment, in rendition: Rendition.ID, source: Int) -> (any IOReader)? {
        past.state.read { $0.ledger.entry(of: segment, in: rendition, source: source) }.map { KeptReader($0, past) }
    }

    /// Whether a segment is kept.
    func holds(_ segment: Segment, in rendition: Rendition.ID, source: Int) -> Bool {
        past.state.read { $0.ledger.entry(of: segment, in: rendition, source: source) != nil }
    }

    /// The segments from a place on that the server's list has no more; nil where that has it, or where nothing is kept before it.
    func run(from place: SegmentPlace, before list: any SegmentIndex, in rendition: Rendition.ID, source: Int) -> SegmentRun? {
        let found = past.state.read { state -> (Rendition.ID, [Segment])? in
            let ledger = state.ledger
            let entry: SegmentLedger.Entry? =
                switch place {
                case .number(let number) where number < list.numbers.lowerBound || list.numbers.isEmpty:
                    ledger.entry(number, in: rendition, source: source)
                case .time(let time) where time < list.start || list.numbers.isEmpty:
                    ledger.entry(at: time, of: source, preferring: rendition)
                case .border(let time) where time < list.start || list.numbers.isEmpty:
                    ledger.entry(at: time + Self.rounding, of: source, preferring: rendition)
                default: nil
                }
            guard let entry, list.numbers.isEmpty || entry.segment.start < list.start else { return nil }
            return (entry.rendition, ledger.stretch(from: entry).map(\.segment))
        }
        guard let (id, segments) = found, let first = segments.first, let stretch = KeptStretch(segments) else { return nil }
        return SegmentRun(id, stretch, from: first.number, isKept: true)
    }
    /// Lists that are rounded differently agree so far.
    private static let rounding = Ticks(.milliseconds(20))

    /// A kept segment could not be read: it is not offered again.
    func drop(_ segment: Segment, of rendition: Rendition.ID, source: Int) {
        past.state.update { state in
            if let entry = state.ledger.entry(of: segment, in: rendition, source: source) { state.ledger.drop(entry.id) }
        }
    }

    /// The start of what is kept; nil for nothing.
    var start: MediaTime? { past.state.read { state in state.ledger.lead.flatMap { state.ledger.start(of: $0)?.time } } }

    /// The range without a hole that ends with the newest segment; nil for nothing.
    var held: ClosedRange<MediaTime>? { past.state.read { state in state.ledger.lead.flatMap { state.ledger.held(of: $0) } } }
}

/// The bytes of a kept segment. They end with a fault where newer ones have taken their place.
private final class KeptReader: IOReader {
    private let entry: SegmentLedger.Entry
    private let past: SegmentPast
    private let position = Counter()

    init(_ entry: SegmentLedger.Entry, _ past: SegmentPast) { (self.entry, self.past) = (entry, past) }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        let done = Int64(position.current), count = Int(min(Int64(buffer.count), entry.place.length - done))
        guard count > 0 else { return 0 }
        let storage = past.state.read { $0.storage }
        let bytes = storage.read(count, at: entry.place.offset + done)
        if bytes == nil { past.state.update { [entry] in $0.ledger.drop(entry.id) } }
        // Bytes that were written over meanwhile were read in part; those that the disk does not give back are not offered again.
        guard let bytes, past.state.read({ $0.ledger.holds(entry.id) }) else { throw .network(NetworkFault(.brokeOff)) }
        buffer.copyBytes(from: bytes)
        position.add(count)
        return count
    }

    func seek(to offset: Int64) throws(IOReaderError) {
        guard (0...entry.place.length).contains(offset) else { throw .posix(EINVAL) }
        position.set(Int(offset))
    }

    var size: Int64? { entry.place.length }
    var isSeekable: Bool { true }
    var traits: IOReaderTraits { IOReaderTraits(isLocal: true, seekCost: .call, mayStall: false, isRepeatable: true) }
    func cancel() {}
    func resume() {}
    func close() {}
    func makeIndependentReader() -> (any IOReader)? { KeptReader(entry, past) }
}
