import AetherCore
import CFFmpeg

/// The part of `RasterScaler` for frames that a matrix alone does not bring to sRGB: other primaries, other curves, a high dynamic
/// range, Dolby Vision. Works on the scaled planes. Keeps tables, and the measured peak from frame to frame.
struct LightStage {
    /// The ways of a frame's planes to sRGB.
    enum Way: Equatable {
        /// By the matrix alone.
        case matrix
        /// Through light; what a frame says of a high dynamic range.
        case light(LightMetadata)
        case dolbyVision(DolbyVisionMapping)
    }

    /// A histogram of so many pixels is steady to a hundredth of an octave.
    private static let sampleCount = 8192
    private var converter = LightConverter()
    private var reshaper = Reshaper()
    private var reader = DolbyVisionReader()
    private var hold = DolbyVisionHold()
    private var meter = PeakMeter()

    init() {}

    /// Decides by what the frame says of itself.
    mutating func way(of frame: UnsafePointer<AVFrame>, _ layout: FrameLayout) -> Way {
        if !layout.isRGB, !layout.isGray, let mapping = mapping(of: frame) { return .dolbyVision(mapping) }
        guard layout.needsLight else { return .matrix }
        return .light(layout.transfer.isHighDynamicRange ? LightMetadata(frame) : LightMetadata())
    }

    /// Dolby Vision's word on a frame: as FFmpeg's decoder read it, else by our own reader, which also knows the scene's peak and damage.
    private mutating func mapping(of frame: UnsafePointer<AVFrame>) -> DolbyVisionMapping? {
        let decoders = DolbyVisionMapping(frame)
        return hold.mapping(ownMetadata(frame, decoders), DolbyVisionHold.Base(frame.pointee), decoders: decoders)
    }

    private mutating func ownMetadata(
        _ frame: UnsafePointer<AVFrame>, _ decoders: DolbyVisionMapping?
    ) -> DolbyVisionHold.Own {
        guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_DOVI_RPU_BUFFER),
            data.pointee.size <= DolbyVisionReader.sizeLimit
        else { return .missing }
        let bytes = Array(UnsafeBufferPointer(start: data.pointee.data, count: Int(data.pointee.size)))
        let unit = reader.read(bytes)
        // FFmpeg may understand a unit that our reader does not.
        if unit == nil, bytes.first == 25, DolbyVisionReader.isDamaged(nal: bytes) { return .damaged }
        guard var mapping = decoders ?? unit?.mapping else { return .damaged }
        if let peak = unit?.scenePeakCode { mapping.peakCode = peak }
        return .read(mapping)
    }

    /// Converts three planes of `count` components of `depth` bits that follow one another; the planes are used up.
    mutating func convert(
        _ way: Way, _ layout: FrameLayout, depth: Int, _ mapping: ToneMapping, _ planes: UnsafeMutablePointer<UInt16>, count: Int,
        into output: UnsafeMutablePointer<UInt32>
    ) {
        let plan: LightPlan
        switch way {
        case .matrix: return
        case .dolbyVision(let scene):
            reshaper.apply(scene, to: planes, count: count)
            plan = planned(mapping, LightMetadata(), .pq, scene.peak ?? 10000, planes, count) { LightPlan(scene, tone: $0) }
        case .light(let metadata):
            plan = planned(mapping, metadata, layout.transfer, nil, planes, count) { LightPlan(layout, depth: depth, tone: $0) }
        }
        converter.prepare(plan)
        converter.convert(planes, count: count, into: output)
    }

    private mutating func planned(
        _ mapping: ToneMapping, _ metadata: LightMetadata, _ transfer: TransferCurve, _ peak: Double?,
        _ planes: UnsafePointer<UInt16>, _ count: Int, _ plan: (ToneCurve?) -> LightPlan
    ) -> LightPlan {
        guard transfer.isHighDynamicRange else { return plan(nil) }
        let tone = ToneCurve(mapping, metadata, transfer: transfer, dolbyVisionPeak: peak) {
            // How bright it is does not depend on the curve: any plan will do to look.
            converter.prepare(plan(.clip), forLooking: true)
            return meter.note(converter.histogram(planes, count: count, step: max(1, count / LightStage.sampleCount)))
        }
        return plan(tone)
    }
}
