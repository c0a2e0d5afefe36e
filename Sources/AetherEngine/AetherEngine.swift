public import AetherCore
import AetherMedia
public import Observation
import Synchronization

/// A media player without a face: give it a source and a surface, tell it what to do, read what it is doing.
///
///     let engine = AetherEngine(sink: surface)
///     try await engine.load(.location(.parse("movie.mkv")))
///     engine.send(.seek(to: .seconds(60), .exact))
///
/// Sendable and observable from anywhere; holds no pipeline state. Every verb posts a command to one control task, which carries
/// them out in order and never blocks; every reading takes a copy from under one lock. Decoding, audio and files live on
/// threads of the session.
public final class AetherEngine: Sendable, Observable {
    private let published: Monitor<PublishedState>
    private let messages: AsyncStream<ControlMessage>.Continuation
    private let teardown = Monitor(Teardown())
    private let audience = Audience<SeekEvent>()
    private let taps = AudioTaps()
    private let resets = Audience<Void>()
    private let sampler = Mutex(TelemetrySampler())
    private let sink: any VideoSink
    private let time: any TimeSource
    private let registrar = ObservationRegistrar()
    /// The phase that observers of `state` know.
    private let toldPhase = Mutex(PlaybackPhase.idle)
    /// The place in the source, to be observed. Its observers hear of it ten times a second at most; those of `state` do not.
    public let clock: PlaybackClock
    /// Counters of the stages, to be observed: once a second at most.
    public let diagnostics: EngineDiagnostics
    /// One question at a time answers all callers meanwhile.
    private let deviceRequests = Requests<AetherEngine, Never>(name: "devices", order: .each(limit: 1)) {
        { engine, _ in
            engine.readAudioDevices()
            return nil
        }
    }
    private let changed: @Sendable () -> Void

    /// An idle engine that shows its frames on `sink`. `changed` is called after every change of `snapshot()`, except of the clock, from
    /// any thread; it must not block.
    public init(sink: any VideoSink, time: any TimeSource = SystemTime(), changed: @escaping @Sendable () -> Void = {}) {
        let (stream, continuation) = AsyncStream.makeStream(of: ControlMessage.self)
        let published = Monitor(PublishedState())
        self.published = published
        self.sink = sink
        self.time = time
        self.changed = changed
        messages = continuation
        let snapshots = SnapshotSource()
        (clock, diagnostics) = (PlaybackClock(snapshots), EngineDiagnostics(snapshots))
        snapshots.connect { [weak self] in self?.snapshot() ?? EngineSnapshot() }
        Task { [weak self, teardown, audience, taps, resets] in
            var control = PlaybackControl(
                sink: sink, time: time, teardown: teardown, audience: audience, taps: taps, resets: resets,
                post: { continuation.yield($0) },
                publish: { change in
                    published.update { change(&$0) }
                    self?.announce()
                })
            for await message in stream { control.handle(message) }
        }
    }

    deinit {
        messages.yield(.stop)
        messages.finish()
    }

    /// The present session; nil for none.
    var session: PlaybackSession? { published.read { $0.session } }

    private func announce() {
        let phase = published.read { $0.snapshot.phase }
        let isOther = toldPhase.withLock { told in
            defer { told = phase }
            return told != phase
        }
        if isOther { registrar.withMutation(of: self, keyPath: \.state) {} }
        clock.renew()
        changed()
    }
    // MARK: - Loading

    /// Starts loading; what was playing ends. Returns at once, with the number by which `takeNews` names it: `waitUntilOpened` and
    /// `snapshot().phase` tell the outcome.
    @discardableResult
    public func begin(_ source: MediaSource, options: LoadOptions = LoadOptions()) -> Int {
        CrashReport.note("load")
        return startLoad { .load($0, source, options) }
    }

    /// The message is sent under the lock, so that messages and numbers are in the same order.
    func startLoad(_ message: (Int) -> ControlMessage) -> Int {
        published.update {
            $0.load += 1
            $0.openOutcome = nil
            $0.snapshot.phase = .loading
            $0.snapshot.advances = 0
            $0.snapshot.starts += 1
            messages.yield(message($0.load))
            return $0.load
        }
    }

    /// The news since the last call, in order; the newest 256 are kept for a later one. Any thread; never blocks.
    public func takeNews() -> [PlaybackNews] {
        published.update { state in
            defer { state.news = [] }
            return state.news
        }
    }

    /// Sets the source that follows at the end of the source that was begun last; nil: none. Audio alone is opened early and joins the end
    /// without a gap where the device can go on unchanged; `EngineSnapshot.advances` tells. Videos are left to the caller, which sees
    /// `.ended` as without this.
    public func setNext(_ source: MediaSource?, options: LoadOptions = LoadOptions()) {
        published.update { state in
            _ = messages.yield(.next(state.load, source, options))
        }
    }

    /// The most sources that are kept ready: each costs a connection and some megabytes.
    public static let readyLimit = Standby.limit

    /// Keeps these sources ready beside the one that plays, `readyLimit` at most, and no others: each is opened and, where it is live, read along without
    /// being decoded, so that a load of the same location with like options begins at once, near the edge. Costs the data of each.
    public func keepReady(_ sources: [(MediaSource, LoadOptions)]) {
        messages.yield(.ready(sources))
    }

    /// Whether the last source that was begun was opened; false while it is not known yet.
    public var hasOpened: Bool {
        published.read { if case .success = $0.openOutcome { true } else { false } }
    }

    /// The reason why the last source could not be opened; nil while that is not known, or when it was.
    public var openError: MediaError? {
        published.read { if case .failure(let error) = $0.openOutcome { error } else { nil } }
    }

    /// Blocks the calling thread until the source is open or cannot be opened. Not for a task.
    public func waitUntilOpened() throws(MediaError) -> EngineSnapshot {
        let outcome: Result<EngineSnapshot, MediaError>? = published.wait { $0.openOutcome }
        guard let outcome else { throw MediaError(.internalFailure, "open") }
        return try outcome.get()
    }

    /// Loads a source and returns its snapshot once it is open.
    @discardableResult
    public func load(_ source: MediaSource, options: LoadOptions = LoadOptions()) async throws(MediaError) -> EngineSnapshot {
        begin(source, options: options)
        let outcome = await WorkerThread.value(name: "open-wait") { [self] in
            Result { () throws(MediaError) in try waitUntilOpened() }
        }
        return try outcome.get()
    }

    /// Ends playing; returns when every thread and descriptor of the session is gone.
    public func stop() async {
        await WorkerThread.value(name: "reaper") { [self] in shutDown() }
    }

    /// As `stop()`, but blocks the calling thread. Not for a task.
    public func shutDown() {
        let ticket = teardown.update { teardown in
            teardown.stopsAsked += 1
            messages.yield(.stop)
            return teardown.stopsAsked
        }
        // A blocking read is broken off now, and not when the control task gets to it.
        session?.requestStop()
        // Also those that were replaced and have not ended yet, and one whose load was still in the queue.
        let retired: [PlaybackSession]? = teardown.wait { teardown in
            guard teardown.stopsServed >= ticket else { return nil }
            defer { teardown.retired = [] }
            return teardown.retired
        }
        for session in retired ?? [] { session.join() }
        sink.clear()
    }

    /// As `shutDown()`, but waits for at most `span`: a name server or sound server that does not answer cannot be interrupted, and a
    /// program on its way out does not wait for it. Returns whether all threads have ended.
    @discardableResult
    public func shutDown(within span: TimeSpan) -> Bool {
        let requests = Requests<Void, Bool>(name: "reaper") {
            { [self] _, _ in
                shutDown()
                return true
            }
        }
        requests.ask(())
        return requests.answer(until: time.now() + span) ?? false
    }

    // MARK: - Transport

    /// Says one command. Commands are carried out in the order they were said. Any thread; never blocks.
    public func send(_ command: PlayerCommand) {
        CrashReport.note(command.crashEvent)
        messages.yield(.command(command))
    }

    // The following functions send one command each: from any thread, never blocking; the result is in the snapshot.

    /// Play on; at the end, from the start. During a seek it is the intent that counts where it lands.
    public func play() { send(.play) }
    /// Stand still where the clock is; the frame stays.
    public func pause() { send(.pause) }
    /// Toggles the intended play state, even during a seek.
    public func togglePlayPause() { send(.togglePlayPause) }
    /// Seeks to a point of the source axis.
    public func seek(to point: MediaTime, precision: SeekPrecision = .exact) { send(.seek(to: point, precision)) }
    /// Seeks to the live edge of a broadcast; does nothing in a source that is complete.
    public func seekToLiveEdge() { send(.seekToLiveEdge) }
    /// The volume as a factor of the samples, 0…1.5. Setting it is a command: reading it tells the new value when that was carried out.
    public var volume: Double {
        get { published.read { $0.snapshot.volume } }
        set { send(.set(.volume(newValue))) }
    }
    /// Audio runs on unheard; as `volume`.
    public var isMuted: Bool {
        get { published.read { $0.snapshot.isMuted } }
        set { send(.set(.muted(newValue))) }
    }
    /// Plays on another ALSA device from now on.
    public func setAudioDevice(_ name: String) { send(.setAudioDevice(name)) }
    /// Lists the audio devices on a thread of its own; `EngineSnapshot.audioDevices` has the answer, the latest one until then. Any
    /// thread; never blocks.
    public func findAudioDevices() {
        deviceRequests.ask(self)
    }

    /// Blocks in ALSA.
    private func readAudioDevices() {
        var found: [AudioDeviceHint] = []
        do throws(MediaError) {
            found = try AudioDeviceHint.all()
        } catch {
            Log.module("audio").warning("\(error)")
        }
        published.update { [found] in $0.audioDevices = found }
        announce()
    }

    /// Another audio track from here on: without a gap where the cache holds it. A track that the source does not have changes nothing.
    public func selectAudioTrack(id: TrackID) { send(.selectAudioTrack(id)) }
    /// Another quality of a source in segments; nil: the player chooses by window, machine and link.
    public func selectVariant(id: MediaVariant.ID?, _ turn: VariantTurn = .atBorder) { send(.selectVariant(id, turn)) }
    /// Another video track of the same source.
    public func selectVideoTrack(id: TrackID) { send(.selectVideoTrack(id)) }
    /// Another program of the source: see `EngineSnapshot.titles`.
    public func selectTitle(id: Int) { send(.selectTitle(id)) }
    /// A wish in the menus of a disc: see `EngineSnapshot.menu`.
    public func menu(_ wish: DiscMenuCommand) { send(.menu(wish)) }
    /// The events of seeks from now on: a stream for each caller, the newest 64 kept, which ends at `stop`.
    public var seekEvents: AsyncStream<SeekEvent> { audience.listen() }

    /// A live source has begun anew: its encoder was started again, its numbers or its clock begin again, or it was lost and had once more. What it
    /// gives follows on what was there, on the same axis. A stream for each caller, the newest 64 kept, which ends at `stop`.
    public var liveSourceReset: AsyncStream<Void> { resets.listen() }

    /// The audio that is played from now on, whatever the source: a stream for each caller, the newest 64 buffers kept, which ends at `stop`.
    public func installAudioTap() -> AsyncStream<AudioTapBuffer> { taps.mono.listen() }

    /// The same with all channels of the source at its own rate, for meters.
    public func installChannelTap() -> AsyncStream<ChannelTapBuffer> { taps.channels.listen() }

    /// The readings of the audio device from now on, about 50 a second: a stream for each caller, the newest 512 kept, which ends at `stop`.
    public func clockReadings() -> AsyncStream<ClockReading> { taps.clock.listen() }

    /// The last 64 requests to servers that the present source made, the oldest first; empty for a source that is read of none. Never blocks.
    public func networkRequests() -> [NetworkRequest] { session?.meter.requests ?? [] }

    // MARK: - Stills

    /// Takes stills out of the source that is played, beside the player: from packets in memory where they are held, else by reading the
    /// source a second time where it allows that. nil while nothing is open. Shut it down when another source is loaded.
    public func makeFrameExtractor() -> FrameExtractor? {
        guard let session, session.info != nil else { return nil }
        return FrameExtractor(session.stillOrigin, time: time)
    }

    /// A frame of the present video with the selected subtitles blended in, text too; the frame as it is where none are selected. Blocks
    /// for libass; not for a task.
    public func withSubtitles(_ still: ExtractedStill) -> RasterImage { session?.blended(still) ?? still.image }

    // MARK: - State

    /// The phase of the player; observable.
    public var state: PlaybackPhase {
        registrar.access(self, keyPath: \.state)
        return published.read { $0.snapshot.phase }
    }

    /// The engine's whole state as of now: one read for a drawn frame. Its telemetry is renewed once a second.
    public func snapshot() -> EngineSnapshot {
        let now = time.now()
        let (base, session, devices) = published.read { ($0.snapshot, $0.session, $0.audioDevices) }
        var snapshot = base
        snapshot.audioDevices = devices
        guard let session, let info = session.info else { return snapshot }
        snapshot.position = position(of: snapshot, session: session, at: now)
        snapshot.menu = session.menu.shown(at: snapshot.position)
        snapshot.isLoadingSubtitles = session.subtitleRequests.read { $0.isBusy }
        snapshot.takeCues(
            of: session.cues, burning: sink.demand.burning, forcedOnly: session.options.forcedSubtitlesOnly,
            keepsMarkup: session.options.preserveASSMarkup, recognised: { session.recognised($0) })
        let (buffered, forward, cache, frames) = session.pipeline.state.read {
            ($0.bufferedPosition, $0.forwardBuffer, (queued: $0.byteCount, kept: $0.packets.cache.keptBytes), $0.frames.count)
        }
        snapshot.recording = session.recording.withLock { $0 }?.progress
        snapshot.heldRange = session.pipeline.state.read { $0.heldRange }
        snapshot.bufferedPosition = buffered
        snapshot.bufferFill = session.bufferFill(snapshot.phase, now: now)
        let decoding = snapshot.activeVideoTrack == nil ? nil : session.acceleration?.telling
        let inputs = TelemetrySampler.Inputs(
            sink: sink.statistics, lastShown: sink.lastShown.flatMap { $0.epoch == snapshot.epoch ? $0 : nil },
            anchor: session.synchronizer.anchor(epoch: snapshot.epoch), forwardBuffer: forward, queuedBytes: cache.queued,
            cachedBytes: cache.kept,
            queuedFrames: frames, videoDecoder: decoding?.decoder ?? info.codec(of: snapshot.activeVideoTrack),
            videoDecoderReason: decoding?.reason,
            audioDecoder: info.codec(of: snapshot.activeAudioTrack), audioDevice: snapshot.audioOutputRoute?.device,
            hasVideo: snapshot.activeVideoTrack != nil, isOver: snapshot.phase == .ended, network: session.networkFigures,
            adaptation: snapshot.adaptsVariant ? session.adapter.note : nil,
            variant: snapshot.variants.first { $0.id == snapshot.activeVariant })
        snapshot.telemetry = sampler.withLock {
            $0.sample(now: now, session: session.token, counters: session.counters, inputs: inputs)
            return $0.latest
        }
        return snapshot
    }

    private func position(of snapshot: EngineSnapshot, session: PlaybackSession, at now: HostTime) -> MediaTime {
        if let target = snapshot.seekTarget { return target }
        guard let time = session.synchronizer.time(at: now) else { return snapshot.position }
        let upper = snapshot.duration.map { snapshot.startTime + $0 } ?? time
        // A frame that stands is no time of a passage.
        if session.menu.facts != nil { return max(snapshot.startTime, min(time, upper)) }
        // Streams end some samples apart; a file that goes on for longer than that is longer than it says.
        return max(snapshot.startTime, time - upper > .milliseconds(500) ? time : min(time, upper))
    }
}
