import AetherCore
import AetherMedia
import Glibc

/// The side of a worker that scales frames.
struct ScaleService: ~Copyable {
    private var scaler = PlaneScaler()
    /// One place for a frame, one for what is made of it.
    private var memory: SharedPlaces?

    /// The answer to a wish; nil for one of another kind. `descriptor` came with it, and is closed here.
    mutating func answer(_ wish: BoxMessage, _ descriptor: Int32) throws(MediaError) -> BoxMessage? {
        guard wish.kind == .scaleFrame else { return nil }
        defer { if descriptor >= 0 { close(descriptor) } }
        var record = RecordReader(wish.bytes)
        if descriptor >= 0 {
            memory = SharedPlaces(descriptor: descriptor, bytes: Int(clamping: record.integer(UInt64.self)), count: 2)
        }
        guard let order = ScaleOrder(&record), let memory,
            let frame = FrameRecord.frame(record.bytes(limit: BoxMessage.limit), in: memory.places[0]), record.isWhole
        else { throw MediaError(.internalFailure, "scale frame") }
        try scaler.scale(frame, order, into: memory.places[1].memory)
        return BoxMessage(.value)
    }
}
