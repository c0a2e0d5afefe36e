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
    /// The source's times begin anew in the middle: a time does not say where in it something lies, and it is read from its start.
    var hasSeams = false
    let programme: ServedProgramme
    private let source: SourcePackets
    private let interrupt: Interrupt
    private var lanes: [Int: CutLane] = [:]
    private var known: Set<ServedHeader.Key>
    private var forms = FormReading()
    private var watch: FormWatch
    private var codings: [Int: [TrackForm: TrackCoding]] = [:]
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

    /// Forms of one track that are remembered.
    private static let codingLimit = 64

    init(
        _ source: SourcePackets, _ programme: ServedProgramme, plan: SegmentPlan, isGrowing: Bool, head: [Packet] = [],
        interrupt: Interrupt
    ) {
        self.interrupt = interrupt
        (self.source, self.programme, self.plan, self.isGrowing) = (source, programme, plan, isGrowing)
        known = Set(programme.headers.keys)
        watch = programme.watch
        guard isGrowing else { return }
        // Packets that the opening has read do not come again.
        want(Set(programme.tracks.map(\.number)))
        position = 0
        for packet in head { take(packet) }
    }

    /// Cuts a segment for these tracks. Throws `.endOfMedia` where there is none, and as the source does.
    func cut(_ number: Int, for tracks: Set<Int>) throws(MediaError) -> Cut {
        if hasSeams, !isGrowing, let position, position < number, tracks.isSubset(of: wanted) {
            try skip(from: position, to: number)
        }
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
        (lanes, forms) = ([:], FormReading())
        for track in programme.tracks where tracks.contains(track.number) { lanes[track.number] = CutLane(track) }
        source.select(Set(programme.tracks.filter { tracks.contains($0.number) }.map(\.stream)))
    }

    /// Sends the source to where a segment can be cut. Audio may lie a second before the video that it belongs to, and decoding needs some before.
    private func go(to number: Int) throws(MediaError) {
        guard let start = plan.range(number)?.lowerBound else { throw MediaError(.endOfMedia, "serve") }
        position = nil
        let video = programme.tracks.first { $0.kind == .video && wanted.contains($0.number) }
        if hasSeams {
            try source.seek(to: programme.sourceStart, video: video?.stream)
            return try skip(from: 0, to: number)
        }
        let starts = number == 0 ? [programme.sourceStart] : [start - .seconds(1), start - .seconds(15), programme.sourceStart]
        for point in starts {
            for key in lanes.keys { lanes[key]?.clear() }
            forms.clear()
            (hasEnded, reached) = (false, MediaTime(nanoseconds: .min))
            try source.seek(to: max(point, programme.sourceStart), video: video?.stream)
            guard let video else { break }
            while !hasEnded, lanes[video.number]?.packets.contains(where: \.isKey) == false { try step() }
            if lanes[video.number]?.reachesBack(to: number, plan) ?? true { break }
        }
        position = number
    }

    /// Reads on to a segment without cutting what lies before it.
    private func skip(from first: Int, to number: Int) throws(MediaError) {
        if first == 0 { (hasEnded, reached) = (false, MediaTime(nanoseconds: .min)) }
        for passed in first..<number {
            try read(until: passed)
            for key in lanes.keys { lanes[key]?.drop(before: passed + 1, plan) }
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
        if hasEnded, isGrowing, !plan.isComplete { plan.finish(at: reached, ended: watch.close(at: reached)) }
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
        let form = forms.form(of: packet, track)
        lanes[track.number]?.add(packet, form)
        guard let time = packet.pts ?? packet.dts else { return }
        reached = max(reached, time + (packet.duration ?? .zero))
        guard isGrowing else { return }
        if track.number == programme.leader, packet.isKey { plan.add(key: time, form, of: track.number, &watch) }
        watch.note(form, of: track.number, at: time)
    }

    private func assemble(_ number: Int, _ track: ServedTrack, _ cut: inout Cut) throws(MediaError) {
        guard let lane = lanes[track.number], let range = plan.range(number) else { return }
        guard track.kind != .text else {
            cut.segments[track.number] = SubtitleSegment.bytes(lane.texts(of: number, plan), origin: programme.origin)
            return
        }
        let (all, next) = lane.segment(number, plan)
        guard let form = Self.usual(all) else { return }
        let coding = try coding(of: track, form, all.filter { $0.form == form }.map(\.packet))
        let samples: [SegmentSample], isLast = plan.isComplete && number == plan.count - 1
        let start = number == 0 ? programme.origin : range.lowerBound, end = isLast ? nil : range.upperBound
        if let bridge = coding.bridge {
            let runs = try runs(lane.segment(number, plan, around: true).packets, track)
            samples = try bridge.samples(of: runs, origin: programme.origin, from: start, to: end)
        } else if let transcoder = coding.transcoder {
            let packets = lane.segment(number, plan, around: true).packets.filter { $0.form == form }.map(\.packet)
            // What is shown before the key frame of the segment belongs to the one before, and so does what its borders may be off by.
            let first = all.first { $0.isKey && $0.form == form }?.time ?? start
            samples = try transcoder.samples(
                of: packets, origin: programme.origin, from: number == 0 ? start : first, to: end.map { next?.pts ?? $0 },
                interrupt: interrupt)
        } else {
            // A player that was told of one form cannot take packets of another.
            samples = coding.copied(all.filter { $0.form == form }.map(\.packet), next: next, programme)
        }
        let key = ServedHeader.Key(track: track.number, version: plan.forms[number])
        if !known.contains(key), !samples.isEmpty {
            cut.headers[key] = try coding.muxer.initSection(first: samples)
            known.insert(key)
        }
        cut.segments[track.number] = try coding.muxer.segment(samples, number: number + 1)
    }

    /// The form of most packets.
    private static func usual(_ packets: [LanePacket]) -> TrackForm? {
        guard let first = packets.first?.form else { return nil }
        if packets.allSatisfy({ $0.form == first }) { return first }
        let counts = packets.reduce(into: [TrackForm: Int]()) { $0[$1.form, default: 0] += 1 }
        // The last of equals, whatever order a dictionary has.
        return packets.last { counts[$0.form] == counts.values.max() }?.form
    }

    /// Packets in stretches of one form, each with the stream that its decoder is for.
    private func runs(_ packets: [LanePacket], _ track: ServedTrack) throws(MediaError) -> [SegmentBridge.Run] {
        var runs: [SegmentBridge.Run] = [], rest = packets[...]
        while let form = rest.first?.form {
            let own = rest.prefix { $0.form == form }.map(\.packet)
            runs.append(SegmentBridge.Run(try coding(of: track, form, own).stream, own))
            rest = rest.dropFirst(own.count)
        }
        return runs
    }

    /// The coding for a form; `packets` are in that form.
    private func coding(of track: ServedTrack, _ form: TrackForm, _ packets: [Packet]) throws(MediaError) -> TrackCoding {
        if form == track.form, let coding = track.coding { return coding }
        if let known = codings[track.number]?[form] { return known }
        let stated = source.stream(track.stream, format: form.format) ?? track.info
        let isOther = form.header != nil && form.header != track.form.header
        let coding = try TrackCoding(isOther ? stated.restated(by: form.header, packets) : stated, programme.wishes)
        if codings[track.number]?.count ?? 0 >= Self.codingLimit { codings[track.number] = [:] }
        codings[track.number, default: [:]][form] = coding
        return coding
    }
}

extension SegmentPlan {
    /// Takes a key frame of the track that leads; what the watch knows of forms decides whether it is a border.
    mutating func add(key: MediaTime, _ form: TrackForm, of track: Int, _ watch: inout FormWatch) {
        let count = starts.count, isForced = watch.isDue || watch.isChange(form, of: track)
        if count == 0 { watch.open(at: key) }
        add(key: key, isForced: isForced, ended: watch.close(at: key))
    }
}
