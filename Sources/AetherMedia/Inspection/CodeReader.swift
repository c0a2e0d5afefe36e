import AetherCore
import CFFmpeg

/// Reads the codes of a frame one by one, as its format lays them out. For a few thousand of them; what runs per pixel has other ways.
struct CodeReader {
    private struct Part {
        let base: UnsafePointer<UInt8>
        let stride, step, shift, mask: Int
        let width, height: Int
        let shiftX, shiftY: Int
        let isWord, isBigEndian: Bool
    }
    private let parts: [Part]
    /// Pixels.
    let width, height: Int
    /// Bits of a code.
    let depth: Int
    /// Components: 1, or 3.
    var count: Int { parts.count }

    /// nil for formats without codes of their own for each pixel: palettes, bit streams, floating point, other devices' memory.
    init?(_ frame: UnsafePointer<AVFrame>) {
        guard let format = av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format))?.pointee, frame.pointee.width > 0,
            frame.pointee.height > 0
        else { return nil }
        let odd = [
            AV_PIX_FMT_FLAG_HWACCEL, AV_PIX_FMT_FLAG_PAL, AV_PIX_FMT_FLAG_BITSTREAM, AV_PIX_FMT_FLAG_FLOAT, AV_PIX_FMT_FLAG_BAYER,
        ]
        guard !odd.contains(where: { format.flags & UInt64($0) != 0 }) else { return nil }
        let components = [format.comp.0, format.comp.1, format.comp.2]
        // Grey, with or without transparency, or three and more.
        let used = format.nb_components < 3 ? 1 : 3
        (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        depth = Int(format.comp.0.depth)
        guard (1...16).contains(depth) else { return nil }
        var parts: [Part] = []
        for (number, component) in components.prefix(used).enumerated() {
            guard let base = frame.pointee.plane(Int(component.plane)), (1...16).contains(component.depth) else { return nil }
            let isChroma = number > 0 && format.flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0
            let shiftX = isChroma ? Int(format.log2_chroma_w) : 0, shiftY = isChroma ? Int(format.log2_chroma_h) : 0
            parts.append(
                Part(
                    base: UnsafePointer(base) + Int(component.offset), stride: frame.pointee.stride(Int(component.plane)),
                    step: Int(component.step), shift: Int(component.shift), mask: (1 << Int(component.depth)) - 1,
                    width: -((-width) >> shiftX), height: -((-height) >> shiftY), shiftX: shiftX, shiftY: shiftY,
                    isWord: component.shift + component.depth > 8, isBigEndian: format.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0))
        }
        self.parts = parts
    }

    /// The code of a component at a pixel, which must lie in the frame.
    func code(_ component: Int, x: Int, y: Int) -> Int {
        let part = parts[component]
        let place =
            part.base + min(y >> part.shiftY, part.height - 1) * part.stride
            + min(x >> part.shiftX, part.width - 1) * part.step
        guard part.isWord else { return Int(place.pointee) >> part.shift & part.mask }
        let word = UnsafeRawPointer(place).loadUnaligned(as: UInt16.self)
        return Int(part.isBigEndian ? UInt16(bigEndian: word) : UInt16(littleEndian: word)) >> part.shift & part.mask
    }
}
