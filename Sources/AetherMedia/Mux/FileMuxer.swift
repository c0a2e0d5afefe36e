public import AetherCore
import CFFmpeg

/// Puts packets into a file as they are, without decoding. Owns the open file; lives on one thread, and each of its operations may block on
/// the file system. A file that is left without `finish`, as by a crash, can be played up to its last second or two.
public struct FileMuxer: ~Copyable {
    private var file: FileMuxerContext
    private let path: String
    private let form: FileMuxerForm
    /// The streams of the file by the names of those that their packets come from.
    private let places: [StreamID: Int32]
    /// The latest decode time of each stream of the file, in its own ticks.
    private var latest: [Int64?]
    /// Streams of AAC whose configuration was given.
    private var configured: Set<Int> = []
    /// Streams that the file cannot hold.
    public let leftOut: [StreamInfo]
    /// Packets that were put into the file.
    public private(set) var packetCount = 0

    /// Makes a file and writes its header. Streams that such a file cannot hold are left out. Blocks. Throws `.cannotOpen` where it cannot be
    /// made, or is there already, `.unsupported` where no stream can lie in it.
    public init(_ plan: FileMuxerPlan, to path: String, form: FileMuxerForm) throws(MediaError) {
        let held = plan.streams.filter { form.holds($0) }
        guard held.contains(where: { [.video, .audio, .subtitle].contains($0.kind) }) else {
            let names = plan.streams.map(\.codecName).prefix(8).joined(separator: ", ")
            throw MediaError(
                .unsupported, "write", subject: path,
                reason: translated("a file of \(form.pathExtension) holds none of these streams: \(names)"))
        }
        var file = try FileMuxerContext(path: path, form: form, replaces: plan.replacesFile)
        var places: [StreamID: Int32] = [:]
        for stream in held {
            let place = try file.add(stream)
            if stream.kind != .attachment { places[stream.id] = place }
        }
        var textCount = 0
        for text in plan.texts {
            guard let place = try file.add(text, form) else { continue }
            places[text.id] = place
            textCount += 1
        }
        plan.describe(file.pointer)
        try file.begin(form, survivesCrashes: plan.survivesCrashes)
        leftOut = plan.streams.filter { !form.holds($0) && $0.kind != .data && $0.kind != .other }
        latest = Array(repeating: nil, count: held.count + textCount)
        (self.places, self.path, self.form) = (places, path, form)
        self.file = file
    }

    /// Bytes of the file so far. Some may still wait to be written.
    public var byteCount: Int64 { file.port.byteCount }

    /// Whether packets of a stream go into the file.
    public func takes(_ stream: StreamID) -> Bool { places[stream] != nil }

    /// Puts a packet into the file, its times moved by so much; one of a stream that the file does not have is left out. Blocks. Throws
    /// `.readFailed` where the file cannot be written on, with the reason. A packet that the muxer refuses is left out, and false is returned.
    @discardableResult
    public mutating func write(_ packet: Packet, movedBy shift: TimeSpan = .zero) throws(MediaError) -> Bool {
        guard let place = places[packet.stream], let stream = file.pointer.pointee.streams[Int(place)] else { return false }
        let base = packet.timeBase, ticks = base.ticks(at: .zero + shift)
        guard let clone = packet.withAVPacket({ av_packet_clone($0) }) ?? nil else {
            throw MediaError(.internalFailure, "write", averror: aether_averror(ENOMEM))
        }
        var owned: UnsafeMutablePointer<AVPacket>? = clone
        defer { av_packet_free(&owned) }
        if let pts = packet.ptsTicks { clone.pointee.pts = pts.addingReportingOverflow(ticks).partialValue }
        if let dts = packet.dtsTicks { clone.pointee.dts = dts.addingReportingOverflow(ticks).partialValue }
        av_packet_rescale_ts(clone, AVRational(num: base.numerator, den: base.denominator), stream.pointee.time_base)
        (clone.pointee.stream_index, clone.pointee.pos) = (place, -1)
        giveDuration(clone, of: stream)
        keepOrder(clone, place: Int(place))
        if form == .mp4, stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_AAC { unwrap(clone, place: Int(place)) }
        let status = av_write_frame(file.pointer, clone)
        try file.check(path)
        if status >= 0 { packetCount += 1 }
        return status >= 0
    }

    /// Puts a text into a track of texts, its times moved by so much; in the order of the beginnings. Blocks. Throws as `write` of packets.
    /// A text without words is left out, and one that the muxer refuses: false is returned then.
    @discardableResult
    public mutating func write(
        _ cue: FileMuxerCue, of text: StreamID, movedBy shift: TimeSpan = .zero
    ) throws(MediaError) -> Bool {
        let payload = cue.payload(form)
        guard let place = places[text], let stream = file.pointer.pointee.streams[Int(place)], !payload.isEmpty else {
            return false
        }
        var owned = av_packet_alloc()
        defer { av_packet_free(&owned) }
        guard let packet = owned, av_new_packet(packet, Int32(payload.count)) >= 0, let data = packet.pointee.data else {
            throw MediaError(.internalFailure, "write", averror: aether_averror(ENOMEM))
        }
        for (index, byte) in payload.enumerated() { data[index] = byte }
        let start = max(.zero, cue.start + shift), end = max(start + .milliseconds(1), cue.end + shift)
        (packet.pointee.pts, packet.pointee.dts) = (start.nanoseconds, start.nanoseconds)
        packet.pointee.duration = (end - start).nanoseconds
        av_packet_rescale_ts(packet, AVRational(num: 1, den: 1_000_000_000), stream.pointee.time_base)
        (packet.pointee.stream_index, packet.pointee.flags, packet.pointee.pos) = (place, AV_PKT_FLAG_KEY, -1)
        keepOrder(packet, place: Int(place))
        let status = av_write_frame(file.pointer, packet)
        try file.check(path)
        if status >= 0 { packetCount += 1 }
        return status >= 0
    }

    /// Writes the rest: index and duration. Nothing can be put into the file afterwards. Blocks. Throws as `write`.
    public mutating func finish() throws(MediaError) {
        let status = file.end()
        try file.check(path)
        guard status >= 0 else { throw MediaError(.readFailed, "write", subject: path, averror: status) }
    }

    /// Matroska does not say how long its last audio lasts: without it MP4's edit list ends before that packet, which players leave out then.
    /// The last packet counts as long as the one before it, which is as far as it is behind that.
    private func giveDuration(_ packet: UnsafeMutablePointer<AVPacket>, of stream: UnsafeMutablePointer<AVStream>) {
        let base = stream.pointee.time_base, none = aether_nopts()
        guard packet.pointee.duration <= 0, stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_AUDIO,
            packet.pointee.dts != none, let former = latest[Int(packet.pointee.stream_index)], base.num > 0
        else { return }
        let step = packet.pointee.dts.subtractingReportingOverflow(former).partialValue
        // No codec has a frame of a second.
        if step > 0, step < Int64(base.den / base.num) { packet.pointee.duration = step }
    }

    /// Takes the header before a frame of AAC away. libavformat 5.1 does so itself, but not where MP4's index waits for the first packet.
    private mutating func unwrap(_ packet: UnsafeMutablePointer<AVPacket>, place: Int) {
        guard let data = packet.pointee.data,
            let header = ADTSHeader(UnsafeBufferPointer(start: data, count: Int(max(0, packet.pointee.size))))
        else { return }
        packet.pointee.data = data + header.byteCount
        packet.pointee.size -= Int32(header.byteCount)
        guard configured.insert(place).inserted else { return }
        guard let room = av_packet_new_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, header.configuration.count) else { return }
        for (index, byte) in header.configuration.enumerated() { room[index] = byte }
    }

    /// Decode times never fall in a file, and no frame is shown before it is decoded.
    private mutating func keepOrder(_ packet: UnsafeMutablePointer<AVPacket>, place: Int) {
        let none = aether_nopts()
        guard packet.pointee.dts != none else { return }
        if let former = latest[place], packet.pointee.dts <= former { packet.pointee.dts = former + (form == .matroska ? 0 : 1) }
        latest[place] = packet.pointee.dts
        if packet.pointee.pts != none, packet.pointee.pts < packet.pointee.dts { packet.pointee.pts = packet.pointee.dts }
    }
}
