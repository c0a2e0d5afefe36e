import AetherCore
import AetherMedia

/// The far end of the video stage: scales the frames that are worth it to what the surface wants, and puts them into the queue of the
/// `pace` thread as soon as there is room. Owns the scaler.
struct FrameOutlet: ~Copyable {
    private let context: VideoContext
    private var scaler = RasterScaler()
    private var epoch = Epoch()
    private var lastQueued: MediaTime?
    /// Of the stream: what the container says of its frames.
    private var info: StreamInfo?
    private var format = VideoFormat.sdr
    private var isTransparent = false

    init(_ context: VideoContext) { self.context = context }

    mutating func begin(_ epoch: Epoch, stream: StreamInfo?) {
        if stream?.id != info?.id { format = stream?.videoFormat ?? .sdr }
        (self.epoch, info, lastQueued, isTransparent) = (epoch, stream, nil, false)
    }

    /// The frames of the stream are of another description from here on.
    mutating func change(to stream: StreamInfo) { (info, format) = (stream, stream.videoFormat) }

    /// The facts that the policy needs of the frames as they are shown now.
    func shape(_ info: StreamInfo) -> DecodePolicy.Shape {
        let own = info.size ?? PixelSize(width: 0, height: 0)
        let demand = context.sink.demand
        let target = demand.box.map { fit(own, aspect: nil, $0, demand, info.orientation.turned(by: view)).frameTarget }
        return DecodePolicy.Shape(
            codec: info.codecName, source: own, target: target, isInterlaced: info.isInterlaced,
            isExact: !context.options.dropsLateFrames)
    }

    /// Scales a frame and queues it, unless it is not worth it; blocks while the queue is full. `isFinal`: none will follow, and the video
    /// stands at this one, however late it is. Returns what scaling took; nil where the frame was left out.
    mutating func put(
        _ frame: borrowing DecodedFrame, _ place: (pts: MediaTime, end: MediaTime), isFinal: Bool = false
    ) throws(MediaError) -> TimeSpan? {
        if !isFinal, isSuperfluous(place) { return nil }
        let demand = context.sink.demand
        let began = context.time.now()
        note(frame.videoFormat)
        noteTransparency(frame.isTransparent)
        let image = try scaled(frame, demand)
        let cost = context.time.now() - began
        context.counters.scale.record(cost)
        let queued = QueuedFrame(pts: place.pts, end: place.end, epoch: epoch, image: image)
        lastQueued = place.pts
        let mine = epoch
        _ = context.pipeline.state.wait(for: [.intent, .frameRoom]) { state -> Bool? in
            if state.intent.isStopped || state.intent.epoch != mine { return false }
            guard !state.output.isFull else { return nil }
            state.append(queued)
            return true
        }
        return cost
    }

    private mutating func scaled(_ frame: borrowing DecodedFrame, _ demand: RasterDemand) throws(MediaError) -> RasterImage {
        let own = PixelSize(width: frame.width, height: frame.height)
        let orientation = (frame.orientation ?? info?.orientation ?? Orientation()).turned(by: view)
        scaler.toneMapping = context.pipeline.state.read { $0.intent.settings.videoLook.toneMapping }
        scaler.background = demand.background
        guard let box = demand.box else { return try scaler.scale(frame, to: own).oriented(orientation) }
        let fit = fit(own, aspect: frame.sampleAspect, box, demand, orientation)
        return try scaler.scale(frame, region: fit.region, to: fit.frameTarget).oriented(orientation)
    }

    /// How a frame lies in the surface's box.
    private func fit(
        _ own: PixelSize, aspect: Double?, _ box: PixelSize, _ demand: RasterDemand, _ orientation: Orientation
    ) -> FrameFit {
        FrameFit(
            stream: own, sampleAspect: aspect ?? info?.sampleAspect.value ?? 1, rotation: orientation.turn, box: box,
            rasterAspect: demand.pixelAspect, isMirrored: orientation.isMirrored,
            view: view)
    }

    /// How the person wants to see the frame.
    private var view: VideoView { context.pipeline.state.read { $0.intent.settings.videoLook.view } }

    /// Tells of a format that frames know better than the container. Metadata of scenes may be missing from some of them.
    private mutating func note(_ next: VideoFormat) {
        let joined = format.joined(by: next)
        guard joined != format else { return }
        format = joined
        context.report(.videoFormat(joined, epoch))
    }

    private mutating func noteTransparency(_ isSeenThrough: Bool) {
        guard isSeenThrough, !isTransparent else { return }
        isTransparent = true
        context.report(.transparent(epoch))
    }

    /// Whether a frame is not worth scaling: its end has passed, or it comes faster than the cap allows.
    private func isSuperfluous(_ place: (pts: MediaTime, end: MediaTime)) -> Bool {
        guard let last = lastQueued else { return false }
        let cap = [context.options.frameRateCap, context.sink.demand.frameRateLimit].compactMap { $0 }.min()
        if let cap, place.pts >= last, place.pts - last < .seconds(0.9 / cap) { return true }
        guard context.options.dropsLateFrames, place.pts - last < FramePacer.longestStandstill,
            let lateness = context.lateness(of: place.end, epoch: epoch), lateness > .zero
        else { return false }
        context.counters.droppedLateDecode.add()
        return true
    }
}
