import AetherCore
import AetherMedia

/// The memory of a worker for frames of video, and what of it the player holds.
struct LentFrames {
    /// A frame that stays as long as somebody looks at it.
    final class Held {
        let frame: DecodedFrame

        init(_ frame: consuming DecodedFrame) { self.frame = frame }
    }

    /// Where the frames lie: the player may change it.
    let room = FrameRoom()
    /// By its place: a frame that was decoded there, or the place of a copy.
    private var lent: [Int: [AnyObject]] = [:]

    init() {}

    /// From now on frames lie in other memory. What the player still looks at lies in the memory that was, where nothing is written any more.
    mutating func move(to store: FrameStore?) {
        lent = [:]
        room.store = store
    }

    /// A frame where the player sees it: it was decoded there, or is copied there. nil where no place is free. Throws `.unsupported` for one that
    /// cannot leave; `name`: who made it.
    mutating func place(_ next: Held, of name: String) throws(MediaError) -> HandedFrames.Frame? {
        guard let bytes = FrameRecord.room(for: next.frame) else {
            throw MediaError(.unsupported, "decode", subject: name, reason: "its frames cannot leave the box (--sandbox)")
        }
        if bytes == 0 {
            guard let record = FrameRecord.bytes(of: next.frame, into: nil) else { throw MediaError(.internalFailure, "decode") }
            return HandedFrames.Frame(place: nil, record: record)
        }
        guard let store = room.store else { return nil }
        if let (index, memory) = store.place(of: next.frame), let record = FrameRecord.bytes(of: next.frame, lyingIn: memory) {
            lent[index, default: []].append(next)
            return HandedFrames.Frame(place: index, record: record)
        }
        guard let place = store.take(bytes, copied: true) else { return nil }
        guard let record = FrameRecord.bytes(of: next.frame, into: place.memory) else {
            throw MediaError(.internalFailure, "decode")
        }
        lent[place.index, default: []].append(place)
        return HandedFrames.Frame(place: place.index, record: record)
    }

    /// The places that a wish says at its end are no longer looked at.
    mutating func takeBack(_ wish: [UInt8]) {
        guard let count = wish.last, count > 0 else { return }
        for index in wish.dropLast().suffix(Int(count)) {
            guard var holders = lent.removeValue(forKey: Int(index)) else { continue }
            holders.removeFirst()
            if !holders.isEmpty { lent[Int(index)] = holders }
        }
    }

    /// The memory that a record tells of, by a descriptor, which stays the caller's.
    static func store(_ record: inout RecordReader, _ descriptor: Int32) -> FrameStore? {
        let bytes = Int(clamping: record.integer(UInt64.self)), count = Int(record.integer(UInt8.self))
        return descriptor >= 0 ? FrameStore(descriptor: descriptor, placeBytes: bytes, count: count) : nil
    }
}
