public import AetherCore
import CFFmpeg

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
    private let way: PixelWay?

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
        curve =
            tone.map { tone in
                [1, 10, 50, 100, 203, 400, 600, 1000, 2000, 4000, 10000].map { Point(nits: $0, shown: tone.map($0)) }
            } ?? []
        way = isReshaped || layout.isGray ? nil : PixelWay(plan: LightPlan(layout, depth: layout.depth, tone: tone), depth: depth)
    }

    /// The colour that codes stand for; nil where that cannot be told of them alone.
    public func pixel(_ codes: [Int]) -> Pixel? { codes.count == 3 ? way?.pixel(codes) : nil }

    /// The brightest light of the grid, in cd/m².
    private static func peak(_ levels: FrameLevels?, _ way: PixelWay) -> Double {
        guard let levels, levels.grid.count == 3 else { return 1000 }
        var most = 0.0
        for place in stride(from: 0, to: levels.grid[0].count, by: 7) {
            let codes = levels.grid.map { Int($0[place]) }
            most = max(most, way.pixel(codes).light.max() ?? 0)
        }
        return most
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

/// The way of a pixel's codes through light.
private struct PixelWay: Sendable, Equatable {
    let plan: LightPlan
    let depth: Int

    func pixel(_ codes: [Int]) -> FrameColour.Pixel {
        func share(_ code: Int) -> Double { Double(min(max(0, code), 65535) << (16 - depth)) / 65536 }
        let components = SIMD3(share(codes[0]), share(codes[1]), share(codes[2]))
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
