import CFFmpeg

/// The colours that a stream or a frame states.
struct ColourRecord {
    private let range: AVColorRange
    private let primaries: AVColorPrimaries
    private let transfer: AVColorTransferCharacteristic
    private let space: AVColorSpace
    private let site: AVChromaLocation

    init(_ record: inout RecordReader) {
        range = AVColorRange(rawValue: record.integer(in: 0...AVCOL_RANGE_NB.rawValue - 1))
        primaries = AVColorPrimaries(rawValue: record.integer(in: 0...AVCOL_PRI_NB.rawValue - 1))
        transfer = AVColorTransferCharacteristic(rawValue: record.integer(in: 0...AVCOL_TRC_NB.rawValue - 1))
        space = AVColorSpace(rawValue: record.integer(in: 0...AVCOL_SPC_NB.rawValue - 1))
        site = AVChromaLocation(rawValue: record.integer(in: 0...AVCHROMA_LOC_NB.rawValue - 1))
    }

    static func put(_ frame: AVFrame, to record: inout RecordWriter) {
        record.put(frame.color_range.rawValue)
        record.put(frame.color_primaries.rawValue)
        record.put(frame.color_trc.rawValue)
        record.put(frame.colorspace.rawValue)
        record.put(frame.chroma_location.rawValue)
    }

    func set(_ parameters: inout AVCodecParameters) {
        (parameters.color_range, parameters.color_primaries, parameters.color_trc) = (range, primaries, transfer)
        (parameters.color_space, parameters.chroma_location) = (space, site)
    }

    func set(_ frame: UnsafeMutablePointer<AVFrame>) {
        (frame.pointee.color_range, frame.pointee.color_primaries, frame.pointee.color_trc) = (range, primaries, transfer)
        (frame.pointee.colorspace, frame.pointee.chroma_location) = (space, site)
    }
}
