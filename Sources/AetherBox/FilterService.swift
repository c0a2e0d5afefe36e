import AetherCore
import AetherMedia
import Glibc

/// The side of a worker that has filters.
struct FilterService: ~Copyable {
    private var line: LibraryFilterLine
    private var lent = LentFrames()
    /// Frames that lie where a decoder has put them, and the place in which the player puts others.
    private var borrowed = BorrowedFrames()
    private var input: SharedPlaces?

    /// Makes the filters that a wish describes. Throws what libavfilter refuses.
    init(_ wish: [UInt8]) throws(MediaError) {
        var record = RecordReader(wish)
        guard let order = FilterOrder(&record), record.isWhole else { throw MediaError(.internalFailure, "use the filters") }
        var line = try LibraryFilterLine(order)
        try line.settle()
        self.line = consume line
    }

    /// The answer to the wish that made them: the unit of times.
    var answer: BoxMessage {
        let base = line.timeBase
        var record = RecordWriter()
        record.put(base.numerator)
        record.put(base.denominator)
        return BoxMessage(.value, record.bytes)
    }

    /// The answer to a wish; nil for one of another kind. `descriptor` came with it, and is closed here.
    mutating func answer(_ wish: BoxMessage, _ descriptor: Int32) throws(MediaError) -> BoxMessage? {
        guard [.filterFrame, .finishFilters, .receiveFrame, .takePool].contains(wish.kind) else { return nil }
        defer { if descriptor >= 0 { close(descriptor) } }
        if wish.kind != .takePool { lent.takeBack(wish.bytes) }
        switch wish.kind {
        case .filterFrame: try take(wish.bytes, descriptor)
        case .finishFilters: try line.finish()
        case .takePool:
            var record = RecordReader(wish.bytes)
            lent.move(to: LentFrames.store(&record, descriptor))
            return BoxMessage(.value)
        default: break
        }
        if wish.kind == .receiveFrame { try lent.throwFailure() }
        let handed = hand()
        var answer = RecordWriter()
        answer.put(each: borrowed.takeReturned()) { $0.put($1) }
        handed.put(to: &answer)
        return BoxMessage(.value, answer.bytes)
    }

    private mutating func take(_ wish: [UInt8], _ descriptor: Int32) throws(MediaError) {
        var record = RecordReader(wish)
        if record.bool() {
            guard let frame = borrowed.frame(&record, descriptor) else { throw MediaError(.internalFailure, "use the filters") }
            return try line.put(frame)
        }
        let bytes = record.optional { Int(clamping: $0.integer(UInt64.self)) }
        if let bytes, descriptor >= 0 { input = SharedPlaces(descriptor: descriptor, bytes: bytes, count: 1) }
        guard let frame = FrameRecord.frame(record.bytes(limit: BoxMessage.limit), in: input?.places[0]), !record.isBroken else {
            throw MediaError(.internalFailure, "use the filters")
        }
        try line.put(copyOf: frame)
    }

    /// Longest that is worked on one answer before what there is goes out: who does nothing for 5 s is taken for dead.
    private static let longest = TimeSpan.seconds(1)

    /// The frames that come without another going in.
    private mutating func hand() -> HandedFrames {
        let time = SystemTime(), end = time.now() + Self.longest
        return lent.hand(from: &line, named: "libavfilter") { time.now() < end }
    }
}

extension LibraryFilterLine: FrameGiving {
    mutating func giveFrame() throws(MediaError) -> DecodedFrame? { try take() }
}
