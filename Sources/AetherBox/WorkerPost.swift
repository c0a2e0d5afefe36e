import AetherCore
import AetherMedia

/// The post of one worker, which another one takes when it has ended, as often as `RestartPolicy` allows. It counts what was left out, too. For one
/// thread at a time.
struct WorkerPost: ~Copyable {
    private var worker: BoxWorker?
    private var policy = RestartPolicy()
    private(set) var damage = DamageCount()

    /// Nobody has it.
    init() {}

    /// Whether somebody has it.
    var isHeld: Bool { worker != nil }

    /// A worker takes it. Who had it before is ended.
    mutating func give(to fresh: consuming BoxWorker) {
        end()
        worker = consume fresh
    }

    /// Ends the worker, if any.
    mutating func end() {
        guard let ended = worker.take() else { return }
        ended.abandon()
    }

    /// Lets the worker go, which goes on elsewhere; nil where nobody has the post.
    mutating func release() -> BoxWorker? { worker.take() }

    /// The decision when a worker has failed at a time of the source, which is ended by it: one thing more was left out.
    mutating func step(at time: MediaTime?) -> RestartPolicy.Step {
        end()
        damage.endWorker(missing: 1)
        return policy.step(at: time)
    }

    /// The number of things that its worker has left out so far.
    mutating func note(damage count: Int) { damage.present = count }

    /// Something was left out on this side.
    mutating func leaveOut() { damage.past += 1 }

    /// As `BoxWorker.answer`; throws `.ended` where nobody has it.
    mutating func answer(
        to wish: BoxMessage, descriptor: Int32 = -1, within bound: TimeSpan? = nil,
        serve: (BoxMessage) -> BoxMessage? = { _ in nil }
    ) throws(BoxFault) -> BoxMessage {
        guard let answer = try worker?.answer(to: wish, descriptor: descriptor, within: bound, serve: serve) else {
            throw .ended
        }
        return answer
    }

    /// The answer to a wish of which nobody hears whether it failed; nil where it did: the next one that matters meets what is wrong.
    mutating func quietAnswer(to wish: BoxMessage, serve: (BoxMessage) -> BoxMessage? = { _ in nil }) -> BoxMessage? {
        do throws(BoxFault) {
            return try answer(to: wish, serve: serve)
        } catch {
            return nil
        }
    }
}

/// The number of things that were left out: by workers that have ended, and by the present one, which says its own number.
struct DamageCount {
    var past = 0, present = 0

    /// Of all of them.
    var total: Int { past + present }

    /// The present worker has ended, and so much more is missing.
    mutating func endWorker(missing count: Int) { (past, present) = (past + present + count, 0) }
}
