import AetherCore
import AetherMedia
import AetherSources

/// The work of the `previews` thread. Owns the strip and the sheets.
struct PreviewWork {
    let state: Monitor<ScrubPreviews.State>
    let engine: AetherEngine
    let location: MediaLocation
    let store: StripStore?
    let fillUrgency: ThreadUrgency
    let deliver: @Sendable (ScrubPreview) -> Void
    let noteReady: @Sendable ([MediaTime]) -> Void

    private var extractor: FrameExtractor?
    private var filler: FrameExtractor?
    private var strip = StillStrip()
    private var unsaved = 0
    private var plan: StripPlan?
    /// Points of the plan that need no more work.
    private var donePoints = 0
    private var sheets: SpriteSheets?
    private var identity: String?
    private var isPrepared = false

    /// Pixels of a still of the strip, and of one that is looked at.
    private static let stripWidth = 160, previewWidth = 320
    /// A strip is written when it has so many new stills, and at the end.
    private static let saveEvery = 20

    init(
        state: Monitor<ScrubPreviews.State>, engine: AetherEngine, location: MediaLocation, store: StripStore?,
        fillUrgency: ThreadUrgency, deliver: @escaping @Sendable (ScrubPreview) -> Void,
        noteReady: @escaping @Sendable ([MediaTime]) -> Void
    ) {
        self.state = state
        self.engine = engine
        self.location = location
        self.store = store
        self.fillUrgency = fillUrgency
        self.deliver = deliver
        self.noteReady = noteReady
    }

    private enum Task: Sendable {
        case stop
        case show(MediaTime, number: Int)
        case keep(Result<ExtractedStill, MediaError>)
        case fill
    }

    mutating func run() {
        var shown = 0
        while true {
            let (last, canFill) = (shown, canFill)
            let task: Task? = state.wait { state in
                if state.isStopped { return .stop }
                if let point = state.point, state.number != last { return .show(point, number: state.number) }
                if !state.filled.isEmpty { return .keep(state.filled.removeFirst()) }
                guard state.mayFill, !state.isFilling, state.point == nil, canFill else { return nil }
                state.isFilling = true
                return .fill
            }
            switch task ?? .stop {
            case .stop:
                finish()
                return
            case .show(let point, let number):
                shown = number
                prepare()
                show(point, number: number)
            case .keep(let result): keep(result)
            case .fill:
                prepare()
                fill()
            }
        }
    }

    private mutating func finish() {
        save()
        // An extractor's own thread may be in the middle of a key frame, which takes 0.1 s at most.
        extractor?.shutDown()
        filler?.shutDown()
    }

    /// Once the source is open: what lies beside it and on disk.
    private mutating func prepare() {
        guard !isPrepared, engine.hasOpened else { return }
        isPrepared = true
        let snapshot = engine.snapshot()
        if case .file(let path) = location { sheets = SpriteSheets(beside: path, start: snapshot.startTime) }
        guard snapshot.activeVideoTrack != nil, let duration = snapshot.duration, duration > .zero, sheets == nil,
            let identity = identity(snapshot, duration)
        else {
            state.update { $0.isFull = true }
            return
        }
        plan = StripPlan(start: snapshot.startTime, duration: duration)
        if let store {
            self.identity = identity
            strip = store.strip(identity)
        }
        tellReady()
    }

    /// Of what can have a strip: a file, and a stream that is complete.
    private func identity(_ snapshot: EngineSnapshot, _ duration: TimeSpan) -> String? {
        switch location {
        case .file(let path): StripStore.identity(of: path)
        case .url(let url):
            snapshot.variants.isEmpty || snapshot.isLive || isLowData ? nil : StripStore.identity(of: url, duration: duration)
        default: nil
        }
    }

    /// Each byte costs: nothing is fetched for previews.
    private var isLowData: Bool { engine.session?.options.adaptation.isLowData ?? false }

    // MARK: - Looking

    private mutating func show(_ point: MediaTime, number: Int) {
        if let still = sheets?.still(at: point) {
            return deliver(ScrubPreview(still: still, point: point, isFinal: true))
        }
        if let plan, let entry = strip.nearest(to: point, within: plan.spacing.scaled(by: 1.5)),
            let image = Self.image(entry.data)
        {
            deliver(ScrubPreview(still: ExtractedStill(image: image, time: entry.time), point: point, isFinal: false))
        }
        let snapshot = engine.snapshot()
        guard snapshot.variants.isEmpty || !isLowData && FillPolicy.mayFetch(snapshot) else { return }
        if extractor == nil { extractor = engine.makeFrameExtractor() }
        extractor?.requestThumbnail(at: point, maxWidth: Self.previewWidth) { [state, deliver] result in
            guard case .success(let still) = result, state.read({ $0.number == number }) else { return }
            deliver(ScrubPreview(still: still, point: point, isFinal: true))
        }
    }

    private static func image(_ data: [UInt8]) -> RasterImage? {
        do throws(MediaError) {
            return try StillImage.raster(data)
        } catch {
            return nil
        }
    }

    // MARK: - Filling

    /// Whether a still of the strip is missing; before the first look that is not known.
    private var canFill: Bool {
        guard ScrubPreviews.mayHaveStrip(location) else { return false }
        return !isPrepared || plan.map { donePoints < $0.points.count } ?? false
    }

    private mutating func fill() {
        guard let plan else { return idle() }
        while donePoints < plan.points.count {
            let point = plan.points[donePoints]
            if strip.nearest(to: point, within: plan.spacing.scaled(by: 0.5)) == nil { break }
            donePoints += 1
        }
        guard donePoints < plan.points.count else { return idle() }
        if filler == nil, let origin = engine.session?.stillOrigin {
            filler = FrameExtractor(origin, urgency: fillUrgency, time: SystemTime(), thumbnailBytes: 0, snapshotBytes: 0)
        }
        guard let filler else { return idle() }
        filler.requestThumbnail(at: plan.points[donePoints], maxWidth: Self.stripWidth) { [state] result in
            state.update { $0.filled.append(result) }
        }
    }

    /// Nothing is under way. The extractor of a finished strip is not needed any more.
    private mutating func idle() {
        // Filling is allowed again by the thread that looks at the player once a second.
        state.update { ($0.isFilling, $0.mayFill) = (false, false) }
        guard isPrepared else { return }
        state.update { $0.isFull = true }
        filler?.stop()
        filler = nil
        save()
    }

    private mutating func keep(_ result: Result<ExtractedStill, MediaError>) {
        donePoints += 1
        state.update { $0.isFilling = false }
        // Whatever became of the last one: the extractor is let go.
        defer { if donePoints >= plan?.points.count ?? 0 { idle() } }
        guard case .success(let still) = result else { return }
        do throws(MediaError) {
            strip.insert(StillStrip.Entry(time: still.time, data: try JPEGImage.bytes(still.image)))
        } catch {
            // A video without a strip is scrubbed as well.
            Log.module("previews").warning("\(error)")
            return
        }
        unsaved += 1
        if unsaved >= Self.saveEvery { save() }
        tellReady()
    }

    private mutating func save() {
        guard unsaved > 0, let store, let identity else { return }
        unsaved = 0
        store.keep(strip, identity)
    }

    private func tellReady() { noteReady(strip.entries.map(\.time)) }
}
