public import AetherCore
import CFFmpeg

/// Turns packets of a video stream into frames, in the order of showing: AV1 by libdav1d, all else by libavcodec. Lives on one
/// thread; the libraries' own threads work below it, so frames come out several packets after they went in.
public struct VideoDecoder: VideoDecoding, ~Copyable {
    /// One of them is there.
    private var codec: CodecVideoDecoder?
    private var av1: AV1Decoder?
    private let boxed: (any BoxedDecoding)?
    private let edges: FrameEdges
    private let size: PixelSize

    /// Opens a decoder with 1 … 16 threads; `room`: in a box, the memory for its frames. Throws `.unsupported` without a decoder,
    /// `.decodeFailed` where it refuses.
    public init(
        _ parameters: CodecParameters, threadCount: Int, effort: DecodeEffort = DecodeEffort(), room: FrameRoom? = nil
    ) throws(MediaError) {
        edges = parameters.edges
        size = PixelSize(width: Int(parameters.pointer.pointee.width), height: Int(parameters.pointer.pointee.height))
        if let box = parameters.box as? any DecodingBox {
            let decoder = try box.openVideo(parameters, threadCount: threadCount, effort: effort)
            (boxed, name) = (decoder, decoder.name)
            codec = nil
            av1 = nil
        } else if parameters.pointer.pointee.codec_id == AV_CODEC_ID_AV1 {
            av1 = try AV1Decoder(parameters, threadCount: threadCount, effort: effort, room: room)
            codec = nil
            (boxed, name) = (nil, AV1Decoder.name)
        } else {
            let codec = try CodecVideoDecoder(parameters, threadCount: threadCount, effort: effort, room: room)
            (boxed, name) = (nil, codec.name)
            self.codec = consume codec
            av1 = nil
        }
    }

    /// Opens a decoder on a device, whose frames it reads into main memory. Throws `.unsupported` for codecs without one and for streams of a
    /// box, which has no device. Whatever is not damage of the stream is thrown later, `.decodeFailed`: then another decoder is needed.
    public init(
        _ parameters: CodecParameters, effort: DecodeEffort = DecodeEffort(), on device: borrowing HardwareDevice
    ) throws(MediaError) {
        edges = parameters.edges
        size = PixelSize(width: Int(parameters.pointer.pointee.width), height: Int(parameters.pointer.pointee.height))
        guard !parameters.isBoxed, HardwareDevice.knows(parameters) else {
            let codecName = FFmpegText.string(avcodec_get_name(parameters.pointer.pointee.codec_id))
            throw MediaError(.unsupported, "decode", subject: codecName, reason: "VA-API has none for it")
        }
        // Threads would be more frames under way, and the device decodes one after the other.
        let codec = try CodecVideoDecoder(parameters, threadCount: 1, effort: effort, device: device.reference)
        (boxed, name) = (nil, "\(codec.name), \(HardwareDevice.name)")
        self.codec = consume codec
        av1 = nil
    }

    /// The decoder's name, for example "h264" or "dav1d"; on a device "h264, VA-API".
    public let name: String

    /// Damaged packets and frames so far. They are left out and do not end the stream.
    public var damageCount: Int {
        if let boxed { return boxed.damageCount }
        switch codec {
        case .some(let codec): return codec.damageCount
        case nil: break
        }
        switch av1 {
        case .some(let av1): return av1.damageCount
        case nil: return 0
        }
    }

    /// Gives the decoder a packet; nil drains it. Blocks while the decoder works. Throws `.decodeFailed` after a thousand
    /// failures without a frame.
    public mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult {
        if let boxed { return try boxed.send(packet) }
        if let result = try codec?.send(packet) { return result }
        return try av1?.send(packet) ?? .accepted
    }

    /// The next frame, cropped as the container says; nil where the decoder wants packets first. Throws `.endOfMedia` when
    /// drained.
    public mutating func receive() throws(MediaError) -> DecodedFrame? {
        guard edges != FrameEdges() else { return try receiveWhole() }
        guard let frame = try receiveWhole() else { return nil }
        let part = frame.part(without: edges, of: size)
        switch consume part {
        case .some(let part): return part
        case nil: return frame
        }
    }

    private mutating func receiveWhole() throws(MediaError) -> DecodedFrame? {
        if let boxed { return try boxed.receive() }
        if codec != nil { return try codec?.receive() ?? nil }
        return try av1?.receive() ?? nil
    }

    /// Forgets packets and frames that have not come out yet: for a seek.
    public mutating func flush() {
        boxed?.flush()
        codec?.flush()
        av1?.flush()
    }

    /// Changes the effort from the next packet on.
    public mutating func apply(_ effort: DecodeEffort) {
        boxed?.apply(effort)
        codec?.apply(effort)
        av1?.apply(effort)
    }

    /// True for another value of what is decided at opening: `halvings`, `lowDelay` and, of AV1, `omitsFilmGrain`.
    public func needsReopening(for effort: DecodeEffort) -> Bool {
        if let boxed { return boxed.needsReopening(for: effort) }
        switch codec {
        case .some(let codec): return codec.needsReopening(for: effort)
        case nil: break
        }
        switch av1 {
        case .some(let av1): return av1.needsReopening(for: effort)
        case nil: return false
        }
    }
}
