/// Metadata (ISO/IEC 14496-12, 8.11; iTunes; QuickTime; 3GPP; Nero).
enum MetadataBoxes {
    static let layouts: [String: BoxLayout] = {
        var all: [String: BoxLayout] = [
            "meta": BoxLayout("Metadata", holdsBoxes: true) { reader, _ in
                // QuickTime's has no version: a box begins at once.
                let isPlain = reader.rest.count >= 8 && reader.rest.dropFirst(4).prefix(4).elementsEqual("hdlr".utf8)
                if !isPlain { reader.full() }
            },
            "ilst": .holder("Metadata Items"), "----": .holder("Own Item"),
            "keys": BoxLayout("Metadata Keys") { reader, _ in
                reader.full()
                let count = reader.number("entry_count", 4)
                reader.rows("keys", count: count) { row in
                    let size = row.number("key_size", 4)
                    row.fourLetters("key_namespace")
                    row.text("key_value", bytes: Int(clamping: size < 8 ? 0 : size - 8))
                }
            },
            "data": data,
            "mean": BoxLayout("Namespace of an Item") { reader, _ in
                reader.full()
                reader.text("namespace")
            },
            "name": BoxLayout("Name") { reader, context in
                if context.path.contains("ilst") { reader.full() }
                reader.text("name")
            },
            "chpl": chapters,
            "ID32": BoxLayout("ID3 Version 2") { reader, _ in
                reader.full()
                reader.packedLanguage()
                reader.remainder("ID3v2_data")
            },
            "xml ": BoxLayout("XML") { reader, _ in
                reader.full()
                reader.text("xml")
            },
            "cprt": BoxLayout("Copyright") { reader, _ in
                reader.full()
                reader.packedLanguage()
                reader.text("notice")
            },
            "yrrc": BoxLayout("Year of Recording") { reader, _ in
                reader.full()
                reader.number("year", 2)
            },
            "loci": location, "tags": .plain("Tags"), "Xtra": .plain("Windows Media Metadata"),
            "hinf": .holder("Hint Statistics"),
            "hnti": .holder("Hint Information"),
        ]
        for (type, title) in [
            ("titl", "Title"), ("auth", "Author"), ("perf", "Performer"), ("gnre", "Genre"), ("dscp", "Description"),
            ("albm", "Album"),
        ] {
            all[type] = BoxLayout(title) { reader, context in
                reader.full()
                reader.packedLanguage()
                reader.text("text")
            }
        }
        for (type, title) in names where type.hasPrefix("©") { all[type] = quickTimeText(title) }
        return all
    }()

    /// An item of `ilst`: iTunes' name, or the number of a key.
    static func item(_ type: String) -> BoxLayout { .holder(names[type] ?? "Metadata Item") }

    private static let names = [
        "©nam": "Title", "©ART": "Artist", "©alb": "Album", "©day": "Date", "©gen": "Genre", "©cmt": "Comment", "©too": "Encoder",
        "©wrt": "Composer", "©grp": "Grouping", "©lyr": "Lyrics", "©des": "Description", "©xyz": "Location", "©mak": "Maker",
        "©mod": "Model", "©swr": "Software", "©cpy": "Copyright", "©inf": "Information", "©dir": "Director", "©prd": "Producer",
        "©fmt": "Format", "©src": "Source", "©req": "Requirements", "©enc": "Encoder", "©trk": "Track", "©url": "Address",
        "aART": "Album Artist", "covr": "Cover", "trkn": "Track Number", "disk": "Disc Number", "tmpo": "Beats a Minute",
        "cpil": "Compilation",
        "desc": "Description", "ldes": "Long Description", "tvsh": "Show", "tven": "Episode", "tvsn": "Season",
        "tves": "Episode Number",
        "tvnn": "Network", "stik": "Kind of Media", "rtng": "Rating", "pgap": "Gapless", "cprt": "Copyright", "gnre": "Genre",
        "hdvd": "HD",
        "purd": "Date of Purchase", "soal": "Sort Album", "soar": "Sort Artist", "sonm": "Sort Title",
        "soaa": "Sort Album Artist", "soco": "Sort Composer", "sosn": "Sort Show",
        "catg": "Category", "keyw": "Keywords", "pcst": "Podcast", "purl": "Podcast Address", "egid": "Episode's Identifier",
        "----": "Own Item",
    ]

    private static func quickTimeText(_ title: String) -> BoxLayout {
        BoxLayout(title) { reader, _ in
            var number = 0
            while reader.left >= 4, number < 16, !reader.isOver {
                let length = reader.number("text_size", 2, unit: "bytes")
                reader.packedLanguage()
                reader.text("text", bytes: Int(length))
                number += 1
            }
        }
    }

    private static let kinds = [
        0: "bytes", 1: "UTF-8", 2: "UTF-16", 3: "Shift JIS", 13: "JPEG", 14: "PNG", 21: "signed number", 22: "unsigned number",
        23: "32-bit float", 24: "64-bit float", 27: "BMP", 65: "8 bits", 66: "16 bits", 67: "32 bits", 74: "64 bits",
    ]

    private static let data = BoxLayout("Item Data") { reader, context in
        let kind = reader.code("type", 4, kinds)
        reader.number("locale", 4)
        switch kind {
        case 1: reader.text("value", bytes: reader.rest.count)
        case 21, 22, 65, 66, 67, 74:
            guard [1, 2, 3, 4, 8].contains(reader.left) else { return reader.remainder("value") }
            if kind == 22 { reader.number("value", Int(reader.left)) } else { reader.signed("value", Int(reader.left)) }
        case 23, 24:
            guard let bytes = reader.take(kind == 23 ? 4 : 8, for: "value") else { return }
            let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let value = kind == 23 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
            reader.add("value", value.isFinite ? .number(value) : .text("\(value)"))
        case 0 where ["trkn", "disk"].contains(context.parent) && reader.left >= 6:
            reader.skip(2)
            reader.number("number", 2)
            reader.number("total", 2)
        default: reader.remainder("value")
        }
    }

    /// Where it was recorded (3GPP TS 26.244, 8.11).
    private static let location = BoxLayout("Location") { reader, _ in
        reader.full()
        reader.packedLanguage()
        reader.text("name")
        reader.code("role", 1, [0: "shooting location", 1: "real location", 2: "fictional location"])
        reader.fixed("longitude", 4, fraction: 16, unit: "°")
        reader.fixed("latitude", 4, fraction: 16, unit: "°")
        reader.fixed("altitude", 4, fraction: 16, unit: "m")
        reader.text("astronomical_body")
        reader.text("additional_notes")
    }

    private static let chapters = BoxLayout("Nero Chapters") { reader, _ in
        let version = reader.full().version
        if version == 1 { reader.skip(4) }
        let count = reader.number("chapter_count", 1)
        reader.rows("chapters", count: count) { row in
            row.number("start", 8, unit: "100 ns") { TickText.seconds($0, 10_000_000, isLong: true) }
            let length = row.number("title_length", 1)
            row.text("title", bytes: Int(length))
        }
    }
}
