/// Boxes of a file and of a movie (ISO/IEC 14496-12, 4.3 and 8.2; QuickTime).
enum MovieBoxes {
    static let layouts: [String: BoxLayout] = [
        "ftyp": brands("File Type"), "styp": brands("Segment Type"), "mdat": .opaque("Media Data"), "free": .opaque("Free Space"),
        "skip": .opaque("Free Space"), "wide": .opaque("Room for a long size"), "junk": .opaque("Junk"),
        "imda": .opaque("Media Data"),
        "moov": .holder("Movie"), "trak": .holder("Track"), "mdia": .holder("Media"), "minf": .holder("Media Information"),
        "stbl": .holder("Sample Table"), "dinf": .holder("Data Information"), "edts": .holder("Edit"),
        "udta": .holder("User Data"),
        "mvex": .holder("Movie Extends"), "gmhd": .holder("Base Media Information"), "tapt": .holder("Track Aperture Modes"),
        "tref": .holder("Track References"), "trgr": .holder("Track Groups"), "strk": .holder("Sub Track"),
        "strd": .holder("Sub Track Definition"), "rmra": .holder("Reference Movies"), "rmda": .holder("Reference Movie"),
        "cmov": .holder("Compressed Movie"), "rmdr": .plain("Reference Movie Data Rate"), "clip": .holder("Clipping"),
        "matt": .holder("Track Matte"), "meco": .holder("Additional Metadata"), "fiin": .plain("File Delivery Item Information"),
        "pnot": .plain("Preview"), "PICT": .opaque("QuickDraw Picture"), "pdin": progress, "mvhd": movieHeader,
        "iods": descriptor,
        "mehd": BoxLayout("Movie Extends Header") { reader, _ in
            let version = reader.full().version
            reader.number("fragment_duration", version == 1 ? 8 : 4, unit: "ticks of the movie")
        },
        "trex": BoxLayout("Track Extends") { reader, _ in
            reader.full()
            reader.number("track_ID", 4)
            reader.number("default_sample_description_index", 4)
            reader.number("default_sample_duration", 4, unit: "ticks of the track")
            reader.number("default_sample_size", 4, unit: "bytes")
            reader.number("default_sample_flags", 4, meaning: SampleFlags.words)
        },
        "leva": BoxLayout("Level Assignment") { reader, _ in
            reader.full()
            let count = reader.number("level_count", 1)
            reader.rows("levels", count: count) { row in
                row.number("track_ID", 4)
                let type = row.number("padding_and_assignment_type", 1) & 0x7F
                if type <= 1 { row.fourLetters("grouping_type") }
                if type == 1 { row.number("grouping_type_parameter", 4) }
                if type == 4 { row.number("sub_track_ID", 4) }
            }
        },
        "trep": BoxLayout("Track Extension Properties", holdsBoxes: true) { reader, _ in
            reader.full()
            reader.number("track_ID", 4)
        },
    ]

    private static func brands(_ title: String) -> BoxLayout {
        BoxLayout(title) { reader, _ in
            reader.fourLetters("major_brand") { BrandNames.all[$0] ?? "" }
            reader.number("minor_version", 4)
            var brands: [FieldValue] = []
            while reader.rest.count >= 4, brands.count < 64, let bytes = reader.take(4, for: "compatible_brands") {
                brands.append(.text(BoxName.text(bytes)))
            }
            reader.add("compatible_brands", .list(brands))
        }
    }

    private static let movieHeader = BoxLayout("Movie Header") { reader, _ in
        let long = reader.full().version == 1 ? 8 : 4
        reader.date("creation_time", long)
        reader.date("modification_time", long)
        let scale = reader.number("timescale", 4, unit: "ticks a second")
        reader.number("duration", long, unit: "ticks") { TickText.seconds($0, scale, isLong: long == 8) }
        reader.fixed("rate", 4, fraction: 16)
        reader.fixed("volume", 2, fraction: 8)
        reader.skip(10)
        reader.matrix()
        reader.skip(24)
        reader.number("next_track_ID", 4)
    }

    private static let descriptor = BoxLayout("Object Descriptor") { reader, _ in
        reader.full()
        reader.remainder("descriptor")
    }

    private static let progress = BoxLayout("Progressive Download Information") { reader, _ in
        reader.full()
        reader.table("rates", count: UInt64(reader.left / 8), stride: 8) { row in
            row.number("rate", 4, unit: "bytes/s")
            row.number("initial_delay", 4, unit: "ms")
        }
    }
}

/// Ticks as seconds.
enum TickText {
    static func seconds(_ ticks: UInt64, _ scale: UInt64, isLong: Bool = false) -> String {
        guard ticks != (isLong ? UInt64.max : UInt64(UInt32.max)) else { return "not known" }
        return seconds(Double(ticks), scale)
    }

    static func seconds(_ ticks: Double, _ scale: UInt64) -> String {
        guard scale > 0 else { return "" }
        let milliseconds = (ticks / Double(scale) * 1000).rounded()
        guard abs(milliseconds) < 9e15 else { return "" }
        let whole = Int64(abs(milliseconds)), fraction = String(1000 + whole % 1000).dropFirst()
        return "\(milliseconds < 0 ? "-" : "")\(whole / 1000).\(fraction) s"
    }
}

/// The brands that are met most.
enum BrandNames {
    static let all = [
        "isom": "ISO base media", "iso2": "ISO base media, 2nd edition", "iso4": "ISO base media, 4th edition",
        "iso5": "ISO base media, 5th edition", "iso6": "ISO base media, 6th edition", "mp41": "MP4 version 1",
        "mp42": "MP4 version 2",
        "avc1": "AVC", "qt  ": "QuickTime", "M4A ": "iTunes audio", "M4V ": "iTunes video", "M4B ": "iTunes audio book",
        "dash": "DASH segments", "msdh": "media segment", "msix": "indexed media segment", "cmfc": "CMAF track",
        "cmf2": "CMAF track",
        "cmfs": "CMAF segment", "cmff": "CMAF fragment", "cmfl": "CMAF chunk", "3gp4": "3GPP release 4", "3gp5": "3GPP release 5",
        "3gp6": "3GPP release 6", "heic": "HEIF, HEVC", "mif1": "HEIF", "avif": "AV1 image", "dby1": "Dolby Vision",
        "f4v ": "Flash video",
        "piff": "Protected Interoperable File Format", "iso8": "ISO base media, 8th edition",
        "iso9": "ISO base media, 9th edition",
        "av01": "AV1", "lmsg": "last segment of a stream", "M4P ": "iTunes protected audio", "mp71": "MPEG-7 metadata",
    ]
}
