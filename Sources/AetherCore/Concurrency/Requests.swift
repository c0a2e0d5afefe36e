/// Blocking work that one thread wishes for and another one does: a file system, a decoder or a sound server may take for ever to answer, and
/// the caller must not wait for it.
///
/// Any thread may ask, drop and take; only `answer(until:)` and `close(until:)` block, and no longer than they are told to.
public final class Requests<Wish: Sendable, Answer: Sendable>: Sendable {
    /// The wishes that are answered.
    public enum Order: Sendable, Equatable {
        /// The newest one: it takes the place of the wish that waits, and the answer to an older one is dropped.
        case newest
        /// Every one, first come, first served; one that finds `limit` unanswered before it is refused.
        case each(limit: Int)
    }

    /// Does the work, on a thread of the requests. Nil: there is no answer.
    public typealias Worker = (Wish, RequestTurn) -> Answer?

    private struct State {
        var lastNumber = 0
        /// Wishes with lower numbers are dropped.
        var firstWanted = 1
        var waiting: [(wish: Wish, turn: RequestTurn)] = []
        var atWork: [RequestTurn] = []
        var answers: [Answer] = []
        var threads = 0
        var isClosing = false
    }

    private enum Step {
        case work(Wish, RequestTurn)
        case end
    }

    private let state = Monitor(State())
    private let name: String
    private let urgency: ThreadUrgency
    private let order: Order
    private let threadLimit: Int
    private let staysReady: Bool
    private let wake: @Sendable () -> Void
    private let makeWorker: @Sendable () -> Worker

    /// Nothing runs before the first wish. `name` is the threads' (15 bytes at most). `threads` is how many may be at work: with more than one,
    /// a wish that hangs does not hold up the next. `staysReady`: a thread waits for the next wish instead of ending, and what
    /// `makeWorker` made for it stays. `wake` is called with each answer, from a thread of the requests; it must not block.
    /// `makeWorker` is called once on each thread.
    public init(
        name: String, urgency: ThreadUrgency = .ordinary, order: Order = .newest, threads: Int = 1, staysReady: Bool = false,
        wake: @escaping @Sendable () -> Void = {}, makeWorker: @escaping @Sendable () -> Worker
    ) {
        self.name = name
        self.urgency = urgency
        self.order = order
        threadLimit = threads
        self.staysReady = staysReady
        self.wake = wake
        self.makeWorker = makeWorker
    }

    /// Wishes that are to be answered one and all still are; the newest one has no owner any more.
    deinit {
        state.update { $0.isClosing = true }
        if order == .newest { drop() }
    }

    /// Asks. Never blocks. Returns the number of the wish; nil: refused, because too many wait or the requests are closed.
    @discardableResult
    public func ask(_ wish: Wish) -> Int? {
        let (number, starts, dropped) = state.update { state -> (Int?, Bool, [RequestTurn]) in
            guard !state.isClosing else { return (nil, false, []) }
            var dropped: [RequestTurn] = []
            switch order {
            case .newest: dropped = Requests.dropAll(&state)
            case .each(let limit):
                guard state.waiting.count + state.atWork.count < limit else { return (nil, false, []) }
            }
            state.lastNumber += 1
            state.waiting.append((wish, RequestTurn(number: state.lastNumber)))
            let idle = state.threads - state.atWork.count
            let starts = state.waiting.count > idle && state.threads < threadLimit
            if starts { state.threads += 1 }
            return (state.lastNumber, starts, dropped)
        }
        for turn in dropped { turn.drop() }
        if starts { startThread() }
        return number
    }

    /// Forgets every wish and every answer; what is at work is broken off where it can be. Never blocks. Returns the answers that were
    /// not taken: what they hold may want to be given back.
    @discardableResult
    public func drop() -> [Answer] {
        let (turns, answers) = state.update { state in
            let answers = state.answers
            return (Requests.dropAll(&state), answers)
        }
        for turn in turns { turn.drop() }
        return answers
    }

    /// The next answer, once. Never blocks.
    public func take() -> Answer? { state.update { $0.answers.isEmpty ? nil : $0.answers.removeFirst() } }

    /// The next answer, once; waits for it until then at most.
    public func answer(until deadline: HostTime) -> Answer? {
        state.wait(until: deadline) { $0.answers.isEmpty ? nil : $0.answers.removeFirst() }
    }

    /// Takes no more wishes, and waits until those that it has are done, until then at most. False: that was too short.
    @discardableResult
    public func close(until deadline: HostTime) -> Bool {
        state.update { $0.isClosing = true }
        return state.wait(until: deadline) { $0.threads == 0 ? true : nil } ?? false
    }

    /// Removes all, and returns what was at work.
    private static func dropAll(_ state: inout State) -> [RequestTurn] {
        (state.waiting, state.answers, state.firstWanted) = ([], [], state.lastNumber + 1)
        // In storage of its own: the thread sanitizer does not see the reference counts by which arrays share theirs, and reports a race.
        return state.atWork.map { $0 }
    }

    // MARK: - On a thread

    private func startThread() {
        // Not `self`: the caller may go away while the work hangs.
        _ = WorkerThread(name: name, urgency: urgency) { [state, staysReady, wake, makeWorker, order] in
            let worker = makeWorker()
            while case .work(let wish, let turn) = Requests.next(state, staysReady) {
                let answer = worker(wish, turn)
                let isNew = state.update { state in
                    state.atWork.removeAll { $0 === turn }
                    guard turn.number >= state.firstWanted, let answer else { return false }
                    // The newest only: one that was asked for meanwhile is on its way.
                    if order == .newest { state.answers = [answer] } else { state.answers.append(answer) }
                    return true
                }
                if isNew { wake() }
            }
        }
    }

    private static func next(_ state: Monitor<State>, _ staysReady: Bool) -> Step {
        let step: Step? = state.wait { state -> Step? in
            guard !state.waiting.isEmpty else {
                guard !staysReady || state.isClosing else { return nil }
                state.threads -= 1
                return .end
            }
            let (wish, turn) = state.waiting.removeFirst()
            state.atWork.append(turn)
            return .work(wish, turn)
        }
        return step ?? .end
    }
}
