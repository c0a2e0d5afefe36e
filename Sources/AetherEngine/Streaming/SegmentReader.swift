import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Synchronization

/// The bytes of a run: its init section and its segments, one behind the other, from start to end only. When half of a segment is read, the
/// next one is asked for. A run that is a whole file is gone about in.
///
/// A segment that cannot be had ends the bytes, so that the demuxer gives what it holds; `failure` says why. So does one of another container,
/// which a demuxer of its own has to read: playlists leave EXT-X-MAP in force over segments of MPEG-TS.
final class SegmentReader: IOReader {
    struct State {
        var cursor: PieceCursor
        var present: OpenPiece?
        var failure: SegmentFailure?
        var isGivenUp = false
        var isCancelled = false, isClosed = false
        /// The first bytes of the first segment.
        var head: [UInt8] = []
        /// How often in a row a page for people came in the place of a piece.
        var pages = 0
        /// Of the first piece; nil where its bytes do not tell.
        var container: Container?
        /// The segment whose bytes are of another container than those before it, or of another clock.
        var odd: Int64?
        var clock: ClockWatch
        /// That segment is of the same container, and of another clock.
        var isRestart = false
    }
    let run: SegmentRun
    /// Knows more of segments that are being made; nil: they are taken as they are.
    let growth: SegmentGrowth?
    let fetch: StreamFetch
    let files: SegmentFiles
    /// Chooses the variant of what follows; nil: it is the same one.
    private let adapter: StreamAdapter?
    /// Takes the bytes of segments as they are read; nil: nothing records them.
    private let tap: ByteTap?
    private let time: any TimeSource
    /// The kept segments of the track; nil: none are.
    private let kept: KeptTrack?
    /// Collects segments that will be kept.
    private let intake: SegmentIntake?
    private let patience: SegmentPatience
    let state: Mutex<State>
    /// A server that is overrun, or a wall before the network, may answer a request with a page and the next one with the media.
    private static let pageLimit = 2, pagePause = TimeSpan.seconds(0.5)

    init(
        _ run: SegmentRun, fetch: StreamFetch, growth: SegmentGrowth? = nil, adapter: StreamAdapter? = nil,
        patience: SegmentPatience = SegmentPatience(), tap: ByteTap? = nil, kept: KeptTrack? = nil, isComplete: Bool = false,
        time: any TimeSource = SystemTime()
    ) {
        self.kept = kept
        intake = run.isKept ? nil : kept.map { SegmentIntake($0, of: run.rendition) }
        self.tap = tap
        (self.run, self.fetch, self.growth, self.adapter, self.time) = (run, fetch, growth, adapter, time)
        self.patience = patience
        files = SegmentFiles(fetch)
        state = Mutex(
            State(cursor: PieceCursor(run, takesParts: growth != nil), clock: ClockWatch(isComplete: isComplete)))
    }

    deinit {
        close()
        // Of a segment that was left in its middle nothing is recorded.
        tap?.dropSegment(by: ObjectIdentifier(self))
    }

    /// The segment that is read, or was read last; the first one before.
    var number: Int64 { state.withLock { $0.cursor.number } ?? run.first.number }

    /// The end of a segment of the run, by what is known of it now.
    func end(of number: Int64) -> Ticks { state.withLock { $0.cursor.end(of: number) } }

    /// The first bytes of the first segment, at most 1 KB; empty before they are read.
    var head: [UInt8] { state.withLock { $0.head } }

    /// The bytes end behind the segment that is read.
    func endAfterSegment() { state.withLock { $0.cursor.endAfterSegment() } }

    /// The segment that is read was given up for one of another variant: what came of it is not to be used.
    var isGivenUp: Bool { state.withLock { $0.isGivenUp } }

    /// nil while all is well.
    var failure: SegmentFailure? { state.withLock { $0.failure } }

    /// The segment before which the bytes have ended, because it is of another container or clock than what was read; nil: none is.
    var odd: Int64? { state.withLock { $0.odd } }

    /// The bytes have ended there because of its clock alone.
    var isRestart: Bool { state.withLock { $0.isRestart } }

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
                    if open.map == nil, !open.isPart, !run.first.isWholeFile, let adapter, adapter.isGivenUp(load(open)) {
                        state.withLock { $0.isGivenUp = true }
                        return 0
                    }
                    if let tap, open.map == nil {
                        give(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), to: tap)
                    }
                    if open.bytes.isHalfRead, !run.first.isWholeFile { askAhead() }
                    return count
                }
                if let map = open.map { fetch.keep(map, state.withLock { $0.present?.taken ?? [] }) }
                if let tap, open.map == nil, !open.isPart { tap.endSegment(by: ObjectIdentifier(self)) }
                if open.isPart { open.file.reader.close() } else { files.keep(open.file) }
                if open.map == nil, !open.isPart { endIntake() }
                state.withLock { state in
                    if open.isPart { state.cursor.note(partBytes: open.bytes.done) }
                    state.present = nil
                }
                if open.isPart { endIntakeOfParts() }
            } catch {
                if error == .cancelled || error == .closed { throw error }
                if try asksAgain(after: error) { continue }
                let number = number
                state.withLock { $0.failure = SegmentFailure(number: number, error: error) }
                return 0
            }
        }
    }

    /// Gives bytes of the segment that is read to a recording, with the init section before it.
    private func give(_ bytes: UnsafeRawBufferPointer, to tap: ByteTap) {
        guard let segment = state.withLock({ $0.cursor.segment }) else { return }
        let header = run.first.map.flatMap { section in fetch.known(section).map { (section: section, bytes: $0) } }
        tap.take(bytes, of: segment, header: header, by: ObjectIdentifier(self))
    }

    /// The segment that was read is whole.
    private func endIntake() {
        if let segment = state.withLock({ $0.cursor.segment }) { intake?.end(segment) }
    }

    /// The segment that was read in parts is whole, once there are no more of them.
    private func endIntakeOfParts() {
        let whole = state.withLock { $0.cursor.wholeOfParts }
        if let whole { intake?.end(whole) }
    }

    /// Whether the piece is asked for once more, after a pause. Blocks for that.
    private func asksAgain(after error: IOReaderError) throws(IOReaderError) -> Bool {
        guard case .network(let fault) = error, fault.kind == .webPage, !fetch.traits.isLocal else { return false }
        let former = state.withLock { state -> SegmentFile? in
            guard state.pages < Self.pageLimit, state.cursor.piece != nil else { return nil }
            state.pages += 1
            state.cursor.askAgain()
            defer { state.present = nil }
            return state.present?.file
        }
        guard let former else { return false }
        former.reader.close()
        intake?.takeBack()
        do throws(MediaError) {
            try fetch.wait(until: time.now() + Self.pagePause)
        } catch {
            throw .cancelled
        }
        return true
    }

    /// The segment that is read, on its way; nil where its length is unknown.
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
    func begin(_ open: OpenPiece) throws(IOReaderError) {
        let segment = open.map == nil ? run.segment(number).flatMap { $0.mediaOffset == nil ? nil : $0 } : nil
        var bytes = Array(open.first), isAtEnd = false
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { room.deallocate() }
        while !isAtEnd, bytes.count < 1024 || segment != nil && !MediaEvent.areComplete(in: bytes[...]) {
            let count = try open.clear.read(room)
            isAtEnd = count == 0
            bytes += room.prefix(count)
            // A read that is cancelled meanwhile goes on behind these.
            state.withLock { [bytes] in $0.present?.first = bytes[...] }
        }
        let head = Array(bytes.prefix(1024))
        state.withLock { state in
            state.present?.isFresh = false
            if state.cursor.number == run.first.number, state.head.isEmpty { state.head = head }
        }
        // Encryption leaves events as they are.
        if let segment { fetch.events.take(bytes[...], of: segment) }
        if WebContent(head) == .page { throw .network(NetworkFault(.webPage)) }
        state.withLock { [bytes] state in
            state.pages = 0
            guard !open.isPart, let container = Container(head: head) else { return }
            // A second header of Matroska ends what a demuxer reads.
            if let former = state.container, former != container || container == .matroska { state.odd = state.cursor.number }
            state.container = state.container ?? container
            guard state.odd == nil, open.map == nil, let next = state.cursor.segment else { return }
            let header = run.first.map.flatMap { fetch.known($0) }
            if state.clock.breaks(at: next, head: bytes[...], header: header) {
                (state.odd, state.isRestart) = (state.cursor.number, true)
            }
        }
    }

    /// The piece that is read, opened where the one before it has ended; nil at the end of the run.
    func present() throws(IOReaderError) -> OpenPiece? {
        while true {
            let (open, step) = try state.withLock { state throws(IOReaderError) in try Self.step(&state) }
            if let open { return open }
            switch step {
            case .end: return nil
            case .grow(let progress):
                let now = try growth?.segment(progress.segment.number, beyond: progress.count)
                state.withLock { $0.cursor.grow(to: now) }
                endIntakeOfParts()
            case .open(let piece):
                let fresh = try opened(piece), file = fresh.file
                state.withLock { state in
                    state.present = fresh
                    state.cursor.note(opened: piece)
                    // A cancel that came meanwhile has not seen it.
                    if state.isCancelled { file.reader.cancel() }
                    if state.isClosed { file.reader.close() }
                }
                return fresh
            }
        }
    }

    /// The piece that is open, else the step that comes next. Demuxers read once more behind the end.
    private static func step(_ state: inout State) throws(IOReaderError) -> (OpenPiece?, PieceCursor.Step) {
        if state.isClosed { throw .closed }
        if state.isCancelled { throw .cancelled }
        if state.isGivenUp || state.failure != nil || state.odd != nil { return (nil, .end) }
        if let open = state.present { return (open, .end) }
        return (nil, state.cursor.next())
    }

    private func opened(_ piece: SegmentPiece) throws(IOReaderError) -> OpenPiece {
        let map = piece.number == nil ? run.first.map : nil
        if let map, let known = fetch.known(map) {
            let file = SegmentFile(nil, MemoryReader(known)), bytes = SegmentBytes(file, length: nil)
            return OpenPiece(file: file, bytes: bytes, clear: bytes, askedAt: time.now())
        }
        let askedAt = time.now(), keptFile = keptFile(of: piece)
        if keptFile == nil { intake?.begin(piece) }
        let file = if let keptFile { keptFile } else { try files.file(of: piece, as: asked) }
        let bytes = SegmentBytes(
            file, length: keptFile == nil ? piece.range?.length : nil, intake: keptFile == nil && map == nil ? intake : nil)
        guard let cipher = piece.cipher else {
            return OpenPiece(file: file, bytes: bytes, clear: bytes, askedAt: askedAt, isPart: piece.isPart, map: map)
        }
        let clear = try cipher.clear(bytes, fetch, asked.patience)
        return OpenPiece(file: file, bytes: bytes, clear: clear, askedAt: askedAt, isPart: piece.isPart, map: map)
    }

    /// The bytes of a segment that is kept; nil for others.
    private func keptFile(of piece: SegmentPiece) -> SegmentFile? {
        guard let kept, let number = piece.number, piece.isWhole, let segment = run.segment(number) else { return nil }
        return kept.reader(of: segment, in: run.rendition).map { SegmentFile(nil, $0) }
    }

    /// How a file is asked for now. Parts of segments are held back until they are there.
    private var asked: NamedFile {
        let isFirst = state.withLock { $0.cursor.number.map { $0 == run.first.number } ?? true }
        return NamedFile(patience: isFirst ? patience.first : patience.later, isReady: growth == nil)
    }

    /// Asks for the part or the segment behind the present one where that lies in a file of its own, and is of the same variant.
    private func askAhead() {
        let cursor = state.withLock { $0.cursor }
        guard let number = cursor.number else { return }
        if let parted = cursor.parted, parted.isGrowing || parted.next != nil {
            let next = parted.next
            guard let address = next == nil ? growth?.hint : next?.range == nil ? next?.address : nil else { return }
            return files.ask(for: address, as: asked)
        }
        if let adapter, let segment = run.segment(number), !adapter.isFollowed(number, duration: segment.duration.span) {
            return endAfterSegment()
        }
        guard let file = state.withLock({ $0.present?.file }) else { return }
        if let next = cursor.segmentAhead(of: file.address), kept?.holds(next, in: run.rendition) != true {
            files.ask(for: next.address, as: asked)
        }
    }
}
