import AetherCore
import AetherMedia

/// Questions whose answers lie in more than one part.
extension PipelineState {
    var lanes: [StreamID: PacketLane] { packets.cache.lanes }
    /// Bytes that wait for the decoders.
    var byteCount: Int { packets.cache.queuedBytes }
    var frames: [QueuedFrame] { output.frames }
    /// The streams that the demuxer shall deliver.
    var wantedStreams: Set<StreamID> { Set(lanes.keys).union(intent.subtitleStreams).union(intent.watchedSubtitles) }

    /// The packets in memory that a recording begins with.
    func held(for order: RecordingOrder) -> [Packet] {
        order.start.map { packets.cache.packets(from: $0, video: intent.activeVideo) } ?? []
    }

    /// Whether `switchAudio` is possible.
    func holdsAudio(_ stream: StreamID, at point: MediaTime) -> Bool { packets.cache.holdsAudio(stream, at: point) }

    /// The range that can be gone to without the source.
    var heldRange: ClosedRange<MediaTime>? { packets.cache.range(video: intent.activeVideo) }

    /// Where a source begins that was held ready; nil while nothing is held.
    var standingStart: MediaTime? { packets.cache.standingStart(video: intent.activeVideo) }

    /// Whether the demuxer shall read on: some selected stream has less than the target, and memory is left.
    var wantsPackets: Bool {
        if intent.activeStreams.contains(where: { lanes[$0]?.isReplaced ?? false }) { return true }
        guard byteCount < intent.byteLimit else { return false }
        return intent.activeStreams.contains { stream in
            guard let lane = lanes[stream], !lane.hasEnded else { return false }
            // Streams without time stamps are bounded by count.
            return lane.span < intent.readAhead && (lane.count < 4096 || lane.span > .zero)
        }
    }

    /// Whether a selected stream has nothing, and more is to come.
    var isStarving: Bool {
        intent.activeStreams.contains { packets.isEmpty($0) && !packets.isExhausted($0) }
    }

    /// Enough is queued to begin again after running dry.
    func hasReserve(stream: StreamID) -> Bool {
        guard let lane = lanes[stream] else { return true }
        return lane.hasEnded || !wantsPackets || lane.span >= intent.buffer.reserve
    }

    /// The video alone drives the clock and has run out, although the source has more of it: the source is slow. (A slow decoder leaves
    /// packets waiting; audio that runs out says so itself.)
    var isVideoDry: Bool {
        guard let video = intent.activeVideo, intent.activeAudio == nil, frames.isEmpty, !output.isDrained else { return false }
        return packets.isEmpty(video) && !packets.isExhausted(video)
    }

    /// Packets of the video wait for its decoder.
    var canDecodeVideo: Bool { intent.activeVideo.map { !packets.isEmpty($0) } ?? false }

    /// After that: there is enough to go on.
    var hasVideoReserve: Bool {
        output.isDrained || !frames.isEmpty && (intent.activeVideo.map { hasReserve(stream: $0) } ?? true)
    }

    /// The state that adaptation goes by: of the video, else of the audio.
    var view: StreamAdapter.View {
        var view = StreamAdapter.View()
        view.speed = intent.settings.rate
        guard let stream = intent.activeVideo ?? intent.activeAudio, let lane = lanes[stream] else { return view }
        (view.buffer, view.next) = (lane.span, lane.next)
        // Until a second is there, the bit rate is unknown.
        let held = max(1, byteCount), fill = Double(intent.byteLimit) / Double(held)
        if lane.span >= .seconds(1) { view.capacity = min(intent.readAhead, lane.span.scaled(by: min(fill, 1000))) }
        return view
    }

    /// Seconds queued of the poorest selected stream that has not ended.
    var forwardBuffer: TimeSpan? {
        intent.activeStreams.compactMap { lanes[$0] }.filter { !$0.hasEnded || !$0.isEmpty }.map(\.span).min()
    }

    /// Up to where every selected stream is queued.
    var bufferedPosition: MediaTime? {
        intent.activeStreams.compactMap { lanes[$0]?.newest }.min()
    }
}
