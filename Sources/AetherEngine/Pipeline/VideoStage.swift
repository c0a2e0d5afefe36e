import AetherCore
import AetherMedia

/// Thread `video`: decodes, drops what lies before the landing or is already over, scales to what the surface wants, and fills the
/// frame queue.
struct VideoStage {
    let pipeline: Pipeline
    let synchronizer: RenderSynchronizer
    let counters: SessionCounters
    let sink: any VideoSink
    let options: VideoOptions
    let time: any TimeSource
    let report: @Sendable (StageEvent) -> Void
    let stream: @Sendable (Int) -> StreamInfo?
    let cues: CueStore

    func run() {
        var work = VideoWork(stage: self)
        while work.step() {}
    }
}

/// How pictures are made.
struct VideoOptions: Sendable {
    /// Decoder threads.
    var threadCount = 2
    /// Frames that are over are dropped before they are scaled. Off when every frame is wanted (hashes).
    var dropsLateFrames = true
    /// More frames a second than this are not scaled.
    var frameRateCap: Double?
}

/// What the video thread holds between two steps.
struct VideoWork: ~Copyable {
    private let stage: VideoStage
    private var decoder: VideoDecoder?
    private var scaler = RasterScaler()
    private var timing = FrameTiming(frameRate: nil)
    private var info: StreamInfo?
    private var epoch = Epoch()
    private var stream: Int?
    private var plan = SeekPlan(target: .zero, landing: .exact)
    /// From which point on frames are shown; nil until the first frame of the epoch is seen.
    private var showFrom: MediaTime?
    /// The newest picture among the packets sent that may be on screen at `showFrom`.
    private var newestBefore: MediaTime?
    /// The newest frame that begins at or before `showFrom`: on screen there, unless another follows in time.
    private var candidate: DecodedFrame?
    private var candidatePlace: (pts: MediaTime, end: MediaTime)?
    private var hasLanded = false
    private var lastQueued: MediaTime?
    private var isIdle = true
    private var lateRun = 0
    /// The time of a first picture that was decoded ahead of the others: it comes out of the decoder once more.
    private var previewed: MediaTime?
    private var isFirstPacket = true
    private var captions = CaptionHarvest()
    /// Time spent in the decoder since the last frame came out. With frame threads this is what the thread waits, not what the cores
    /// work.
    private var decoding = TimeSpan.zero
    private static var log: ModuleLog { Log.module("video") }

    init(stage: VideoStage) { self.stage = stage }

    private enum Work: Sendable {
        case stop
        case restart(Epoch, SeekPlan, Int?)
        case packet(Packet)
        case drain
    }

    /// Does one thing and returns; false when the session is over.
    mutating func step() -> Bool {
        do throws(MediaError) {
            switch nextWork() {
            case .stop: return false
            case .restart(let epoch, let plan, let stream): try restart(epoch, plan, stream)
            case .packet(let packet): try decode(packet)
            case .drain: try drain()
            }
        } catch {
            Self.log.error("\(error)")
            isIdle = true
            stage.pipeline.change { [epoch] in if $0.epoch == epoch { $0.videoDrained = true } }
            stage.report(.lost(.video, epoch, error))
        }
        return true
    }

    private func nextWork() -> Work {
        let work: Work? = stage.pipeline.state.wait { state in
            if state.isStopped { return .stop }
            if state.epoch != epoch || state.activeVideo != stream {
                return .restart(state.epoch, state.plan, state.activeVideo)
            }
            guard let stream, !isIdle else { return nil }
            if let packet = state.popPacket(stream: stream) { return .packet(packet) }
            return state.isExhausted(stream: stream) ? .drain : nil
        }
        return work ?? .stop
    }

    private mutating func restart(_ newEpoch: Epoch, _ newPlan: SeekPlan, _ newStream: Int?) throws(MediaError) {
        let isNew = newStream != stream
        (epoch, plan, stream) = (newEpoch, newPlan, newStream)
        captions.reposition(stage.cues)
        showFrom = newPlan.knownFirstShown
        newestBefore = nil
        candidate = nil
        candidatePlace = nil
        hasLanded = false
        lastQueued = nil
        lateRun = 0
        previewed = nil
        isFirstPacket = true
        isIdle = true
        guard let newStream, let info = stage.stream(newStream) else { return }
        if isNew || decoder == nil {
            decoder = try VideoDecoder(info.parameters, threadCount: stage.options.threadCount)
            self.info = info
            timing = FrameTiming(frameRate: info.frameRate?.value)
        } else {
            decoder?.flush()
            timing.reset()
        }
        isIdle = false
    }

    private var isCurrent: Bool {
        stage.pipeline.state.read { [epoch] in !$0.isStopped && $0.epoch == epoch }
    }

    // MARK: - Decoding

    private mutating func decode(_ packet: Packet) throws(MediaError) {
        if isFirstPacket {
            isFirstPacket = false
            try preview(packet)
            if !isCurrent { return }
        }
        adaptDiscard(packet)
        while true {
            do throws(MediaError) {
                let began = stage.time.now()
                let result = try decoder?.send(packet) ?? .accepted
                decoding = decoding + (stage.time.now() - began)
                try receiveFrames()
                if result == .accepted { return }
                if !isCurrent { return }
            } catch {
                if error.code == .endOfMedia { return }
                stage.counters.decodeErrors.add()
                Self.log.warning("\(error)")
                return
            }
        }
    }

    /// Shows the key frame that an epoch begins with before the decoder has seen any other: with reordering and frame threads a
    /// picture comes out three packets later (30 ms at 1080p). Costs one key frame's decoding a seek.
    private mutating func preview(_ packet: Packet) throws(MediaError) {
        guard stage.options.dropsLateFrames, packet.isKey, let pts = packet.pts, let info, !info.isInterlaced,
            ["h264", "hevc", "av1", "vp9"].contains(info.codecName), plan.landing != .frameBefore,
            (plan.firstShown(firstFrame: pts) - pts).magnitude <= .milliseconds(1)
        else { return }
        do throws(MediaError) {
            _ = try decoder?.send(packet)
            _ = try decoder?.send(nil)
            if let frame = try decoder?.receive(), let shown = frame.pts, (shown - pts).magnitude <= .milliseconds(1) {
                try accept(frame)
                previewed = hasLanded ? shown : nil
            }
        } catch {
            Self.log.verbose("no picture from the first packet: \(error)")
        }
        decoder?.flush()
    }

    private mutating func receiveFrames() throws(MediaError) {
        while true {
            let began = stage.time.now()
            guard let frame = try decoder?.receive() else { return }
            stage.counters.decode.record(decoding + (stage.time.now() - began))
            decoding = .zero
            try accept(frame)
            if !isCurrent { return }
        }
    }

    private mutating func drain() throws(MediaError) {
        isIdle = true
        do throws(MediaError) {
            _ = try decoder?.send(nil)
            try receiveFrames()
        } catch {
            if error.code != .endOfMedia { Self.log.warning("\(error)") }
        }
        // The target lies behind the last frame: that one it is.
        if let frame = candidate.take(), let place = candidatePlace { try queue(frame, place) }
        finish()
    }

    private mutating func finish() {
        isIdle = true
        stage.pipeline.change { [epoch] in if $0.epoch == epoch { $0.videoDrained = true } }
    }

    /// A decoder that cannot keep up skips what nothing else depends on. Before the landing of a seek it does so with every picture that
    /// a later one covers there: what is shown stays exact.
    private mutating func adaptDiscard(_ packet: Packet) {
        var isCovered = false
        if !hasLanded, let from = showFrom, let pts = packet.pts, plan.isBefore(pts, from) {
            isCovered = !isLast(pts, before: from, mayMiss: true)
            newestBefore = max(newestBefore ?? pts, pts)
        }
        decoder?.setDiscard(isCovered || lateRun > 8 ? .nonReference : .none)
    }

    /// Whether no other picture lies between this one and the point at which the epoch lands, by the packets sent and queued.
    /// `mayMiss`: also when packets not read yet could hold one.
    private func isLast(_ pts: MediaTime, before from: MediaTime, mayMiss: Bool) -> Bool {
        guard let stream, let sent = newestBefore ?? (mayMiss ? pts : nil), sent <= pts else { return false }
        return stage.pipeline.state.read { [plan] state in
            guard let lane = state.lanes[stream], mayMiss || lane.hasEnded || lane.decodedUntil.map({ $0 > from }) ?? false else {
                return mayMiss
            }
            return !lane.contains { $0 > pts && plan.isBefore($0, from) }
        }
    }

    // MARK: - Frames

    private mutating func accept(_ frame: consuming DecodedFrame) throws(MediaError) {
        if let previewed {
            if let pts = frame.pts, pts <= previewed { return }
            self.previewed = nil
        }
        let place = timing.place(pts: frame.pts, duration: frame.duration, origin: plan.target)
        if let bytes = frame.captions, captions.take(bytes, at: place.pts, stage.cues) {
            stage.report(.subtitlesFound([CaptionHarvest.track], isWanted: false))
        }
        if hasLanded, let end = stage.pipeline.state.read({ $0.plan.end }), place.pts >= end {
            finish()
            return
        }
        let from = showFrom ?? plan.firstShown(firstFrame: place.pts)
        showFrom = from
        if hasLanded {
            try queue(frame, place)
            return
        }
        if plan.isBefore(place.pts, from) {
            // Exactly there, or the last one before by what the packets say: no need to see the next one first, which reordering and
            // threads hold back for 50 ms at 1080p.
            let isThere = plan.landing != .frameBefore && (from - place.pts).magnitude <= .milliseconds(1)
            if isThere || isLast(place.pts, before: from, mayMiss: false) {
                candidate = nil
                try queue(frame, place)
            } else {
                candidate = consume frame
                candidatePlace = place
            }
            return
        }
        if let earlier = candidate.take(), let earlierPlace = candidatePlace {
            try queue(earlier, (earlierPlace.pts, min(earlierPlace.end, place.pts)))
        }
        try queue(frame, place)
    }

    /// Scales a frame and puts it into the queue as soon as there is room.
    private mutating func queue(_ frame: borrowing DecodedFrame, _ place: (pts: MediaTime, end: MediaTime)) throws(MediaError) {
        if !hasLanded { land(at: place.pts) }
        if shallDrop(place) { return }
        let demand = stage.sink.demand
        let began = stage.time.now()
        let turn = QuarterTurn(degrees: Double(info?.rotationDegrees ?? 0))
        let image = try scaler.scale(frame, to: target(for: frame, demand, turn)).turned(turn)
        stage.counters.scale.record(stage.time.now() - began)
        let queued = QueuedFrame(pts: place.pts, end: place.end, epoch: epoch, image: image)
        lastQueued = place.pts
        let mine = epoch
        _ = stage.pipeline.state.wait { state -> Bool? in
            if state.isStopped || state.epoch != mine { return false }
            guard state.frames.count < PipelineState.frameLimit else { return nil }
            state.append(queued)
            return true
        }
    }

    /// The size to scale to, before the turn.
    private func target(for frame: borrowing DecodedFrame, _ demand: RasterDemand, _ turn: QuarterTurn) -> PixelSize {
        let own = PixelSize(width: frame.width, height: frame.height)
        guard let box = demand.box else { return own }
        let aspect = frame.sampleAspect ?? info?.sampleAspect.value ?? 1
        return PictureFit(stream: own, sampleAspect: aspect, rotation: turn, box: box, rasterAspect: demand.pixelAspect)
            .frameTarget
    }

    private mutating func land(at pts: MediaTime) {
        hasLanded = true
        stage.pipeline.change { [epoch, plan] state in
            guard state.epoch == epoch, state.landing == nil else { return }
            if case .exact = plan.landing { state.landing = plan.target } else { state.landing = pts }
        }
        stage.report(.primed(.video, epoch, pts))
    }

    /// Whether a frame is not worth scaling: its end has passed, or it comes faster than the cap allows.
    private mutating func shallDrop(_ place: (pts: MediaTime, end: MediaTime)) -> Bool {
        if let cap = stage.options.frameRateCap, let last = lastQueued, place.pts >= last, place.pts - last < .seconds(0.9 / cap)
        {
            return true
        }
        guard stage.options.dropsLateFrames, let last = lastQueued,
            let anchor = stage.synchronizer.anchor(epoch: epoch), anchor.rate > 0
        else { return false }
        let clock = anchor.time(at: stage.time.now())
        guard place.end < clock, place.pts - last < FramePacer.longestStandstill else {
            lateRun = max(0, lateRun - 1)
            return false
        }
        lateRun = min(16, lateRun + 2)
        stage.counters.droppedLateDecode.add()
        return true
    }
}
