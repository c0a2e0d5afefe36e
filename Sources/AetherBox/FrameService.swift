import AetherCore
import AetherMedia
import Glibc

/// The decoder's side of a worker.
struct FrameService: ~Copyable {
    /// One of both is there.
    private var video: VideoDecoder?
    private var audio: AudioDecoder?
    private var shelf = PacketShelf()
    /// A frame for which there was too little room.
    private var held: DecodedFrame?
    private var pool: UnsafeMutableRawBufferPointer?

    /// The name of the decoder.
    let name: String

    /// Opens the decoder that a wish describes.
    init(_ wish: BoxMessage) throws(MediaError) {
        var record = RecordReader(wish.bytes)
        let threads = Int(record.integer(UInt8.self)), effort = EffortRecord.effort(&record)
        let parameters = ParametersRecord.parameters(&record, box: nil)
        guard record.isWhole else { throw MediaError(.internalFailure, "open decoder") }
        if wish.kind == .openVideo {
            let decoder = try VideoDecoder(parameters, threadCount: threads, effort: effort)
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

    deinit { if let pool { munmap(pool.baseAddress, pool.count) } }

    /// The answer to a wish. `descriptor` came with it, and is closed here.
    mutating func answer(_ wish: BoxMessage, _ descriptor: Int32) throws(MediaError) -> BoxMessage {
        var record = RecordReader(wish.bytes)
        switch wish.kind {
        case .sendPacket: return BoxMessage(.value, try send(wish.bytes))
        case .receiveFrame: return try receive(&record)
        case .flush:
            held = nil
            video?.flush()
            audio?.flush()
        case .apply: video?.apply(EffortRecord.effort(&record))
        case .needsReopening: return BoxMessage(.value, [needsReopening(EffortRecord.effort(&record)) ? 1 : 0])
        case .takePool: take(descriptor, Int(clamping: record.integer(UInt64.self)))
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
        var packet: Packet?
        if wish.first == 1 {
            packet = PacketRecord.packet(Array(wish.dropFirst()), epoch: Epoch(), in: &shelf)
            if packet == nil { throw MediaError(.internalFailure, "decode") }
        }
        let result = video != nil ? try video?.send(packet) : try audio?.send(packet)
        var answer = RecordWriter()
        answer.put(UInt8(result == .full ? 1 : 0))
        answer.put(Int32(clamping: damageCount))
        return answer.bytes
    }

    private mutating func receive(_ record: inout RecordReader) throws(MediaError) -> BoxMessage {
        let offset = Int(clamping: record.integer(UInt64.self)), count = Int(clamping: record.integer(UInt64.self))
        if held == nil { held = video != nil ? try video?.receive() ?? nil : try audio?.receive() ?? nil }
        var answer = RecordWriter()
        guard let frame = held.take() else {
            answer.put(Int32(clamping: damageCount))
            answer.put(false)
            return BoxMessage(.value, answer.bytes)
        }
        guard let room = FrameRecord.room(for: frame) else {
            throw MediaError(.unsupported, "decode", subject: name, reason: "its frames cannot leave the box (--sandbox)")
        }
        if room > count {
            held = consume frame
            answer.put(UInt64(room))
            return BoxMessage(.needsRoom, answer.bytes)
        }
        var memory: UnsafeMutableRawBufferPointer?
        if let pool, count > 0, offset >= 0, offset <= pool.count - count {
            memory = UnsafeMutableRawBufferPointer(rebasing: pool[offset..<offset + count])
        }
        guard let bytes = FrameRecord.bytes(of: frame, into: memory) else { throw MediaError(.internalFailure, "decode") }
        answer.put(Int32(clamping: damageCount))
        answer.put(true)
        answer.put(bytes)
        return BoxMessage(.value, answer.bytes)
    }

    private mutating func take(_ descriptor: Int32, _ count: Int) {
        defer { if descriptor >= 0 { close(descriptor) } }
        if let pool { munmap(pool.baseAddress, pool.count) }
        pool = nil
        guard descriptor >= 0, count > 0, let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { return }
        pool = UnsafeMutableRawBufferPointer(start: memory, count: count)
    }
}
