import AetherCore
import AetherMedia
import CBox
import Glibc

/// The player's side of a decoder in a box. Frames lie in memory that both share, where they were decoded; which places were let go is said with
/// each wish. With a packet the worker hands over the frames that it gives. A worker that ends is replaced, as `RestartPolicy` says.
final class BoxedDecoder: BoxedDecoding {
    private let box: DecoderBox
    private let parameters: CodecParameters
    /// nil: audio.
    private let threadCount: Int?
    private let opened: DecodeEffort
    private var effort: DecodeEffort
    private var post = WorkerPost()
    private(set) var name = ""
    private var shelf: FrameShelf
    /// Where the payload of a packet of video goes that is not too long.
    private var tray: SharedTray?
    /// The time of the packet that was sent last.
    private var place: MediaTime?
    /// A new worker begins at a key frame, and not before this time.
    private var waitsForKey = false
    private var resume: MediaTime?
    /// All was sent that there is.
    private var isDraining = false
    /// The last answer on an effort, which is asked for with every frame.
    private var reopening: (effort: DecodeEffort, isNeeded: Bool)?

    init(box: DecoderBox, parameters: CodecParameters, threadCount: Int?, effort: DecodeEffort) throws(MediaError) {
        (self.box, self.parameters, self.threadCount) = (box, parameters, threadCount)
        (self.effort, opened) = (effort, effort)
        shelf = FrameShelf(from: box.pools)
        let answer: BoxMessage
        do throws(BoxFault) {
            answer = try start()
        } catch {
            throw MediaError(.decodeFailed, "open decoder", fault: error)
        }
        if answer.kind == .failure { throw ErrorRecord.error(answer.bytes) }
    }

    deinit { post.end() }

    var damageCount: Int { post.damage.total }

    // MARK: - Work

    func send(_ packet: Packet?) throws(MediaError) -> SendResult {
        guard let packet else {
            isDraining = true
            guard post.isHeld else { return .accepted }
            return try told(BoxMessage(.sendPacket, [0] + shelf.releases())) ?? .accepted
        }
        isDraining = false
        place = packet.beginning ?? place
        if waitsForKey {
            if threadCount != nil, !packet.isKey { return .accepted }
            if let resume, let place, place < resume { return .accepted }
            (waitsForKey, resume) = (false, nil)
        }
        guard let bytes = PacketRecord.bytes(of: packet, behind: [1], before: shelf.releases(), apart: tray?.own) else {
            post.leaveOut()
            return .accepted
        }
        return try told(BoxMessage(.sendPacket, bytes)) ?? .accepted
    }

    /// Sends a packet; nil where that ended the worker, and another one takes what follows.
    private func told(_ wish: BoxMessage) throws(MediaError) -> SendResult? {
        guard let answer = try ask(wish) else { return nil }
        var record = RecordReader(answer.bytes)
        let result = record.integer(in: UInt8(0)...1)
        guard let handed = HandedFrames(&record), take(handed) else { return try recovered(.nonsense) }
        return result == 0 ? .accepted : .full
    }

    func receive() throws(MediaError) -> DecodedFrame? {
        while true {
            if !shelf.isEmpty {
                if let frame = shelf.next() { return frame }
                let _: SendResult? = try recovered(.nonsense)
                continue
            }
            guard post.isHeld else {
                if isDraining { throw MediaError(.endOfMedia, "decode") }
                return nil
            }
            if shelf.isAll { return nil }
            guard let answer = try ask(BoxMessage(.receiveFrame, shelf.releases())) else { continue }
            var record = RecordReader(answer.bytes)
            guard let handed = HandedFrames(&record), take(handed) else {
                let _: SendResult? = try recovered(.nonsense)
                continue
            }
            if !shelf.isEmpty || shelf.isAll { continue }
            // One that says neither that there is a frame nor that there is none would say so for ever.
            let isShared = handed.room == 0 ? false : try share(handed.room)
            if !isShared { let _: SendResult? = try recovered(.nonsense) }
        }
    }

    /// Keeps what came for the one who asks; false where the worker names places that there are not.
    private func take(_ handed: HandedFrames) -> Bool {
        post.note(damage: Int(handed.damage))
        return shelf.take(handed, isVideo: threadCount != nil)
    }

    /// Shares other memory with the worker, for frames of so many bytes. False where it asks for what it has, or there is none for so many.
    private func share(_ room: Int) throws(MediaError) -> Bool {
        guard threadCount != nil, let other = shelf.makeRoom(room) else { return false }
        defer { close(other.descriptor) }
        _ = try ask(other.wish, descriptor: other.descriptor)
        return true
    }

    func flush() {
        (place, waitsForKey, isDraining) = (nil, false, false)
        shelf.clear()
        _ = post.quietAnswer(to: BoxMessage(.flush, shelf.releases()))
    }

    func apply(_ effort: DecodeEffort) {
        guard effort != self.effort else { return }
        self.effort = effort
        var wish = RecordWriter()
        EffortRecord.put(effort, to: &wish)
        _ = post.quietAnswer(to: BoxMessage(.apply, wish.bytes))
    }

    func needsReopening(for effort: DecodeEffort) -> Bool {
        if effort == opened { return false }
        if let reopening, reopening.effort == effort { return reopening.isNeeded }
        var wish = RecordWriter()
        EffortRecord.put(effort, to: &wish)
        let answer = post.quietAnswer(to: BoxMessage(.needsReopening, wish.bytes))
        let isNeeded = answer?.bytes == [1]
        reopening = (effort, isNeeded)
        return isNeeded
    }

    // MARK: - The worker

    /// Starts one and opens the decoder there; its answer is a value or a refusal.
    private func start() throws(BoxFault) -> BoxMessage {
        var fresh = try box.worker()
        tray = threadCount == nil ? nil : try fresh.shareTray()
        let shared = threadCount == nil ? nil : FrameRecord.likelyRoom(of: parameters).flatMap { box.pools.make(bytes: $0) }
        defer { if let shared { close(shared.descriptor) } }
        shelf = FrameShelf(shared?.pool, from: box.pools)
        var wish = RecordWriter()
        wish.put(shared) { $1.pool.put(to: &$0) }
        wish.put(UInt8(clamping: threadCount ?? 1))
        EffortRecord.put(opened, to: &wish)
        ParametersRecord.put(parameters, to: &wish)
        let answer = try fresh.answer(
            to: BoxMessage(threadCount == nil ? .openAudio : .openVideo, wish.bytes), descriptor: shared?.descriptor ?? -1)
        if answer.kind == .value {
            var record = RecordReader(answer.bytes)
            let name = record.line(limit: 100)
            guard record.isWhole else { throw .nonsense }
            self.name = name
            post.give(to: fresh)
        } else if answer.kind != .failure {
            throw .nonsense
        }
        return answer
    }

    /// Asks the worker; nil where it ended and another one was started. Throws what it refuses, and where no other one is started.
    private func ask(_ wish: BoxMessage, descriptor: Int32 = -1) throws(MediaError) -> BoxMessage? {
        guard post.isHeld else { return nil }
        let answer: BoxMessage
        do throws(BoxFault) {
            answer = try post.answer(to: wish, descriptor: descriptor)
        } catch {
            return try recovered(error)
        }
        if answer.kind == .failure { throw ErrorRecord.error(answer.bytes) }
        return answer
    }

    /// Another worker in the place of the one that ended, or the end. Always nil, of the kind that is wanted.
    private func recovered<Answer>(_ fault: BoxFault) throws(MediaError) -> Answer? {
        let step = post.step(at: place)
        guard step != .giveUp else { throw MediaError(.decodeFailed, "decode", subject: name, fault: fault) }
        do throws(BoxFault) {
            let answer = try start()
            if answer.kind == .failure { throw BoxFault.nonsense }
        } catch {
            throw MediaError(.decodeFailed, "decode", subject: name, fault: error)
        }
        waitsForKey = true
        if case .passBy(let span) = step { resume = place.map { $0 + span } }
        if isDraining { _ = post.quietAnswer(to: BoxMessage(.sendPacket, [0, 0])) }
        var wish = RecordWriter()
        EffortRecord.put(effort, to: &wish)
        _ = post.quietAnswer(to: BoxMessage(.apply, wish.bytes))
        return nil
    }
}
