import AetherCore
import AetherMedia
import Glibc

/// The decoder's side of a worker.
struct FrameService: ~Copyable {
    /// One of both is there.
    private var video: VideoDecoder?
    private var audio: AudioDecoder?
    /// The memory for frames of video.
    private var lent = LentFrames()
    /// A frame for which there was too little room.
    private var held: LentFrames.Held?
    /// The error that the decoder threw in the place of a frame, until the player asks for one.
    private var failure: MediaError?

    /// The name of the decoder.
    let name: String

    /// Opens the decoder that a wish describes. `descriptor` came with it, and is closed here.
    init(_ wish: BoxMessage, _ descriptor: Int32) throws(MediaError) {
        defer { if descriptor >= 0 { close(descriptor) } }
        var record = RecordReader(wish.bytes)
        lent.room.store = record.optional { LentFrames.store(&$0, descriptor) } ?? nil
        let threads = Int(record.integer(UInt8.self)), effort = EffortRecord.effort(&record)
        let parameters = ParametersRecord.parameters(&record, box: nil)
        guard record.isWhole else { throw MediaError(.internalFailure, "open decoder") }
        if wish.kind == .openVideo {
            let decoder = try VideoDecoder(parameters, threadCount: threads, effort: effort, room: lent.room)
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
            lent.takeBack(wish.bytes)
            if let failure = failure.take() { throw failure }
            var answer = RecordWriter()
            hand().put(to: &answer)
            return BoxMessage(.value, answer.bytes)
        case .flush:
            lent.takeBack(wish.bytes)
            (held, failure) = (nil, nil)
            video?.flush()
            audio?.flush()
        case .apply: video?.apply(EffortRecord.effort(&record))
        case .needsReopening: return BoxMessage(.value, [needsReopening(EffortRecord.effort(&record)) ? 1 : 0])
        case .takePool:
            lent.move(to: LentFrames.store(&record, descriptor))
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
        lent.takeBack(wish)
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

    private mutating func receive() throws(MediaError) -> LentFrames.Held? {
        let frame = video != nil ? try video?.receive() ?? nil : try audio?.receive() ?? nil
        switch consume frame {
        case .some(let frame): return LentFrames.Held(frame)
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
                guard let frame = try lent.place(next, of: name) else {
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
}
