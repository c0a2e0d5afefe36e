import AetherCore
import AetherMedia

/// Something in a worker that makes frames: a decoder, filters.
protocol FrameGiving: ~Copyable {
    /// The next frame; nil where there is none until more goes in. Throws what its library says.
    mutating func giveFrame() throws(MediaError) -> DecodedFrame?
}

/// The frames of a worker on their way to the player: the memory for those of video, and what of it the player holds.
struct LentFrames {
    /// A frame that stays as long as somebody looks at it.
    final class Held {
        let frame: DecodedFrame

        private init(_ frame: consuming DecodedFrame) { self.frame = frame }

        /// The next one of a giver; nil where there is none yet.
        static func next<Giver: FrameGiving & ~Copyable>(of giver: inout Giver) throws(MediaError) -> Held? {
            let frame = try giver.giveFrame()
            switch consume frame {
            case .some(let frame): return Held(frame)
            case nil: return nil
            }
        }
    }

    /// Where the frames lie: the player may change it.
    let room = FrameRoom()
    /// By its place: a frame that was decoded there, or the place of a copy.
    private var lent: [Int: [AnyObject]] = [:]
    /// A frame for which there was too little room.
    private var next: Held?
    /// The error that came in the place of a frame, until the player asks for one.
    private var failure: MediaError?

    init() {}

    /// From now on frames lie in other memory. What the player still looks at lies in the memory that was, where nothing is written any more.
    mutating func move(to store: FrameStore?) {
        lent = [:]
        room.store = store
    }

    /// The frames that come without more going in, until `goesOn` says no behind one of them. An error is kept for the next who asks for a frame.
    mutating func hand<Giver: FrameGiving & ~Copyable>(
        from giver: inout Giver, named name: String, while goesOn: () -> Bool = { true }
    ) -> HandedFrames {
        var handed = HandedFrames()
        while handed.frames.count < HandedFrames.most, failure == nil, handed.frames.isEmpty || goesOn() {
            do throws(MediaError) {
                if next == nil { next = try Held.next(of: &giver) }
                guard let frame = next else {
                    handed.isAll = true
                    break
                }
                guard let lying = try place(frame, of: name) else {
                    handed.room = FrameRecord.room(for: frame.frame) ?? 0
                    break
                }
                next = nil
                handed.frames.append(lying)
            } catch {
                (next, failure) = (nil, error)
            }
        }
        return handed
    }

    /// Throws the error that came in the place of a frame, once.
    mutating func throwFailure() throws(MediaError) {
        if let failure = failure.take() { throw failure }
    }

    /// Forgets the frame and the error that nobody has asked for yet.
    mutating func forgetNext() { (next, failure) = (nil, nil) }

    /// A frame where the player sees it: it was decoded there, or is copied there. nil where no place is free. Throws `.unsupported` for one that
    /// cannot leave; `name`: who made it.
    private mutating func place(_ next: Held, of name: String) throws(MediaError) -> HandedFrames.Frame? {
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
