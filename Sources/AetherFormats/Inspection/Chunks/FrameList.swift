import AetherCore

/// Streams of audio without a container: FLAC with its metadata, MP3 and ADTS with their tags.
enum FrameList {
    /// Frames that are listed.
    private static let limit = 200
    /// Bytes that frames are looked for in.
    private static let reach: Int64 = 64 << 20

    /// Bytes without a frame behind which none is looked for.
    private static let junkLimit = 1 << 20

    // MARK: - FLAC

    static func flac(_ source: InspectedBytes, from start: Int64) -> [InspectedBox] {
        var boxes = [InspectedBox("fLaC", title: "Stream Marker", offset: start, size: 4, headLength: 4)]
        var offset = start + 4
        while boxes.count < 1000 {
            let head = source.bytes(at: offset, count: 4)
            guard head.count == 4, let first = head.first else { break }
            let length = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }, type = Int(first & 0x7F)
            var box = InspectedBox(
                FLACFields.names[type] ?? "block \(type)", offset: offset, size: Int64(4 + length), headLength: 4)
            let body = source.bytes(at: offset + 4, count: min(length, InspectionRoom.body))
            var reader = FieldReader(body, size: Int64(length))
            reader.add("last_metadata_block_flag", .flag(first & 0x80 != 0))
            FLACFields.read(type, &reader)
            (box.fields, box.damage) = (reader.fields, reader.damage)
            if let size = source.size, offset + 4 + Int64(length) > size {
                box.damage.append("it says \(length) bytes, and \(size - offset - 4) are left")
            }
            boxes.append(box)
            offset += Int64(4 + length)
            if first & 0x80 != 0 { break }
        }
        if let size = source.size, offset < size {
            boxes.append(InspectedBox("frames", title: "Frames", offset: offset, size: size - offset))
        }
        return boxes
    }

    // MARK: - MP3 and ADTS

    static func frames(_ source: InspectedBytes) -> [InspectedBox] {
        var boxes: [InspectedBox] = [], offset: Int64 = 0
        while let tag = ID3Tag.box(source, at: offset), boxes.count < 8 {
            boxes.append(tag)
            offset += tag.size
        }
        if source.bytes(at: offset, count: 4).elementsEqual("fLaC".utf8) { return boxes + flac(source, from: offset) }
        offset = min(offset, source.size ?? offset)
        var end = source.size ?? reach
        var tail: InspectedBox?
        if let size = source.size, size - offset >= 128, source.bytes(at: size - 128, count: 3).elementsEqual("TAG".utf8) {
            var reader = FieldReader(source.bytes(at: size - 125, count: 125))
            for (name, count) in [("title", 30), ("artist", 30), ("album", 30), ("year", 4), ("comment", 30)] {
                reader.text(name, bytes: count)
            }
            reader.number("genre", 1)
            var box = InspectedBox("TAG", title: "ID3 Version 1", offset: size - 128, size: 128, headLength: 3)
            box.fields = reader.fields
            (tail, end) = (box, size - 128)
        }
        boxes.append(walk(source, from: offset, to: end))
        return boxes + [tail].compactMap { $0 }
    }

    private static func walk(_ source: InspectedBytes, from start: Int64, to end: Int64) -> InspectedBox {
        var box = InspectedBox("frames", title: "Frames", offset: start, size: max(0, end - start))
        var offset = start, count: Int64 = 0, bytes: Int64 = 0, skipped: Int64 = 0, run = 0, seconds = 0.0
        let stop = source.isFrugal ? min(end, start + 1 << 20) : min(end, start + reach)
        while offset < stop {
            let head = source.bytes(at: offset, count: 10)
            guard let frame = AudioFrameHead(head) else {
                guard head.count >= 4 else { break }
                (skipped, run, offset) = (skipped + 1, run + 1, offset + 1)
                guard run < junkLimit else { break }
                continue
            }
            run = 0
            if box.children.count < limit {
                var child = InspectedBox(frame.name, offset: offset, size: Int64(frame.size), headLength: frame.length)
                child.fields = frame.fields
                if count == 0 { child.fields += Self.summary(source.bytes(at: offset, count: min(frame.size, 512))) }
                if offset + Int64(frame.size) > end {
                    child.damage.append("it ends \(offset + Int64(frame.size) - end) bytes beyond the end")
                }
                box.children.append(child)
            } else {
                box.unlisted += 1
            }
            (count, bytes, seconds) = (count + 1, bytes + Int64(frame.size), seconds + frame.seconds)
            offset += Int64(frame.size)
        }
        box.fields = [
            InspectedField("frames", .integer(count), meaning: stop < end ? "of the first \(stop - start) bytes" : ""),
            InspectedField("duration", .number((seconds * 1e6).rounded() / 1e6), unit: "s"),
            InspectedField("bit_rate", .number(seconds > 0 ? (Double(bytes) * 8 / seconds).rounded() : 0), unit: "bit/s"),
        ]
        if skipped > 0 { box.damage.append("\(skipped) bytes between the frames are none") }
        return box
    }

    /// The tag of Xing or LAME in the first frame.
    private static func summary(_ bytes: ArraySlice<UInt8>) -> [InspectedField] {
        let frame = Array(bytes)
        for mark in ["Xing", "Info", "VBRI"] {
            guard let place = BytePattern(Array(mark.utf8)).first(in: frame.prefix(max(0, min(frame.count - 13, 67))), from: 4)
            else { continue }
            var reader = FieldReader(frame[(place + 4)...])
            reader.add("tag", .text(mark))
            if mark == "VBRI" { return reader.fields }
            let flags = reader.flags("flags", 4, [(1, "frames"), (2, "bytes"), (4, "table"), (8, "quality")])
            if flags & 1 != 0 { reader.number("frame_count", 4) }
            if flags & 2 != 0 { reader.number("byte_count", 4) }
            if flags & 4 != 0 { reader.skip(100) }
            if flags & 8 != 0 { reader.number("quality", 4) }
            if reader.left >= 9 { reader.text("encoder", bytes: 9) }
            if reader.left >= 15, let rest = reader.take(12, for: "delay"), reader.left >= 3 {
                _ = rest
                reader.bits([("encoder_delay", 12), ("encoder_padding", 12)])
            }
            return reader.fields
        }
        return []
    }
}
