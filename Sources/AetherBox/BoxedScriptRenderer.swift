import AetherCore
import AetherMedia

/// The player's side of a script's renderer in a box. One that ends is replaced, as `RestartPolicy` says: where a place ends it twice, the events that
/// stand there are left out.
final class BoxedScriptRenderer: BoxedScript {
    /// Drawing holds up frames.
    private static let patience = TimeSpan.seconds(2)
    private static let log = Log.module("subtitles")

    private let box: DecoderBox
    private let opening: BoxMessage
    private var post = WorkerPost()
    private var isGivenUp = false
    /// Orders that the worker does not have yet.
    private var waiting: [ScriptOrder] = []
    /// The state that another worker begins with.
    private var frame: ScriptFrame?
    private var look: ScriptOrder?
    private var events: [ScriptEvent] = []
    private var layer: SubtitleLayer?

    /// Opens a script. Blocks. Throws `.decodeFailed`, and as `ASSRenderer`.
    init(box: DecoderBox, header: String, fonts: [FontAttachment]) throws(MediaError) {
        self.box = box
        var wish = RecordWriter()
        ScriptRecord.put(header: header, fonts, to: &wish)
        opening = BoxMessage(.openScript, wish.bytes)
        let answer: BoxMessage
        do throws(BoxFault) {
            answer = try start()
        } catch {
            throw MediaError(.decodeFailed, "draw subtitles", fault: error)
        }
        if answer.kind == .failure { throw ErrorRecord.error(answer.bytes) }
    }

    deinit { post.end() }

    // MARK: - Work

    func take(_ order: ScriptOrder) {
        switch order {
        case .frame(let frame):
            // The worker keeps the one before, too.
            guard frame.isDrawable else { return }
            self.frame = frame
        case .look: look = order
        case .event(let event): events.append(event)
        case .removeAll: (events, waiting) = ([], waiting.filter { !$0.isEvent })
        }
        waiting.append(order)
    }

    func layer(at time: MediaTime) -> SubtitleLayer? {
        while !isGivenUp {
            do throws(BoxFault) {
                let drawn = try draw(at: time)
                if case .layer(let fresh) = drawn { layer = fresh }
                return layer
            } catch {
                recover(from: error, at: time)
            }
        }
        return nil
    }

    private func draw(at time: MediaTime) throws(BoxFault) -> ScriptRecord.Drawn {
        var wish = RecordWriter()
        wish.put(time.nanoseconds)
        ScriptRecord.put(waiting, to: &wish)
        waiting = []
        let answer = try post.answer(to: BoxMessage(.drawScript, wish.bytes), within: Self.patience)
        let size = frame?.size ?? PixelSize(width: 0, height: 0)
        guard answer.kind == .value, let drawn = ScriptRecord.drawn(answer.bytes, within: size) else { throw .nonsense }
        return drawn
    }

    // MARK: - The worker

    /// Starts one and opens the script there.
    private func start() throws(BoxFault) -> BoxMessage {
        var fresh = try box.worker(.fonts)
        let answer = try fresh.answer(to: opening)
        guard answer.kind == .value || answer.kind == .failure else { throw .nonsense }
        post.give(to: fresh)
        return answer
    }

    /// Another worker with the same events in the place of the one that ended, or the end of the script.
    private func recover(from fault: BoxFault, at time: MediaTime) {
        layer = nil
        switch post.step(at: time) {
        case .goOn: break
        case .passBy: events.removeAll { $0.start <= time && time < $0.end }
        case .giveUp: return giveUp(fault)
        }
        waiting = [frame.map { ScriptOrder.frame($0) }, look].compactMap { $0 } + events.map { .event($0) }
        do throws(BoxFault) {
            if try start().kind == .failure { throw BoxFault.nonsense }
        } catch {
            giveUp(error)
        }
    }

    private func giveUp(_ fault: BoxFault) {
        post.end()
        isGivenUp = true
        (waiting, events) = ([], [])
        Self.log.warning("\(MediaError(.decodeFailed, "draw subtitles", fault: fault))")
    }
}

extension ScriptOrder {
    /// Whether events change by it.
    fileprivate var isEvent: Bool {
        switch self {
        case .event, .removeAll: true
        case .frame, .look: false
        }
    }
}
