import CFFmpeg

/// How a frame was predicted.
public enum FrameType: String, Sendable, Equatable, CaseIterable {
    /// From nothing but itself.
    case intra = "I"
    /// From frames before it.
    case predicted = "P"
    /// From frames on both sides of it.
    case bidirectional = "B"
    /// A frame by which a stream is left for another.
    case switching = "S"
    /// The decoder does not say.
    case unknown = "?"

    init(_ type: AVPictureType) {
        switch type {
        case AV_PICTURE_TYPE_I, AV_PICTURE_TYPE_SI: self = .intra
        case AV_PICTURE_TYPE_P, AV_PICTURE_TYPE_S: self = .predicted
        case AV_PICTURE_TYPE_B, AV_PICTURE_TYPE_BI: self = .bidirectional
        case AV_PICTURE_TYPE_SP: self = .switching
        default: self = .unknown
        }
    }
}

extension DecodedFrame {
    /// How it was predicted.
    public var type: FrameType { FrameType(pointer.pointee.pict_type) }

    /// Film grain belongs to it. Known of decoders that tell the coding (`DecodeEffort.tellsCoding`).
    public var hasFilmGrain: Bool { av_frame_get_side_data(pointer, AV_FRAME_DATA_FILM_GRAIN_PARAMS) != nil }
}
