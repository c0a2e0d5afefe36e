import AetherCore
import AetherMedia
import Glibc

/// The decoder's side of a worker.
struct FrameService: ~Copyable {
    /// One of both is there.
    private var video: VideoDecoder?
    private var audio: AudioDecoder?
    /// The memory for frames of video, and what of it the player holds: by its place, a frame that was decoded there, or the place of a copy.
    private let room: FrameRoom
    private var lent: [Int: [AnyObject]] = [:]
    /// A frame for which there was too little room.
    private var held: Held?
    /// The error that the decoder threw in the place of a frame, until the player asks for one.
    private var failure: MediaError?

    /// A frame that stays as long as somebody looks at it.
    private final class Held {
        let frame: DecodedFrame

        init(_ frame: consuming DecodedFrame) { self.frame = frame }
    }

    /// The name of the decoder.
    let name: String

    /// Opens the decoder that a wish describes. `descriptor` came with it, and is closed here.
    init(_ wish: BoxMessage, _ descriptor: Int32) throws(MediaError) {
        defer { if descriptor >= 0 { close(descriptor) } }
        var record = RecordReader(wish.bytes)
        let room = FrameRoom()
        room.store = record.optional { Self.store(&$0, descriptor) } ?? nil
        self.room = room
        let threads = Int(record.integer(UInt8.self)), effort = EffortRecord.effort(&record)
        let parameters = ParametersRecord.parameters(&record, box: nil)
        guard record.isWhole else { throw MediaError(.internalFailure, "open decoder") }
        if wish.kind == .openVideo {
            let decoder = try VideoDecoder(parameters, threadCount: threads, effort: effort, room: room)
            name = decoder.name
            video = consume decoder
            audio = nil
        } else {
            let decoder = try AudioDecoder(parameters)
            name = decoder.name
            audio = consume decoder
            video = nil
        }
    }

    /// The answer to a wish. `descriptor` came with it, and is closed here.
    mutating func answer(_ wish: BoxMessage, _ descriptor: Int32) throws(MediaError) -> BoxMessage {
        defer { if descriptor >= 0 { close(descriptor) } }
        var record = RecordReader(wish.bytes)
        switch wish.kind {
        case .sendPacket: return BoxMessage(.value, try send(wish.bytes))
        case .receiveFrame:
            takeBack(wish.bytes)
            if let failure = failure.take() { throw failure }
            var answer = RecordWriter()
            hand().put(to: &answer)
            return BoxMessage(.value, answer.bytes)
        case .flush:
            takeBack(wish.bytes)
            (held, failure) = (nil, nil)
            video?.flush()
            audio?.flush()
        case .apply: video?.apply(EffortRecord.effort(&record))
        case .needsReopening: return BoxMessage(.value, [needsReopening(EffortRecord.effort(&record)) ? 1 : 0])
        case .takePool:
            // What the player still looks at lies in the memory that was, where nothing is decoded any more.
            lent = [:]
            room.store = Self.store(&record, descriptor)
        default: throw MediaError(.internalFailure, "decode")
        }
        return BoxMessage(.value)
    }

    private func needsReopening(_ effort: DecodeEffort) -> Bool {
        switch video {
        case .some(let video): video.needsReopening(for: effort)
        case nil: false
        }
    }

    private var damageCount: Int {
        switch video {
        case .some(let video): return video.damageCount
        case nil: break
        }
        switch audio {
        case .some(let audio): return audio.damageCount
        case nil: return 0
        }
    }

    private mutating func send(_ wish: [UInt8]) throws(MediaError) -> [UInt8] {
        takeBack(wish)
        var packet: Packet?
        if wish.first == 1 {
            packet = PacketRecord.packet(wish, from: 1, epoch: Epoch())
            if packet == nil { throw MediaError(.internalFailure, "decode") }
        }
        let result = video != nil ? try video?.send(packet) : try audio?.send(packet)
        var answer = RecordWriter()
        answer.put(UInt8(result == .full ? 1 : 0))
        hand().put(to: &answer)
        return answer.bytes
    }

    // MARK: - Frames

    private mutating func receive() throws(MediaError) -> Held? {
        let frame = video != nil ? try video?.receive() ?? nil : try audio?.receive() ?? nil
        switch consume frame {
        case .some(let frame): return Held(frame)
        case nil: return nil
        }
    }

    /// The frames that the decoder gives without another packet: one wish for each packet is enough then.
    private mutating func hand() -> HandedFrames {
        var handed = HandedFrames()
        while handed.frames.count < HandedFrames.most, failure == nil {
            do throws(MediaError) {
                if held == nil { held = try receive() }
                guard let next = held else {
                    handed.isAll = true
                    break
                }
                guard let frame = try place(next) else {
                    handed.room = FrameRecord.room(for: next.frame) ?? 0
                    break
                }
                held = nil
                handed.frames.append(frame)
            } catch {
                (held, failure) = (nil, error)
            }
        }
        handed.damage = Int32(clamping: damageCount)
        return handed
    }

    /// A frame where the player sees it: it was decoded there, or is copied there. nil where no place is free.
    private mutating func place(_ next: Held) throws(MediaError) -> HandedFrames.Frame? {
        guard let room = FrameRecord.room(for: next.frame) else {
            throw MediaError(.unsupported, "decode", subject: name, reason: "its frames cannot leave the box (--sandbox)")
        }
        if room == 0 {
            guard let record = FrameRecord.bytes(of: next.frame, into: nil) else { throw MediaError(.internalFailure, "decode") }
            return HandedFrames.Frame(place: nil, record: record)
        }
        guard let store = self.room.store else { return nil }
        if let (index, memory) = store.place(of: next.frame), let record = FrameRecord.bytes(of: next.frame, lyingIn: memory) {
            lent[index, default: []].append(next)
            return HandedFrames.Frame(place: index, record: record)
        }
        guard let place = store.take(room, copied: true) else { return nil }
        guard let record = FrameRecord.bytes(of: next.frame, into: place.memory) else {
            throw MediaError(.internalFailure, "decode")
        }
        lent[place.index, default: []].append(place)
        return HandedFrames.Frame(place: place.index, record: record)
    }

    /// The places that a wish says at its end are no longer looked at.
    private mutating func takeBack(_ wish: [UInt8]) {
        guard let count = wish.last, count > 0 else { return }
        for index in wish.dropLast().suffix(Int(count)) {
            guard var holders = lent.removeValue(forKey: Int(index)) else { continue }
            holders.removeFirst()
            if !holders.isEmpty { lent[Int(index)] = holders }
        }
    }

    /// The memory that a record tells of, by a descriptor, which stays the caller's.
    private static func store(_ record: inout RecordReader, _ descriptor: Int32) -> FrameStore? {
        let bytes = Int(clamping: record.integer(UInt64.self)), count = Int(record.integer(UInt8.self))
        return descriptor >= 0 ? FrameStore(descriptor: descriptor, placeBytes: bytes, count: count) : nil
    }
}
