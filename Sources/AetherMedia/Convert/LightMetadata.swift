public import AetherCore
import CFFmpeg
import Glibc

/// The light metadata of an HDR frame.
struct LightMetadata: Equatable {
    /// The brightest light in cd/m²: of the scene (HDR10+), else of the file (MaxCLL), else of the display that it was made on; nil where
    /// none is said.
    var peak: Double?
    /// HDR10+'s curve for the scene.
    var scene: SceneCurve?

    init(peak: Double? = nil, scene: SceneCurve? = nil) { (self.peak, self.scene) = (peak, scene) }

    /// Reads a frame's side data.
    init(_ frame: UnsafePointer<AVFrame>) {
        if let light = LightMetadata.side(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AVContentLightMetadata.self) {
            peak = LightMetadata.sane(Double(light.MaxCLL))
        }
        if peak == nil,
            let display = LightMetadata.side(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AVMasteringDisplayMetadata.self),
            display.has_luminance != 0
        {
            peak = LightMetadata.sane(av_q2d(display.max_luminance))
        }
        if let dynamic = LightMetadata.side(frame, AV_FRAME_DATA_DYNAMIC_HDR_PLUS, AVDynamicHDRPlus.self) {
            // Of the scene, where it is said: not every maker fills it in, nor gives a curve.
            peak = LightMetadata.sane(LightMetadata.brightest(dynamic.params.0)) ?? peak
            scene = peak.flatMap { SceneCurve(dynamic, peak: $0) }
        }
    }

    private static func side<Value>(
        _ frame: UnsafePointer<AVFrame>, _ kind: AVFrameSideDataType, _ type: Value.Type
    ) -> Value? {
        guard let data = av_frame_get_side_data(frame, kind), data.pointee.size >= MemoryLayout<Value>.size else { return nil }
        return UnsafeRawPointer(data.pointee.data).loadUnaligned(as: Value.self)
    }

    /// The largest light of red, green and blue in cd/m². Where it is left at 0, the highest of the percentiles: some makers fill in those alone.
    private static func brightest(_ window: AVHDRPlusColorTransformParams) -> Double {
        let largest = window.maxscl
        let peak = max(av_q2d(largest.0), av_q2d(largest.1), av_q2d(largest.2))
        guard peak <= 0 else { return peak * 10000 }
        return withUnsafeBytes(of: window.distribution_maxrgb) { raw in
            raw.bindMemory(to: AVHDRPlusPercentile.self).prefix(Int(window.num_distribution_maxrgb_percentiles))
                // The second of them is no percentile but how much of the frame is near the maximum (ST 2094-40, 2020).
                .filter { $0.percentage != 5 }.map { av_q2d($0.percentile) * 10000 }.max() ?? 0
        }
    }

    /// Displays between 50 and 10000 cd/m² exist; files say 0, and 65535.
    private static func sane(_ nits: Double) -> Double? { (50...10000).contains(nits) ? nits : nil }
}

extension SceneCurve {
    /// Of the first window, which is the whole frame; nil where there is no curve, or none that makes sense.
    fileprivate init?(_ dynamic: AVDynamicHDRPlus, peak: Double) {
        let window = dynamic.params.0
        guard dynamic.num_windows >= 1, window.tone_mapping_flag != 0 else { return nil }
        let anchors = withUnsafeBytes(of: window.bezier_curve_anchors) {
            $0.bindMemory(to: AVRational.self).prefix(Int(window.num_bezier_curve_anchors)).map(av_q2d)
        }
        self.init(
            peak: peak, target: av_q2d(dynamic.targeted_system_display_maximum_luminance),
            kneeX: av_q2d(window.knee_point_x),
            kneeY: av_q2d(window.knee_point_y), anchors: anchors)
    }
}

extension ToneCurve {
    /// The curve for a frame. `measured` is asked only where neither the source nor its kind tells the peak.
    init(
        _ mapping: ToneMapping, _ metadata: LightMetadata, transfer: TransferCurve, dolbyVisionPeak: Double?,
        measured: () -> Double
    ) {
        if mapping == .off {
            self = .clip
            return
        }
        if mapping == .auto, dolbyVisionPeak == nil, transfer == .pq, let scene = metadata.scene {
            self = .scene(scene)
            return
        }
        // HLG has no peak of its own: it fills the display, which is BT.2100's nominal one here.
        let peak = dolbyVisionPeak ?? (transfer == .hlg ? LightPlan.hlgPeak : metadata.peak ?? measured())
        // Steps of a 64th of an octave: a new table for less cannot be seen.
        let steady = exp2((log2(min(max(peak, ToneCurve.white), 10000)) * 64).rounded() / 64)
        self = mapping == .hable ? .hable(peak: steady) : .bt2390(peak: steady)
    }
}

extension VideoFormat {
    /// By what a stream or frame declares of its curve.
    init(_ curve: AVColorTransferCharacteristic) {
        switch TransferCurve(curve) {
        case .pq: self = .hdr10
        case .hlg: self = .hlg
        default: self = .sdr
        }
    }
}

extension DecodedFrame {
    /// The dynamic range of the frame.
    public var videoFormat: VideoFormat {
        // FFmpeg's decoder hands the last metadata on for ever, also behind a splice to an ordinary video.
        let isUsual = DolbyVisionHold.Base(pointer.pointee).isOfUsualRange
        if has(AV_FRAME_DATA_DOVI_RPU_BUFFER) || has(AV_FRAME_DATA_DOVI_METADATA) && !isUsual { return .dolbyVision }
        let format = VideoFormat(pointer.pointee.color_trc)
        return format == .hdr10 && has(AV_FRAME_DATA_DYNAMIC_HDR_PLUS) ? .hdr10Plus : format
    }

    /// Whether its format has a word on transparency.
    public var isTransparent: Bool {
        guard let format = av_pix_fmt_desc_get(AVPixelFormat(pointer.pointee.format)) else { return false }
        return format.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    }

    private func has(_ kind: AVFrameSideDataType) -> Bool { av_frame_get_side_data(pointer, kind) != nil }
}
