import AetherCore
import AetherMedia

/// The far end of the video stage: scales the frames that are worth it to what the surface wants, and puts them into the queue of the
/// `pace` thread as soon as there is room. Owns the scaler.
struct FrameOutlet: ~Copyable {
    private let context: VideoContext
    private var scaler = RasterScaler()
    private var epoch = Epoch()
    private var lastQueued: MediaTime?
    /// Of the stream: what the container says of its pictures.
    private var info: StreamInfo?

    init(_ context: VideoContext) { self.context = context }

    mutating func begin(_ epoch: Epoch, stream: StreamInfo?) {
        (self.epoch, info, lastQueued) = (epoch, stream, nil)
    }

    /// What the policy has to know of the pictures as they are shown now.
    func picture(_ info: StreamInfo) -> DecodePolicy.Picture {
        let own = info.size ?? PixelSize(width: 0, height: 0)
        let turn = QuarterTurn(degrees: Double(info.rotationDegrees))
        let target = context.sink.demand.box == nil ? nil : target(for: own, aspect: nil, context.sink.demand, turn)
        return DecodePolicy.Picture(
            codec: info.codecName, source: own, target: target, isInterlaced: info.isInterlaced,
            isExact: !context.options.dropsLateFrames)
    }

    /// Scales a frame and queues it, unless it is not worth it; blocks while the queue is full. Returns what scaling took.
    mutating func put(_ frame: borrowing DecodedFrame, _ place: (pts: MediaTime, end: MediaTime)) throws(MediaError) -> TimeSpan {
        if isSuperfluous(place) { return .zero }
        let demand = context.sink.demand
        let began = context.time.now()
        let turn = QuarterTurn(degrees: Double(info?.rotationDegrees ?? 0))
        let own = PixelSize(width: frame.width, height: frame.height)
        let image = try scaler.scale(frame, to: target(for: own, aspect: frame.sampleAspect, demand, turn)).turned(turn)
        let cost = context.time.now() - began
        context.counters.scale.record(cost)
        let queued = QueuedFrame(pts: place.pts, end: place.end, epoch: epoch, image: image)
        lastQueued = place.pts
        let mine = epoch
        _ = context.pipeline.state.wait { state -> Bool? in
            if state.isStopped || state.epoch != mine { return false }
            guard state.frames.count < PipelineState.frameLimit else { return nil }
            state.append(queued)
            return true
        }
        return cost
    }

    /// The size to scale to, before the turn.
    private func target(for own: PixelSize, aspect: Double?, _ demand: RasterDemand, _ turn: QuarterTurn) -> PixelSize {
        guard let box = demand.box else { return own }
        let aspect = aspect ?? info?.sampleAspect.value ?? 1
        return PictureFit(stream: own, sampleAspect: aspect, rotation: turn, box: box, rasterAspect: demand.pixelAspect)
            .frameTarget
    }

    /// Whether a frame is not worth scaling: its end has passed, or it comes faster than the cap allows.
    private func isSuperfluous(_ place: (pts: MediaTime, end: MediaTime)) -> Bool {
        guard let last = lastQueued else { return false }
        if let cap = context.options.frameRateCap, place.pts >= last, place.pts - last < .seconds(0.9 / cap) { return true }
        guard context.options.dropsLateFrames, place.pts - last < FramePacer.longestStandstill,
            let lateness = context.lateness(of: place.end, epoch: epoch), lateness > .zero
        else { return false }
        context.counters.droppedLateDecode.add()
        return true
    }
}
