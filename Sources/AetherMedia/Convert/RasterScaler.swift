public import AetherCore
import CFFmpeg

/// Makes the small images that renderers show from decoded frames: scale first, convert last. The planes are brought to the
/// target's size in their own format, chroma to the full target size, and only those few pixels are converted to RGB with
/// the frame's own matrix and range. Frames are read in place, never copied. Owned by one thread; keeps the tables of the last
/// format and size.
///
/// Shrinking by 1.5 and more averages areas (our own code); everything else is libswscale's bicubic, in a box where there is one.
public struct RasterScaler: ~Copyable {
    /// The largest side of a target in pixels, for stills of 8K.
    public static let maximumSide = 8192
    /// Pixels of the largest target: 8192×4608 take 0.3 GB of planes while they are converted, and 0.15 GB as a frame.
    public static let maximumArea = 8192 * 4608
    /// From this ratio on, in both directions, the area average is used; below it bicubic is sharper.
    private static let boxRatio = 1.5

    private struct Plans {
        var layout: FrameLayout
        var target: PixelSize
        var luma, chroma: BoxPlan
    }
    private var plans: Plans?
    private var box = BoxScaler()
    private var taps = TapScaler()
    private var library: LibraryScaler
    private var planes: [UInt16] = []
    private var light = LightStage()
    /// The tone mapping of HDR frames.
    public var toneMapping = ToneMapping.auto
    /// The colour behind transparent frames, as a pixel of `RasterImage`.
    public var background: UInt32 = 0xFF00_0000

    /// A scaler without tables; they are made with the first frame. `place`: a box for what libswscale does; nil for this process.
    public init(in place: (any DecodingPlace)? = ProcessBox.current) { library = LibraryScaler(place) }

    /// Scales and converts one frame to sRGB. Blocks for the work only: 0.45 ms from 1920×1080 4:2:0 to 160×90 (libswscale bicubic to
    /// RGB: 1.4). Transparency is blended over `background`; interlacing is ignored. Throws `.unsupported` for targets beyond both limits, frames
    /// without an image in main memory and formats that libswscale refuses.
    public mutating func scale(_ frame: borrowing DecodedFrame, to size: PixelSize) throws(MediaError) -> RasterImage {
        let sides = 1...RasterScaler.maximumSide
        guard sides.contains(size.width), sides.contains(size.height), size.width * size.height <= RasterScaler.maximumArea else {
            throw MediaError(.unsupported, "scale frame", reason: translated("target of \(size.width)×\(size.height) pixels"))
        }
        let pointer = UnsafePointer(frame.pointer)
        let layout = try FrameLayout(pointer)
        let count = size.width * size.height
        let way = light.way(of: pointer, layout)
        let isReduced = preparePlans(layout, size)
        if isReduced, way == .matrix, let image = reduceAndConvert(pointer, layout, size) { return image }
        growPlanes(count)
        if isReduced, reduce(pointer, layout, size) {
            return convert(way, layout, depth: layout.depth, size, hasAlpha: false)
        }
        if layout.isRGB, way == .matrix { return try packed(frame, layout, size) }
        try resample(frame, layout, size)
        // libswscale widens RGB to the whole range of its words.
        return convert(way, layout, depth: layout.isRGB ? 16 : layout.depth, size, hasAlpha: layout.hasAlpha)
    }

    /// Scales and converts a part of a frame; all of it where the format cannot be cut.
    public mutating func scale(
        _ frame: borrowing DecodedFrame, region: FrameRegion?, to size: PixelSize
    ) throws(MediaError) -> RasterImage {
        if let region, let part = frame.part(region) { return try scale(part, to: size) }
        return try scale(frame, to: size)
    }

    /// Room for so many pixels. Vectors of four read a little further than the last plane.
    private mutating func growPlanes(_ count: Int) {
        if planes.count < count * 4 + 8 { planes = [UInt16](repeating: 0, count: count * 4 + 8) }
    }

    // MARK: Area average

    private mutating func preparePlans(_ layout: FrameLayout, _ target: PixelSize) -> Bool {
        guard layout.isSimplePlanar, Double(layout.width) >= Double(target.width) * RasterScaler.boxRatio,
            Double(layout.height) >= Double(target.height) * RasterScaler.boxRatio
        else { return false }
        if let plans, plans.layout == layout, plans.target == target { return true }
        plans = nil
        // The chroma plane of an odd width holds one sample for the last single pixel: the frame ends in its middle.
        let extentX = Double(layout.width) / Double(1 << layout.chromaShiftX)
        let extentY = Double(layout.height) / Double(1 << layout.chromaShiftY)
        let isByte = layout.depth == 8
        guard extentX >= Double(target.width) * 0.5, extentY >= Double(target.height) * 0.5,
            let luma = BoxPlan(
                width: layout.width, height: layout.height, extentX: Double(layout.width), extentY: Double(layout.height),
                offsetX: 0,
                offsetY: 0, target: target, sampleIsByte: isByte),
            let chroma = BoxPlan(
                width: Int(extentX.rounded(.up)), height: Int(extentY.rounded(.up)), extentX: extentX, extentY: extentY,
                offsetX: layout.chromaOffsetX, offsetY: layout.chromaOffsetY, target: target, sampleIsByte: isByte)
        else { return false }
        plans = Plans(layout: layout, target: target, luma: luma, chroma: chroma)
        return true
    }

    /// Scales and converts eight rows at a time, which stay in a core's own cache: whole planes are three times the size of the image. nil
    /// where one of the planes is none of bytes and small boxes.
    private mutating func reduceAndConvert(
        _ frame: UnsafePointer<AVFrame>, _ layout: FrameLayout, _ target: PixelSize
    ) -> RasterImage? {
        guard let plans, let luma = plans.luma.small, let chroma = plans.chroma.small, layout.depth == 8, !layout.isGray,
            !layout.isRGB, let first = frame.pointee.plane(layout.planes.0), let second = frame.pointee.plane(layout.planes.1),
            let third = frame.pointee.plane(layout.planes.2)
        else { return nil }
        let strides = (
            frame.pointee.stride(layout.planes.0), frame.pointee.stride(layout.planes.1), frame.pointee.stride(layout.planes.2)
        )
        let (width, strip) = (target.width, target.width * TapScaler.lanes)
        let chromaWidth = -((-layout.width) >> layout.chromaShiftX)
        let matrix = ColourMatrix(layout.matrix, isFullRange: layout.isFullRange, depth: layout.depth)
        growPlanes(strip)
        let pixels = [UInt32](unsafeUninitializedCapacity: width * target.height) { output, count in
            planes.withUnsafeMutableBufferPointer { planes in
                guard let p = planes.baseAddress, let output = output.baseAddress else { return }
                for y in stride(from: 0, to: target.height, by: TapScaler.lanes) {
                    taps.scale(first, stride: strides.0, width: layout.width, plan: luma, from: y, into: p)
                    taps.scale(second, stride: strides.1, width: chromaWidth, plan: chroma, from: y, into: p + strip)
                    taps.scale(third, stride: strides.2, width: chromaWidth, plan: chroma, from: y, into: p + 2 * strip)
                    let rows = min(TapScaler.lanes, target.height - y)
                    matrix.convert(p, p + strip, p + 2 * strip, count: rows * width, into: output + y * width)
                }
            }
            count = width * target.height
        }
        return RasterImage(width: width, height: target.height, pixels: pixels)
    }

    /// Fills the three planes; false when the frame's memory does not look as its format says.
    private mutating func reduce(_ frame: UnsafePointer<AVFrame>, _ layout: FrameLayout, _ target: PixelSize) -> Bool {
        guard let plans else { return false }
        let count = target.width * target.height
        // From codes of any depth to code << (16 - depth).
        let factor = Float(1 << (16 - layout.depth))
        let components = layout.isGray ? [layout.planes.0] : [layout.planes.0, layout.planes.1, layout.planes.2]
        for (index, plane) in components.enumerated() {
            let stride = frame.pointee.stride(plane)
            guard let source = frame.pointee.plane(plane) else { return false }
            let isChroma = index > 0 && !layout.isRGB
            let plan = isChroma ? plans.chroma : plans.luma
            let width = isChroma ? -((-layout.width) >> layout.chromaShiftX) : layout.width
            let isByte = layout.depth == 8
            guard isByte || (stride % 2 == 0 && Int(bitPattern: source) % 2 == 0) else { return false }
            planes.withUnsafeMutableBufferPointer { planes in
                guard let output = planes.baseAddress.map({ $0 + index * count }) else { return }
                if isByte {
                    box.scale(bytes: source, stride: stride, width: width, plan: plan, factor: factor, into: output)
                } else {
                    let words = UnsafeRawPointer(source).assumingMemoryBound(to: UInt16.self)
                    box.scale(words: words, stride: stride, width: width, plan: plan, factor: factor, into: output)
                }
            }
        }
        if layout.isGray { fillNeutralChroma(count) }
        return true
    }

    private mutating func fillNeutralChroma(_ count: Int) {
        for index in count..<count * 3 { planes[index] = 32768 }
    }

    // MARK: libswscale

    private mutating func resample(
        _ frame: borrowing DecodedFrame, _ layout: FrameLayout, _ size: PixelSize
    ) throws(MediaError) {
        let isDeep = layout.depth > 8 || layout.isRGB
        let form: ScaleOrder.Form =
            switch (layout.isRGB, layout.hasAlpha, isDeep) {
            case (true, false, _): .deepRGB
            case (true, true, _): .deepRGBA
            case (_, true, true): .deepYUVA
            case (_, true, false): .yuva
            case (_, false, true): .deepYUV
            case (_, false, false): .yuv
            }
        let made = ScaleOrder(form, size: size, chromaSite: layout.chromaSite), first = try library.scale(frame, made)
        let count = size.width * size.height
        // Planes of RGB lie in the order green, blue, red.
        let order = layout.isRGB ? [2, 0, 1, 3] : [0, 1, 2, 3]
        for component in 0..<(layout.hasAlpha ? 4 : 3) {
            let source = first + order[component] * made.planeBytes
            for y in 0..<size.height {
                let row = source + y * made.stride
                let start = component * count + y * size.width
                planes.withUnsafeMutableBufferPointer { planes in
                    if isDeep {
                        let words = UnsafeRawPointer(row).assumingMemoryBound(to: UInt16.self)
                        for x in 0..<size.width { planes[start + x] = words[x] }
                    } else {
                        for x in 0..<size.width { planes[start + x] = UInt16(row[x]) << 8 }
                    }
                }
            }
        }
        if layout.isGray { fillNeutralChroma(count) }
    }

    private mutating func packed(
        _ frame: borrowing DecodedFrame, _ layout: FrameLayout, _ size: PixelSize
    ) throws(MediaError) -> RasterImage {
        let levels = PackedLevels(layout, isScaled: size != PixelSize(width: layout.width, height: layout.height))
        let made = ScaleOrder(.packed, size: size, chromaSite: nil), source = try library.scale(frame, made)
        let (stride, background) = (made.stride, background)
        let pixels = [UInt32](unsafeUninitializedCapacity: size.width * size.height) { output, count in
            for y in 0..<size.height {
                let row = UnsafeRawPointer(source + y * stride).assumingMemoryBound(to: UInt32.self)
                for x in 0..<size.width {
                    output[y * size.width + x] = AlphaBlend.over(background, levels?.level(row[x]) ?? row[x])
                }
            }
            count = size.width * size.height
        }
        return RasterImage(width: size.width, height: size.height, pixels: pixels)
    }

    // MARK: Conversion

    private mutating func convert(
        _ way: LightStage.Way, _ layout: FrameLayout, depth: Int, _ size: PixelSize, hasAlpha: Bool
    ) -> RasterImage {
        let total = size.width * size.height
        let background = background
        let pixels = [UInt32](unsafeUninitializedCapacity: total) { output, count in
            planes.withUnsafeMutableBufferPointer { planes in
                guard let p = planes.baseAddress, let output = output.baseAddress else { return }
                if way == .matrix {
                    ColourMatrix(layout.matrix, isFullRange: layout.isFullRange, depth: layout.depth)
                        .convert(p, p + total, p + total * 2, count: total, into: output)
                } else {
                    light.convert(way, layout, depth: depth, toneMapping, p, count: total, into: output)
                }
                if hasAlpha { AlphaBlend.apply(p + total * 3, over: background, count: total, to: output) }
            }
            count = total
        }
        return RasterImage(width: size.width, height: size.height, pixels: pixels)
    }
}
