import CFFmpeg

/// The metadata of Dolby Vision that a frame is shown by, where its own is missing or damaged: that of the frame before it, but not
/// behind a splice to another kind of frame. Pure; frames come in the order of showing.
struct DolbyVisionHold {
    /// The state of a frame's own metadata.
    enum Own: Equatable {
        case read(DolbyVisionMapping)
        case missing
        case damaged
    }

    /// The coding of a base layer, by its frame.
    struct Base: Equatable {
        let primaries: AVColorPrimaries
        let transfer: AVColorTransferCharacteristic
        let matrix: AVColorSpace
        let format: Int32

        init(_ frame: AVFrame) {
            (primaries, transfer, matrix) = (frame.color_primaries, frame.color_trc, frame.colorspace)
            format = frame.format
        }

        /// The layer can be looked at as it is: profile 5 names no curve.
        var isNamed: Bool { transfer != AVCOL_TRC_UNSPECIFIED }
        /// The curve is that of an ordinary video.
        var isOfUsualRange: Bool { isNamed && !TransferCurve(transfer).isHighDynamicRange }
    }

    /// Two seconds: a scene is mostly longer, and damage shorter.
    static let limit = 48
    private var held: (mapping: DolbyVisionMapping, base: Base)?
    private var missed = 0

    init() {}

    /// The mapping of the next frame; nil: as its base layer says. `decoders` is what FFmpeg's decoder hands on with it: the last that it
    /// read, whatever came of it.
    mutating func mapping(_ own: Own, _ base: Base, decoders: DolbyVisionMapping?) -> DolbyVisionMapping? {
        if case .read(let mapping) = own {
            (held, missed) = ((mapping, base), 0)
            return mapping
        }
        guard !base.isOfUsualRange else { return nil }
        if let held, held.base == base, missed < DolbyVisionHold.limit {
            missed += 1
            return held.mapping
        }
        return !base.isNamed || own == .missing && held == nil ? decoders : nil
    }
}
