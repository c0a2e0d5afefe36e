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

    mutating func beginRun() { timeline?.beginRun() }

    /// Puts a packet in. Blocks. Throws where the file cannot be made or written.
    mutating func write(_ packet: Packet) throws(MediaError) {
        // A decoder needs another header from here on, which a file has once.
        if let known = formats[packet.stream], known != packet.format, muxer != nil { try endPart() }
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
    mutating func finish() throws(MediaError) { try endPart() }

    private func makeTimeline(with packet: Packet) -> RecordingTimeline {
        let video = description.info.streams.first { $0.kind == .video && $0.enhancedStream == nil }
        return RecordingTimeline(lead: video?.id ?? packet.stream, leadHasKeys: video != nil)
    }

    private mutating func beginPart(with packet: Packet) throws(MediaError) {
        part += 1
        formats = Dictionary(
            uniqueKeysWithValues: description.info.streams.map { stream in
                (stream.id, stream.id == packet.stream ? packet.format : (description.formats[stream.id]?.count ?? 1) - 1)
            })
        let streams = description.info.streams.map { description.stream($0.id, format: formats[$0.id] ?? 0) ?? $0 }
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
