/// Groups of samples, and sizes and places of what belongs to them (ISO/IEC 14496-12, 8.7.8, 8.9 and 10).
enum SampleGroupBoxes {
    static let layouts: [String: BoxLayout] = [
        "sbgp": BoxLayout("Sample to Group") { reader, _ in
            let version = reader.full().version
            reader.fourLetters("grouping_type") { names[$0] ?? "" }
            if version == 1 { reader.number("grouping_type_parameter", 4) }
            reader.counted("entries", stride: 8) { row in
                row.number("sample_count", 4)
                row.number("group_description_index", 4) { $0 > 0x10000 ? "of the fragment" : "" }
            }
        },
        "csgp": BoxLayout("Compact Sample to Group") { reader, _ in
            reader.full()
            reader.fourLetters("grouping_type") { names[$0] ?? "" }
            reader.remainder("patterns")
        },
        "sgpd": descriptions,
        "saiz": BoxLayout("Sizes of Auxiliary Information") { reader, _ in
            if reader.full([(1, "type stated")]).flags & 1 != 0 {
                reader.fourLetters("aux_info_type")
                reader.number("aux_info_type_parameter", 4)
            }
            let size = reader.number("default_sample_info_size", 1, unit: "bytes")
            let count = reader.number("sample_count", 4)
            if size == 0 { reader.table("sample_info_size", count: count, stride: 1) { $0.number("size", 1) } }
        },
        "saio": BoxLayout("Offsets of Auxiliary Information") { reader, _ in
            let head = reader.full([(1, "type stated")])
            if head.flags & 1 != 0 {
                reader.fourLetters("aux_info_type")
                reader.number("aux_info_type_parameter", 4)
            }
            let long = head.version == 0 ? 4 : 8
            reader.counted("offset", stride: long) { $0.number("offset", long) }
        },
    ]

    private static let names = [
        "roll": "roll recovery", "prol": "audio pre-roll", "rap ": "random access points", "tele": "temporal levels",
        "seig": "encryption", "sync": "sync samples", "tscl": "temporal layers", "tsas": "temporal sub-layers",
        "stsa": "step-wise access",
        "alst": "alternative start-up", "avll": "AVC layers", "vipr": "view priority",
    ]

    private static let descriptions = BoxLayout("Sample Group Description") { reader, _ in
        let version = reader.full().version
        let type = reader.fourLetters("grouping_type") { names[$0] ?? "" }
        let length = version >= 1 ? reader.number("default_length", 4, unit: "bytes") : 0
        if version >= 2 { reader.number("default_sample_description_index", 4) }
        let count = reader.number("entry_count", 4)
        reader.rows("entries", count: count) { row in
            var size = length
            if version >= 1, length == 0 { size = row.number("description_length", 4, unit: "bytes") }
            if version == 0 { size = UInt64(["roll": 2, "prol": 2, "rap ": 1, "tele": 1][type] ?? Int(clamping: row.left)) }
            guard let bytes = row.take(Int(clamping: size), for: "the description") else { return }
            var entry = FieldReader(bytes)
            read(type, &entry)
            row.add(contentsOf: entry.fields)
        }
    }

    private static func read(_ type: String, _ entry: inout FieldReader) {
        switch type {
        case "roll", "prol": entry.signed("roll_distance", 2, unit: "samples")
        case "rap ": entry.bits([("num_leading_samples_known", 1), ("num_leading_samples", 7)])
        case "tele": entry.bits([("level_independently_decodable", 1), ("", 7)])
        case "seig": ProtectionBoxes.group(&entry)
        default: entry.remainder("data")
        }
    }
}
