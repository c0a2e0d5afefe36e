import AetherCore
import AetherEngine
import AetherMedia

/// Cuts a source into segments. Lives on one thread and blocks on the source.
final class SegmentCutter {
    /// The pieces of one cut, by track number.
    struct Cut {
        var segments: [Int: [UInt8]] = [:]
        /// Init sections of formats that were not known before.
        var headers: [ServedHeader.Key: [UInt8]] = [:]
    }

    var plan: SegmentPlan
    let programme: ServedProgramme
    private let source: SourcePackets
    private var lanes: [Int: CutLane] = [:]
    private var known: Set<ServedHeader.Key>
    /// The segment that reading has come to; nil where it stands elsewhere.
    private var position: Int?
    private var wanted: Set<Int> = []
    private var hasEnded = false
    private var reached = MediaTime(nanoseconds: .min)
    /// Borders come while it is read, and it cannot be sent back.
    private let isGrowing: Bool

    /// A sparse track is waited for until the others are so far behind the segment.
    private static let patience = TimeSpan.seconds(10)
    /// Of all lanes: a 4 s segment of 100 Mbit/s is 50 MB.
    private static let byteLimit = 192 << 20

    init(_ source: SourcePackets, _ programme: ServedProgramme, plan: SegmentPlan, isGrowing: Bool, head: [Packet] = []) {
        (self.source, self.programme, self.plan, self.isGrowing) = (source, programme, plan, isGrowing)
        known = Set(programme.headers.keys)
        guard isGrowing else { return }
        // Packets that the opening has read do not come again.
        want(Set(programme.tracks.map(\.number)))
        position = 0
        for packet in head { take(packet) }
    }

    /// Cuts a segment for these tracks. Throws `.endOfMedia` where there is none, and as the source does.
    func cut(_ number: Int, for tracks: Set<Int>) throws(MediaError) -> Cut {
        if position != number || !tracks.isSubset(of: wanted) {
            if isGrowing { throw MediaError(.endOfMedia, "serve") }
            // Reading comes as far as the video does: texts alone would be complete before they were read.
            want(tracks.union([programme.leader]))
            try go(to: number)
        }
        try read(until: number)
        guard plan.range(number) != nil else { throw MediaError(.endOfMedia, "serve") }
        var cut = Cut()
        for track in programme.tracks where wanted.contains(track.number) { try assemble(number, track, &cut) }
        for key in lanes.keys { lanes[key]?.drop(before: number + 1, plan) }
        position = number + 1
        return cut
    }

    private func want(_ tracks: Set<Int>) {
        wanted = tracks
        lanes = [:]
        for track in programme.tracks where tracks.contains(track.number) { lanes[track.number] = CutLane(track) }
        source.select(Set(programme.tracks.filter { tracks.contains($0.number) }.map(\.stream)))
    }

    /// Sends the source to where a segment can be cut. Audio may lie a second before the video that it belongs to, and decoding needs some before.
    private func go(to number: Int) throws(MediaError) {
        guard let start = plan.range(number)?.lowerBound else { throw MediaError(.endOfMedia, "serve") }
        position = nil
        let video = programme.tracks.first { $0.kind == .video && wanted.contains($0.number) }
        let starts = number == 0 ? [programme.sourceStart] : [start - .seconds(1), start - .seconds(15), programme.sourceStart]
        for point in starts {
            for key in lanes.keys { lanes[key]?.clear() }
            (hasEnded, reached) = (false, MediaTime(nanoseconds: .min))
            try source.seek(to: max(point, programme.sourceStart), video: video?.stream)
            guard let video else { break }
            while !hasEnded, lanes[video.number]?.packets.contains(where: \.isKey) == false { try step() }
            if lanes[video.number]?.reachesBack(to: number, plan) ?? true { break }
        }
        position = number
    }

    private func read(until number: Int) throws(MediaError) {
        while !hasEnded, !isComplete(number) {
            try step()
            if lanes.values.reduce(0, { $0 + $1.byteCount }) > Self.byteLimit {
                throw MediaError(.unsupported, "serve", subject: programme.name, reason: "its key frames lie too far apart")
            }
        }
        if hasEnded, isGrowing { plan.finish(at: reached) }
    }

    private func isComplete(_ number: Int) -> Bool {
        guard let end = plan.range(number)?.upperBound else { return false }
        if reached > end + Self.patience { return true }
        return lanes.values.allSatisfy { $0.isComplete(number, plan) }
    }

    private func step() throws(MediaError) {
        do throws(MediaError) {
            switch try source.next() {
            case .packet(let packet): take(packet)
            case .texts(let texts, let stream):
                guard let track = programme.tracks.first(where: { $0.stream == stream }) else { return }
                lanes[track.number]?.add(texts)
            case .news, .discontinuity: break
            }
        } catch {
            guard error.code == .endOfMedia || error.code == .readFailed else { throw error }
            hasEnded = true
        }
    }

    private func take(_ packet: Packet) {
        guard let track = programme.tracks.first(where: { $0.stream == packet.stream }) else { return }
        lanes[track.number]?.add(packet)
        guard let time = packet.pts ?? packet.dts else { return }
        reached = max(reached, time + (packet.duration ?? .zero))
        if isGrowing, track.number == programme.leader { if packet.isKey { plan.add(key: time, format: packet.format) } }
    }

    private func assemble(_ number: Int, _ track: ServedTrack, _ cut: inout Cut) throws(MediaError) {
        guard let lane = lanes[track.number] else { return }
        guard track.kind != .text else {
            cut.segments[track.number] = SubtitleSegment.bytes(lane.texts(of: number, plan), origin: programme.origin)
            return
        }
        if let bridge = track.bridge, let muxer = track.muxer {
            let isLast = plan.isComplete && number == plan.count - 1
            guard let range = plan.range(number) else { return }
            let packets = lane.segment(number, plan, around: true).packets
            let start = number == 0 ? programme.origin : range.lowerBound
            let samples = try bridge.samples(
                of: packets, origin: programme.origin, from: start, to: isLast ? nil : range.upperBound)
            cut.segments[track.number] = try muxer.segment(samples, number: number + 1)
            return
        }
        let (packets, next) = lane.segment(number, plan)
        let format = packets.first?.format ?? 0
        guard let stream = source.stream(track.stream, format: format),
            let muxer = format == 0 ? track.muxer : track.muxer(for: stream)
        else { return }
        let times = SegmentTimes(stream, muxer.track, origin: programme.origin, hasDecodeTimes: programme.hasDecodeTimes)
        let samples = times.samples(packets, next: next)
        let key = ServedHeader.Key(track: track.number, version: format)
        if !known.contains(key), !samples.isEmpty {
            cut.headers[key] = try muxer.initSection(first: samples)
            known.insert(key)
        }
        cut.segments[track.number] = try muxer.segment(samples, number: number + 1)
    }
}
