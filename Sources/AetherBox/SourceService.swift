import AetherCore
import AetherMedia

/// The demuxer's side of a worker: the wishes that one answers.
struct SourceService: ~Copyable {
    private var demuxer: Demuxer
    /// The damage that the player knows of. What is met behind the last packet comes with none.
    private var toldDamage = 0

    /// Opens the source that a wish describes.
    init(_ wish: [UInt8]) throws(MediaError) {
        var record = RecordReader(wish)
        let name = record.line(limit: 4000)
        let reader = AskingReader(isSeekable: record.bool(), isGrowing: record.bool(), isLocal: record.bool())
        let options = OptionsRecord.options(&record)
        guard record.isWhole else { throw MediaError(.internalFailure, "open") }
        demuxer = try Demuxer(.reader(reader, name: name), options: options, interrupt: Interrupt())
    }

    /// The description of the source.
    var description: [UInt8] { SourceRecord.bytes(of: demuxer.info) }

    /// The answer to a wish.
    mutating func answer(_ wish: BoxMessage) throws(MediaError) -> BoxMessage {
        var record = RecordReader(wish.bytes), answer = RecordWriter()
        switch wish.kind {
        case .readPacket:
            let packet = try demuxer.read(epoch: Epoch())
            toldDamage = demuxer.damageCount
            answer.put(Int32(clamping: toldDamage))
            answer.put(demuxer.lastPacketIsCut)
            answer.put(demuxer.position) { $0.put($1) }
            guard let bytes = PacketRecord.bytes(of: packet, behind: answer.bytes) else {
                throw MediaError(.readFailed, "read packet")
            }
            return BoxMessage(.value, bytes)
        case .select: demuxer.select(Set(record.list(limit: 4096) { Int($0.integer(Int32.self)) }))
        case .seekTime:
            let target = MediaTime(nanoseconds: record.integer())
            try demuxer.seek(to: target, stream: record.optional { Int($0.integer(Int32.self)) })
        case .seekByte: try demuxer.seek(toByte: record.integer())
        case .keysAround:
            let target = MediaTime(nanoseconds: record.integer())
            let keys = demuxer.keys(around: target, stream: Int(record.integer(Int32.self)))
            answer.put(keys) {
                $0.put($1.before.nanoseconds)
                $0.put($1.next.nanoseconds)
            }
        case .keyFrames:
            answer.put(demuxer.keyFrames(stream: Int(record.integer(Int32.self)))) {
                $0.put(each: $1) {
                    $0.put($1.time.nanoseconds)
                    $0.put($1.position.flatMap { $0 >= 0 ? $0 : nil }) { $0.put($1) }
                }
            }
        case .streamCode: answer.put(demuxer.code(ofStream: Int(record.integer(Int32.self)))) { $0.put(Int32(clamping: $1)) }
        case .isCut:
            let isCut = demuxer.isCut(reached: record.optional { TimeSpan(nanoseconds: $0.integer()) })
            answer.put(isCut || demuxer.damageCount > toldDamage)
        case .follow: demuxer.follow()
        case .report:
            let name = record.line(limit: 4096)
            guard let info = SourceRecord.info(record.bytes(limit: BoxMessage.limit), box: nil, inAnyOrder: true)
            else {
                throw MediaError(.internalFailure, "open")
            }
            return BoxMessage(.value, ContainerReport(opened: demuxer, info, name: name).record)
        default: throw MediaError(.internalFailure, "read packet")
        }
        return BoxMessage(.value, answer.bytes)
    }
}
