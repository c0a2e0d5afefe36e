import AetherCore
import AetherMedia

/// The demuxer's side of a worker: the wishes that one answers.
struct SourceService: ~Copyable {
    private var demuxer: Demuxer
    /// Where the payload of a packet goes that is not too long.
    private let tray: SharedTray
    /// Nobody has to wait for a read of the source: several packets are handed over at once.
    private var readsOn: Bool
    /// Packets that were asked for in a row: who wants a few only is not kept waiting for others.
    private var run = 0
    private static let fewPackets = 8
    /// The error that came behind packets which were handed over.
    private var failure: MediaError?
    /// The damage that the player knows of. What is met behind the last packet comes with none.
    private var toldDamage = 0

    /// Opens the source that a wish describes, with the tray that the player has sent before.
    init(_ wish: [UInt8], _ tray: SharedTray) throws(MediaError) {
        self.tray = tray
        var record = RecordReader(wish)
        let name = record.line(limit: 4000)
        let reader = AskingReader(isSeekable: record.bool(), isGrowing: record.bool(), isLocal: record.bool(), tray: tray)
        readsOn = record.bool()
        let options = OptionsRecord.options(&record)
        guard record.isWhole else { throw MediaError(.internalFailure, "open") }
        demuxer = try Demuxer(.reader(reader, name: name), options: options, interrupt: Interrupt())
    }

    /// The description of the source.
    var description: [UInt8] { SourceRecord.bytes(of: demuxer.info) }

    /// The answer to a wish.
    mutating func answer(_ wish: BoxMessage) throws(MediaError) -> BoxMessage {
        var record = RecordReader(wish.bytes), answer = RecordWriter()
        if wish.kind != .readPacket { run = 0 }
        switch wish.kind {
        case .readPacket: return BoxMessage(.value, try handPackets())
        case .select: demuxer.select(Set(record.list(limit: 4096) { Int($0.integer(Int32.self)) }))
        case .seekTime:
            failure = nil
            let target = MediaTime(nanoseconds: record.integer())
            try demuxer.seek(to: target, stream: record.optional { Int($0.integer(Int32.self)) })
        case .seekByte:
            failure = nil
            try demuxer.seek(toByte: record.integer())
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
        case .follow:
            (failure, readsOn) = (nil, false)
            demuxer.follow()
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

    /// The next packet, and those behind it for which nobody has to wait: a question costs two changes of the process.
    private mutating func handPackets() throws(MediaError) -> [UInt8] {
        if let failure = failure.take() { throw failure }
        run += 1
        let mayGoOn = readsOn && run > Self.fewPackets
        var handed = HandedPackets.Writer(tray.own)
        repeat {
            do throws(MediaError) {
                let packet = try demuxer.read(epoch: Epoch())
                toldDamage = demuxer.damageCount
                let isHanded = handed.put(
                    packet, damageCount: toldDamage, isCut: demuxer.lastPacketIsCut, position: demuxer.position)
                guard isHanded else { throw MediaError(.readFailed, "read packet") }
            } catch {
                guard let answer = handed.answer else { throw error }
                // An interrupt is the player's, and may be over when it asks again.
                if error.code != .interrupted { failure = error }
                return answer
            }
        } while mayGoOn && !handed.isFull
        return handed.answer ?? []
    }
}
