import AetherCore
import CFFmpeg

/// A frame's pixel format and colour properties, as scaling and conversion need them.
struct FrameLayout: Equatable {
    let format: AVPixelFormat
    let width, height: Int
    /// Bits of a component.
    let depth: Int
    /// Three components that are not R, G, B in one matrix-free format, or one luma component.
    let isGray: Bool
    /// Red, green, blue or something that libswscale turns into that best itself (palettes, Bayer, XYZ).
    let isRGB: Bool
    let hasAlpha: Bool
    /// One component a plane, native words, no alpha: our own scaler can read it.
    let isSimplePlanar: Bool
    /// Subsampling of the second and third plane, as shifts.
    let chromaShiftX, chromaShiftY: Int
    /// The plane of each component.
    let planes: (Int, Int, Int)
    let isFullRange: Bool
    let matrix: ColourMatrix.Kind
    let primaries: ColourPrimaries
    let transfer: TransferCurve
    /// Chroma samples lie this many chroma samples left of, or above, the middle of the pixels they stand for.
    let chromaOffsetX, chromaOffsetY: Double

    static func == (a: FrameLayout, b: FrameLayout) -> Bool {
        a.format == b.format && a.width == b.width && a.height == b.height && a.isFullRange == b.isFullRange
            && a.matrix == b.matrix && a.primaries == b.primaries && a.transfer == b.transfer
            && a.chromaOffsetX == b.chromaOffsetX && a.chromaOffsetY == b.chromaOffsetY
    }

    /// Reads a frame's properties; throws where there is no image in memory.
    init(_ frame: UnsafePointer<AVFrame>) throws(MediaError) {
        let frame = frame.pointee
        format = AVPixelFormat(rawValue: frame.format)
        width = Int(frame.width)
        height = Int(frame.height)
        guard width > 0, height > 0, frame.data.0 != nil, let descriptor = av_pix_fmt_desc_get(format)?.pointee else {
            throw MediaError(.unsupported, "scale frame", reason: "the frame holds no image")
        }
        let name = descriptor.name.map { String(cString: $0) } ?? "?"
        func has(_ flag: Int32) -> Bool { descriptor.flags & UInt64(flag) != 0 }
        guard !has(AV_PIX_FMT_FLAG_HWACCEL) else {
            throw MediaError(.unsupported, "scale frame", subject: name, reason: "the frame lies in another device's memory")
        }
        let c = descriptor.comp
        let count = Int(descriptor.nb_components)
        let bits = Int(max(c.0.depth, 1))
        depth = bits
        hasAlpha = has(AV_PIX_FMT_FLAG_ALPHA)
        isRGB = has(AV_PIX_FMT_FLAG_RGB) || has(AV_PIX_FMT_FLAG_BAYER) || has(AV_PIX_FMT_FLAG_PAL) || name.hasPrefix("xyz")
        isGray = count <= 2 && !isRGB
        chromaShiftX = Int(descriptor.log2_chroma_w)
        chromaShiftY = Int(descriptor.log2_chroma_h)
        planes = count >= 3 ? (Int(c.0.plane), Int(c.1.plane), Int(c.2.plane)) : (0, 0, 0)
        let step = bits <= 8 ? Int32(1) : 2
        func isPlain(_ component: AVComponentDescriptor) -> Bool {
            component.step == step && component.offset == 0 && component.shift == 0 && Int(component.depth) == bits
        }
        let ownPlanes = count == 1 || (count == 3 && Set([planes.0, planes.1, planes.2]).count == 3)
        let odd = [
            AV_PIX_FMT_FLAG_BE, AV_PIX_FMT_FLAG_BITSTREAM, AV_PIX_FMT_FLAG_PAL, AV_PIX_FMT_FLAG_BAYER, AV_PIX_FMT_FLAG_FLOAT,
        ]
        isSimplePlanar =
            ownPlanes && !hasAlpha && !odd.contains(where: has) && bits >= 8 && bits <= 16 && isPlain(c.0)
            && (count == 1 || (isPlain(c.1) && isPlain(c.2)))
        let isJPEGFormat = [
            AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P,
        ].contains(format)
        // Grey and RGB frames that say nothing are full range (PNG, PGM); Y′CbCr that says nothing is limited.
        let isSilentlyFull = frame.color_range == AVCOL_RANGE_UNSPECIFIED && (isGray || isRGB)
        isFullRange = isJPEGFormat || isSilentlyFull || frame.color_range == AVCOL_RANGE_JPEG
        transfer = TransferCurve(frame.color_trc)
        matrix =
            isRGB
            ? .rgb
            : ColourMatrix.Kind(
                colourSpace: frame.colorspace, primaries: frame.color_primaries, transfer: transfer, height: height)
        primaries =
            ColourPrimaries(frame.color_primaries) ?? .assumed(frame, transfer, isSRGB: isRGB || isGray || isFullRange)
        let location = frame.chroma_location
        let isCentredX = [AVCHROMA_LOC_CENTER, AVCHROMA_LOC_TOP, AVCHROMA_LOC_BOTTOM].contains(location)
        // The first of two, and of the four that DV of 525 lines has. What halves or quarters rows as well (4:1:0) lies in the middle.
        chromaOffsetX = isCentredX ? 0 : chromaShiftX == 1 ? 0.25 : chromaShiftX == 2 && chromaShiftY == 0 ? 0.375 : 0
        let isTop = [AVCHROMA_LOC_TOPLEFT, AVCHROMA_LOC_TOP].contains(location)
        let isBottom = [AVCHROMA_LOC_BOTTOMLEFT, AVCHROMA_LOC_BOTTOM].contains(location)
        chromaOffsetY = chromaShiftY == 1 ? (isTop ? 0.25 : isBottom ? -0.25 : 0) : 0
    }
}

extension FrameLayout {
    /// The chroma site as libswscale counts: nil for formats without subsampling, for which it has its own ways.
    var chromaSite: SwscaleStage.ChromaSite? {
        let isHalved = chromaShiftX == 1 && chromaShiftY <= 1, isQuartered = chromaShiftX == 2 && chromaShiftY == 0
        guard isHalved || isQuartered, !isRGB, !isGray else { return nil }
        // In 256ths of a pixel from the first one; offsets are shares of a chroma sample from the middle.
        let width = Double(256 << chromaShiftX)
        return SwscaleStage.ChromaSite(
            x: Int(width / 2 - 128 - chromaOffsetX * width), y: chromaShiftY == 1 ? Int(128 - chromaOffsetY * 512) : 0)
    }

    /// The codes are not those that the surface wants: their meaning as light has to be gone through.
    var needsLight: Bool {
        if transfer != .display || !matrix.givesRGB { return true }
        return primaries != .bt709 && !isGray
    }
}

extension ColourPrimaries {
    /// The primaries of a frame that does not state them: what its matrix or curve came with, and for images of the size of television in 525 or 625
    /// lines those of their cameras.
    fileprivate static func assumed(_ frame: AVFrame, _ transfer: TransferCurve, isSRGB: Bool) -> ColourPrimaries {
        if transfer.isHighDynamicRange { return .bt2020 }
        switch frame.colorspace {
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL, AVCOL_SPC_ICTCP: return .bt2020
        case AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT470BG:
            guard !isSRGB, frame.width <= 1024, frame.color_trc != AVCOL_TRC_IEC61966_2_1 else { return .bt709 }
            return frame.height == 576 ? .bt470BG : frame.height == 480 || frame.height == 486 ? .smpte170M : .bt709
        default: return .bt709
        }
    }
}

/// A frame's plane pointers and strides by number.
extension AVFrame {
    func plane(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
        switch index {
        case 0: data.0
        case 1: data.1
        case 2: data.2
        default: data.3
        }
    }

    func stride(_ index: Int) -> Int {
        switch index {
        case 0: Int(linesize.0)
        case 1: Int(linesize.1)
        case 2: Int(linesize.2)
        default: Int(linesize.3)
        }
    }
}
