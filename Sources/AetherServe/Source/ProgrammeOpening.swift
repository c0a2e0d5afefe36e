import AetherCore
import AetherEngine
import AetherFormats
import AetherMedia

/// Finds out what a source can be served as. Lives on one thread and blocks on the source.
struct ProgrammeOpening {
    let source: SourcePackets
    let name: String
    let wishes: ServedWishes
    let interrupt: Interrupt
    /// Nil for the source itself.
    let companion: Companion?

    /// The programme and its plan, with the packets that were read to find them.
    struct Result {
        var programme: ServedProgramme
        var plan: SegmentPlan?
        var head: [Packet] = []
    }

    /// Reading ends there where a track has no packets: 5 s, or 24 MB, two seconds of the fastest Blu-ray.
    private static let headLength = TimeSpan.seconds(5)
    private static let headBytes = 24 << 20

    /// Opens. Throws in one sentence where nothing can be served.
    func run() throws(MediaError) -> Result {
        let streams = try chosen()
        source.select(Set(streams.map(\.id)))
        let isOneWay = source.isLive || source.seekable == nil
        if source.isLive, let start = companion?.start ?? source.start {
            try source.seek(to: start, video: streams.first { $0.kind == .video }?.id)
        }
        let head = try readHead(streams)
        let info = source.info
        let origin = companion?.origin ?? head.compactMap(Self.shown).min() ?? info.startTime
        var programme = ServedProgramme(
            name: name, tracks: [], origin: origin, sourceStart: info.startTime, hasDecodeTimes: info.family != .matroska,
            chapters: info.chapters, wishes: wishes, pace: isOneWay ? ServedPace(isLive: source.isLive, source.traits) : nil)
        for stream in streams {
            let packets = head.filter { $0.stream == stream.id }
            guard let track = try track(stream, number: programme.tracks.count, packets, &programme) else { continue }
            programme.tracks.append(track)
        }
        let kinds = programme.tracks.map(\.kind)
        guard kinds.contains(.video) || kinds.contains(.audio) else {
            throw MediaError(.noDecodableStream, "serve", subject: name, reason: "nothing in it could be read")
        }
        var result = Result(programme: programme, head: isOneWay ? head : [])
        if !isOneWay { result.plan = plan(for: programme) }
        setRates(&result, head)
        return result
    }

    /// Video first, then audio, then texts.
    private func chosen() throws(MediaError) -> [StreamInfo] {
        let info = source.info
        let videos = info.decodable(.video)
        let video = videos.first { $0.track?.isDefault == true } ?? videos.first
        if let video, case .refused(let reason) = VideoChoice(video, transcodes: wishes.transcodes) {
            throw MediaError(.unsupported, "serve", subject: name, reason: reason)
        }
        let audio = info.decodable(.audio).sorted { ($0.track?.isDefault ?? false) && !($1.track?.isDefault ?? false) }
        let texts = info.streams.filter { $0.kind == .subtitle && $0.isDecodable && $0.track?.isBitmapSubtitle == false }
        let all = (video.map { [$0] } ?? []) + audio.prefix(32) + texts.prefix(64)
        guard let leader = all.first, leader.kind != .subtitle else {
            throw MediaError(.noDecodableStream, "serve", subject: name, reason: "it has neither video nor audio")
        }
        return companion == nil ? all : [leader]
    }

    private static func shown(_ packet: Packet) -> MediaTime? {
        guard let time = packet.pts ?? packet.dts else { return nil }
        // The warm-up is left out by players.
        guard packet.skippedSamples > 0, let duration = packet.duration else { return time }
        return time + duration
    }

    /// Reads until each stream has enough for its header.
    private func readHead(_ streams: [StreamInfo]) throws(MediaError) -> [Packet] {
        var head: [Packet] = [], counts: [StreamID: Int] = [:], bytes = 0
        var first: MediaTime?
        let waited = streams.filter { $0.kind != .subtitle }.map(\.id)
        reading: while bytes < Self.headBytes {
            do throws(MediaError) {
                guard case .packet(let packet) = try source.next(), waited.contains(packet.stream) else { continue }
                head.append(packet)
                bytes += packet.byteCount
                counts[packet.stream, default: 0] += 1
                let time = packet.dts ?? packet.pts
                first = first ?? time
                if let first, let time, time - first > Self.headLength { break reading }
            } catch {
                guard error.code == .endOfMedia else { throw error }
                break reading
            }
            // A bridge needs a third of a second to warm up, and 24 packets of TrueHD are 20 ms.
            if waited.allSatisfy({ (counts[$0] ?? 0) >= 24 }) { break }
        }
        return head
    }

    private func track(
        _ stated: StreamInfo, number: Int, _ packets: [Packet], _ programme: inout ServedProgramme
    ) throws(MediaError) -> ServedTrack? {
        guard stated.kind != .subtitle else { return ServedTrack(number: number, kind: .text, stream: stated.id, info: stated) }
        guard let first = packets.first else { return nil }
        // A manifest's word on a track is replaced by what its packets are.
        var stream = source.stream(stated.id, format: first.format) ?? stated
        // Matroska may leave it to the first frame.
        if !stream.statesColours, stream.dolbyVision != nil || stream.pixelFormat?.contains("10") ?? false {
            stream = stream.restated(by: nil, Array(packets.drop { !$0.isKey }))
        }
        let kind: ServedTrack.Kind = stream.kind == .video ? .video : .audio
        var track = ServedTrack(number: number, kind: kind, stream: stream.id, info: stream)
        let header = packets.first(where: \.isKey).flatMap { InBandHeader($0, of: stream) }
        track.form = TrackForm(format: first.format, header: header)
        track.measuredRate = Self.rate(of: packets)
        let coding = try TrackCoding(stream, wishes, priming: kind == .audio ? first.skippedSamples : 0)
        track.coding = coding
        let own = packets.prefix { $0.format == first.format }
        let samples = try samples(of: Array(own), coding, programme)
        guard !samples.isEmpty else { return nil }
        let section = try coding.muxer.initSection(first: samples)
        programme.headers[ServedHeader.Key(track: number, version: 0)] = section
        let facts = InitFacts(section)
        (track.codecs, track.supplementalCodecs) = (facts.codecs, facts.supplemental)
        if kind == .video { track.videoRange = facts.range }
        return track
    }

    /// The first samples of a track: of video that is encoded one frame will do.
    private func samples(
        of packets: [Packet], _ coding: TrackCoding, _ programme: ServedProgramme
    ) throws(MediaError) -> [SegmentSample] {
        let origin = programme.origin
        if let bridge = coding.bridge {
            return try bridge.samples(of: [SegmentBridge.Run(coding.stream, packets)], origin: origin, from: origin, to: nil)
        }
        guard let transcoder = coding.transcoder else { return coding.copied(packets, next: nil, programme) }
        let keyed = Array(packets.drop { !$0.isKey }.prefix(8))
        return try transcoder.samples(of: keyed, origin: origin, from: origin, to: nil, interrupt: interrupt)
    }

    /// The borders by the source's index; nil where it has none and has to be read through.
    private func plan(for programme: ServedProgramme) -> SegmentPlan? {
        let info = source.info
        guard let leader = programme.tracks.first(where: { $0.number == programme.leader }) else { return nil }
        let end = info.duration.map { info.startTime + $0 }
        if leader.kind == .audio {
            guard let end else { return nil }
            return SegmentPlan(even: programme.origin, end: end)
        }
        guard let end, let found = source.keyFrames(of: leader.stream) else { return nil }
        let tolerance = found.isNominal ? TimeSpan.milliseconds(500) : SegmentPlan.rounding
        return SegmentPlan(keys: found.times.map { ($0.time, $0.stretch) }, end: end, tolerance: tolerance)
    }

    /// Bits a second of packets that were read.
    private static func rate(of head: [Packet]) -> Int {
        let times = head.compactMap { $0.dts ?? $0.pts }
        guard let first = times.min(), let last = times.max() else { return 0 }
        return Int(Double(head.reduce(0) { $0 + $1.byteCount }) * 8 / max(0.5, (last - first).seconds))
    }

    /// Sets the rates by the places of the key frames in the file; else to twice the average, which is usual at constant quality.
    private func setRates(_ result: inout Result, _ head: [Packet]) {
        let info = source.info
        let stated = source.variant.flatMap { $0.averageBitRate ?? $0.peakBitRate } ?? 0
        let average = Int(max(0, min(1e12, info.bitRate.map { Double($0) } ?? stated)))
        result.programme.averageBitRate = average
        // Manifests state what an encoder was told, and segments are longer by the heads of fragments.
        var peak = Int(max(0, min(1e12, source.variant?.peakBitRate ?? 0))) / 4 * 5
        // Nothing says it of a source that comes as it is made, and some manifests say anything: the first second does, in which a key frame
        // counts double.
        let measured = Self.rate(of: head)
        if average == 0 || measured > 2 * max(peak, average) { peak = max(peak, measured) }
        if let leader = result.programme.tracks.first(where: { $0.number == result.programme.leader }), leader.kind == .video,
            let plan = result.plan, let places = source.keyFrames(of: leader.stream)?.times,
            places.contains(where: { $0.position != nil })
        {
            var known: [(number: Int, position: Int64)] = []
            for place in places {
                guard let position = place.position else { continue }
                let number = plan.number(at: place.time, isKey: true)
                if number != known.last?.number { known.append((number, position)) }
            }
            for (a, b) in zip(known, known.dropFirst()) where b.position > a.position {
                guard let range = plan.range(a.number), b.number == a.number + 1 else { continue }
                let seconds = max(0.5, (range.upperBound - range.lowerBound).seconds)
                peak = max(peak, Int(Double(b.position - a.position) * 8 / seconds))
            }
        }
        result.programme.peakBitRate = max(peak, peak == 0 ? max(2 * average, 128_000) : average)
    }
}
