import AetherCore

/// The value of an element that holds no others.
struct ElementValue {
    private(set) var fields: [InspectedField] = []
    private(set) var damage: [String] = []

    /// Reads the first bytes of an element of `size` bytes. `scale`: nanoseconds of a tick.
    init(_ kind: ElementKind, _ bytes: [UInt8], size: Int64, scale: UInt64) {
        switch kind.content {
        case .unsigned: unsigned(kind, bytes, size, scale)
        case .signed:
            guard fits(size, [0, 1, 2, 3, 4, 5, 6, 7, 8]) else { return }
            fields.append(InspectedField("value", .integer(Self.signed(bytes))))
        case .real:
            guard fits(size, [0, 4, 8]) else { return }
            let raw = bytes[...].ebmlNumber ?? 0
            let value = size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: raw))) : Double(bitPattern: raw)
            let meaning = kind.name == "Duration" ? TickText.seconds(value * Double(scale), 1_000_000_000) : ""
            fields.append(
                InspectedField(
                    "value", .number(size == 0 ? 0 : value), unit: kind.name == "Duration" ? "ticks" : "", meaning: meaning))
        case .ascii, .text: fields.append(InspectedField("value", .text(bytes[...].ebmlText)))
        case .date:
            guard fits(size, [0, 8]) else { return }
            let value = Self.signed(bytes)
            fields.append(
                InspectedField(
                    "value", .integer(value), unit: "ns since 2001", meaning: CalendarText.since2001(nanoseconds: value)))
        case .bytes: binary(kind, bytes, size)
        case .holder: break
        }
    }

    private mutating func fits(_ size: Int64, _ sizes: [Int64]) -> Bool {
        if sizes.contains(size) { return true }
        damage.append("a value of its type has not \(size) bytes")
        return false
    }

    private static func signed(_ bytes: [UInt8]) -> Int64 {
        guard !bytes.isEmpty, bytes.count <= 8 else { return 0 }
        let raw = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, shift = UInt64(64 - bytes.count * 8)
        return Int64(bitPattern: raw << shift) >> Int64(shift)
    }

    private mutating func unsigned(_ kind: ElementKind, _ bytes: [UInt8], _ size: Int64, _ scale: UInt64) {
        guard fits(size, [0, 1, 2, 3, 4, 5, 6, 7, 8]), let value = bytes[...].ebmlNumber else { return }
        var unit = "", meaning = ElementKind.meaning(kind.name, value)
        switch kind.name {
        case "Timestamp", "CueTime", "BlockDuration", "CueDuration":
            unit = "ticks"
            meaning = TickText.seconds(Double(value) * Double(scale), 1_000_000_000)
        case "ChapterTimeStart", "ChapterTimeEnd", "CodecDelay", "SeekPreRoll", "TimestampScale":
            unit = "ns"
            meaning = TickText.seconds(Double(value), 1_000_000_000)
        case "DefaultDuration":
            unit = "ns"
            if value > 0 { meaning = "\((1e12 / Double(value)).rounded() / 1000) frames a second" }
        case "PixelWidth", "PixelHeight", "PixelCropLeft", "PixelCropRight", "PixelCropTop", "PixelCropBottom": unit = "pixels"
        case "MaxCLL", "MaxFALL": unit = "cd/m²"
        case "SeekPosition", "CueClusterPosition", "CueRelativePosition", "Position", "PrevSize": unit = "bytes"
        default: break
        }
        fields.append(InspectedField("value", FieldValue(value), unit: unit, meaning: meaning))
    }

    private mutating func binary(_ kind: ElementKind, _ bytes: [UInt8], _ size: Int64) {
        switch kind.name {
        case "SimpleBlock", "Block": block(kind.name == "SimpleBlock", bytes, size)
        case "SeekID":
            let id = bytes[...].ebmlNumber.flatMap { UInt32(exactly: $0) }
            let name = id.flatMap { ElementKind.find($0)?.name } ?? ""
            fields.append(InspectedField("value", .bytes(bytes), meaning: name))
        case "Void": break
        case "SegmentUUID", "PrevUUID", "NextUUID", "SegmentFamily", "ChapterSegmentUUID":
            fields.append(InspectedField("value", .text(UUIDText.text(bytes.prefix(16)))))
        case "CRC-32":
            guard fits(size, [4]) else { return }
            fields.append(InspectedField("value", .bytes(bytes.reversed())))
        default:
            fields.append(InspectedField("value", .bytes(Array(bytes.prefix(64))), meaning: size > 64 ? "\(size) bytes" : ""))
        }
    }

    /// The head of a block (RFC 9559, 10).
    private mutating func block(_ isSimple: Bool, _ bytes: [UInt8], _ size: Int64) {
        guard let first = bytes.first, first > 0 else {
            damage.append("it has no track number")
            return
        }
        let length = first.leadingZeroBitCount + 1
        guard bytes.count >= length + 3 else {
            damage.append("it ends in its head")
            return
        }
        let mask = (UInt64(1) << UInt64(7 * length)) - 1
        let track = bytes.prefix(length).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & mask
        let time = Int16(bitPattern: UInt16(bytes[length]) << 8 | UInt16(bytes[length + 1])), flags = bytes[length + 2]
        fields.append(InspectedField("track", FieldValue(track)))
        fields.append(InspectedField("timestamp", .integer(Int64(time)), unit: "ticks", meaning: "from the cluster's"))
        if isSimple {
            fields.append(InspectedField("keyframe", .flag(flags & 0x80 != 0)))
            fields.append(InspectedField("discardable", .flag(flags & 1 != 0)))
        }
        fields.append(InspectedField("invisible", .flag(flags & 8 != 0)))
        let lacing = flags >> 1 & 3
        fields.append(
            InspectedField("lacing", .integer(Int64(lacing)), meaning: ["none", "Xiph", "fixed size", "EBML"][Int(lacing)]))
        var head = length + 3
        if lacing != 0, bytes.count > head {
            fields.append(InspectedField("frames", .integer(Int64(bytes[head]) + 1)))
            head += 1
        }
        fields.append(
            InspectedField("data", .bytes(Array(bytes.dropFirst(head).prefix(16))), meaning: "\(size - Int64(head)) bytes"))
    }
}
