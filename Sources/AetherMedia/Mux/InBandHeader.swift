import AetherCore
import CFFmpeg

/// The header that packets of a transport stream bring along, where no container keeps one: what an init section is made of. Packets with
/// different ones need different init sections. Pure; the bytes are hostile.
public struct InBandHeader: Hashable, Sendable {
    /// The bytes that tell headers apart.
    private let name: [UInt8]
    /// The whole header as a decoder wants it; empty where packets of the codec speak for themselves.
    let bytes: [UInt8]

    /// Parameter sets stand before the first slice, and are some hundreds of bytes.
    private static let room = 64 << 10

    /// The header of a packet; nil where it has none, or where the container has said it.
    public init?(_ packet: Packet, of stream: StreamInfo) {
        guard let payload = packet.payload else { return nil }
        let stated = stream.parameters.header(limit: 1)
        switch stream.codecName {
        case "h264" where stated != [1]: self.init(sets: payload, isHEVC: false)
        case "hevc" where stated != [1]: self.init(sets: payload, isHEVC: true)
        case "aac" where stated.isEmpty:
            guard let head = ADTSHeader(payload) else { return nil }
            self.init(name: head.configuration, bytes: [])
        case "ac3", "eac3":
            guard let fields = Self.dolby(payload) else { return nil }
            self.init(name: fields, bytes: [])
        default: return nil
        }
    }

    private init(name: [UInt8], bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    private init?(sets payload: UnsafeBufferPointer<UInt8>, isHEVC: Bool) {
        let searched = UnsafeRawBufferPointer(payload), end = min(payload.count, Self.room) - 1
        var sets: [UInt8] = [], sequences: [UInt8] = [], start: Int?
        var place = 0
        while let next = BytePattern.startCode.first(in: searched, from: place, before: end) {
            if let start { Self.take(payload[start..<next], isHEVC, &sets, &sequences) }
            let head = payload[next + 3], type = isHEVC ? head >> 1 & 63 : head & 31
            start = next + 3
            place = next + 3
            if isHEVC ? type < 32 : (1...5).contains(type) { break }
        }
        guard !sequences.isEmpty else { return nil }
        self.init(name: sequences, bytes: sets)
    }

    /// Sequence sets tell formats apart: picture sets may change with each picture, and stay with the samples.
    private static func take(
        _ unit: Slice<UnsafeBufferPointer<UInt8>>, _ isHEVC: Bool, _ sets: inout [UInt8], _ sequences: inout [UInt8]
    ) {
        guard let head = unit.first else { return }
        let type = isHEVC ? head >> 1 & 63 : head & 31
        guard (isHEVC ? 32...34 : 7...8).contains(type) else { return }
        var unit = unit
        while unit.last == 0 { unit.removeLast() }
        sets += [0, 0, 0, 1] + unit
        if type == (isHEVC ? 33 : 7) { sequences += unit }
    }

    /// The sample rate and the channels: of AC-3 without its bass channel, whose place depends on others.
    private static func dolby(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.count > 7, bytes[0] == 0x0B, bytes[1] == 0x77 else { return nil }
        let isPlain = bytes[5] >> 3 <= 10
        return isPlain ? [bytes[4] >> 6, bytes[6] >> 5] : [16, bytes[4]]
    }
}

extension StreamInfo {
    /// Whether the container has said how light and colours are coded, of a codec that can say it itself.
    public var statesColours: Bool {
        kind != .video || parameters.pointer.pointee.color_trc != AVCOL_TRC_UNSPECIFIED
    }

    /// The stream as packets say it that begin with a header of their own: size, colours, rate, channels. Blocks for the decoding of a frame; any
    /// thread. Where none can be decoded, the header alone is taken.
    public func restated(by header: InBandHeader?, _ packets: [Packet]) -> StreamInfo {
        var stream = self
        stream.parameters = parameters.restated(by: header?.bytes ?? [], packets)
        let codec = stream.parameters.pointer.pointee
        if kind == .video, let size = stream.parameters.size {
            stream.size = PixelSize(width: size.width, height: size.height)
            stream.sampleAspect = Ratio(codec.sample_aspect_ratio) ?? .one
        }
        return stream
    }
}

extension CodecParameters {
    /// Frames of which none can be decoded are no frames.
    private static let tries = 16

    fileprivate func restated(by header: [UInt8], _ packets: [Packet]) -> CodecParameters {
        let fresh = CodecParameters(
            copying: pointer, timeBase: timeBase, hasAlphaBeside: hasAlphaBeside, x264Version: x264Version, edges: edges,
            sideData: sideData, box: box)
        fresh.replaceHeader(header)
        guard var codec = CodecContext(opening: fresh, threadCount: 1), let frame = av_frame_alloc() else { return fresh }
        var owned: UnsafeMutablePointer<AVFrame>? = frame
        defer { av_frame_free(&owned) }
        var isDecoded = false
        for packet in packets.prefix(Self.tries) where !isDecoded {
            _ = packet.withAVPacket { codec.send($0) }
            isDecoded = codec.receive(frame) >= 0
        }
        if !isDecoded {
            _ = codec.send(nil)
            isDecoded = codec.receive(frame) >= 0
        }
        if isDecoded { fresh.take(codec.pointer.pointee) }
        return fresh
    }

    private func replaceHeader(_ header: [UInt8]) {
        guard !header.isEmpty, let room = av_mallocz(header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else { return }
        room.copyMemory(from: header, byteCount: header.count)
        av_freep(&pointer.pointee.extradata)
        pointer.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
        pointer.pointee.extradata_size = Int32(header.count)
    }

    /// The facts that a decoder has learnt.
    private func take(_ codec: AVCodecContext) {
        (pointer.pointee.profile, pointer.pointee.level) = (codec.profile, codec.level)
        guard pointer.pointee.codec_type == AVMEDIA_TYPE_VIDEO else {
            pointer.pointee.sample_rate = codec.sample_rate
            withUnsafePointer(to: codec.ch_layout) { _ = av_channel_layout_copy(&pointer.pointee.ch_layout, $0) }
            return
        }
        (pointer.pointee.width, pointer.pointee.height) = (codec.width, codec.height)
        pointer.pointee.format = codec.pix_fmt.rawValue
        pointer.pointee.sample_aspect_ratio = codec.sample_aspect_ratio
        (pointer.pointee.color_range, pointer.pointee.color_space) = (codec.color_range, codec.colorspace)
        (pointer.pointee.color_primaries, pointer.pointee.color_trc) = (codec.color_primaries, codec.color_trc)
        pointer.pointee.chroma_location = codec.chroma_sample_location
    }
}
