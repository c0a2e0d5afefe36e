import AetherCore
import AetherDesktop
import AetherEngine
import AetherSources

/// Files from outside that shall take the place of the present one, tried before that: one at a time. Requests of the same
/// client wait behind it, for answers come in the order of the requests. Lives on the main thread.
struct LoadTrials {
    private struct Trial {
        let wish: Surroundings.Wish
        let look: SourceTrial
        let deadline: HostTime
        /// The outcome is known, and the wish has come again.
        var isBack = false
    }
    /// How web servers are spoken to.
    private let http: HTTPOptions
    private var present: Trial?
    private var waiting: [Surroundings.Wish] = []

    /// Nothing is tried yet.
    init(http: HTTPOptions = HTTPOptions()) { self.http = http }

    /// 20 s: longer than the wait for a first byte (15 s), and a client waits for the answer.
    static let patience = TimeSpan.seconds(20)

    /// The deadline of the present trial; nil without one.
    var deadline: HostTime? { present.flatMap { $0.look.outcome == nil ? $0.deadline : nil } }

    /// Gives up what takes too long.
    func follow(now: HostTime) {
        guard let present, now >= present.deadline else { return }
        present.look.giveUp(MediaError(.cannotOpen, "open", reason: translated("there was no answer within 20 seconds")))
    }

    /// All there is to be dealt with, in order: that which was tried first, as soon as it is known how that went.
    mutating func sort(_ wishes: [Surroundings.Wish]) -> [Surroundings.Wish] {
        var all = waiting + wishes
        waiting = []
        if let present, present.look.outcome != nil {
            self.present?.isBack = true
            all.insert(present.wish, at: 0)
        }
        return all
    }

    /// Keeps back what the same client wants behind a file that is tried or waits for that; true: it comes again.
    mutating func holds(_ wish: Surroundings.Wish) -> Bool {
        guard let present, !present.isBack, let client = wish.client,
            present.wish.client == client || waiting.contains(where: { $0.client == client })
        else { return false }
        waiting.append(wish)
        return true
    }

    /// The outcome of trying a source; nil: the trial is under way, and the wish comes again when it is known.
    mutating func outcome(of location: MediaLocation, for wish: Surroundings.Wish, wake: WakeHandle) -> SourceTrial.Outcome? {
        if let present {
            if present.isBack, let outcome = present.look.outcome {
                self.present = nil
                return outcome
            }
            waiting.append(wish)
            return nil
        }
        let look = SourceTrial(location, http: http) { wake.wake() }
        present = Trial(wish: wish, look: look, deadline: SystemTime().now() + LoadTrials.patience)
        return nil
    }
}
