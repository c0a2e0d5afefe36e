public import AetherCore
import AetherMedia
public import AetherSources

/// One answer to where a hand looks along the bar.
public struct ScrubPreview: Sendable {
    public let picture: ExtractedPicture
    /// The point that was asked for.
    public let point: MediaTime
    /// False: one from nearby, until the right one comes.
    public let isFinal: Bool
}

/// Pictures for scrubbing: from sheets beside the film, from memory and disk, else decoded. The newest point counts. A sparse strip of the
/// film is filled while there is time for it. Any thread may ask; the work is done on a thread of its own and on those of two extractors.
public final class ScrubPreviews: Sendable {
    struct State {
        var point: MediaTime?
        /// Rises with each point.
        var number = 0
        var mayFill = false
        /// What the extractor of the strip gave, with its point.
        var filled: [Result<ExtractedPicture, MediaError>] = []
        var isFilling = false
        /// Nothing of the strip is missing, or there can be none.
        var isFull = false
        var isStopped = false
    }
    private let state = Monitor(State())
    private let engine: AetherEngine
    private let location: MediaLocation
    private let store: StripStore?
    private let deliver: @Sendable (ScrubPreview) -> Void
    private let noteReady: @Sendable ([MediaTime]) -> Void
    private let fillUrgency: ThreadUrgency
    private let thread = Monitor<WorkerThread?>(nil)

    /// Previews of what the engine plays, which is at `location`. `cacheDirectory` is where strips are kept; nil: nowhere. `deliver` is told
    /// of pictures, `noteReady` of the times for which one is there; both from any thread, and they must not block. Nothing is opened or
    /// read before the first point, or before filling is allowed.
    public convenience init(
        of engine: AetherEngine, _ location: MediaLocation, cacheDirectory: String?,
        deliver: @escaping @Sendable (ScrubPreview) -> Void,
        noteReady: @escaping @Sendable ([MediaTime]) -> Void
    ) {
        self.init(
            of: engine, location, cacheDirectory: cacheDirectory, fillUrgency: .idle, deliver: deliver, noteReady: noteReady)
    }

    /// `fillUrgency`: of the thread that fills the strip. An idle one may never run where the machine is busy.
    init(
        of engine: AetherEngine, _ location: MediaLocation, cacheDirectory: String?, fillUrgency: ThreadUrgency,
        deliver: @escaping @Sendable (ScrubPreview) -> Void,
        noteReady: @escaping @Sendable ([MediaTime]) -> Void
    ) {
        self.fillUrgency = fillUrgency
        self.engine = engine
        self.location = location
        store = cacheDirectory.map { StripStore(directory: $0) }
        self.deliver = deliver
        self.noteReady = noteReady
    }

    deinit { stop() }

    /// Somebody looks at this point now. Never blocks.
    public func show(_ point: MediaTime) {
        state.update {
            $0.point = point
            $0.number += 1
        }
        start()
    }

    /// Nobody looks any more. Never blocks.
    public func rest() { state.update { ($0.point, $0.number) = (nil, $0.number + 1) } }

    /// Whether the strip may be filled now. Never blocks.
    public func allowFilling(_ mayFill: Bool) {
        guard state.read({ $0.mayFill }) != mayFill else { return }
        state.update { $0.mayFill = mayFill }
        if mayFill { start() }
    }

    /// Whether a strip is not finished: somebody has to say from time to time whether it may be filled.
    public var wantsFilling: Bool {
        guard case .file = location else { return false }
        return state.read { !$0.isFull && !$0.isStopped }
    }

    /// Ends the threads, without waiting for them. Never blocks.
    public func stop() { state.update { $0.isStopped = true } }

    /// As `stop`, but waits until the threads are gone. Not for a task.
    public func shutDown() {
        stop()
        thread.read { $0 }?.join()
    }

    private func start() {
        thread.update { thread in
            guard thread == nil else { return }
            thread = WorkerThread(name: "previews", urgency: .bulk) {
                [state, engine, location, store, fillUrgency, deliver, noteReady] in
                var work = PreviewWork(
                    state: state, engine: engine, location: location, store: store, fillUrgency: fillUrgency, deliver: deliver,
                    noteReady: noteReady)
                work.run()
            }
        }
    }
}
