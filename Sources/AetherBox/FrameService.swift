import AetherCore
import AetherMedia
import Glibc

/// The side of a worker that has a decoder.
struct FrameService: ~Copyable {
    private var decoder: EitherDecoder
    /// Its frames, of which those of video lie in the memory that the player shares.
    private var lent = LentFrames()

    /// The name of the decoder.
    var name: String { decoder.name }

    /// Opens the decoder that a wish describes. `descriptor` came with it, and is closed here.
    init(_ wish: BoxMessage, _ descriptor: Int32) throws(MediaError) {
        defer { if descriptor >= 0 { close(descriptor) } }
        var record = RecordReader(wish.bytes)
        lent.room.store = record.optional { LentFrames.store(&$0, descriptor) } ?? nil
        let threads = Int(record.integer(UInt8.self)), effort = EffortRecord.effort(&record)
        let parameters = ParametersRecord.parameters(&record, box: nil)
        guard record.isWhole else { throw MediaError(.internalFailure, "open decoder") }
        decoder =
            wish.kind == .openVideo
            ? EitherDecoder(try VideoDecoder(parameters, threadCount: threads, effort: effort, room: lent.room))
            : EitherDecoder(try AudioDecoder(parameters))
    }

    /// The answer to a wish. `descriptor` came with it, and is closed here; `tray`: where the payload of a packet may lie.
    mutating func answer(_ wish: BoxMessage, _ descriptor: Int32, _ tray: SharedTray? = nil) throws(MediaError) -> BoxMessage {
        defer { if descriptor >= 0 { close(descriptor) } }
        var record = RecordReader(wish.bytes)
        switch wish.kind {
        case .sendPacket: return BoxMessage(.value, try send(wish.bytes, tray))
        case .receiveFrame:
            lent.takeBack(wish.bytes)
            try lent.throwFailure()
            var answer = RecordWriter()
            hand().put(to: &answer)
            return BoxMessage(.value, answer.bytes)
        case .flush:
            lent.takeBack(wish.bytes)
            lent.forgetNext()
            decoder.flush()
        case .apply: decoder.apply(EffortRecord.effort(&record))
        case .needsReopening:
            return BoxMessage(.value, [decoder.needsReopening(for: EffortRecord.effort(&record)) ? 1 : 0])
        case .takePool:
            lent.move(to: LentFrames.store(&record, descriptor))
        default: throw MediaError(.internalFailure, "decode")
        }
        return BoxMessage(.value)
    }

    private mutating func send(_ wish: [UInt8], _ tray: SharedTray?) throws(MediaError) -> [UInt8] {
        lent.takeBack(wish)
        var packet: Packet?
        if wish.first == 1 {
            packet = PacketRecord.packet(wish, from: 1, apart: tray?.other, epoch: Epoch())
            if packet == nil { throw MediaError(.internalFailure, "decode") }
        }
        let result = try decoder.send(packet)
        var answer = RecordWriter()
        answer.put(UInt8(result == .full ? 1 : 0))
        hand().put(to: &answer)
        return answer.bytes
    }

    /// The frames that the decoder gives without another packet: one wish for each packet is enough then.
    private mutating func hand() -> HandedFrames {
        var handed = lent.hand(from: &decoder, named: decoder.name)
        handed.damage = Int32(clamping: decoder.damageCount)
        return handed
    }
}
