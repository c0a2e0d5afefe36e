/// The metadata blocks of FLAC (RFC 9639, 8), and Vorbis comments, which other containers hold as well.
enum FLACFields {
    static let names = [
        0: "STREAMINFO", 1: "PADDING", 2: "APPLICATION", 3: "SEEKTABLE", 4: "VORBIS_COMMENT", 5: "CUESHEET", 6: "PICTURE",
    ]

    /// The block whose head was read just now: `block_type` and `length` are the last fields.
    static func block(_ reader: inout FieldReader) {
        let length = reader.last
        guard case .integer(let type)? = reader.fields.last(where: { $0.name == "block_type" })?.value,
            let bytes = reader.take(Int(length), for: names[Int(type)] ?? "block")
        else { return }
        var block = FieldReader(bytes)
        read(Int(type), &block)
        reader.add(contentsOf: block.fields)
        for sentence in block.damage { reader.complain(sentence) }
    }

    static func read(_ type: Int, _ reader: inout FieldReader) {
        switch type {
        case 0: stream(&reader)
        case 2: reader.fourLetters("application_id")
        case 3:
            reader.table("seek_points", count: UInt64(reader.left / 18), stride: 18) { row in
                row.number("sample_number", 8) { $0 == UInt64.max ? "placeholder" : "" }
                row.number("stream_offset", 8, unit: "bytes")
                row.number("frame_samples", 2)
            }
        case 4: comments(&reader)
        case 5:
            reader.text("media_catalog_number", bytes: 128)
            reader.number("lead_in_samples", 8)
        case 6: picture(&reader)
        default: break
        }
    }

    private static func stream(_ reader: inout FieldReader) {
        reader.number("min_blocksize", 2, unit: "samples")
        reader.number("max_blocksize", 2, unit: "samples")
        reader.number("min_framesize", 3, unit: "bytes")
        reader.number("max_framesize", 3, unit: "bytes")
        guard let bytes = reader.take(8, for: "sample_rate") else { return }
        var bits = BitFields(Array(bytes))
        let rate = bits.number("sample_rate", 20, unit: "Hz")
        bits.number("channels_minus_1", 3)
        bits.number("bits_per_sample_minus_1", 5)
        let samples = bits.raw(4) << 32 | bits.raw(32)
        bits.add("total_samples", .integer(Int64(samples)), meaning: TickText.seconds(Double(samples), UInt64(rate)))
        reader.add(contentsOf: bits.fields)
        reader.bytes("md5", 16)
    }

    private static func picture(_ reader: inout FieldReader) {
        reader.number("picture_type", 4) { $0 == 3 ? "front cover" : "" }
        let mime = reader.number("mime_length", 4)
        reader.text("mime_type", bytes: Int(clamping: mime))
        let words = reader.number("description_length", 4)
        reader.text("description", bytes: Int(clamping: words))
        reader.number("width", 4, unit: "pixels")
        reader.number("height", 4, unit: "pixels")
        reader.number("depth", 4, unit: "bits")
        reader.number("colors", 4)
        reader.number("data_length", 4, unit: "bytes")
    }

    /// Vendor and comments; lengths are little endian.
    static func comments(_ reader: inout FieldReader) {
        let vendor = reader.little("vendor_length", 4)
        reader.text("vendor", bytes: Int(clamping: vendor))
        let count = reader.little("comment_count", 4)
        reader.rows("comments", count: count) { row in
            guard let length = row.raw(4, for: "comment")?.byteSwapped32 else { return }
            row.text("comment", bytes: Int(clamping: length))
        }
    }
}

extension UInt64 {
    /// The lowest four bytes the other way round.
    var byteSwapped32: UInt64 { UInt64(UInt32(truncatingIfNeeded: self).byteSwapped) }
}

extension FieldReader {
    /// An unsigned number with its lowest byte first.
    @discardableResult
    mutating func little(_ name: String, _ bytes: Int, unit: String = "", meaning: (UInt64) -> String = { _ in "" }) -> UInt64 {
        guard let taken = take(bytes, for: name) else { return 0 }
        let value = taken.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        add(name, FieldValue(value), unit: unit, meaning: meaning(value))
        return value
    }

    /// A number with a sign, lowest byte first.
    mutating func littleSigned(_ name: String, _ bytes: Int, unit: String = "") {
        guard let taken = take(bytes, for: name) else { return }
        let value = taken.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, shift = UInt64(64 - bytes * 8)
        add(name, .integer(Int64(bitPattern: value << shift) >> Int64(shift)), unit: unit)
    }
}
