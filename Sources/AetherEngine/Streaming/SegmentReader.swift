import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Synchronization

/// The bytes of a run: its init section and its segments, one behind the other, from start to end only. When half of a segment is read, the
/// next one is asked for.
///
/// A segment that cannot be had ends the bytes, so that the demuxer gives what it holds; `failure` says why.
final class SegmentReader: IOReader {
    private struct State {
        var present: OpenPiece?
        /// The file of the piece before: the next one may go on in it.
        var former: SegmentFile?
        var ahead: SegmentFile?
        var isMapDue: Bool
        /// The segment that is read, or was read last; nil before the first.
        var number: Int64?
        var failure: SegmentFailure?
        var isGivenUp = false
        var isCancelled = false, isClosed = false
        /// Nothing follows the segment that is read.
        var endsAfterSegment = false
        /// The first bytes of the first segment.
        var head: [UInt8] = []

        var readers: [any IOReader] { [present?.file.reader, former?.reader, ahead?.reader].compactMap { $0 } }
    }
    let run: SegmentRun
    private let fetch: StreamFetch
    /// Chooses the variant of what follows; nil: it is the same one.
    private let adapter: StreamAdapter?
    private let time: any TimeSource
    private let state: Mutex<State>

    init(_ run: SegmentRun, fetch: StreamFetch, adapter: StreamAdapter? = nil, time: any TimeSource = SystemTime()) {
        (self.run, self.fetch, self.adapter, self.time) = (run, fetch, adapter, time)
        state = Mutex(State(isMapDue: run.first.map != nil))
    }

    deinit { close() }

    /// The segment that is read, or was read last; the first one before.
    var number: Int64 { state.withLock { $0.number } ?? run.first.number }

    /// The first bytes of the first segment, at most 1 KB; empty before they are read.
    var head: [UInt8] { state.withLock { $0.head } }

    /// The bytes end behind the segment that is read.
    func endAfterSegment() { state.withLock { $0.endsAfterSegment = true } }

    /// The segment that is read was given up for one of another variant: what came of it is not to be used.
    var isGivenUp: Bool { state.withLock { $0.isGivenUp } }

    /// nil while all is well.
    var failure: SegmentFailure? { state.withLock { $0.failure } }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        while true {
            do throws(IOReaderError) {
                guard let open = try present() else { return 0 }
                if open.isFresh {
                    try begin(open)
                    continue
                }
                var count = first(buffer)
                if count == 0 { count = try open.clear.read(buffer) }
                if count > 0 {
                    if open.map != nil { keep(Array(buffer.prefix(count))) }
                    if open.map == nil, let adapter, adapter.isGivenUp(load(open)) {
                        state.withLock { $0.isGivenUp = true }
                        return 0
                    }
                    if open.bytes.isHalfRead { askAhead() }
                    return count
                }
                if let map = open.map { fetch.keep(map, state.withLock { $0.present?.taken ?? [] }) }
                state.withLock { state in
                    state.former = state.present?.file
                    state.present = nil
                }
            } catch {
                if error == .cancelled || error == .closed { throw error }
                let number = number
                state.withLock { $0.failure = SegmentFailure(number: number, error: error) }
                return 0
            }
        }
    }

    /// The segment that is read, on its way; nil where nobody knows how long it is.
    private func load(_ open: OpenPiece) -> Adaptation.Load? {
        guard let size = open.bytes.whole, let duration = run.segment(number)?.duration.span else { return nil }
        return Adaptation.Load(elapsed: time.now() - open.askedAt, bytes: open.bytes.done, size: size, duration: duration)
    }

    /// Runs with the same init section need not ask for it again.
    private func keep(_ bytes: [UInt8]) {
        state.withLock { state in
            guard let count = state.present?.taken.count, count <= StreamFetch.initLimit else { return }
            state.present?.taken += bytes
        }
    }

    /// Gives bytes that were looked at; 0 where there are none.
    private func first(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let given = state.withLock { state in
            let given = state.present?.first.prefix(buffer.count) ?? []
            state.present?.first.removeFirst(given.count)
            return given
        }
        buffer.copyBytes(from: given)
        return given.count
    }

    /// Looks at the first bytes of a piece: 1 KB, and the events before the media. A page for people instead of a segment is none.
    private func begin(_ open: OpenPiece) throws(IOReaderError) {
        let segment = open.map == nil ? run.segment(number).flatMap { $0.mediaOffset == nil ? nil : $0 } : nil
        var bytes = Array(open.first), isAtEnd = false
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { room.deallocate() }
        while !isAtEnd, bytes.count < 1024 || segment != nil && !MediaEvent.areComplete(in: bytes[...]) {
            let count = try open.clear.read(room)
            isAtEnd = count == 0
            bytes += room.prefix(count)
            // Whoever is cancelled meanwhile goes on behind these.
            state.withLock { [bytes] in $0.present?.first = bytes[...] }
        }
        let head = Array(bytes.prefix(1024))
        state.withLock { state in
            state.present?.isFresh = false
            if state.number == run.first.number { state.head = head }
        }
        // Encryption leaves events as they are.
        if let segment { fetch.events.take(bytes[...], of: segment) }
        if WebContent(head) == .page { throw .network(NetworkFault(.webPage)) }
    }

    /// The piece that is read, opened where the one before it has ended; nil at the end of the run.
    private func present() throws(IOReaderError) -> OpenPiece? {
        let (open, piece) = try state.withLock { state throws(IOReaderError) -> (OpenPiece?, SegmentPiece?) in
            if state.isClosed { throw .closed }
            if state.isCancelled { throw .cancelled }
            if state.isGivenUp { return (nil, nil) }
            if let open = state.present { return (open, nil) }
            guard state.failure == nil else { return (nil, nil) }
            if state.isMapDue, let map = run.first.map { return (nil, SegmentPiece(map, before: run.first)) }
            guard let number = state.number else { return (nil, SegmentPiece(run.first)) }
            return (nil, state.endsAfterSegment ? nil : run.segment(after: number).map { SegmentPiece($0) })
        }
        if let open { return open }
        guard let piece else { return nil }
        // Before it is opened: what fails is this one.
        state.withLock { state in
            if let number = piece.number { state.number = number } else { state.isMapDue = false }
        }
        let fresh = try opened(piece), file = fresh.file
        state.withLock { state in
            state.present = fresh
            // A cancel that came meanwhile has not seen it.
            if state.isCancelled { file.reader.cancel() }
            if state.isClosed { file.reader.close() }
        }
        return fresh
    }

    private func opened(_ piece: SegmentPiece) throws(IOReaderError) -> OpenPiece {
        let map = piece.number == nil ? run.first.map : nil
        if let map, let known = fetch.known(map) {
            let file = SegmentFile(nil, MemoryReader(known)), bytes = SegmentBytes(file, length: nil)
            return OpenPiece(file: file, bytes: bytes, clear: bytes, askedAt: time.now())
        }
        let askedAt = time.now()
        let file = try file(of: piece)
        let bytes = SegmentBytes(file, length: piece.range?.length)
        guard let (key, vector) = piece.cipher else {
            return OpenPiece(file: file, bytes: bytes, clear: bytes, askedAt: askedAt, map: map)
        }
        let clear = try DecipheringReader(bytes, key: try fetch.key(key), initial: vector)
        return OpenPiece(file: file, bytes: bytes, clear: clear, askedAt: askedAt, map: map)
    }

    /// The file of a piece at its first byte: the one that was read before, the one that was asked for ahead, or another. Blocks.
    private func file(of piece: SegmentPiece) throws(IOReaderError) -> SegmentFile {
        let offset = piece.range?.offset ?? 0
        let (former, ahead) = state.withLock { state in
            defer { (state.former, state.ahead) = (nil, nil) }
            return (state.former, state.ahead)
        }
        if let former {
            if former.address == piece.address, piece.range != nil, ahead == nil, try place(former, at: offset) { return former }
            former.reader.close()
        }
        if let ahead {
            if ahead.address == piece.address { return try placed(ahead, at: offset) }
            ahead.reader.close()
        }
        let reader = try fetch.reader(piece.address, as: piece.number == nil ? .small : .media, from: offset)
        return try placed(SegmentFile(piece.address, reader), at: offset)
    }

    private func placed(_ file: SegmentFile, at offset: Int64) throws(IOReaderError) -> SegmentFile {
        guard try place(file, at: offset) else { throw .notSeekable }
        return file
    }

    /// Returns false where the file does not lead there any more. Cancelling reaches it while it moves.
    private func place(_ file: SegmentFile, at offset: Int64) throws(IOReaderError) -> Bool {
        let isCancelled = state.withLock { state in
            state.former = file
            return state.isCancelled
        }
        defer { state.withLock { $0.former = nil } }
        if isCancelled { throw .cancelled }
        do throws(IOReaderError) {
            try file.move(to: offset)
            return true
        } catch {
            if error == .notSeekable { return false }
            throw error
        }
    }

    /// Asks for the segment behind the present one where that lies in a file of its own, and is of the same variant.
    private func askAhead() {
        let number = number
        if let adapter, let segment = run.segment(number), !adapter.isFollowed(number, duration: segment.duration.span) {
            return endAfterSegment()
        }
        let wanted = state.withLock { state -> Segment? in
            guard state.ahead == nil, let number = state.number, let present = state.present, !state.isClosed,
                !state.endsAfterSegment,
                let next = run.segment(after: number), next.address != present.file.address, next.range == nil
            else { return nil }
            return next
        }
        guard let wanted else { return }
        do throws(IOReaderError) {
            let file = SegmentFile(wanted.address, try fetch.reader(wanted.address))
            let isWanted = state.withLock { state -> Bool in
                guard !state.isClosed else { return false }
                state.ahead = file
                return true
            }
            if !isWanted { file.reader.close() }
        } catch {
            // It is told when its turn comes.
            Log.module("net").info("segment \(wanted.number): \(error)")
        }
    }

    func seek(to offset: Int64) throws(IOReaderError) { throw .notSeekable }
    var size: Int64? { nil }
    var isSeekable: Bool { false }
    var traits: IOReaderTraits { fetch.traits }

    func cancel() {
        let readers = state.withLock { state in
            state.isCancelled = true
            return state.readers
        }
        for reader in readers { reader.cancel() }
    }

    func resume() {
        let readers = state.withLock { state in
            state.isCancelled = false
            return state.readers
        }
        for reader in readers { reader.resume() }
    }

    func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            return state.readers
        }
        for reader in readers { reader.close() }
    }

    /// Always nil: the rendition has independent readers.
    func makeIndependentReader() -> (any IOReader)? { nil }
}
