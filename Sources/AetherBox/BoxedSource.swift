import AetherCore
import AetherMedia

/// The player's side of a demuxer in a box, to which it gives the bytes. A worker that ends is replaced, as `RestartPolicy` says, where the source
/// can be read again.
final class BoxedSource: BoxedDemuxing {
    private var source: ServedBytes
    private let name: String
    private let options: OpenOptions
    private let box: DecoderBox
    private var post = WorkerPost()
    private(set) var info = SourceInfo(stated: [])
    /// Packets that the worker has handed over and nobody has asked for yet.
    private var handed = HandedPackets()
    private var selected: Set<Int>?
    private var follows = false
    /// The times that were reached. Behind a fault what was read before is left out.
    private var reached: [Int: MediaTime] = [:], resumed: [Int: MediaTime] = [:]

    init(_ bytes: BoxedBytes, name: String, options: OpenOptions, box: DecoderBox) throws(MediaError) {
        (source, self.name, self.options, self.box) = (ServedBytes(bytes), name, options, box)
        let refusal: MediaError?
        do throws(BoxFault) {
            refusal = try start()
        } catch {
            throw MediaError(.cannotOpen, "open", subject: name, fault: error)
        }
        if let refusal { throw refusal }
    }

    deinit { post.end() }

    // MARK: - Packets

    func read() throws(MediaError) -> BoxedPacket {
        while true {
            if source.bytes.isInterrupted { throw MediaError(.interrupted, "read packet") }
            guard let packet = handed.next() else {
                guard let answer = try ask(BoxMessage(.readPacket)) else { continue }
                guard let handed = HandedPackets(answer.bytes) else {
                    try recover(from: .nonsense)
                    continue
                }
                self.handed = handed
                continue
            }
            guard let head = PacketRecord.head(of: handed.bytes, from: packet.record.lowerBound) else {
                try recover(from: .nonsense)
                continue
            }
            post.note(damage: packet.damageCount)
            if let time = head.time {
                if let past = resumed[head.stream.number] {
                    if time <= past { continue }
                    resumed[head.stream.number] = nil
                }
                // The container's numbers are few; what is made up is not remembered.
                if reached.count < 1024 || reached[head.stream.number] != nil { reached[head.stream.number] = time }
            }
            return BoxedPacket(
                bytes: handed.bytes, record: packet.record,
                apart: source.tray.map { UnsafeRawBufferPointer(rebasing: $0.other[packet.offset...]) },
                damageCount: post.damage.total, isCut: packet.isCut, position: packet.position)
        }
    }

    func select(_ streams: Set<Int>) {
        selected = streams
        // Of the packets that are here already, those of other streams are no longer wanted; such as were found late have no name yet.
        let names = info.streams.count
        handed.keep { [handed] packet in
            let stream = PacketRecord.head(of: handed.bytes, from: packet.record.lowerBound)?.stream.number ?? 0
            return streams.contains(stream) || stream >= names
        }
        _ = quietAnswer(to: selection(of: streams))
    }

    private func selection(of streams: Set<Int>) -> BoxMessage {
        var wish = RecordWriter()
        wish.put(each: streams.sorted()) { $0.put(Int32(clamping: $1)) }
        return BoxMessage(.select, wish.bytes)
    }

    func seek(to target: MediaTime, stream: Int?) throws(MediaError) {
        try seek(Self.wish(seeking: target, stream))
    }

    func seek(toByte offset: Int64) throws(MediaError) {
        var wish = RecordWriter()
        wish.put(offset)
        try seek(BoxMessage(.seekByte, wish.bytes))
    }

    private func seek(_ wish: BoxMessage) throws(MediaError) {
        (reached, resumed, handed) = ([:], [:], HandedPackets())
        if try ask(wish) != nil { return }
        // Another worker goes where the one that ended was sent.
        guard try ask(wish) != nil else { throw MediaError(.seekFailed, "seek", subject: name, fault: .ended) }
    }

    private static func wish(seeking target: MediaTime, _ stream: Int?) -> BoxMessage {
        var wish = RecordWriter()
        wish.put(target.nanoseconds)
        wish.put(stream) { $0.put(Int32(clamping: $1)) }
        return BoxMessage(.seekTime, wish.bytes)
    }

    // MARK: - Facts

    func keys(around target: MediaTime, stream: Int) -> (before: MediaTime, next: MediaTime)? {
        var wish = RecordWriter()
        wish.put(target.nanoseconds)
        wish.put(Int32(clamping: stream))
        guard var record = fact(BoxMessage(.keysAround, wish.bytes)), record.bool() else { return nil }
        let keys = (before: MediaTime(nanoseconds: record.integer()), next: MediaTime(nanoseconds: record.integer()))
        return record.isWhole && keys.next >= keys.before ? keys : nil
    }

    func keyFrames(stream: Int) -> [KeyFramePlace]? {
        var wish = RecordWriter()
        wish.put(Int32(clamping: stream))
        guard var record = fact(BoxMessage(.keyFrames, wish.bytes)), record.bool() else { return nil }
        let places = record.list(limit: 200_000) { record in
            let time = MediaTime(nanoseconds: record.integer())
            return KeyFramePlace(time: time, position: record.optional { $0.integer(in: Int64(0)...Int64.max) })
        }
        let isOrdered = zip(places, places.dropFirst()).allSatisfy { $0.time < $1.time }
        return record.isWhole && isOrdered && !places.isEmpty ? places : nil
    }

    func code(ofStream index: Int) -> Int? {
        var wish = RecordWriter()
        wish.put(Int32(clamping: index))
        guard var record = fact(BoxMessage(.streamCode, wish.bytes)) else { return nil }
        let code = record.optional { Int($0.integer(Int32.self)) }
        return record.isWhole ? code : nil
    }

    func isCut(reached: TimeSpan?) -> Bool {
        var wish = RecordWriter()
        wish.put(reached) { $0.put($1.nanoseconds) }
        guard var record = fact(BoxMessage(.isCut, wish.bytes)) else { return false }
        return record.bool() && record.isWhole
    }

    func report(of info: SourceInfo, name: String) throws(MediaError) -> [UInt8] {
        var wish = RecordWriter()
        wish.put(name)
        wish.put(SourceRecord.bytes(of: info))
        let message = BoxMessage(.report, wish.bytes)
        // Another worker knows as much as the one that ended.
        if let answer = try ask(message) { return answer.bytes }
        guard let answer = try ask(message) else { throw MediaError(.cannotOpen, "open", subject: self.name, fault: .ended) }
        return answer.bytes
    }

    func follow() {
        follows = true
        _ = quietAnswer(to: BoxMessage(.follow))
    }

    func withBytes(_ body: ((_ offset: Int64, _ count: Int) -> [UInt8]?) -> Void) {
        guard source.bytes.isSeekable else { return }
        source.withBytes(body)
    }

    // MARK: - The worker

    /// Starts one and opens the source there, from its first byte; returns what it refuses.
    private func start() throws(BoxFault) -> MediaError? {
        var fresh = try box.worker()
        guard let tray = try fresh.shareTray() else { throw .missing }
        source.tray = tray
        post.give(to: fresh)
        var wish = RecordWriter()
        wish.put(name)
        wish.put(source.bytes.isSeekable)
        wish.put(source.bytes.isGrowing)
        wish.put(source.bytes.isLocal)
        wish.put(source.bytes.isAtHand)
        OptionsRecord.put(options, to: &wish)
        let answer = try answer(to: BoxMessage(.openSource, wish.bytes))
        if answer.kind == .failure { return ErrorRecord.error(answer.bytes) }
        guard let info = SourceRecord.info(answer.bytes, box: box) else { throw .nonsense }
        self.info = info
        return nil
    }

    private func answer(to wish: BoxMessage) throws(BoxFault) -> BoxMessage {
        source.beginWish()
        return try post.answer(to: wish) { source.serve($0) }
    }

    private func quietAnswer(to wish: BoxMessage) -> BoxMessage? {
        source.beginWish()
        return post.quietAnswer(to: wish) { source.serve($0) }
    }

    /// Asks the worker; nil where it ended and another one was started. Throws what it refuses, and where no other one is started.
    private func ask(_ wish: BoxMessage) throws(MediaError) -> BoxMessage? {
        let answer: BoxMessage
        do throws(BoxFault) {
            answer = try self.answer(to: wish)
        } catch {
            try recover(from: error)
            return nil
        }
        if answer.kind == .failure { throw ErrorRecord.error(answer.bytes) }
        return answer
    }

    private func fact(_ wish: BoxMessage) -> RecordReader? {
        quietAnswer(to: wish).flatMap { $0.kind == .value ? RecordReader($0.bytes) : nil }
    }

    /// Another worker in the place of the one that ended. Throws where there is none.
    private func recover(from fault: BoxFault) throws(MediaError) {
        handed = HandedPackets()
        let place = reached.values.max(), step = post.step(at: place)
        let failure = MediaError(.readFailed, "read packet", subject: name, fault: fault)
        guard step != .giveUp, source.bytes.isSeekable else { throw failure }
        let opened = info
        do throws(IOReaderError) {
            try source.restart()
        } catch {
            throw failure
        }
        do throws(BoxFault) {
            if let refusal = try start() { throw refusal.code == .interrupted ? BoxFault.hung : .nonsense }
            // What was said of the source stays; only the places of its packets are asked for anew.
            guard info.streams.count >= opened.streams.count else { throw .nonsense }
            info = opened
            if let selected { _ = try answer(to: selection(of: selected)) }
            if follows { _ = try answer(to: BoxMessage(.follow)) }
            if let place {
                _ = try answer(to: Self.wish(seeking: target(from: place, step), nil))
                resumed = reached
            }
        } catch {
            throw MediaError(.readFailed, "read packet", subject: name, fault: error)
        }
    }

    /// Where reading goes on: at the place, or at the key frame that follows behind it.
    private func target(from place: MediaTime, _ step: RestartPolicy.Step) -> MediaTime {
        guard case .passBy(let span) = step else { return place }
        let video = info.streams.first { $0.kind == .video }
        return video.flatMap { keys(around: place + span, stream: $0.index)?.next } ?? place + span
    }
}
