/// The descriptors of MPEG-4 Systems in `esds` (ISO/IEC 14496-1, 7.2.6).
enum Descriptors {
    static let objectTypes = [
        0x20: "MPEG-4 Visual", 0x21: "AVC", 0x23: "HEVC", 0x40: "MPEG-4 audio (AAC)", 0x60: "MPEG-2 video, simple",
        0x61: "MPEG-2 video, main",
        0x62: "MPEG-2 video, SNR", 0x63: "MPEG-2 video, spatial", 0x64: "MPEG-2 video, high", 0x65: "MPEG-2 video, 4:2:2",
        0x66: "MPEG-2 AAC, main", 0x67: "MPEG-2 AAC, LC", 0x68: "MPEG-2 AAC, SSR", 0x69: "MPEG-2 audio (MP3)",
        0x6A: "MPEG-1 video",
        0x6B: "MPEG-1 audio (MP3)", 0x6C: "JPEG", 0x6D: "PNG", 0xA5: "AC-3", 0xA6: "E-AC-3", 0xA9: "DTS", 0xAD: "Opus",
        0xDD: "Vorbis",
        0xE0: "VobSub",
    ]

    /// Tag and length; nil at the end.
    private static func head(_ reader: inout FieldReader) -> (tag: UInt64, length: Int)? {
        guard reader.left >= 2, let tag = reader.raw(1, for: "a descriptor") else { return nil }
        var length = 0
        for _ in 0..<4 {
            guard let byte = reader.raw(1, for: "a descriptor's length") else { return nil }
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        return (tag, length)
    }

    static func read(_ reader: inout FieldReader) {
        // As many as there can be: three in one another, and those behind.
        for _ in 0..<16 {
            guard !reader.isOver, let (tag, length) = head(&reader) else { return }
            if Int64(length) > reader.left {
                reader.complain("descriptor \(tag) says \(length) bytes, and \(reader.left) are left")
            }
            switch tag {
            case 3: stream(&reader)
            case 4: decoder(&reader)
            case 5:
                guard let bytes = reader.take(length, for: "DecoderSpecificInfo") else { return }
                reader.add("DecoderSpecificInfo", .bytes(Array(bytes.prefix(64))), meaning: "\(length) bytes")
                if case .integer(0x40)? = reader.fields.last(where: { $0.name == "objectTypeIndication" })?.value {
                    reader.add("AudioSpecificConfig", .record(AudioSpecificConfig.fields(Array(bytes))))
                }
            case 6: reader.number("SLConfigDescriptor", length) { $0 == 2 ? "for MP4 files" : "" }
            default: reader.bytes("descriptor_\(tag)", length)
            }
        }
    }

    private static func stream(_ reader: inout FieldReader) {
        reader.number("ES_ID", 2)
        let flags = reader.number("stream_flags", 1)
        if flags & 0x80 != 0 { reader.number("dependsOn_ES_ID", 2) }
        if flags & 0x40 != 0 {
            let length = reader.number("URLlength", 1)
            reader.text("URLstring", bytes: Int(length))
        }
        if flags & 0x20 != 0 { reader.number("OCR_ES_Id", 2) }
    }

    private static func decoder(_ reader: inout FieldReader) {
        reader.code("objectTypeIndication", 1, objectTypes)
        reader.bits([("streamType", 6), ("upStream", 1), ("", 1)])
        reader.number("bufferSizeDB", 3, unit: "bytes")
        reader.number("maxBitrate", 4, unit: "bit/s")
        reader.number("avgBitrate", 4, unit: "bit/s")
    }
}
