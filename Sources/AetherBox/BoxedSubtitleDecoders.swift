import AetherCore
import AetherMedia

/// The player's side of decoders of subtitles in a box, all in one process. One that ends is replaced, as `RestartPolicy` says: what its decoders
/// had put together of several packets is lost with it, and the packet that ended it is left out.
final class BoxedSubtitleDecoders: BoxedSubtitles {
    private let box: DecoderBox
    private var post = WorkerPost()
    private var opened: [Int32: Opening] = [:]
    private var next: Int32 = 0
    /// It ended too often: nothing is decoded any more.
    private var isGivenUp = false

    /// A decoder as it was opened, and what it has left out: in workers that have ended, and in the present one.
    private struct Opening {
        let parameters: CodecParameters
        let teletextPage: Int?
        var damage = DamageCount()

        func wish(_ number: Int32) -> BoxMessage {
            var wish = RecordWriter()
            wish.put(number)
            wish.put(teletextPage) { $0.put(Int32(clamping: $1)) }
            ParametersRecord.put(parameters, to: &wish)
            return BoxMessage(.openSubtitles, wish.bytes)
        }
    }

    init(box: DecoderBox) { self.box = box }

    deinit { post.end() }

    // MARK: - Decoders

    func open(_ parameters: CodecParameters, teletextPage: Int?) throws(MediaError) -> Int {
        let number = next, opening = Opening(parameters: parameters, teletextPage: teletextPage)
        next += 1
        let answer: BoxMessage
        do throws(BoxFault) {
            if !post.isHeld { post.give(to: try box.worker()) }
            answer = try post.answer(to: opening.wish(number))
        } catch {
            // What is opened next finds another worker.
            try recover(from: error, at: nil)
            throw MediaError(.decodeFailed, "open decoder", fault: error)
        }
        if answer.kind == .failure { throw ErrorRecord.error(answer.bytes) }
        opened[number] = opening
        return Int(number)
    }

    func decode(_ packet: Packet, text: [UInt8]?, by number: Int) throws(MediaError) -> [DecodedSubtitle] {
        if isGivenUp { return [] }
        let number = Int32(clamping: number)
        var wish = RecordWriter()
        wish.put(number)
        wish.put(text) { $0.put($1) }
        guard let bytes = PacketRecord.bytes(of: packet, behind: wish.bytes) else {
            opened[number]?.damage.past += 1
            return []
        }
        let answer: BoxMessage
        do throws(BoxFault) {
            answer = try post.answer(to: BoxMessage(.decodeSubtitles, bytes))
            if answer.kind == .value, let found = take(answer.bytes, of: number) { return found }
            if answer.kind == .value { throw .nonsense }
        } catch {
            opened[number]?.damage.past += 1
            try recover(from: error, at: packet.pts ?? packet.dts)
            return []
        }
        throw ErrorRecord.error(answer.bytes)
    }

    /// The subtitles of an answer; nil where they make no sense.
    private func take(_ answer: [UInt8], of number: Int32) -> [DecodedSubtitle]? {
        var record = RecordReader(answer)
        let damage = Int(record.integer(in: Int32(0)...Int32.max)), found = SubtitleRecord.subtitles(&record)
        guard record.isWhole else { return nil }
        opened[number]?.damage.present = damage
        return found
    }

    func flush(_ number: Int) { quietly(.flushSubtitles, number) }

    func close(_ number: Int) {
        guard opened.removeValue(forKey: Int32(clamping: number)) != nil else { return }
        quietly(.closeSubtitles, number)
    }

    func damageCount(of number: Int) -> Int {
        opened[Int32(clamping: number)]?.damage.total ?? 0
    }

    // MARK: - The worker

    /// A wish that cannot fail; a worker that ends is met by the next packet.
    private func quietly(_ kind: BoxMessage.Kind, _ number: Int) {
        guard post.isHeld else { return }
        var wish = RecordWriter()
        wish.put(Int32(clamping: number))
        if post.quietAnswer(to: BoxMessage(kind, wish.bytes)) == nil { post.end() }
    }

    /// Another worker with the same decoders in the place of the one that ended. Throws where there is none any more.
    private func recover(from fault: BoxFault, at time: MediaTime?) throws(MediaError) {
        for number in opened.keys { opened[number]?.damage.endWorker(missing: 0) }
        guard post.step(at: time) != .giveUp else {
            isGivenUp = true
            throw MediaError(.decodeFailed, "decode subtitles", fault: fault)
        }
        do throws(BoxFault) {
            post.give(to: try box.worker())
            for (number, opening) in opened where try post.answer(to: opening.wish(number)).kind == .failure {
                throw BoxFault.nonsense
            }
        } catch {
            post.end()
            throw MediaError(.decodeFailed, "decode subtitles", fault: error)
        }
    }
}
