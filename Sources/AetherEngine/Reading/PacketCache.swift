import AetherCore
import AetherMedia

/// The compressed packets of one run of the demuxer: what waits for the decoders and, as far as memory allows, what they have taken, and the
/// audio tracks that are not heard now. A seek inside it, or another audio track, moves cursors and touches no source. Pure.
///
/// One run is one stretch without a hole: a seek outside empties the cache. Bounded in sum over all streams; what waits for a
/// decoder is not dropped, so that its own bound (`PlaybackIntent.byteLimit`) counts against this one.
struct PacketCache {
    /// Bytes of memory in all. 0 keeps nothing that was taken.
    var limit = CacheBudget.forStreams
    /// `limit` is also for what waits for the decoders.
    var countsWaiting = true
    private(set) var lanes: [StreamID: PacketLane] = [:]
    /// The streams with a decoder.
    private(set) var active: Set<StreamID> = []
    /// Streams of which memory holds no complete stretch.
    private var givenUp: Set<StreamID> = []
    /// Rises where the lanes are others than before.
    private(set) var revision = 0
    /// The streams whose lanes are new since `takeBegun`: what their sources have read is gone.
    private var begun: Set<StreamID> = []

    /// Bytes that wait for a decoder.
    var queuedBytes: Int { lanes.reduce(0) { active.contains($1.key) ? $0 + $1.value.byteCount : $0 } }
    /// Bytes for which no decoder waits.
    var keptBytes: Int { lanes.reduce(0) { $0 + $1.value.keptBytes + (active.contains($1.key) ? 0 : $1.value.byteCount) } }

    /// Memory of a packet beside its bytes: its head and the padding behind it, 64 bytes each, what rounding to such lines leaves free,
    /// its place in the lane, of which there may be twice as many as packets.
    static let packetOverhead = 192
    /// Memory that all packets take.
    var footprint: Int { lanes.reduce(0) { $0 + $1.value.byteCount + $1.value.keptBytes + $1.value.held * Self.packetOverhead } }

    /// Keeps packets of these streams only; of those without a decoder while memory allows.
    mutating func keep(active: Set<StreamID>, alternates: Set<StreamID>) {
        self.active = active
        let wanted = active.union(limit > 0 ? alternates : [])
        if wanted != Set(lanes.keys) { revision &+= 1 }
        lanes = lanes.filter { wanted.contains($0.key) }
        for stream in wanted where lanes[stream] == nil {
            lanes[stream] = PacketLane()
            begun.insert(stream)
            // Its past was not kept: it can be decoded from the next run on.
            if !active.contains(stream), lanes.values.contains(where: { $0.newest != nil }) { givenUp.insert(stream) }
        }
    }

    /// The streams whose lanes are new since this was asked last.
    mutating func takeBegun() -> Set<StreamID> {
        defer { begun = [] }
        return begun
    }

    mutating func append(_ packet: Packet) {
        guard !givenUp.contains(packet.stream) else { return }
        lanes[packet.stream]?.append(packet)
        trim()
    }

    mutating func pop(_ stream: StreamID) -> Packet? {
        defer { trim() }
        return lanes[stream]?.popFirst()
    }

    /// Nothing more will come in this run: of one source, or of all.
    mutating func end(source: Int? = nil) {
        for stream in lanes.keys where source == nil || stream.source == source { lanes[stream]?.hasEnded = true }
    }

    /// Begins another run: nothing is left of this one.
    mutating func removeAll() {
        for stream in lanes.keys { lanes[stream]?.removeAll() }
        givenUp = []
    }

    // MARK: - Standing by

    /// Nothing is decoded: holds what a decoder would need that begins so far behind the newest packet, from a key frame of the video on. A stretch
    /// without one that takes more than `bytes` is not held.
    mutating func stand(_ depth: TimeSpan, video: StreamID?, bytes: Int) {
        guard let lead = video ?? active.first, let newest = lanes[lead]?.newest else { return }
        let isTooLong = queuedBytes > bytes
        guard let start = lanes[lead]?.stand(at: newest - (isTooLong ? .zero : depth)) else {
            if isTooLong { removeAll() }
            return
        }
        for stream in lanes.keys where stream != lead {
            // Decoders of audio begin a little before.
            lanes[stream]?.advance(to: start - Self.audioLead)
            lanes[stream]?.forgetPast()
        }
    }

    /// Twice what a decoder of audio needs before its first sample.
    static let audioLead = TimeSpan.milliseconds(200)

    /// The point that decoding begins at after that; nil while there is none.
    func standingStart(video: StreamID?) -> MediaTime? {
        if let video { return lanes[video]?.firstKey }
        return active.compactMap { lanes[$0]?.oldest }.max().map { $0 + Self.audioLead }
    }

    // MARK: - Going to a point

    /// Moves every decoder's cursor to where decoding for a point begins. False, with nothing moved, when one of them is not held. `reach`:
    /// how much of the way to the point may not be read yet.
    mutating func move(to target: MediaTime, video: StreamID?, reach: TimeSpan = .zero) -> Bool {
        guard !active.isEmpty, limit > 0 else { return false }
        guard active.allSatisfy({ lanes[$0]?.holds(target, fromKey: $0 == video, reach: reach) ?? false }) else { return false }
        for stream in active { _ = lanes[stream]?.move(to: target, fromKey: stream == video, reach: reach) }
        return true
    }

    /// A plan, led to a key frame that it may land on if one is held behind its target. Every active stream must reach as far.
    func snapped(_ plan: SeekPlan, video: StreamID?) -> SeekPlan {
        guard limit > 0, let video, let keys = lanes[video]?.keys(around: plan.demuxTarget) else { return plan }
        let snapped = plan.snapped(keyBefore: keys.before, keyAfter: keys.after)
        return active.allSatisfy { lanes[$0]?.holds(snapped.demuxTarget, fromKey: $0 == video) ?? false } ? snapped : plan
    }

    /// All packets that are held from the key frame on that decoding for a point begins with, or else from the first one, by their times.
    func packets(from point: MediaTime, video: StreamID?) -> [Packet] {
        let start = video.flatMap { lanes[$0] }.flatMap { $0.keys(around: point)?.before ?? $0.firstKey } ?? point
        let found = lanes.values.flatMap { $0.packets(from: start) }
        return found.sorted { ($0.beginning ?? .zero, $0.stream) < ($1.beginning ?? .zero, $1.stream) }
    }

    /// Whether an audio track that is not decoded now could be decoded from a point on.
    func holdsAudio(_ stream: StreamID, at target: MediaTime) -> Bool {
        !givenUp.contains(stream) && (lanes[stream]?.holds(target, fromKey: false) ?? false)
    }

    /// Lets an audio track that was not decoded be decoded from a point on.
    mutating func joinAudio(_ stream: StreamID, at target: MediaTime) { _ = lanes[stream]?.move(to: target, fromKey: false) }

    /// Drops what waits of one source from a point on.
    mutating func dropAhead(from point: MediaTime, source: Int, video: StreamID?) {
        for stream in lanes.keys where stream.source == source { lanes[stream]?.dropAhead(from: point, fromKey: stream == video) }
    }

    /// Replaces the held packets of one source's video from a point on by those that come; of its other streams none comes twice.
    mutating func replaceAhead(from point: MediaTime, source: Int, video: StreamID?) {
        for stream in lanes.keys where stream.source == source {
            if stream == video { lanes[stream]?.replaceAhead(from: point) } else { lanes[stream]?.passOverHeld() }
        }
    }

    /// The range that can be gone to without the source; nil for none.
    func range(video: StreamID?) -> ClosedRange<MediaTime>? {
        guard limit > 0 else { return nil }
        var lower: MediaTime?, upper: MediaTime?
        for stream in active {
            guard let lane = lanes[stream], let newest = lane.newest else { return nil }
            let first =
                stream == video ? lane.firstKey : lane.isClipped ? lane.oldest.map { $0 + .milliseconds(100) } : lane.oldest
            guard let first else { return nil }
            lower = max(lower ?? first, first)
            upper = min(upper ?? newest, newest)
        }
        guard let lower, let upper, lower <= upper else { return nil }
        return lower...upper
    }

    // MARK: - Memory

    private var isOverLimit: Bool { footprint - (countsWaiting ? 0 : queuedBytes) > limit }

    /// Drops what is oldest, then tracks that are not heard.
    private mutating func trim() {
        guard isOverLimit else { return }
        let point = active.compactMap { lanes[$0]?.next }.min()
        for stream in lanes.keys where !active.contains(stream) {
            if let point { lanes[stream]?.advance(to: point) }
        }
        while isOverLimit {
            if let stream = oldestPast {
                _ = lanes[stream]?.dropOldest()
                continue
            }
            guard let stream = largestIdle else { return }
            lanes[stream]?.removeAll()
            givenUp.insert(stream)
        }
    }

    /// The stream with the oldest packet that was taken. Its name alone: who holds the lane while it changes has all of its packets copied, each time.
    private var oldestPast: StreamID? {
        let times = lanes.compactMap { $0.value.hasPast ? (time: $0.value.oldest ?? .zero, stream: $0.key) : nil }
        return times.min { ($0.time, $0.stream) < ($1.time, $1.stream) }?.stream
    }

    /// The stream without a decoder of which most is held.
    private var largestIdle: StreamID? {
        let sizes = lanes.compactMap {
            active.contains($0.key) || $0.value.isEmpty ? nil : (bytes: $0.value.byteCount, stream: $0.key)
        }
        return sizes.max { $0.bytes < $1.bytes }?.stream
    }
}
