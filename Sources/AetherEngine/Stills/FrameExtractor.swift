public import AetherCore
public import AetherMedia
public import AetherSources

/// Takes single stills out of a source without playing it, with a demuxer and a decoder of their own on a thread of their own: the
/// cooperative pool never blocks, and playing goes on as it was.
///
///     let extractor = FrameExtractor(.location(.parse("movie.mkv")))
///     let still = await extractor.thumbnail(at: .seconds(60))
///     await extractor.shutdown()
///
/// The newest request counts: a waiting request is answered with nil, and the one at work is broken off. Stills are kept, those of both
/// kinds each within its own number of bytes. The source is closed after ten seconds without a request, and opened again by the next one.
public actor FrameExtractor {
    private nonisolated let desk: ExtractionDesk

    /// Memory for thumbnails: 140 of 320×180.
    public static let thumbnailBytes = 32 << 20
    /// Memory for stills in full size: two of 4K, eight of 1080p.
    public static let snapshotBytes = 72 << 20

    /// Columns of the widest still: 8K is whole.
    public static let maximumWidth = RasterScaler.maximumSide

    /// An extractor of a source that is not being played; nothing is opened before the first request.
    public init(
        _ source: MediaSource, options: OpenOptions = OpenOptions(), http: HTTPOptions = HTTPOptions(),
        time: any TimeSource = SystemTime()
    ) {
        self.init(StillOrigin(source, options: options, http: http), time: time)
    }

    init(
        _ origin: StillOrigin, urgency: ThreadUrgency = .bulk, time: any TimeSource,
        thumbnailBytes: Int = FrameExtractor.thumbnailBytes, snapshotBytes: Int = FrameExtractor.snapshotBytes
    ) {
        desk = ExtractionDesk(
            origin, urgency: urgency, time: time, thumbnailBytes: thumbnailBytes, snapshotBytes: snapshotBytes)
    }

    deinit { desk.stop() }

    /// Opens the source ahead of the first request.
    public func prewarm() async { _ = await outcome(of: .outline) }

    /// Opens the source and returns its outline. Throws as opening does.
    public func open() async throws(MediaError) -> SourceOutline {
        _ = try await outcome(of: .outline).get()
        guard let outline = desk.outline else { throw MediaError(.interrupted, "open") }
        return outline
    }

    /// The key frame at which decoding for a point begins, which is where a seek by key frames lands, at most so many pixels wide. nil when
    /// no key frame was found, or a newer request came.
    public func thumbnail(at point: MediaTime, maxWidth: Int = 320) async -> ExtractedStill? {
        await still(.thumbnail(point, width: Self.sane(maxWidth)))
    }

    /// The still that is on screen at a point: the last that begins at or before it, in full size or fitted into a box. nil as for
    /// `thumbnail`.
    public func snapshot(at point: MediaTime, maxSize: PixelSize? = nil) async -> ExtractedStill? {
        await still(.snapshot(point, box: maxSize))
    }

    /// Ends the thread and frees everything; returns when that is done. Later requests give nil.
    public func shutdown() async {
        desk.stop()
        await WorkerThread.value(name: "reaper") { [desk] in desk.join() }
    }

    /// As `thumbnail`, for callers outside of a task: `deliver` is called from any thread, with the error where there is no still
    /// (`.interrupted` when a newer request came), and must not block.
    public nonisolated func requestThumbnail(
        at point: MediaTime, maxWidth: Int = 320, deliver: @escaping @Sendable (Result<ExtractedStill, MediaError>) -> Void
    ) {
        desk.submit(.thumbnail(point, width: Self.sane(maxWidth))) { deliver(Self.still($0)) }
    }

    /// As `snapshot`, for callers outside of a task: see `requestThumbnail`.
    public nonisolated func requestSnapshot(
        at point: MediaTime, maxSize: PixelSize? = nil,
        deliver: @escaping @Sendable (Result<ExtractedStill, MediaError>) -> Void
    ) {
        desk.submit(.snapshot(point, box: maxSize)) { deliver(Self.still($0)) }
    }

    /// As `open()`, but blocks the calling thread. Not for a task.
    public nonisolated func waitUntilOpened() throws(MediaError) -> SourceOutline {
        let answer = Monitor<ExtractionOutcome?>(nil)
        desk.submit(.outline) { outcome in answer.update { $0 = outcome } }
        _ = try (answer.wait { $0 }).flatMap { $0 }?.get()
        guard let outline = desk.outline else { throw MediaError(.interrupted, "open") }
        return outline
    }

    /// As `thumbnail` (`isExact` false) and `snapshot`, but blocks the calling thread and throws the reason for a missing still. Not for a
    /// task.
    public nonisolated func waitForStill(
        at point: MediaTime, isExact: Bool, width: Int
    ) throws(MediaError) -> ExtractedStill {
        let answer = Monitor<Result<ExtractedStill, MediaError>?>(nil)
        let wish: ExtractionWish =
            isExact
            ? .snapshot(point, box: PixelSize(width: width, height: RasterScaler.maximumSide))
            : .thumbnail(point, width: Self.sane(width))
        desk.submit(wish, isAwaited: true) { outcome in answer.update { $0 = Self.still(outcome) } }
        let found: Result<ExtractedStill, MediaError>? = answer.wait { $0 }
        guard let found else { throw MediaError(.interrupted, "extract a still") }
        return try found.get()
    }

    /// As `shutdown()`, without waiting. Any thread; never blocks.
    public nonisolated func stop() { desk.stop() }

    /// As `shutdown()`, but blocks the calling thread. Not for a task.
    public nonisolated func shutDown() {
        desk.stop()
        desk.join()
    }

    /// Stills decoded so far.
    public nonisolated var decodeCount: Int { desk.decodes.current }

    /// For tests: a clock that was moved by hand is looked at, and what is open.
    nonisolated func lookAtTheClock() { desk.lookAtTheClock() }
    nonisolated var openContexts: Int { desk.openContexts.current }
    nonisolated var openings: Int { desk.openings.current }
    nonisolated var heldBytes: (thumbnails: Int, snapshots: Int) { desk.heldBytes }

    private static func sane(_ width: Int) -> Int { min(max(16, width), RasterScaler.maximumSide) }

    private static func still(_ outcome: ExtractionOutcome) -> Result<ExtractedStill, MediaError> {
        switch outcome {
        case .success(let still?): .success(still)
        case .success(nil): .failure(MediaError(.decodeFailed, "extract a still"))
        case .failure(let error): .failure(error)
        }
    }

    private func outcome(of wish: ExtractionWish) async -> ExtractionOutcome {
        await withCheckedContinuation { continuation in
            desk.submit(wish) { continuation.resume(returning: $0) }
        }
    }

    private func still(_ wish: ExtractionWish) async -> ExtractedStill? {
        if case .success(let still) = await outcome(of: wish) { return still }
        return nil
    }
}
