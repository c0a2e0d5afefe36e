public import AetherCore
import CFFmpeg
import Glibc

/// The meaning of the codes of a frame: its colour space as it states it, and the way of one pixel to the terminal. Pure.
public struct FrameColour: Sendable, Equatable {
    /// FFmpeg's name of the pixel format.
    public let format: String
    /// Bits of a code.
    public let depth: Int
    /// In the field's names; "not stated" with what is taken instead.
    public let range, matrix, primaries, transfer: String
    /// Where the chroma samples lie; empty where there are none of their own.
    public let chromaSite: String
    /// The light that the source was made for; empty for the usual range.
    public let light: String
    /// The tone curve's name; empty where there is none.
    public let tone: String
    /// Light of the source and what the surface shows of it, in cd/m²; empty without a tone curve.
    public let curve: [Point]
    /// How many of a thousand points of the frame are that bright, from dark to bright: each of `lightSteps` steps is as many times brighter than
    /// the one before, from `lightEnds`'s first to its last, in cd/m². Empty without a tone curve.
    public let lights: [Int]
    /// The brightest point of those, in cd/m², and what the surface shows of it; nil without a tone curve.
    public let brightest: Point?
    /// How much of the frame, 0...1, the curve shows darker than it is by a tenth at least; nil without a tone curve.
    public let dimmedShare: Double?
    private let way: PixelWay?

    /// Steps of `lights`.
    public static let lightSteps = 120
    /// The light of the first step and of the last, in cd/m².
    public static let lightEnds = 0.01...10000

    /// A point of a tone curve, in cd/m².
    public struct Point: Sendable, Equatable {
        /// Of the source.
        public let nits: Double
        /// On a surface whose white is 203.
        public let shown: Double
    }

    /// The colour that the codes of a pixel stand for.
    public struct Pixel: Sendable, Equatable {
        /// Red, green and blue as coded, 0...1; may lie beyond.
        public let coded: [Double]
        /// Linear light of the source's own red, green and blue, 0...1; of PQ, in cd/m².
        public let light: [Double]
        /// The light is in cd/m².
        public let isNits: Bool
        /// Red, green and blue for the terminal, 0...255.
        public let shown: [Int]
    }

    /// Reads what a frame states. `mapping` is the tone mapping that is set.
    public init?(_ frame: borrowing DecodedFrame, _ levels: FrameLevels?, mapping: ToneMapping) {
        let pointer = UnsafePointer(frame.pointer)
        let layout: FrameLayout
        do throws(MediaError) { layout = try FrameLayout(pointer) } catch { return nil }
        let raw = pointer.pointee
        format = frame.pixelFormatName ?? "?"
        depth = layout.depth
        range =
            raw.color_range == AVCOL_RANGE_UNSPECIFIED
            ? "not stated: \(layout.isFullRange ? "full" : "limited")" : layout.isFullRange ? "full" : "limited"
        func named(_ name: UnsafePointer<CChar>?, _ isStated: Bool, _ taken: String) -> String {
            isStated ? FFmpegText.string(name) : "not stated: \(taken)"
        }
        matrix = named(
            av_color_space_name(raw.colorspace), raw.colorspace != AVCOL_SPC_UNSPECIFIED, Self.name(of: layout.matrix))
        primaries = named(
            av_color_primaries_name(raw.color_primaries), raw.color_primaries != AVCOL_PRI_UNSPECIFIED,
            Self.name(of: layout.primaries))
        transfer = named(
            av_color_transfer_name(raw.color_trc), raw.color_trc != AVCOL_TRC_UNSPECIFIED,
            layout.transfer.isHighDynamicRange ? "high dynamic range" : "as a display's")
        chromaSite =
            raw.chroma_location == AVCHROMA_LOC_UNSPECIFIED
            ? "" : FFmpegText.string(av_chroma_location_name(raw.chroma_location))
        let isHigh = layout.transfer.isHighDynamicRange, metadata = isHigh ? LightMetadata(pointer) : LightMetadata()
        light = metadata.peak.map { "up to \(Int($0.rounded())) nits" } ?? ""
        // Dolby Vision reshapes the codes first: of those alone nothing can be said.
        let isReshaped = DolbyVisionMapping(pointer) != nil
        var tone: ToneCurve?
        if isHigh {
            let plan = LightPlan(layout, depth: layout.depth, tone: .clip)
            tone = ToneCurve(mapping, metadata, transfer: layout.transfer, dolbyVisionPeak: nil) {
                Self.peak(levels, PixelWay(plan: plan, depth: layout.depth))
            }
        }
        self.tone = isReshaped ? "Dolby Vision's" : tone.map(Self.name(of:)) ?? ""
        let isTold = !isReshaped && tone != nil
        // As many points to a step of ten everywhere, and those that people name.
        let points = ((-48...96).map { pow(10, Double($0) / 24) } + [203, 400, 600, 2000, 4000]).sorted()
        curve = isTold ? tone.map { tone in points.map { Point(nits: $0, shown: tone.map($0)) } } ?? [] : []
        let plan = LightPlan(layout, depth: layout.depth, tone: tone)
        let way = isReshaped || layout.isGray ? nil : PixelWay(plan: plan, depth: depth)
        self.way = way
        let survey = isTold ? tone.flatMap { tone in way.flatMap { LightSurvey(levels, $0, tone) } } : nil
        (lights, brightest, dimmedShare) = (survey?.lights ?? [], survey?.brightest, survey?.dimmedShare)
    }

    /// The step of `lights` of a light in cd/m².
    public static func lightStep(_ nits: Double) -> Int {
        guard nits > lightEnds.lowerBound else { return 0 }
        let share = log(nits / lightEnds.lowerBound) / log(lightEnds.upperBound / lightEnds.lowerBound)
        return min(lightSteps - 1, Int(share * Double(lightSteps)))
    }

    /// The light of a pixel by its codes as the tone curve takes it, and what the surface shows of it, in cd/m²; nil without a tone curve.
    public func light(_ codes: [Int]) -> Point? {
        guard !curve.isEmpty, codes.count == 3, let nits = way?.nits(codes), let tone = way?.plan.tone else { return nil }
        return Point(nits: nits, shown: tone.map(nits))
    }

    /// The colour that codes stand for; nil where that cannot be told of them alone.
    public func pixel(_ codes: [Int]) -> Pixel? { codes.count == 3 ? way?.pixel(codes) : nil }

    /// The brightest light of the grid, in cd/m².
    private static func peak(_ levels: FrameLevels?, _ way: PixelWay) -> Double {
        guard let levels, levels.grid.count == 3 else { return 1000 }
        return stride(from: 0, to: levels.grid[0].count, by: 7).reduce(0) { most, place in
            max(most, way.nits(levels.grid.map { Int($0[place]) }))
        }
    }

    private static func name(of tone: ToneCurve) -> String {
        switch tone {
        case .clip: "clipped at white"
        case .bt2390(let peak): "BT.2390 from \(Int(peak.rounded())) nits"
        case .hable(let peak): "Hable from \(Int(peak.rounded())) nits"
        case .scene(let curve): "the scene's own (HDR10+) for \(Int(curve.target.rounded())) nits"
        }
    }

    private static func name(of matrix: ColourMatrix.Kind) -> String {
        switch matrix {
        case .luma(red: 0.2126, blue: _): "bt709"
        case .luma(red: 0.299, blue: _): "bt601"
        case .luma(red: 0.2627, blue: _): "bt2020"
        case .luma: "of the primaries"
        case .rgb, .gbr: "none: red, green, blue"
        case .yCgCo: "YCgCo"
        case .constantLuminance: "constant luminance"
        case .iCtCp: "ICtCp"
        }
    }

    private static func name(of primaries: ColourPrimaries) -> String {
        switch primaries {
        case .bt709: "bt709"
        case .bt2020: "bt2020"
        case .smpte170M: "smpte170m"
        case .bt470BG: "bt470bg"
        default: "others"
        }
    }
}

/// The effect of a tone curve on a frame, by the grid of its levels.
private struct LightSurvey {
    private(set) var lights = [Int](repeating: 0, count: FrameColour.lightSteps)
    let brightest: FrameColour.Point
    let dimmedShare: Double

    /// Points that are looked at: the way of a point takes a microsecond.
    private static let limit = 8000

    /// nil without three components.
    init?(_ levels: FrameLevels?, _ way: PixelWay, _ tone: ToneCurve) {
        guard let levels, levels.grid.count == 3, !levels.grid[0].isEmpty else { return nil }
        var most = 0.0, dimmed = 0, total = 0, counts = lights
        for place in stride(from: 0, to: levels.grid[0].count, by: max(1, levels.grid[0].count / Self.limit)) {
            let nits = way.nits(levels.grid.map { Int($0[place]) })
            counts[FrameColour.lightStep(nits)] += 1
            most = max(most, nits)
            if tone.map(nits) < 0.9 * nits { dimmed += 1 }
            total += 1
        }
        lights = counts.map { ($0 * 1000 + total / 2) / total }
        brightest = FrameColour.Point(nits: most, shown: tone.map(most))
        dimmedShare = Double(dimmed) / Double(total)
    }
}

/// The way of a pixel's codes through light.
private struct PixelWay: Sendable, Equatable {
    let plan: LightPlan
    let depth: Int

    private func components(_ codes: [Int]) -> SIMD3<Double> {
        func share(_ code: Int) -> Double { Double(min(max(0, code), 65535) << (16 - depth)) / 65536 }
        return SIMD3(share(codes[0]), share(codes[1]), share(codes[2]))
    }

    /// The brightest of red, green and blue as a tone curve takes it, in cd/m².
    func nits(_ codes: [Int]) -> Double { plan.nits(components(codes)).max() }

    func pixel(_ codes: [Int]) -> FrameColour.Pixel {
        let components = components(codes)
        let code = plan.matrix * components + plan.offset
        let isPQ = plan.transfer == .pq, unit = isPQ ? 10000.0 : 1
        func linear(_ code: Double) -> Double { plan.transfer.light(code) * unit }
        let shown = plan.exact(components)
        func level(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 255).rounded()) }
        return FrameColour.Pixel(
            coded: [code.x, code.y, code.z], light: [linear(code.x), linear(code.y), linear(code.z)], isNits: isPQ,
            shown: [level(shown.x), level(shown.y), level(shown.z)])
    }
}
