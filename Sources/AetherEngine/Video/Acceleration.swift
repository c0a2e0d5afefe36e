import AetherCore
import AetherMedia
import Synchronization

/// The device of a session, and who decodes which stream. Any thread; its locks are held for moments.
final class Acceleration: Sendable {
    /// The facts of a stream on which a trial's outcome rests.
    struct Stream: Sendable, Hashable {
        var codec: String
        var size: PixelSize?
        /// Software decodes at a half or a quarter of the size.
        var halvings: Int
        var format: ObjectIdentifier
    }

    private struct Facts: Sendable {
        var choices: [Stream: DecodingChoice] = [:]
        /// The newest choice, and the decoder's name.
        var newest: DecodingChoice?
        var decoder: String?
        /// Why there is no device.
        var refusal: MediaError?
    }

    private let held = Mutex<HardwareDevice?>(nil)
    private let facts = Mutex(Facts())
    private let report: @Sendable (StageEvent) -> Void

    /// `report` is told what the person has to know.
    init(report: @escaping @Sendable (StageEvent) -> Void) { self.report = report }

    /// The decoder of the video, and why it is that one; nil before that is decided.
    var telling: (decoder: String?, reason: String?) {
        facts.withLock { ($0.decoder, $0.newest?.sentence) }
    }

    /// The outcome of a trial of the same stream; nil before one.
    func choice(for stream: Stream) -> DecodingChoice? { facts.withLock { $0.choices[stream] } }

    /// Keeps a choice, and tells it where it is another one.
    func note(_ choice: DecodingChoice, for stream: Stream) {
        let isNew = facts.withLock { facts in
            defer { facts.newest = choice }
            facts.choices[stream] = choice
            return facts.newest != choice
        }
        guard isNew else { return }
        Log.module("video").info(choice.sentence)
        if choice.isNews { report(.notice(choice.sentence)) }
    }

    /// A decoder was opened for playing.
    func note(decoder: String) { facts.withLock { $0.decoder = decoder } }

    /// The device, opened with the first request: blocks then for up to 100 ms. One that does not open is not tried again. Throws as
    /// `HardwareDevice`.
    func device() throws(MediaError) -> HardwareDevice {
        if let refusal = facts.withLock({ $0.refusal }) { throw refusal }
        if let device = held.withLock({ $0?.another() }) { return device }
        do throws(MediaError) {
            let made = try HardwareDevice()
            // Without memory for it the next request opens another.
            var other = made.another()
            held.withLock { $0 = other.take() }
            return made
        } catch {
            facts.withLock { $0.refusal = error }
            throw error
        }
    }
}
