import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// The segments that are kept, and the work of keeping them, one job at a time.
final class SegmentPast: Sendable {
    /// A segment that is to be kept.
    struct Wanted: Sendable {
        let segment: Segment
        let rendition: Rendition.ID
        let source: Int
    }
    enum Job: Sendable {
        case keep([UInt8], Wanted)
        case fetch(Wanted, StreamFetch)

        var wanted: Wanted {
            switch self {
            case .keep(_, let wanted), .fetch(let wanted, _): wanted
            }
        }
        var byteCount: Int {
            if case .keep(let bytes, _) = self { bytes.count } else { 0 }
        }
    }
    struct State {
        var ledger: SegmentLedger
        var storage: any RingStorage
        var jobs: [Job] = []
        /// The job under way.
        var present: Wanted?
        /// Bytes that wait to be written.
        var waiting = 0
        var isStopped = false
        /// Reads from a server now.
        var reader: (any IOReader)?
        var isInMemory = false
    }
    let state: Monitor<State>
    private let say: @Sendable (String) -> Void
    /// A disk that is too slow costs so much memory before segments are left out; one segment may be as long.
    static let byteLimit = 64 << 20
    /// Segments that wait to be fetched: what else is due will be due at the next look.
    private static let jobLimit = 64
    private static let log = Log.module("time-shift")

    init(_ storage: any RingStorage, options: TimeShiftOptions, say: @escaping @Sendable (String) -> Void) {
        state = Monitor(State(ledger: SegmentLedger(capacity: options.byteLimit, span: options.span), storage: storage))
        self.say = say
    }

    /// Takes a job that is not known yet.
    func add(_ job: Job) {
        state.update { state in
            guard !state.isStopped, !state.isKnown(job) else { return }
            if case .fetch = job, state.jobs.count >= Self.jobLimit { return }
            guard state.waiting + job.byteCount <= Self.byteLimit else { return }
            state.waiting += job.byteCount
            state.jobs.append(job)
        }
    }

    /// Ends the loop, and what it reads.
    func stop() {
        let reader = state.update { state in
            state.isStopped = true
            return state.reader
        }
        reader?.cancel()
    }

    // MARK: - On the thread `time-shift`

    /// Does jobs until it is stopped.
    func loop() {
        while let job = nextJob() { perform(job) }
    }

    /// Does what there is, on the caller's thread.
    func finishAll() {
        while let job = state.update({ $0.takeJob() }) { perform(job) }
    }

    private func nextJob() -> Job? {
        let job: Job?? = state.wait { state in
            if state.isStopped { return .some(nil) }
            return state.takeJob().map { .some($0) }
        }
        return job ?? nil
    }

    private func perform(_ job: Job) {
        defer { state.update { $0.present = nil } }
        switch job {
        case .keep(let bytes, let wanted): write(bytes, wanted)
        case .fetch(let wanted, let fetch):
            do throws(IOReaderError) {
                write(try bytes(of: wanted.segment, by: fetch), wanted)
            } catch {
                if error != .cancelled { Self.log.warning("segment \(wanted.segment.number) cannot be kept: \(error)") }
            }
        }
    }

    private func bytes(of segment: Segment, by fetch: StreamFetch) throws(IOReaderError) -> [UInt8] {
        let range = segment.range
        let reader = try fetch.reader(segment.address, from: range?.offset ?? 0, to: range?.end)
        let isStopped = state.update { state in
            state.reader = reader
            return state.isStopped
        }
        defer {
            state.update { $0.reader = nil }
            reader.close()
        }
        if isStopped { throw .cancelled }
        if let range, reader.isSeekable { try reader.seek(to: range.offset) }
        let bytes = try reader.bytes(limit: range.map { Int(clamping: $0.length) } ?? Self.byteLimit + 1)
        guard !bytes.isEmpty, bytes.count <= Self.byteLimit, range.map({ Int64(bytes.count) == $0.length }) ?? true,
            WebContent(Array(bytes.prefix(1024))) != .page
        else { throw .network(NetworkFault(.badAnswer)) }
        return bytes
    }

    private func write(_ bytes: [UInt8], _ wanted: Wanted) {
        for _ in 0..<2 {
            let (place, storage) = state.update { ($0.ledger.place(for: Int64(bytes.count)), $0.storage) }
            guard let place else { return }
            do throws(RingFault) {
                try storage.write(bytes, at: place.offset)
                return state.update {
                    $0.ledger.add(wanted.segment, of: wanted.rendition, source: wanted.source, at: place)
                }
            } catch {
                make(narrowAfter: error, at: place)
            }
        }
    }

    /// A full disk makes what is there the length; one that cannot be written is followed by memory, which holds little. Each is told once.
    private func make(narrowAfter fault: RingFault, at place: ByteRange) {
        let sentence = state.update { state -> String? in
            if fault == .full, place.offset > 0, state.ledger.capacity > place.offset {
                state.ledger.narrow(to: place.offset)
                return "the disk is full: less of the past is kept"
            }
            guard !state.isInMemory else { return nil }
            state.isInMemory = true
            state.storage = RingBytes()
            state.ledger.clear(capacity: min(state.ledger.capacity, PacketRing.memoryLimit))
            return "the past cannot be kept on disk (\(fault.reason)): only the last moments can be sought"
        }
        if let sentence { say(sentence) }
    }
}

extension SegmentPast.State {
    /// Whether a segment is kept, or will be.
    fileprivate func isKnown(_ job: SegmentPast.Job) -> Bool {
        let wanted = job.wanted
        if ledger.entry(of: wanted.segment, in: wanted.rendition, source: wanted.source) != nil { return true }
        if let present, present.isSame(wanted) { return true }
        return jobs.contains { $0.wanted.isSame(wanted) }
    }

    /// The job that comes first; bytes that wait come before requests.
    fileprivate mutating func takeJob() -> SegmentPast.Job? {
        guard !jobs.isEmpty else { return nil }
        let index = jobs.firstIndex { $0.byteCount > 0 } ?? 0
        let job = jobs.remove(at: index)
        waiting -= job.byteCount
        present = job.wanted
        return job
    }
}

extension SegmentPast.Wanted {
    fileprivate func isSame(_ other: Self) -> Bool {
        source == other.source && rendition == other.rendition && segment.number == other.segment.number
            && segment.start == other.segment.start
    }
}
