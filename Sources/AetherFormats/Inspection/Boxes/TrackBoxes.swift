/// Boxes of a track and its media (ISO/IEC 14496-12, 8.3 to 8.7 and 12; QuickTime).
enum TrackBoxes {
    static let layouts: [String: BoxLayout] = [
        "tkhd": trackHeader, "mdhd": mediaHeader, "hdlr": handler, "elst": edits,
        "vmhd": BoxLayout("Video Media Header") { reader, _ in
            reader.full()
            reader.code("graphicsmode", 2, [0: "copy", 0x40: "dither copy", 0x100: "straight alpha"])
            reader.table("opcolor", count: 3, stride: 2) { $0.number("value", 2) }
        },
        "smhd": BoxLayout("Sound Media Header") { reader, _ in
            reader.full()
            reader.fixed("balance", 2, fraction: 8)
            reader.skip(2)
        },
        "hmhd": BoxLayout("Hint Media Header") { reader, _ in
            reader.full()
            reader.number("maxPDUsize", 2, unit: "bytes")
            reader.number("avgPDUsize", 2, unit: "bytes")
            reader.number("maxbitrate", 4, unit: "bit/s")
            reader.number("avgbitrate", 4, unit: "bit/s")
            reader.skip(4)
        },
        "nmhd": BoxLayout("Null Media Header") { reader, _ in reader.full() },
        "sthd": BoxLayout("Subtitle Media Header") { reader, _ in reader.full() },
        "gmin": BoxLayout("Base Media Info") { reader, _ in
            reader.full()
            reader.number("graphicsmode", 2)
            reader.table("opcolor", count: 3, stride: 2) { $0.number("value", 2) }
            reader.fixed("balance", 2, fraction: 8)
            reader.skip(2)
        },
        "dref": BoxLayout("Data Reference", holdsBoxes: true) { reader, _ in
            reader.full()
            reader.number("entry_count", 4)
        },
        "url ": reference("Data Entry URL", ["location"]), "urn ": reference("Data Entry URN", ["name", "location"]),
        "alis": BoxLayout("Macintosh Alias") { reader, _ in
            reader.full([(1, "the data is in this file")])
            reader.remainder("alias")
        },
        "elng": BoxLayout("Extended Language") { reader, _ in
            reader.full()
            reader.text("extended_language")
        },
        "kind": BoxLayout("Kind") { reader, _ in
            reader.full()
            reader.text("schemeURI")
            reader.text("value")
        },
        "clef": aperture("Clean Aperture Dimensions"), "prof": aperture("Production Aperture Dimensions"),
        "enof": aperture("Encoded Pixels Dimensions"),
        "load": BoxLayout("Track Load Settings") { reader, _ in
            reader.number("preload_start_time", 4)
            reader.number("preload_duration", 4)
            reader.number("preload_flags", 4)
            reader.number("default_hints", 4)
        },
        "tsel": BoxLayout("Track Selection") { reader, _ in
            reader.full()
            reader.signed("switch_group", 4)
            reader.table("attribute_list", count: UInt64(reader.left / 4), stride: 4) { $0.fourLetters("attribute") }
        },
    ]

    private static func reference(_ title: String, _ names: [String]) -> BoxLayout {
        BoxLayout(title) { reader, _ in
            let isHere = reader.full([(1, "the data is in this file")]).flags & 1 != 0
            for name in names where !isHere || reader.left > 0 { reader.text(name) }
        }
    }

    private static func aperture(_ title: String) -> BoxLayout {
        BoxLayout(title) { reader, _ in
            reader.full()
            reader.fixed("width", 4, fraction: 16, unit: "pixels", isSigned: false)
            reader.fixed("height", 4, fraction: 16, unit: "pixels", isSigned: false)
        }
    }

    private static let trackHeader = BoxLayout("Track Header") { reader, _ in
        let names: [(UInt64, String)] = [
            (1, "track_enabled"), (2, "track_in_movie"), (4, "track_in_preview"), (8, "track_size_is_aspect_ratio"),
        ]
        let long = reader.full(names).version == 1 ? 8 : 4
        reader.date("creation_time", long)
        reader.date("modification_time", long)
        reader.number("track_ID", 4)
        reader.skip(4)
        reader.number("duration", long, unit: "ticks of the movie")
        reader.skip(8)
        reader.signed("layer", 2)
        reader.number("alternate_group", 2)
        reader.fixed("volume", 2, fraction: 8)
        reader.skip(2)
        reader.matrix()
        reader.fixed("width", 4, fraction: 16, unit: "pixels", isSigned: false)
        reader.fixed("height", 4, fraction: 16, unit: "pixels", isSigned: false)
    }

    private static let mediaHeader = BoxLayout("Media Header") { reader, _ in
        let long = reader.full().version == 1 ? 8 : 4
        reader.date("creation_time", long)
        reader.date("modification_time", long)
        let scale = reader.number("timescale", 4, unit: "ticks a second")
        reader.number("duration", long, unit: "ticks") { TickText.seconds($0, scale, isLong: long == 8) }
        reader.packedLanguage()
        reader.number("quality", 2)
    }

    private static let handlers = [
        "vide": "video", "soun": "audio", "text": "text", "subt": "subtitles", "sbtl": "subtitles", "hint": "hints",
        "meta": "metadata",
        "tmcd": "time code", "clcp": "closed captions", "subp": "subtitles as images", "mdir": "iTunes metadata",
        "mdta": "metadata by keys",
        "pict": "images", "url ": "data by address", "alis": "data by alias", "auxv": "auxiliary video",
        "odsm": "object descriptors",
        "sdsm": "scene descriptions", "ID32": "ID3", "fdsm": "file delivery",
    ]

    private static let handler = BoxLayout("Handler") { reader, context in
        reader.full()
        let component = reader.number("pre_defined", 4) { $0 == 0 ? "" : BoxName.text($0.letters) }
        let type = reader.fourLetters("handler_type") { handlers[$0] ?? "" }
        if context.parent == "mdia" { context.handler = type }
        reader.skip(12)
        guard reader.left > 0 else { return }
        // QuickTime writes a length before the name.
        if let first = reader.rest.first, first > 0, Int(first) == reader.rest.count - 1, component != 0 || first < 0x20 {
            reader.skip(1)
            reader.text("name", bytes: Int(first))
        } else {
            reader.text("name")
        }
    }

    private static let edits = BoxLayout("Edit List") { reader, _ in
        let isLong = reader.full().version == 1, long = isLong ? 8 : 4
        reader.counted("entries", stride: 2 * long + 4) { row in
            row.number("segment_duration", long, unit: "ticks of the movie")
            row.signed("media_time", long, unit: "ticks of the track") { $0 == -1 ? "empty" : "" }
            row.fixed("media_rate", 4, fraction: 16)
        }
    }
}

extension UInt64 {
    /// The lowest four bytes.
    var letters: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
