/// Boxes of fragments, segments and their indexes (ISO/IEC 14496-12, 8.8 and 8.16; ISO/IEC 23009-1).
enum FragmentBoxes {
    static let layouts: [String: BoxLayout] = [
        "moof": .holder("Movie Fragment"), "traf": .holder("Track Fragment"), "mfra": .holder("Movie Fragment Random Access"),
        "mfhd": BoxLayout("Movie Fragment Header") { reader, _ in
            reader.full()
            reader.number("sequence_number", 4)
        },
        "tfhd": fragmentHeader, "trun": run, "sidx": index, "emsg": event,
        "tfdt": BoxLayout("Track Fragment Decode Time") { reader, _ in
            let long = reader.full().version == 1 ? 8 : 4
            reader.number("baseMediaDecodeTime", long, unit: "ticks of the track")
        },
        "tfra": BoxLayout("Track Fragment Random Access") { reader, _ in
            let long = reader.full().version == 1 ? 8 : 4
            reader.number("track_ID", 4)
            let lengths = reader.number("length_sizes", 4)
            let sizes = [4, 2, 0].map { Int(lengths >> $0 & 3) + 1 }
            reader.counted("entries", stride: 2 * long + sizes.reduce(0, +), count: "number_of_entry") { row in
                row.number("time", long, unit: "ticks")
                row.number("moof_offset", long)
                row.number("traf_number", sizes[0])
                row.number("trun_number", sizes[1])
                row.number("sample_number", sizes[2])
            }
        },
        "mfro": BoxLayout("Movie Fragment Random Access Offset") { reader, _ in
            reader.full()
            reader.number("parent_size", 4, unit: "bytes")
        },
        "ssix": BoxLayout("Subsegment Index") { reader, _ in
            reader.full()
            let count = reader.number("subsegment_count", 4)
            reader.rows("subsegments", count: count) { row in
                let ranges = row.number("range_count", 4)
                row.table("ranges", count: ranges, stride: 4) { range in
                    range.number("level", 1)
                    range.number("range_size", 3, unit: "bytes")
                }
            }
        },
        "prft": BoxLayout("Producer Reference Time") { reader, _ in
            let long = reader.full().version == 0 ? 4 : 8
            reader.number("reference_track_ID", 4)
            reader.number("ntp_timestamp", 8) { CalendarText.text(Int64($0 >> 32) - 2_208_988_800) }
            reader.number("media_time", long, unit: "ticks of the track")
        },
    ]

    private static let fragmentHeader = BoxLayout("Track Fragment Header") { reader, _ in
        let flags = reader.full([
            (1, "base-data-offset"), (2, "sample-description-index"), (8, "default-sample-duration"),
            (0x10, "default-sample-size"),
            (0x20, "default-sample-flags"), (0x10000, "duration-is-empty"), (0x20000, "default-base-is-moof"),
        ]).flags
        reader.number("track_ID", 4)
        if flags & 1 != 0 { reader.number("base_data_offset", 8) }
        if flags & 2 != 0 { reader.number("sample_description_index", 4) }
        if flags & 8 != 0 { reader.number("default_sample_duration", 4, unit: "ticks of the track") }
        if flags & 0x10 != 0 { reader.number("default_sample_size", 4, unit: "bytes") }
        if flags & 0x20 != 0 { reader.number("default_sample_flags", 4, meaning: SampleFlags.words) }
    }

    private static let run = BoxLayout("Track Run") { reader, _ in
        let (version, flags) = reader.full([
            (1, "data-offset"), (4, "first-sample-flags"), (0x100, "sample-duration"), (0x200, "sample-size"),
            (0x400, "sample-flags"),
            (0x800, "sample-composition-time-offsets"),
        ])
        let count = reader.number("sample_count", 4)
        if flags & 1 != 0 { reader.signed("data_offset", 4) }
        if flags & 4 != 0 { reader.number("first_sample_flags", 4, meaning: SampleFlags.words) }
        let stride = [0x100, 0x200, 0x400, 0x800].filter { flags & UInt64($0) != 0 }.count * 4
        guard stride > 0 else { return }
        reader.table("samples", count: count, stride: stride) { row in
            if flags & 0x100 != 0 { row.number("sample_duration", 4, unit: "ticks") }
            if flags & 0x200 != 0 { row.number("sample_size", 4, unit: "bytes") }
            if flags & 0x400 != 0 { row.number("sample_flags", 4, meaning: SampleFlags.words) }
            guard flags & 0x800 != 0 else { return }
            if version == 0 {
                row.number("sample_composition_time_offset", 4, unit: "ticks")
            } else {
                row.signed("sample_composition_time_offset", 4, unit: "ticks")
            }
        }
    }

    private static let index = BoxLayout("Segment Index") { reader, _ in
        let long = reader.full().version == 0 ? 4 : 8
        reader.number("reference_ID", 4)
        let scale = reader.number("timescale", 4, unit: "ticks a second")
        reader.number("earliest_presentation_time", long, unit: "ticks") { TickText.seconds($0, scale, isLong: long == 8) }
        reader.number("first_offset", long, unit: "bytes")
        reader.skip(2)
        let count = reader.number("reference_count", 2)
        reader.table("references", count: count, stride: 12) { row in
            row.bits([("reference_type", 1), ("referenced_size", 31)])
            row.number("subsegment_duration", 4, unit: "ticks") { TickText.seconds($0, scale) }
            row.bits([("starts_with_SAP", 1), ("SAP_type", 3), ("SAP_delta_time", 28)])
        }
    }

    private static let event = BoxLayout("Event Message") { reader, _ in
        let version = reader.full().version
        if version == 0 {
            reader.text("scheme_id_uri")
            reader.text("value")
        }
        let scale = reader.number("timescale", 4, unit: "ticks a second")
        reader.number(version == 0 ? "presentation_time_delta" : "presentation_time", version == 0 ? 4 : 8, unit: "ticks") {
            TickText.seconds($0, scale, isLong: version != 0)
        }
        reader.number("event_duration", 4, unit: "ticks") { TickText.seconds($0, scale) }
        reader.number("id", 4)
        if version != 0 {
            reader.text("scheme_id_uri")
            reader.text("value")
        }
        reader.remainder("message_data")
    }
}
