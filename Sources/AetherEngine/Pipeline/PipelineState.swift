import AetherCore
import AetherMedia

/// Everything the stages share, as one value under one lock, in three parts with a writer each: the intent (the control task), the packets
/// (the demuxer) and the frames (the decoders). No stage knows another; each waits for a condition of this value, and is woken by changes
/// of the parts that it names (`MonitorParts`).
struct PipelineState {
    var intent = PlaybackIntent() {
        didSet {
            changes.insert(.intent)
            if intent.activeStreams != oldValue.activeStreams || intent.audioTracks != oldValue.audioTracks { selectLanes() }
        }
    }
    /// The page of teletext that the demux thread reads as subtitles, once it has turned to it.
    var teletextPage: Int?
    private(set) var packets = PacketQueues()
    private(set) var output = FrameQueue()
    /// Rises whenever due times may have changed: clock, epoch, steps, stop. What a sleeping `pace` thread watches.
    private(set) var revision = 0
    /// The parts that were touched since threads were last woken.
    private var changes: MonitorParts = []

    /// The touched parts, to wake the threads that wait for them.
    mutating func takeChanges() -> MonitorParts {
        defer { changes = [] }
        return changes
    }

    /// Due times may have changed.
    mutating func renewDueTimes() {
        revision &+= 1
        changes.insert(.dueTimes)
    }

    // MARK: - Intent

    /// Begins a new epoch: nothing of the old one is left in any queue. Returns whether the source has to be asked: what the cache holds
    /// is decoded from there.
    @discardableResult
    mutating func begin(_ epoch: Epoch, plan: SeekPlan) -> Bool {
        selectLanes()
        let plan = packets.cache.snapped(plan, video: intent.activeVideo)
        var next = intent
        (next.epoch, next.plan, next.stepsWanted, next.clockRuns) = (epoch, plan, 0, false)
        intent = next
        let needsSource = !packets.cache.move(to: plan.demuxTarget, video: intent.activeVideo, reach: plan.reach)
        if needsSource {
            packets.cache.removeAll()
            packets.run = epoch
        }
        packets.isBlockedFull = false
        var landing: MediaTime?
        if case .exact = plan.landing { landing = plan.target }
        output.removeAll(landing: landing)
        revision &+= 1
        changes = .all
        return needsSource
    }

    /// Ends the session: nothing is kept.
    mutating func stop() {
        intent.isStopped = true
        revision &+= 1
        packets.cache.removeAll()
        changes = .all
    }

    /// Lets another track be heard from a point on, in this epoch. The caller has asked `holdsSound`.
    mutating func switchAudio(to stream: StreamID, at point: MediaTime) {
        intent.joinPoint = point
        intent.activeAudio = stream
        intent.audioRevision &+= 1
        packets.cache.joinAudio(stream, at: point)
        changes.formUnion([.audioPackets, .packetRoom, .turns])
    }

    /// Takes what the demuxer has to know of the lanes before it selects streams: those that are new, and the point where they join.
    mutating func takeLaneNews() -> (begun: Set<StreamID>, join: MediaTime?) {
        let join = intent.joinPoint
        if join != nil { intent.joinPoint = nil }
        return (packets.cache.takeBegun(), join)
    }

    /// Limits the bytes of packets that are kept in all.
    mutating func limitCache(to budget: CacheBudget) {
        (packets.cache.limit, packets.cache.countsWaiting) = (budget.bytes, budget.countsWaiting)
        selectLanes()
    }

    private mutating func selectLanes() {
        packets.cache.keep(active: Set(intent.activeStreams), alternates: intent.audioTracks)
        changes.formUnion([.packets, .packetRoom, .turns])
    }

    // MARK: - Packets

    /// A stream in one of several formats; nil for one that has the format of the description only.
    func format(_ number: Int, of stream: StreamID) -> StreamInfo? {
        packets.formats[stream].flatMap { $0.indices.contains(number) ? $0[number] : nil }
    }

    /// Packets come in other formats from here on.
    mutating func note(_ formats: [StreamID: [StreamInfo]]) { packets.formats = formats }

    /// A packet that was read. Of another run, it is dropped.
    mutating func append(_ packet: Packet) {
        guard packet.epoch == packets.run, !intent.isStopped else { return }
        packets.cache.append(packet)
        if let depth = intent.standby { packets.cache.stand(depth, video: intent.activeVideo, bytes: intent.byteLimit / 2) }
        if packet.stream == intent.activeVideo { changes.insert(.videoPackets) }
        if packet.stream == intent.activeAudio { changes.insert(.audioPackets) }
    }

    mutating func popPacket(stream: StreamID) -> Packet? {
        guard let packet = packets.cache.pop(stream) else { return nil }
        changes.insert(.packetRoom)
        // A stream that runs dry beside audio concerns the demuxer alone, which has room now.
        if intent.activeAudio == nil, packets.isEmpty(stream) { changes.insert(.turns) }
        return packet
    }

    /// The reader has nothing more to give in the run that began in this epoch: of one source, or of all.
    mutating func endLanes(_ epoch: Epoch, source: Int? = nil) {
        guard epoch == packets.run else { return }
        packets.cache.end(source: source)
        changes.insert(.turns)
    }

    /// The demuxer cannot read on in this epoch.
    mutating func block(_ epoch: Epoch) {
        guard epoch == intent.epoch else { return }
        packets.isBlockedFull = true
        changes.insert(.turns)
    }

    /// Drops the packets of the opened source that wait from a point on: they are read once more, in another quality.
    mutating func dropAhead(from point: MediaTime) {
        packets.cache.dropAhead(from: point, source: 0, video: intent.activeVideo)
        changes.formUnion([.packets, .packetRoom, .turns])
    }

    /// Packets of the opened source come once more from a point on, in another quality, and take the place of those that are held.
    mutating func replaceAhead(from point: MediaTime) {
        packets.cache.replaceAhead(from: point, source: 0, video: intent.activeVideo)
        changes.formUnion([.packets, .packetRoom, .turns])
    }

    mutating func note(_ seams: TimelineSeams, of source: Int) { packets.seams[source] = seams }

    // MARK: - Frames

    mutating func append(_ frame: QueuedFrame) {
        guard frame.epoch == intent.epoch else { return }
        if output.append(frame) { renewDueTimes() }
        changes.insert(.frames)
    }

    mutating func popFrame() -> QueuedFrame? {
        guard let frame = output.pop() else { return nil }
        changes.insert(.frameRoom)
        return frame
    }

    /// The epoch begins here, unless that is known already.
    mutating func land(_ epoch: Epoch, at point: MediaTime) {
        guard epoch == intent.epoch, output.landing == nil else { return }
        output.landing = point
        changes.insert(.frames)
        renewDueTimes()
    }

    /// No more frames will come in this epoch.
    mutating func drainVideo(_ epoch: Epoch) {
        guard epoch == intent.epoch else { return }
        output.isDrained = true
        changes.insert(.frames)
        renewDueTimes()
    }
}
