import AetherFormats
import CFFmpeg

/// Finds the subtitle streams of a Matroska file that hold the Universal Subtitle Format: libavformat does not know its name and keeps none.
/// Looks at the head of the file once more where a stream without a codec is in it. Bytes are hostile.
enum MatroskaText {
    /// "USF ", as the other tags are read.
    static let usfTag: UInt32 = 0x2046_5355

    /// Tracks stand in front of the first cluster; more than this is attachments.
    private static let headLimit = 1 << 20
    private static let trackLimit = 512

    /// The indices of those streams; none where the source cannot seek. May block as the source does.
    static func usfStreams(_ context: UnsafeMutablePointer<AVFormatContext>) -> Set<Int> {
        guard Container(of: context) == .matroska else { return [] }
        let texts = (0..<Int(context.pointee.nb_streams)).filter {
            context.pointee.streams[$0]?.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE
        }
        let unnamed = texts.filter {
            context.pointee.streams[$0]?.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_NONE
        }
        guard !unnamed.isEmpty, let head = head(context) else { return [] }
        let names = subtitleNames(head[...])
        guard names.count == texts.count else { return [] }
        return Set(zip(texts, names).filter { unnamed.contains($0.0) && $0.1 == "S_TEXT/USF" }.map(\.0))
    }

    private static func head(_ context: UnsafeMutablePointer<AVFormatContext>) -> [UInt8]? {
        guard let io = context.pointee.pb, io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return nil }
        let place = avio_seek(io, 0, SEEK_CUR)
        guard place >= 0, avio_seek(io, 0, SEEK_SET) >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(min(Int64(headLimit), max(4096, place))))
        let count = Int(avio_read(io, &bytes, Int32(bytes.count)))
        avio_seek(io, place, SEEK_SET)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    /// The codecs of subtitle tracks, in the file's order.
    static func subtitleNames(_ file: ArraySlice<UInt8>) -> [String] {
        func content(_ id: UInt32, of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            EBMLReader(bytes).prefix(trackLimit).first { $0.id == id }?.payload ?? []
        }
        let tracks = content(0x1654_AE6B, of: content(0x1853_8067, of: file))
        return EBMLReader(tracks).prefix(trackLimit).compactMap { entry in
            guard entry.id == 0xAE, content(0x83, of: entry.payload).last == 0x11 else { return nil }
            let name = content(0x86, of: entry.payload)
            return name.isEmpty ? nil : String(decoding: name.prefix(64).prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
