import AetherCore
import AetherMedia

/// A recording that is written, part by part. Lives on the thread `record`.
struct RecordingFile: ~Copyable {
    private let order: RecordingOrder
    private var description: SourceDescription
    private var timeline: RecordingTimeline?
    private var muxer: FileMuxer?
    /// The format of each stream in the present part.
    private var formats: [StreamID: Int] = [:]
    private var part = 0
    /// Bytes and media time of the parts before, and bytes of the present one.
    private var passed: (bytes: Int64, span: TimeSpan) = (0, .zero)
    private var partBytes: Int64 = 0
    /// Streams that the form cannot hold, told once.
    private(set) var leftOut: [StreamInfo] = []
    /// Packets from before the first part, while a stream is known from a manifest alone.
    private var early: [Packet] = []
    /// A new run begins behind them.
    private var endsEarly = false
    /// A stream that the present part lacks has packets by now: the next key frame begins another part.
    private var isIncomplete = false
    /// Tracks with segments of their own are read as far as each other: after so much media those of which nothing came are not played.
    private static let patience = TimeSpan.seconds(1), earlyLimit = 2000

    init(_ order: RecordingOrder, of description: SourceDescription) { (self.order, self.description) = (order, description) }

    /// The file of the present part.
    var path: String { order.path(ofPart: max(1, part)) }
    /// Media time of all parts.
    var span: TimeSpan { passed.span + (timeline?.span ?? .zero) }
    /// Bytes of all parts.
    var byteCount: Int64 { passed.bytes + partBytes }
    /// All that was asked for is there.
    var isFull: Bool { order.span.map { span >= $0 } ?? false }

    mutating func describe(_ description: SourceDescription) { self.description = description }

    mutating func beginRun() { if early.isEmpty { timeline?.beginRun() } else { endsEarly = true } }

    /// Puts a packet in. Blocks. Throws where the file cannot be made or written.
    mutating func write(_ packet: Packet) throws(MediaError) {
        if endsEarly {
            try writeEarly()
            timeline?.beginRun()
        }
        if part == 0, waits(for: packet) { return early.append(packet) }
        try writeEarly()
        try put(packet)
    }

    private mutating func writeEarly() throws(MediaError) {
        let waiting = early
        (early, endsEarly) = ([], false)
        for packet in waiting { try put(packet) }
    }

    /// Whether the format of a stream may be known soon. A file has all headers at its front.
    private func waits(for packet: Packet) -> Bool {
        guard early.count < Self.earlyLimit, description.info.streams.contains(where: { newest($0) == nil }) else { return false }
        guard let first = early.first(where: { $0.stream == packet.stream }), let begin = first.dts ?? first.pts,
            let now = packet.dts ?? packet.pts
        else { return true }
        return now - begin < Self.patience
    }

    /// A stream as it was read last; nil where a manifest has stated it, and nothing of it was read.
    private func newest(_ stream: StreamInfo) -> StreamInfo? {
        let newest = description.formats[stream.id]?.last ?? stream
        return newest.kind == .audio && newest.track?.sampleRate ?? 0 == 0 ? nil : newest
    }

    private func isKnown(_ stream: StreamID) -> Bool {
        description.info.streams.contains { $0.id == stream && newest($0) != nil }
    }

    private mutating func put(_ packet: Packet) throws(MediaError) {
        // A decoder needs another header from here on, which a file has once.
        if let known = formats[packet.stream], known != packet.format, muxer != nil {
            if goesOn(packet, from: known) { formats[packet.stream] = packet.format } else { try endPart() }
        }
        if muxer != nil, formats[packet.stream] == nil, isKnown(packet.stream) { isIncomplete = true }
        // A lead without key frames may have been left for the track that is new.
        let isBorder = packet.isKey && (packet.stream == timeline?.lead || timeline?.leadHasKeys == false)
        if isIncomplete, isBorder { try endPart() }
        // Tables and other data lead no recording: of audio alone the first packet does.
        if timeline == nil, !description.info.streams.contains(where: { $0.id == packet.stream && $0.kind != .data }) { return }
        if timeline == nil { timeline = makeTimeline(with: packet) }
        guard
            let shift = timeline?.take(
                .init(
                    stream: packet.stream, decoded: packet.dts, shown: packet.pts, duration: packet.duration,
                    isKey: packet.isKey))
        else { return }
        if muxer == nil { try beginPart(with: packet) }
        _ = try muxer?.write(packet, movedBy: shift)
        partBytes = muxer?.byteCount ?? 0
    }

    /// Writes the rest. Blocks.
    mutating func finish() throws(MediaError) {
        try writeEarly()
        try endPart()
    }

    /// Whether the header that the file has is that of a packet, too: advertisements are often encoded as what they interrupt.
    private func goesOn(_ packet: Packet, from known: Int) -> Bool {
        guard let former = description.stream(packet.stream, format: known),
            let stream = description.stream(packet.stream, format: packet.format)
        else { return false }
        return stream.hasFormat(of: former)
    }

    private func makeTimeline(with packet: Packet) -> RecordingTimeline {
        let video = description.info.streams.first { $0.kind == .video && $0.enhancedStream == nil }
        return RecordingTimeline(lead: video?.id ?? packet.stream, leadHasKeys: video != nil)
    }

    private mutating func beginPart(with packet: Packet) throws(MediaError) {
        part += 1
        isIncomplete = false
        let known = description.info.streams.filter { newest($0) != nil }
        formats = Dictionary(
            uniqueKeysWithValues: known.map { stream in
                (stream.id, stream.id == packet.stream ? packet.format : (description.formats[stream.id]?.count ?? 1) - 1)
            })
        let streams = known.map { description.stream($0.id, format: formats[$0.id] ?? 0) ?? $0 }
        let made = try FileMuxer(
            FileMuxerPlan(streams: streams, tags: description.info.tags), to: order.path(ofPart: part), form: order.form)
        if part == 1 { leftOut = made.leftOut }
        muxer = consume made
    }

    private mutating func endPart() throws(MediaError) {
        try muxer?.finish()
        passed.bytes += muxer?.byteCount ?? 0
        (passed.span, partBytes) = (span, 0)
        (timeline, formats) = (nil, [:])
        muxer = nil
    }
}
