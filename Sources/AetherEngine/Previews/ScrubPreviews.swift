public import AetherCore
import AetherMedia
public import AetherSources

/// A preview for one point of the bar.
public struct ScrubPreview: Sendable {
    /// The thumbnail nearest to the point.
    public let still: ExtractedStill
    /// The point that was asked for.
    public let point: MediaTime
    /// False: a still from nearby, until the right one comes.
    public let isFinal: Bool
}

/// Stills for scrubbing: from sheets beside the file, from memory and disk, else decoded. The newest point counts. A sparse strip of the
/// video is filled while there is time for it. Any thread may ask; the work is done on a thread of its own and on those of two extractors.
public final class ScrubPreviews: Sendable {
    struct State {
        var point: MediaTime?
        /// Rises with each point.
        var number = 0
        var mayFill = false
        /// The stills of the strip's extractor, with their points.
        var filled: [Result<ExtractedStill, MediaError>] = []
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

    /// Previews of the source that the engine plays, at `location`. `cacheDirectory` is the folder in which strips are kept; nil: none.
    /// `deliver` receives stills, `noteReady` the times for which a still is ready; both from any thread, and they must not block. Nothing
    /// is opened or read before the first point, or before filling is allowed.
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

    /// Asks for the thumbnail of a point. Never blocks.
    public func show(_ point: MediaTime) {
        state.update {
            $0.point = point
            $0.number += 1
        }
        start()
    }

    /// Ends the looking for a place. Never blocks.
    public func rest() { state.update { ($0.point, $0.number) = (nil, $0.number + 1) } }

    /// Whether the strip may be filled now. Never blocks.
    public func allowFilling(_ mayFill: Bool) {
        guard state.read({ $0.mayFill }) != mayFill else { return }
        state.update { $0.mayFill = mayFill }
        if mayFill { start() }
    }

    /// Files, and streams of servers, have one; what is read once has none.
    static func mayHaveStrip(_ location: MediaLocation) -> Bool {
        switch location {
        case .file, .url: true
        default: false
        }
    }

    /// True while a strip is not finished: the caller then has to allow or forbid filling from time to time.
    public var wantsFilling: Bool {
        guard ScrubPreviews.mayHaveStrip(location) else { return false }
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
