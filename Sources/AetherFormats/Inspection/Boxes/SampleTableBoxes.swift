/// The tables of a track's samples (ISO/IEC 14496-12, 8.5 to 8.8).
enum SampleTableBoxes {
    static let layouts: [String: BoxLayout] = [
        "stsd": BoxLayout("Sample Description", holdsBoxes: true) { reader, _ in
            reader.full()
            reader.number("entry_count", 4)
        },
        "stts": BoxLayout("Decoding Time to Sample") { reader, _ in
            reader.full()
            reader.counted("entries", stride: 8) { row in
                row.number("sample_count", 4)
                row.number("sample_delta", 4, unit: "ticks")
            }
        },
        "ctts": BoxLayout("Composition Time to Sample") { reader, _ in
            reader.full()
            reader.counted("entries", stride: 8) { row in
                row.number("sample_count", 4)
                // Version 0 says no sign, and files have one all the same.
                row.signed("sample_offset", 4, unit: "ticks")
            }
        },
        "cslg": BoxLayout("Composition to Decode") { reader, _ in
            let long = reader.full().version == 1 ? 8 : 4
            for name in [
                "compositionToDTSShift", "leastDecodeToDisplayDelta", "greatestDecodeToDisplayDelta", "compositionStartTime",
                "compositionEndTime",
            ] { reader.signed(name, long, unit: "ticks") }
        },
        "stsc": BoxLayout("Sample to Chunk") { reader, _ in
            reader.full()
            reader.counted("entries", stride: 12) { row in
                row.number("first_chunk", 4)
                row.number("samples_per_chunk", 4)
                row.number("sample_description_index", 4)
            }
        },
        "stsz": BoxLayout("Sample Sizes") { reader, _ in
            reader.full()
            let size = reader.number("sample_size", 4, unit: "bytes") { $0 == 0 ? "in the table" : "" }
            let count = reader.number("sample_count", 4)
            if size == 0 { reader.table("entries", count: count, stride: 4) { $0.number("entry_size", 4, unit: "bytes") } }
        },
        "stz2": BoxLayout("Compact Sample Sizes") { reader, _ in
            reader.full()
            reader.skip(3)
            let field = reader.number("field_size", 1, unit: "bits")
            let count = reader.number("sample_count", 4)
            guard [4, 8, 16].contains(field) else { return reader.complain("a field has \(field) bits, which none may have") }
            let stride = field == 16 ? 2 : 1
            reader.table("entries", count: field == 4 ? (count + 1) / 2 : count, stride: stride) {
                $0.number(field == 4 ? "two_sizes" : "entry_size", stride)
            }
        },
        "stco": BoxLayout("Chunk Offsets") { reader, _ in
            reader.full()
            reader.counted("entries", stride: 4) { $0.number("chunk_offset", 4) }
        },
        "co64": BoxLayout("Chunk Offsets, 64 bits") { reader, _ in
            reader.full()
            reader.counted("entries", stride: 8) { $0.number("chunk_offset", 8) }
        },
        "stss": BoxLayout("Sync Samples") { reader, _ in
            reader.full()
            reader.counted("entries", stride: 4) { $0.number("sample_number", 4) }
        },
        "stps": BoxLayout("Partial Sync Samples") { reader, _ in
            reader.full()
            reader.counted("entries", stride: 4) { $0.number("sample_number", 4) }
        },
        "stsh": BoxLayout("Shadow Sync Samples") { reader, _ in
            reader.full()
            reader.counted("entries", stride: 8) { row in
                row.number("shadowed_sample_number", 4)
                row.number("sync_sample_number", 4)
            }
        },
        "sdtp": BoxLayout("Independent and Disposable Samples") { reader, _ in
            reader.full()
            reader.table("entries", count: UInt64(reader.left), stride: 1) { row in
                row.bits([
                    ("is_leading", 2), ("sample_depends_on", 2), ("sample_is_depended_on", 2), ("sample_has_redundancy", 2),
                ])
            }
        },
        "stdp": BoxLayout("Degradation Priority") { reader, _ in
            reader.full()
            reader.table("entries", count: UInt64(reader.left / 2), stride: 2) { $0.number("priority", 2) }
        },
        "padb": BoxLayout("Padding Bits") { reader, _ in
            reader.full()
            reader.number("sample_count", 4)
            reader.remainder("pads")
        },
        "subs": BoxLayout("Sub-Sample Information") { reader, _ in
            let version = reader.full().version
            let count = reader.number("entry_count", 4)
            reader.rows("entries", count: count) { row in
                row.number("sample_delta", 4)
                let parts = row.number("subsample_count", 2)
                row.table("subsamples", count: parts, stride: version == 1 ? 10 : 8) { part in
                    part.number("subsample_size", version == 1 ? 4 : 2, unit: "bytes")
                    part.number("subsample_priority", 1)
                    part.number("discardable", 1)
                    part.number("codec_specific_parameters", 4)
                }
            }
        },
    ]
}

/// The flags of a sample (ISO/IEC 14496-12, 8.8.3.1).
enum SampleFlags {
    static func words(_ flags: UInt64) -> String {
        var words = [flags & 0x10000 != 0 ? "no sync sample" : "sync sample"]
        switch flags >> 24 & 3 {
        case 1: words.append("depends on others")
        case 2: words.append("depends on no other")
        default: break
        }
        switch flags >> 22 & 3 {
        case 1: words.append("others depend on it")
        case 2: words.append("no other depends on it")
        default: break
        }
        if flags >> 26 & 3 != 0 { words.append("is_leading \(flags >> 26 & 3)") }
        return words.joined(separator: ", ")
    }
}
