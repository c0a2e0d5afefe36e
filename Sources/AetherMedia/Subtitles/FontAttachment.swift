import CFFmpeg

/// A font that a file brings for its subtitles.
public struct FontAttachment: Sendable, Equatable {
    /// Name and type as in the file; not safe to display, and no path.
    public let filename, mimeType: String
    /// The bytes of the font file.
    public let data: [UInt8]

    /// A font.
    public init(filename: String, mimeType: String, data: [UInt8]) {
        self.filename = filename
        self.mimeType = mimeType
        self.data = data
    }
}

extension SourceInfo {
    /// 16 MB is a font of all of Chinese; 64 MB in all is every font that a file was seen with.
    private static let fontLimit = 16 << 20
    private static let fontSumLimit = 64 << 20

    /// The fonts among the attachments, in the file's order; a copy of their bytes. At most 64, at most 64 MB together.
    public var fontAttachments: [FontAttachment] {
        var fonts: [FontAttachment] = []
        var sum = 0
        for stream in streams where stream.kind == .attachment && fonts.count < 64 {
            let codec = stream.parameters.pointer
            let size = Int(codec.pointee.extradata_size)
            guard let bytes = codec.pointee.extradata, size > 0, size <= Self.fontLimit, sum + size <= Self.fontSumLimit else {
                continue
            }
            func tag(_ name: String) -> String { stream.tags.first { $0.key.lowercased() == name }?.value ?? "" }
            let (name, type) = (tag("filename"), tag("mimetype"))
            let endings = [".ttf", ".otf", ".ttc", ".otc", ".pfb"]
            let isFont =
                codec.pointee.codec_id == AV_CODEC_ID_TTF || codec.pointee.codec_id == AV_CODEC_ID_OTF || type.contains("font")
                || type.contains("truetype") || type.contains("opentype") || endings.contains { name.lowercased().hasSuffix($0) }
            guard isFont else { continue }
            sum += size
            fonts.append(
                FontAttachment(filename: name, mimeType: type, data: Array(UnsafeBufferPointer(start: bytes, count: size))))
        }
        return fonts
    }
}
