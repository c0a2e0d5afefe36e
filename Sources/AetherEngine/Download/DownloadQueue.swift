import AetherCore
import AetherFormats
import AetherMedia

/// The files that workers fetch, and what came of them. Workers take from the front; the session puts in and takes out.
final class DownloadQueue: Sendable {
    /// A file that was fetched, or the reason why not.
    struct Outcome: Sendable {
        let job: DownloadJob
        let result: Result<PackageEntry, SegmentFetch.Failure>
    }

    private struct State {
        var waiting: [DownloadJob] = []
        var running = 0
        var outcomes: [Outcome] = []
        var isClosed = false
        var pace: DownloadPace
        var bytes: Int64 = 0
        /// Something other than an outcome has happened.
        var isWoken = false
    }
    private let state: Monitor<State>
    private let interrupt: Interrupt
    private let time: any TimeSource

    init(limit: Int?, interrupt: Interrupt, time: any TimeSource) {
        state = Monitor(State(pace: DownloadPace(limit: limit)))
        (self.interrupt, self.time) = (interrupt, time)
    }

    // MARK: - The session's side

    /// Puts in files; those that begin first are fetched first.
    func put(_ jobs: [DownloadJob]) {
        guard !jobs.isEmpty else { return }
        state.update { state in
            state.waiting += jobs
            // Stable, so that an init section stays before its segments.
            state.waiting = state.waiting.enumerated().sorted {
                ($0.element.entry.start, $0.element.entry.rendition, $0.offset)
                    < ($1.element.entry.start, $1.element.entry.rendition, $1.offset)
            }.map(\.element)
        }
    }

    /// The outcomes since the last call; waits until a moment for the first one. Empty where none came, or `wake` was called.
    func outcomes(until moment: HostTime?) -> [Outcome] {
        state.wait(until: moment) { state -> [Outcome]? in
            guard !state.outcomes.isEmpty || state.isWoken else { return nil }
            defer { (state.outcomes, state.isWoken) = ([], false) }
            return state.outcomes
        } ?? []
    }

    /// Nothing waits and no worker runs.
    var isIdle: Bool { state.read { $0.waiting.isEmpty && $0.running == 0 && $0.outcomes.isEmpty } }

    /// Drops the waiting pieces: they are not fetched.
    func clear() { state.update { $0.waiting = [] } }

    /// Workers end.
    func close() {
        state.update { state in
            state.isClosed = true
            state.waiting = []
        }
    }

    /// The session looks at the world again.
    func wake() { state.update { $0.isWoken = true } }

    /// Bytes that came in all, and how fast they come.
    var figures: (bytes: Int64, rate: Double?) { state.read { ($0.bytes, $0.pace.rate(now: time.now())) } }

    // MARK: - The workers' side

    /// Fetches files until the queue is closed.
    func work(_ fetch: SegmentFetch) {
        while let job = next() {
            let result: Result<PackageEntry, SegmentFetch.Failure>
            do throws(SegmentFetch.Failure) { result = .success(try fetch.run(job)) } catch { result = .failure(error) }
            state.update { state in
                state.running -= 1
                state.outcomes.append(Outcome(job: job, result: result))
            }
        }
    }

    private enum Step {
        case job(DownloadJob)
        case end
        /// Another moment is waited for.
        case again
    }

    /// The next file that may be fetched now; nil at the end.
    private func next() -> DownloadJob? {
        while true {
            let deadline = state.read { state in state.waiting.compactMap(\.notBefore).min() }
            let step = state.wait(until: deadline) { state -> Step? in
                if state.isClosed { return .end }
                let now = time.now()
                if let place = state.waiting.firstIndex(where: { $0.notBefore.map { $0 <= now } ?? true }) {
                    state.running += 1
                    return .job(state.waiting.remove(at: place))
                }
                return state.waiting.compactMap(\.notBefore).min() == deadline ? nil : .again
            }
            switch step {
            case .job(let job): return job
            case .end: return nil
            case .again, nil: continue
            }
        }
    }

    /// Bytes have come: blocks for as long as the limit wants.
    func came(_ count: Int) {
        let moment = state.update { state -> HostTime? in
            state.bytes += Int64(count)
            return state.pace.take(count, now: time.now())
        }
        if let moment, moment > time.now() { _ = interrupt.wait(until: moment) }
    }
}
