public import AetherCore
public import AetherEngine
import AetherMedia

/// A source that segments are asked of. Any thread may ask; a thread of its own, `serve-read`, reads and cuts, one segment after the other.
public final class ServedSource: Sendable {
    /// Why there is no segment.
    enum Refusal: Error, Equatable {
        /// There is none of that number, or it is gone.
        case missing
        /// The segment took too long, or serving ends.
        case late
        /// The source cannot be read.
        case failed(String)
    }

    struct State {
        var opened: Result<ServedProgramme, MediaError>?
        var plan = SegmentPlan()
        /// The source's times begin anew in the middle.
        var hasSeams = false
        var headers: [ServedHeader.Key: [UInt8]] = [:]
        var store = SegmentStore()
        /// Of a source that cannot be sent back: the first segment that is kept.
        var first = 0
        /// Segments that clients wait for, in the order of asking.
        var wishes: [SegmentStore.Key] = []
        /// Tracks that were ever asked for.
        var tracks: Set<Int> = []
        /// Segments that could not be cut, and why.
        var failures: [SegmentStore.Key: Refusal] = [:]
        /// The other qualities, as far as they could be opened.
        var companions: [ServedSource] = []
        /// Why others could not be, in sentences.
        var omissions: [String] = []
        /// The latest segment that was asked for, counted from 1; 0: none.
        var asked = 0
        var isStopped = false
    }

    /// Segments behind the end of a list that grows which a client may ask for already.
    private static let near = 3
    let state = Monitor(State())
    private let interrupt = Interrupt()
    private let threads: Monitor<[WorkerThread]> = Monitor([])

    /// Begins to open a source; at once. `name` is for messages, `wishes` say what becomes of tracks that clients cannot take.
    public convenience init(
        _ source: MediaSource, name: String, wishes: ServedWishes = ServedWishes(), options: LoadOptions = LoadOptions(),
        time: any TimeSource = SystemTime()
    ) {
        self.init(source, name: name, wishes: wishes, options: options, time: time, companion: nil)
    }

    init(
        _ source: MediaSource, name: String, wishes: ServedWishes, options: LoadOptions, time: any TimeSource,
        companion: Companion?
    ) {
        let work = ServedWork(
            source: source, name: DisplayText.singleLine(name), wishes: wishes, options: options, state: state,
            interrupt: interrupt, time: time, companion: companion)
        let threads = threads
        let reader = WorkerThread(name: "serve-read") {
            work.run { body in
                let scanner = WorkerThread(name: "serve-scan", urgency: .bulk, body)
                threads.update { $0.append(scanner) }
            }
        }
        threads.update { $0.append(reader) }
    }

    /// Ends everything that waits, and the threads. Blocks until they are gone.
    public func stop() {
        state.update { $0.isStopped = true }
        interrupt.raise()
        // Opening waits for them.
        for companion in companions { companion.stop() }
        while let thread = threads.update({ $0.isEmpty ? nil : $0.removeFirst() }) { thread.join() }
        for companion in companions { companion.stop() }
    }

    deinit { stop() }

    /// Blocks until the source is open, and says what a person should know of it. Throws why it cannot be served.
    public func waitUntilOpened() throws(MediaError) -> [String] {
        guard let opened = state.wait(until: nil, { $0.opened }) else { throw MediaError(.interrupted, "serve") }
        return try opened.get().notices + state.read { $0.omissions }
    }

    /// The programme that is served; nil before it is known, and where the opening failed.
    var programme: ServedProgramme? {
        state.read { state in
            if case .success(let programme)? = state.opened { programme } else { nil }
        }
    }

    /// The other qualities that are served.
    var companions: [ServedSource] { state.read { $0.companions } }

    var plan: SegmentPlan { state.read { $0.plan } }
    /// The first segment that is still there.
    var first: Int { state.read { $0.first } }

    /// The playlist's facts once it has a segment: players give up on an empty one. Blocks until then, or for as long as a deadline says.
    func plan(waitingUntil deadline: HostTime) -> (plan: SegmentPlan, first: Int) {
        state.wait(until: deadline) { state in
            state.plan.count > state.first || state.isStopped ? (state.plan, state.first) : nil
        } ?? state.read { ($0.plan, $0.first) }
    }

    /// An init section; nil where there is none. That of a later format is known once a segment of it was cut.
    func header(track: Int, version: Int, deadline: HostTime) -> [UInt8]? {
        let key = ServedHeader.Key(track: track, version: version)
        if let known = state.read({ $0.headers[key] }) { return known }
        guard let number = state.read({ $0.plan.forms.firstIndex(of: version) }) else { return nil }
        _ = segment(track: track, number: number, deadline: deadline)
        return state.read { $0.headers[key] }
    }

    /// A segment. Blocks until it is made.
    func segment(track: Int, number: Int, deadline: HostTime) -> Result<[UInt8], Refusal> {
        let key = SegmentStore.Key(track: track, number: number)
        let isThere = state.update { state -> Bool in
            // Of what is still to come the next ones are waited for.
            guard number >= state.first, number < state.plan.count + (state.plan.isComplete ? 0 : Self.near) else { return false }
            state.asked = max(state.asked, number + 1)
            state.tracks.insert(track)
            state.failures[key] = nil
            if !state.store.has(key), !state.wishes.contains(key) { state.wishes.append(key) }
            return true
        }
        guard isThere else { return .failure(.missing) }
        let answer = state.wait(until: deadline) { state -> Result<[UInt8], Refusal>? in
            if let bytes = state.store.get(key) { return .success(bytes) }
            if let failure = state.failures[key] { return .failure(failure) }
            return state.isStopped ? .failure(.late) : nil
        }
        return answer ?? .failure(.late)
    }
}
