import AetherCore
import CFFmpeg
import Glibc

@testable import AetherMedia

/// Repeatable noise.
struct Noise {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}

/// A picture frame of planes filled by a function of (plane, x, y).
func videoFrame(
    _ format: AVPixelFormat, _ width: Int, _ height: Int, space: AVColorSpace = AVCOL_SPC_UNSPECIFIED,
    range: AVColorRange = AVCOL_RANGE_UNSPECIFIED, location: AVChromaLocation = AVCHROMA_LOC_UNSPECIFIED,
    fill: (Int, Int, Int) -> Int
) -> DecodedFrame {
    let frame = av_frame_alloc()!
    frame.pointee.format = format.rawValue
    frame.pointee.width = Int32(width)
    frame.pointee.height = Int32(height)
    frame.pointee.colorspace = space
    frame.pointee.color_range = range
    frame.pointee.chroma_location = location
    precondition(av_frame_get_buffer(frame, 0) >= 0)
    let descriptor = av_pix_fmt_desc_get(format)!.pointee
    let isWide = descriptor.comp.0.depth > 8
    for plane in 0..<4 {
        guard let base = frame.pointee.plane(plane) else { continue }
        let stride = frame.pointee.stride(plane)
        let isChroma = plane == 1 || plane == 2
        let rows = isChroma ? -((-height) >> Int(descriptor.log2_chroma_h)) : height
        let isPlanar =
            descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0
            && (descriptor.nb_components < 3 || descriptor.comp.2.plane != 1)
        let room = stride / (isWide ? 2 : 1)
        let columns = !isPlanar ? room : isChroma ? -((-width) >> Int(descriptor.log2_chroma_w)) : width
        for y in 0..<rows {
            for x in 0..<min(columns, room) {
                let value = fill(plane, x, y)
                if isWide {
                    UnsafeMutableRawPointer(base + y * stride).storeBytes(of: UInt16(value), toByteOffset: x * 2, as: UInt16.self)
                } else {
                    (base + y * stride)[x] = UInt8(truncatingIfNeeded: value)
                }
            }
        }
    }
    return DecodedFrame(taking: frame, pts: nil, duration: nil)
}

/// A sound frame; `sample` gives the value of (channel, index) in -1...1.
func audioFrame(
    _ format: AVSampleFormat = AV_SAMPLE_FMT_FLTP, rate: Int, channels: Int, count: Int, pts: MediaTime? = .zero,
    mask: UInt64? = nil,
    sample: (Int, Int) -> Float
) -> DecodedFrame {
    let frame = av_frame_alloc()!
    frame.pointee.format = format.rawValue
    frame.pointee.sample_rate = Int32(rate)
    frame.pointee.nb_samples = Int32(count)
    if let mask {
        av_channel_layout_from_mask(&frame.pointee.ch_layout, mask)
    } else {
        frame.pointee.ch_layout.order = AV_CHANNEL_ORDER_UNSPEC
        frame.pointee.ch_layout.nb_channels = Int32(channels)
    }
    precondition(av_frame_get_buffer(frame, 0) >= 0)
    let isPlanar = av_sample_fmt_is_planar(format) != 0
    for channel in 0..<channels {
        let plane = UnsafeMutableRawPointer(frame.pointee.extended_data[isPlanar ? channel : 0]!)
        for index in 0..<count {
            let place = isPlanar ? index : index * channels + channel
            let value = sample(channel, index)
            switch format {
            case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P:
                plane.storeBytes(of: Int16(max(-32768, min(32767, value * 32768))), toByteOffset: place * 2, as: Int16.self)
            default: plane.storeBytes(of: value, toByteOffset: place * 4, as: Float.self)
            }
        }
    }
    return DecodedFrame(taking: frame, pts: pts, duration: nil)
}

/// Device bytes as floats.
func floats(_ bytes: [UInt8]) -> [Float] {
    bytes.withUnsafeBytes { raw in (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) } }
}
