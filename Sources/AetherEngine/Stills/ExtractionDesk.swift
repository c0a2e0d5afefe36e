import AetherCore
import AetherMedia

/// The desk for requests of stills, and the thread that serves them, one at a time, the newest first. Any thread may ask;
/// only that thread waits.
final class ExtractionDesk: Sendable {
    private struct State {
        var queue = ExtractionQueue()
        var thumbnails: StillStore
        var snapshots: StillStore
        var outline: SourceOutline?
        /// Rises when the clock was moved by hand.
        var looks = 0
    }
    private let state: Monitor<State>
    private let interrupt = Interrupt()
    private let origin: StillOrigin
    private let urgency: ThreadUrgency
    private let time: any TimeSource
    private let thread = Monitor<WorkerThread?>(nil)
    /// Stills that were decoded and handed over.
    let decodes = Counter()
    /// Open contexts: 0 or 1.
    let openContexts = Counter()
    /// The number of times that the source was opened.
    let openings = Counter()

    /// Decoder and source are closed after so long: 10 s are more than a hand rests while it looks for a scene.
    static let idle = TimeSpan.seconds(10)

    init(_ origin: StillOrigin, urgency: ThreadUrgency, time: any TimeSource, thumbnailBytes: Int, snapshotBytes: Int) {
        self.origin = origin
        self.urgency = urgency
        self.time = time
        state = Monitor(State(thumbnails: StillStore(limit: thumbnailBytes), snapshots: StillStore(limit: snapshotBytes)))
    }

    /// The source's outline; nil before it was open.
    var outline: SourceOutline? { state.read { $0.outline } }

    /// Bytes of stills that are kept.
    var heldBytes: (thumbnails: Int, snapshots: Int) { state.read { ($0.thumbnails.byteCount, $0.snapshots.byteCount) } }

    /// Hands a request in; an older one is answered with `.interrupted`. `deliver` is called from here or from the desk's thread; it must
    /// not block. `isAwaited`: the caller waits for the answer before asking again.
    func submit(
        _ wish: ExtractionWish, isAwaited: Bool = false, deliver: @escaping @Sendable (ExtractionOutcome) -> Void
    ) {
        let now = time.now()
        let (replaced, known) = state.update { state -> (ExtractionQueue.Request?, ExtractedStill?) in
            let known = Self.known(wish, &state)
            if known != nil { return (nil, known) }
            let (replaced, breaksOff) = state.queue.submit(wish, at: now, isAwaited: isAwaited, deliver: deliver)
            // Under the lock: the thread clears it there too, so a raise after that always means a newer request.
            if breaksOff { interrupt.raise() }
            return (replaced, nil)
        }
        if let known { return deliver(.success(known)) }
        replaced?.deliver(.failure(Self.interrupted))
        start()
    }

    private static let interrupted = MediaError(.interrupted, "extract a still")

    private static func known(_ wish: ExtractionWish, _ state: inout State) -> ExtractedStill? {
        switch wish {
        case .outline: nil
        case .thumbnail(let point, let width): state.thumbnails.still(at: point, box: PixelSize(width: width, height: 0))
        case .snapshot(let point, let box): state.snapshots.still(at: point, box: box ?? PixelSize(width: 0, height: 0))
        }
    }

    private func start() {
        thread.update { thread in
            guard thread == nil, !state.read({ $0.queue.isStopped }) else { return }
            // The thread keeps the desk until it is stopped.
            thread = WorkerThread(name: "stills", urgency: urgency) { self.run() }
        }
    }

    /// Asks the thread to end. Never blocks.
    func stop() {
        let waiting = state.update { state -> ExtractionQueue.Request? in
            interrupt.raise()
            return state.queue.stop()
        }
        waiting?.deliver(.failure(Self.interrupted))
    }

    /// Blocks until the thread is gone. Not for a task.
    func join() { thread.read { $0 }?.join() }

    /// Lets the thread look at a clock that was moved by hand.
    func lookAtTheClock() { state.update { $0.looks += 1 } }

    // MARK: - The thread

    private func run() {
        let context = ExtractionContext(origin, interrupt: interrupt) { self.note(opening: $0) }
        var idleFrom = time.now()
        while let request = next(context, idleFrom: idleFrom) {
            let outcome = serve(request.wish, context)
            openContexts.set(context.isOpen ? 1 : 0)
            idleFrom = time.now()
            state.update { [idleFrom] in $0.queue.finish(at: idleFrom) }
            request.deliver(outcome)
        }
        context.close()
        openContexts.set(0)
    }

    /// Opening is not broken off by a newer request, which needs it as well; what follows it is.
    private func note(opening isOpening: Bool) {
        if isOpening { openings.add() }
        state.update { state in
            guard !state.queue.isStopped else { return }
            state.queue.work = isOpening ? .opening : .extracting
            if !isOpening, state.queue.waiting != nil { interrupt.raise() }
        }
    }

    /// The next request; closes what has been idle for too long. nil at the end.
    private func next(_ context: ExtractionContext, idleFrom: HostTime) -> ExtractionQueue.Request? {
        var looks = state.read { $0.looks }
        // Another clock than the system's says nothing of how long to wait.
        var isTimed = true
        while true {
            if context.isOpen, time.now() - idleFrom >= Self.idle {
                context.close()
                openContexts.set(0)
            }
            let dueAt = state.read { $0.queue.waiting == nil ? nil : $0.queue.dueAt }
            let deadline = dueAt ?? (context.isOpen && isTimed ? idleFrom + Self.idle : nil)
            let seen = looks
            let found: ExtractionQueue.Request?? = state.wait(until: deadline) { state -> ExtractionQueue.Request?? in
                if state.queue.isStopped { return .some(nil) }
                if state.looks != seen { return .some(nil) }
                guard state.queue.waiting != nil else { return nil }
                let now = time.now()
                if state.queue.dueAt > now { return dueAt == state.queue.dueAt ? nil : .some(nil) }
                interrupt.clear()
                return state.queue.take().map { .some($0) }
            }
            if let request = found ?? nil { return request }
            if state.read({ $0.queue.isStopped }) { return nil }
            looks = state.read { $0.looks }
            if found == nil, dueAt != nil, let late = takeLate() { return late }
            if found == nil, dueAt == nil, time.now() - idleFrom < Self.idle { isTimed = false }
        }
    }

    /// The hand has rested.
    private func takeLate() -> ExtractionQueue.Request? {
        state.update {
            interrupt.clear()
            return $0.queue.take()
        }
    }

    private func serve(_ wish: ExtractionWish, _ context: ExtractionContext) -> ExtractionOutcome {
        do throws(MediaError) {
            switch wish {
            case .outline:
                let outline = try context.outline()
                state.update { $0.outline = outline }
                return .success(nil)
            case .thumbnail(let point, let width):
                let box = PixelSize(width: width, height: 0)
                var isKnown = false
                let (still, key) = try context.thumbnail(at: point, width: width) { key in
                    let found = state.update { $0.thumbnails.still(from: key, covering: point, box: box) }
                    isKnown = found != nil
                    return found
                }
                if isKnown { return .success(still) }
                decodes.add()
                state.update { $0.thumbnails.insert(still, box: box, from: key, to: max(key, point)) }
                return .success(still)
            case .snapshot(let point, let box):
                let (still, end) = try context.snapshot(at: point, box: box)
                decodes.add()
                state.update {
                    $0.snapshots.insert(still, box: box ?? PixelSize(width: 0, height: 0), from: still.time, to: end)
                }
                return .success(still)
            }
        } catch {
            return .failure(error)
        }
    }
}
