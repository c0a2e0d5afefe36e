import AetherCore
import AetherMedia
import Glibc

/// The side of a worker that scales frames.
struct ScaleService: ~Copyable {
    private var scaler = PlaneScaler()
    /// Frames that lie where a decoder has put them.
    private var borrowed = BorrowedFrames()
    /// One place for another frame, one for what is made.
    private var memory: SharedPlaces?

    /// The answer to a wish; nil for one of another kind. `descriptor` came with it, and is closed here.
    mutating func answer(_ wish: BoxMessage, _ descriptor: Int32) throws(MediaError) -> BoxMessage? {
        guard wish.kind == .scaleFrame else { return nil }
        defer { if descriptor >= 0 { close(descriptor) } }
        // The player knows by the answer that the last frame was let go.
        _ = borrowed.takeReturned()
        var record = RecordReader(wish.bytes)
        guard let order = ScaleOrder(&record), let frame = frame(&record, descriptor), record.isWhole, let memory else {
            throw MediaError(.internalFailure, "scale frame")
        }
        try scaler.scale(frame, order, into: memory.places[1].memory)
        return BoxMessage(.value)
    }

    private mutating func frame(_ record: inout RecordReader, _ descriptor: Int32) -> DecodedFrame? {
        if record.bool() { return borrowed.frame(&record, descriptor) }
        let bytes = record.optional { Int(clamping: $0.integer(UInt64.self)) }
        if let bytes { memory = SharedPlaces(descriptor: descriptor, bytes: bytes, count: 2) }
        return FrameRecord.frame(record.bytes(limit: BoxMessage.limit), in: memory?.places[0])
    }
}
