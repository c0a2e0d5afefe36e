public import AetherCore
import CFFmpeg
import Glibc

/// An image and no video: the cover of an audio file.
public enum StillImage {
    /// 64 million: a square of 8000. What is larger takes over 256 MB to decode.
    private static let pixelLimit: Int64 = 64_000_000

    /// Decodes an image as it lies in the file (JPEG, PNG …) and scales it to fit a box of raster pixels that are `rasterAspect`
    /// times as wide as high; `enlarges` false: never larger than it is. Blocks for the work: 20 ms for 1000×1000. Throws `.unsupported` without a
    /// decoder, `.decodeFailed` for what is no image or too large.
    public static func raster(
        _ data: [UInt8], _ parameters: CodecParameters, fitting box: PixelSize, rasterAspect: Double, enlarges: Bool = true
    ) throws(MediaError) -> RasterImage {
        let frame = try frame(data, parameters, limit: pixelLimit)
        let size = PixelSize(width: frame.width, height: frame.height)
        let room = enlarges ? box : PixelSize(width: min(box.width, size.width), height: min(box.height, size.height))
        let fit = FrameFit(
            stream: size, sampleAspect: enlarges ? frame.sampleAspect ?? 1 : 1, box: room, rasterAspect: rasterAspect)
        var scaler = RasterScaler()
        return try scaler.scale(frame, to: fit.frameTarget)
    }

    /// Decodes an image file (JPEG, PNG, WebP, by its first bytes) at its own size; nil for `box`, else fitted into it. Blocks and throws as
    /// the other.
    public static func raster(
        _ data: [UInt8], fitting box: PixelSize? = nil, rasterAspect: Double = 1
    ) throws(MediaError) -> RasterImage {
        guard let kind = codec(of: data) else {
            throw MediaError(.unsupported, "decode an image", reason: "neither JPEG, PNG nor WebP")
        }
        let parameters = CodecParameters(picture: kind)
        let side = PixelSize(width: 4096, height: 4096)
        if let box { return try raster(data, parameters, fitting: box, rasterAspect: rasterAspect) }
        return try raster(data, parameters, fitting: side, rasterAspect: 1, enlarges: false)
    }

    /// The pixels of an image file as they are, with their alpha, 0xAABBGGRR, not premultiplied; `limit` is the most of them. Blocks and throws as
    /// `raster`.
    static func pixels(_ data: [UInt8], limit: Int) throws(MediaError) -> RasterImage {
        guard let kind = codec(of: data) else {
            throw MediaError(.unsupported, "decode an image", reason: "neither JPEG, PNG nor WebP")
        }
        let frame = try frame(data, CodecParameters(picture: kind), limit: Int64(limit))
        let size = PixelSize(width: frame.width, height: frame.height)
        var scaler = LibraryScaler(ProcessBox.current)
        let order = ScaleOrder(.packed, size: size, chromaSite: nil), source = try scaler.scale(frame, order)
        // The memory of the planes goes with it.
        defer { withExtendedLifetime(scaler) {} }
        var pixels: [UInt32] = []
        pixels.reserveCapacity(size.width * size.height)
        for y in 0..<size.height {
            let row = UnsafeRawPointer(source + y * order.stride).assumingMemoryBound(to: UInt32.self)
            pixels += UnsafeBufferPointer(start: row, count: size.width)
        }
        return RasterImage(width: size.width, height: size.height, pixels: pixels)
    }

    private static func frame(
        _ data: [UInt8], _ parameters: CodecParameters, limit: Int64
    ) throws(MediaError) -> DecodedFrame {
        if let box = parameters.box as? any DecodingBox {
            let decoder = try box.openVideo(parameters, threadCount: 1, effort: DecodeEffort(lowDelay: true))
            _ = try decoder.send(try packet(data, parameters.timeBase))
            _ = try decoder.send(nil)
            guard let frame = try decoder.receive(), Int64(frame.width) * Int64(frame.height) <= limit else {
                throw MediaError(.decodeFailed, "decode the cover")
            }
            return frame
        }
        let codec = try CodecContext(parameters, threadCount: 1) { $0.pointee.max_pixels = limit }
        var decoder = FrameDecoder(codec, timeBase: parameters.timeBase)
        _ = try decoder.send(try packet(data, parameters.timeBase))
        _ = try decoder.send(nil)
        guard let frame = try decoder.receive() else { throw MediaError(.decodeFailed, "decode the cover") }
        return frame
    }

    private static func codec(of data: [UInt8]) -> AVCodecID? {
        if data.starts(with: [0xFF, 0xD8, 0xFF]) { return AV_CODEC_ID_MJPEG }
        if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return AV_CODEC_ID_PNG }
        if data.starts(with: Array("RIFF".utf8)), data.dropFirst(8).starts(with: Array("WEBP".utf8)) { return AV_CODEC_ID_WEBP }
        return nil
    }

    private static func packet(_ data: [UInt8], _ timeBase: TimeBase) throws(MediaError) -> Packet {
        guard !data.isEmpty, let pointer = av_packet_alloc() else { throw MediaError(.decodeFailed, "decode the cover") }
        guard av_new_packet(pointer, Int32(clamping: data.count)) >= 0, let target = pointer.pointee.data else {
            var owned: UnsafeMutablePointer<AVPacket>? = pointer
            av_packet_free(&owned)
            throw MediaError(.internalFailure, "decode the cover", averror: aether_averror(ENOMEM))
        }
        data.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress { memcpy(target, source, Int(pointer.pointee.size)) }
        }
        return Packet(taking: pointer, epoch: Epoch(), timeBase: timeBase)
    }
}
