import AetherCore

/// Tags of ID3 version 2 at the start of a file.
enum ID3Tag {
    static func box(_ source: InspectedBytes, at offset: Int64) -> InspectedBox? {
        let head = Array(source.bytes(at: offset, count: 10))
        guard head.count == 10, head.prefix(3).elementsEqual("ID3".utf8), head[6...].allSatisfy({ $0 < 0x80 }) else { return nil }
        let size = head[6...].reduce(0) { $0 << 7 | Int($1) } + (head[5] & 0x10 != 0 ? 10 : 0)
        var box = InspectedBox("ID3", title: "ID3 Version 2.\(head[3])", offset: offset, size: Int64(10 + size), headLength: 10)
        box.fields = [
            InspectedField("version", .text("2.\(head[3]).\(head[4])")), InspectedField("flags", .integer(Int64(head[5]))),
            InspectedField("size", .integer(Int64(size)), unit: "bytes"),
        ]
        if let all = source.size, offset + box.size > all {
            box.damage.append("it says \(size) bytes, and \(all - offset - 10) are left")
        }
        frames(&box, source, version: Int(head[3]), size: size)
        return box
    }

    private static func frames(_ box: inout InspectedBox, _ source: InspectedBytes, version: Int, size: Int) {
        let isShort = version == 2, headLength = isShort ? 6 : 10
        var place = box.offset + 10
        let end = box.offset + 10 + Int64(size)
        while place + Int64(headLength) < end, box.children.count < 256 {
            let head = Array(source.bytes(at: place, count: headLength))
            guard head.count == headLength, head[0] >= 0x30, head[0] <= 0x5A else { return }
            let name = BoxName.text(head.prefix(isShort ? 3 : 4))
            let length =
                isShort
                ? head[3...].reduce(0) { $0 << 8 | Int($1) } : head[4..<8].reduce(0) { $0 << (version == 4 ? 7 : 8) | Int($1) }
            var frame = InspectedBox(
                name, title: names[name] ?? "", offset: place, size: Int64(headLength + length), headLength: headLength)
            if place + frame.size > end {
                frame.damage.append("it says \(length) bytes, more than the tag has left")
                box.children.append(frame)
                return
            }
            let body = source.bytes(at: place + Int64(headLength), count: min(length, 4096))
            frame.fields =
                name.hasPrefix("T") || name == "COMM"
                ? [text(body)] : [InspectedField("data", .bytes(Array(body.prefix(64))), meaning: "\(length) bytes")]
            box.children.append(frame)
            place += frame.size
        }
    }

    private static func text(_ body: ArraySlice<UInt8>) -> InspectedField {
        let kind = body.first ?? 0, rest = Array(body.dropFirst())
        let text: String
        switch kind {
        case 1, 2:
            let isBig = kind == 2 || rest.starts(with: [0xFE, 0xFF])
            var units: [UInt16] = []
            for place in stride(from: 0, to: rest.count - 1, by: 2) {
                let (first, second) = (UInt16(rest[place]), UInt16(rest[place + 1]))
                units.append(isBig ? first << 8 | second : second << 8 | first)
            }
            text = String(decoding: units.filter { $0 != 0xFEFF }, as: UTF16.self)
        case 0: text = String(String.UnicodeScalarView(rest.map { Unicode.Scalar($0) }))
        default: text = String(decoding: rest, as: UTF8.self)
        }
        return InspectedField("text", FieldValue(stranger: text))
    }

    private static let names = [
        "TIT2": "Title", "TPE1": "Artist", "TALB": "Album", "TRCK": "Track", "TCON": "Genre", "TDRC": "Date", "TYER": "Year",
        "TSSE": "Encoder",
        "APIC": "Cover", "COMM": "Comment", "TXXX": "Own Text", "PRIV": "Private", "TLEN": "Length", "CHAP": "Chapter",
        "CTOC": "Contents",
        "USLT": "Lyrics", "TPE2": "Album Artist", "TCOM": "Composer",
    ]
}
