import AetherCore

/// The pages of an Ogg file, with the headers of its codecs.
struct PageList {
    /// Pages that are listed; behind them only every stream's number of pages is told.
    private static let limit = 4000
    /// Bytes that are looked at: at 128 kbit/s four hours.
    private static let bytes: Int64 = 256 << 20

    static func boxes(_ source: InspectedBytes) -> [InspectedBox] {
        var boxes: [InspectedBox] = [], offset: Int64 = 0, sequences: [UInt64: UInt64] = [:], heads: [UInt64: Int] = [:]
        var lost: [String] = [], unlisted = 0
        let end = source.isFrugal ? min(source.size ?? 1 << 20, 1 << 20) : source.size ?? bytes
        while offset < min(end, bytes) {
            let head = Array(source.bytes(at: offset, count: 27 + 255))
            if head.isEmpty { break }
            guard head.count >= 27, head.prefix(4).elementsEqual("OggS".utf8), head.count >= 27 + Int(head[26]) else {
                guard let next = search(source, offset + 1, end) else {
                    lost.append("\(max(0, (source.size ?? offset) - offset)) bytes at \(offset) are not a page")
                    break
                }
                lost.append("\(next - offset) bytes at \(offset) are not a page")
                offset = next
                continue
            }
            let table = head[27..<(27 + Int(head[26]))], body = table.reduce(0) { $0 + Int($1) }, length = 27 + table.count
            if boxes.count < limit {
                var box = page(source, head, offset, length, body)
                box.damage += lost
                lost = []
                number(&box, &sequences)
                codec(&box, source, offset + Int64(length), body, &heads)
                boxes.append(box)
            } else {
                unlisted += 1
            }
            offset += Int64(length + body)
        }
        if let last = boxes.indices.last {
            boxes[last].damage += lost
            boxes[last].unlisted = unlisted
        }
        return boxes
    }

    private static func search(_ source: InspectedBytes, _ start: Int64, _ end: Int64) -> Int64? {
        BytePattern("OggS").first(in: source.bytes(at: start, count: 256 << 10)).map { start + Int64($0) }
    }

    private static func page(_ source: InspectedBytes, _ head: [UInt8], _ offset: Int64, _ length: Int, _ body: Int)
        -> InspectedBox
    {
        var box = InspectedBox("OggS", title: "Page", offset: offset, size: Int64(length + body), headLength: length)
        var reader = FieldReader(head[4..<length])
        reader.number("stream_structure_version", 1)
        reader.flags("header_type_flag", 1, [(1, "goes on"), (2, "first page"), (4, "last page")])
        if let raw = reader.take(8, for: "granule_position") {
            let value = Int64(bitPattern: raw.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            reader.add("granule_position", .integer(value), meaning: value == -1 ? "no packet ends here" : "")
        }
        reader.little("bitstream_serial_number", 4)
        reader.little("page_sequence_number", 4)
        let stored = reader.little("CRC_checksum", 4)
        reader.number("number_page_segments", 1)
        box.fields = reader.fields
        let all = Array(source.bytes(at: offset, count: length + body))
        guard all.count == length + body else {
            box.damage.append("it ends \(length + body - all.count) bytes beyond the end of the file")
            return box
        }
        let zeroed = all[..<22] + [0, 0, 0, 0] + all[26...]
        if UInt64(MPEGChecksum.of(zeroed, from: 0)) != stored { box.damage.append("its checksum is wrong") }
        return box
    }

    private static func number(_ box: inout InspectedBox, _ sequences: inout [UInt64: UInt64]) {
        guard case .integer(let serial)? = box[field: "bitstream_serial_number"],
            case .integer(let number)? = box[field: "page_sequence_number"]
        else { return }
        if let former = sequences[UInt64(serial)], UInt64(number) != (former + 1) & 0xffff_ffff {
            box.damage.append("page \(number) of stream \(serial) comes behind page \(former)")
        }
        if sequences.count < 256 || sequences[UInt64(serial)] != nil { sequences[UInt64(serial)] = UInt64(number) }
    }

    /// The headers on the first two pages of a stream.
    private static func codec(
        _ box: inout InspectedBox, _ source: InspectedBytes, _ body: Int64, _ size: Int, _ heads: inout [UInt64: Int]
    ) {
        guard case .integer(let serial)? = box[field: "bitstream_serial_number"], heads.count < 256,
            heads[UInt64(serial), default: 0] < 2
        else { return }
        heads[UInt64(serial), default: 0] += 1
        let bytes = source.bytes(at: body, count: min(size, 8192))
        var reader = FieldReader(bytes, size: Int64(size))
        if bytes.starts(with: "OpusHead".utf8) {
            reader.skip(8)
            reader.number("version", 1)
            reader.number("channel_count", 1)
            reader.little("pre_skip", 2, unit: "samples at 48000 Hz")
            reader.little("input_sample_rate", 4, unit: "Hz")
            reader.littleSigned("output_gain", 2, unit: "dB / 256")
            reader.number("channel_mapping_family", 1)
            box.title = "Page: Opus"
        } else if bytes.starts(with: [1] + Array("vorbis".utf8)) {
            reader.skip(7)
            reader.little("vorbis_version", 4)
            reader.number("audio_channels", 1)
            reader.little("audio_sample_rate", 4, unit: "Hz")
            for name in ["bitrate_maximum", "bitrate_nominal", "bitrate_minimum"] { reader.littleSigned(name, 4, unit: "bit/s") }
            reader.bits([("blocksize_1", 4), ("blocksize_0", 4)])
            box.title = "Page: Vorbis"
        } else if bytes.starts(with: [0x80] + Array("theora".utf8)) {
            reader.skip(7)
            for name in ["VMAJ", "VMIN", "VREV"] { reader.number(name, 1) }
            reader.number("FMBW", 2, unit: "macroblocks")
            reader.number("FMBH", 2, unit: "macroblocks")
            reader.number("PICW", 3, unit: "pixels")
            reader.number("PICH", 3, unit: "pixels")
            box.title = "Page: Theora"
        } else if bytes.starts(with: "OpusTags".utf8) || bytes.starts(with: [3] + Array("vorbis".utf8)) {
            reader.skip(bytes.first == 3 ? 7 : 8)
            FLACFields.comments(&reader)
            box.title = "Page: comments"
        } else {
            return
        }
        box.fields += reader.fields
    }
}
