import AetherCore
import AetherMedia

/// The video thread's state between two steps.
struct VideoWork<Decoder: VideoDecoding & ~Copyable>: ~Copyable {
    private let stage: VideoStage<Decoder>
    let context: VideoContext
    private var decoder: Decoder?
    /// The frames in `decoder` are of an earlier epoch.
    private var isStale = false
    var outlet: FrameOutlet
    var policy = DecodePolicy()
    var timing = FrameTiming(frameRate: nil)
    var info: StreamInfo?
    /// Which of the formats of its stream the packets had last.
    private var format = 0
    var epoch = Epoch()
    var stream: StreamID?
    var plan = SeekPlan(target: .zero, landing: .exact)
    /// From which point on frames are shown; nil until the first frame of the epoch is seen.
    var showFrom: MediaTime?
    /// The newest frame among the packets sent that may be on screen at `showFrom`.
    var newestBefore: MediaTime?
    /// The newest frame that begins at or before `showFrom`: on screen there, unless another follows in time.
    var candidate: DecodedFrame?
    var candidatePlace: (pts: MediaTime, end: MediaTime)?
    var hasLanded = false
    /// The newest frame where it was not worth scaling: should it be the last of all, it is shown.
    var leftOut: DecodedFrame?
    var leftOutPlace: (pts: MediaTime, end: MediaTime)?
    /// Makes whole frames of interlaced ones, and how many of each; nil before the first.
    var fields: Deinterlacer?
    var fieldRate: Deinterlacer.Rate?
    var fieldsAreRefused = false
    /// A person's filters; nil before their first frame.
    var filters: VideoFilters?
    /// The graph that libavfilter refused: it is not asked again.
    var refusedFilters: FilterGraph?
    private var isIdle = true
    /// Frames that come once more in another quality.
    var repeats = RepeatedFrames()
    /// The time of a first frame that was decoded ahead of the others: it comes out of the decoder once more.
    var previewed: MediaTime?
    private var isFirstPacket = true
    /// When the first packet of the epoch is decoded, or shown where that is earlier.
    private(set) var begun: MediaTime?
    /// Packets waited behind the one decoded last.
    var hasBacklog = false
    var captions = CaptionHarvest()
    private var yield = DecoderYield()
    /// The time that frames took to decode.
    var cost = DecodeCost()
    static var log: ModuleLog { Log.module("video") }

    init(stage: VideoStage<Decoder>) {
        self.stage = stage
        context = stage.context
        outlet = FrameOutlet(stage.context)
    }

    private enum Work: Sendable {
        case stop
        case restart(Epoch, SeekPlan, StreamID?)
        case packet(Packet, isLast: Bool, nextKey: MediaTime?)
        case drain
    }

    /// Does one thing and returns; false when the session is over.
    mutating func step() -> Bool {
        do throws(MediaError) {
            switch nextWork() {
            case .stop: return false
            case .restart(let epoch, let plan, let stream): try restart(epoch, plan, stream)
            case .packet(let packet, let isLast, let nextKey): try take(packet, isLast: isLast, nextKey: nextKey)
            case .drain: try drain()
            }
        } catch {
            Self.log.error("\(error)")
            isIdle = true
            // In this order: the thread `pace` tells of the end, and the reason for it comes first.
            context.report(.lost(.video, epoch, error))
            context.pipeline.state.update { [epoch] in $0.drainVideo(epoch) }
        }
        return true
    }

    private func nextWork() -> Work {
        let work: Work? = context.pipeline.state.wait(for: [.intent, .videoPackets, .turns]) { state in
            if state.intent.isStopped { return .stop }
            if state.intent.epoch != epoch || state.intent.activeVideo != stream {
                return .restart(state.intent.epoch, state.intent.plan, state.intent.activeVideo)
            }
            guard let stream, !isIdle else { return nil }
            if let packet = state.popPacket(stream: stream) {
                let lane = state.lanes[stream]
                return .packet(packet, isLast: lane?.isEmpty ?? true, nextKey: lane?.nextKey)
            }
            return state.packets.isExhausted(stream) ? .drain : nil
        }
        return work ?? .stop
    }

    private mutating func restart(_ newEpoch: Epoch, _ newPlan: SeekPlan, _ newStream: StreamID?) throws(MediaError) {
        let isNew = newStream != stream
        (epoch, plan, stream) = (newEpoch, newPlan, newStream)
        captions.reposition(context.cues)
        showFrom = newPlan.knownFirstShown
        newestBefore = nil
        candidate = nil
        candidatePlace = nil
        leftOut = nil
        hasLanded = false
        policy.begin()
        previewed = nil
        repeats = RepeatedFrames()
        begun = nil
        fields = nil
        fieldRate = nil
        filters = nil
        isFirstPacket = true
        isIdle = true
        if isNew { (info, format) = (newStream.flatMap { context.stream($0) }, 0) }
        outlet.begin(newEpoch, stream: info)
        guard newStream != nil, let info else { return }
        if isNew {
            decoder = nil
            fieldsAreRefused = false
            (timing, policy) = (FrameTiming(frameRate: info.frameRate?.value), DecodePolicy())
            yield = DecoderYield()
        }
        isStale = true
        timing.reset()
        isIdle = false
    }

    var isCurrent: Bool {
        context.pipeline.state.read { [epoch] in !$0.intent.isStopped && $0.intent.epoch == epoch }
    }

    // MARK: - Decoding

    /// Decodes a packet, if the policy wants it. `isLast`: nothing waits behind it, for the source is no faster.
    private mutating func take(_ packet: Packet, isLast: Bool, nextKey: MediaTime?) throws(MediaError) {
        hasBacklog = !isLast
        if packet.format != format {
            let repeated = repeats.start(of: packet.pts)
            guard try change(to: packet.format, repeatedFrom: repeated) else { return }
            repeats.change(from: repeated)
        }
        let distance = nextKey.flatMap { key in (packet.pts ?? packet.dts).map { key - $0 } }
        switch policy.admit(isKey: packet.isKey, nextKey: distance) {
        case .leaveOut:
            context.counters.droppedLateDecode.add()
            return
        case .decodeAfresh: try refresh(flushing: true)
        case .decode:
            // Another size is shown by now, at which more, or less, can be seen.
            if packet.isKey, !isStale { try refresh(flushing: false) }
        }
        try decode(packet)
    }

    /// The packets of the stream have another format from here on: what the decoder holds comes out, and another is opened where that one does
    /// not fit the parameters. One that does is flushed, so that nothing is made of frames from before the border. Frames that come once
    /// more (`repeatedFrom`) do not come out: some would be missing among them whose packets the decoder was not given any more.
    /// Returns false where the epoch is over by then.
    private mutating func change(to number: Int, repeatedFrom: MediaTime?) throws(MediaError) -> Bool {
        guard let stream else { return false }
        let own = context.pipeline.state.read { $0.format(number, of: stream) }
        guard let next = own ?? context.stream(stream) else { return false }
        if !isStale {
            repeats.beginEmptying(from: repeatedFrom)
            defer { repeats.endEmptying() }
            try empty()
        }
        guard isCurrent else { return false }
        if !(info.map { next.parameters.continuesVideo(of: $0.parameters) } ?? false) { decoder = nil }
        (format, info) = (number, next)
        fields = nil
        (fieldRate, fieldsAreRefused) = (nil, false)
        isStale = true
        outlet.change(to: next)
        return true
    }

    /// Makes the decoder ready for what is shown now. Only before a key frame, or where it is flushed anyway.
    private mutating func refresh(flushing: Bool) throws(MediaError) {
        guard let info else { return }
        if flushing { isStale = false }
        let effort = policy.effort(outlet.shape(info))
        guard decoder?.needsReopening(for: effort) ?? true else {
            if flushing { decoder?.flush() }
            return
        }
        if !flushing { try empty() }
        decoder = nil
        decoder = try stage.open(info, effort)
    }

    /// Takes all that the decoder holds.
    private mutating func empty() throws(MediaError) {
        do throws(MediaError) {
            _ = try decoder?.send(nil)
            try receiveFrames()
        } catch {
            if error.code != .endOfMedia { Self.log.warning("\(error)") }
        }
        try emptyFields()
        try emptyFilters()
    }

    private mutating func decode(_ packet: Packet) throws(MediaError) {
        if isFirstPacket {
            isFirstPacket = false
            begun = packet.beginning
            try preview(packet)
            if !isCurrent { return }
        }
        if isStale { try refresh(flushing: true) }
        let effort = effort(for: packet)
        decoder?.apply(effort)
        while true {
            do throws(MediaError) {
                cost.begin(at: context.time.now())
                let result = try decoder?.send(packet) ?? .accepted
                if result == .accepted {
                    yield.packets += 1
                    if let pts = packet.pts { repeats.noteSent(pts) }
                }
                cost.end(at: context.time.now())
                try receiveFrames()
                if result == .accepted { return }
                if !isCurrent { return }
            } catch {
                if error.code == .endOfMedia { return }
                yield.refuse(error)
                context.counters.decodeErrors.add()
                Self.log.warning("\(error)")
                return
            }
        }
    }

    /// Shows the key frame that an epoch begins with before the decoder has seen any other: with reordering and frame threads a
    /// frame comes out three packets later (30 ms at 1080p). By a decoder of its own, opened in under a millisecond: to flush the other
    /// means to wait for the frames that its threads have in work, 20 to 60 ms. Costs one key frame's decoding a seek.
    private mutating func preview(_ packet: Packet) throws(MediaError) {
        guard context.options.dropsLateFrames, packet.isKey, let pts = packet.pts, let info, !info.isInterlaced,
            ["h264", "hevc", "av1", "vp9"].contains(info.codecName), wantedFilters == nil, plan.landing != .frameBefore,
            (plan.firstShown(firstFrame: pts) - pts).magnitude <= .milliseconds(1)
        else { return }
        do throws(MediaError) {
            var effort = policy.effort(outlet.shape(info))
            effort.lowDelay = true
            var scout = try stage.open(info, effort)
            scout.apply(effort)
            _ = try scout.send(packet)
            _ = try scout.send(nil)
            if let frame = try scout.receive(), !frame.isInterlaced, let shown = frame.pts,
                (shown - pts).magnitude <= .milliseconds(1)
            {
                try accept(frame)
                previewed = hasLanded ? shown : nil
            }
        } catch {
            Self.log.verbose("no frame from the first packet: \(error)")
        }
    }

    private mutating func receiveFrames() throws(MediaError) {
        while true {
            cost.begin(at: context.time.now())
            guard let frame = try decoder?.receive() else { return }
            context.counters.decode.record(cost.takeFrame(at: context.time.now()))
            yield.frames += 1
            try process(frame)
            if !isCurrent { return }
        }
    }

    private mutating func drain() throws(MediaError) {
        isIdle = true
        if isStale { try refresh(flushing: true) }
        try empty()
        // The target lies behind the last frame: that one it is.
        if let frame = candidate.take(), let place = candidatePlace { try queue(frame, place) }
        if isCurrent, let failure = yield.failure(of: "video \(info?.codecName ?? "")") { throw failure }
        try finish()
    }

    mutating func finish() throws(MediaError) {
        isIdle = true
        if let frame = leftOut.take(), let place = leftOutPlace { _ = try outlet.put(frame, place, isFinal: true) }
        context.pipeline.state.update { [epoch] in $0.drainVideo(epoch) }
    }

    /// Nothing of this epoch is shown: the frame at its target needs a key frame further back.
    mutating func fallShort(_ earlier: SeekPlan) {
        isIdle = true
        context.report(.fellShort(epoch, earlier))
    }
}
