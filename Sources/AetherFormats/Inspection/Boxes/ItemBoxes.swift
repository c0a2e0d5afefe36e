/// Images and other items (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12).
enum ItemBoxes {
    static let layouts: [String: BoxLayout] = [
        "iprp": .holder("Item Properties"), "ipco": .holder("Item Property Container"),
        "iref": BoxLayout("Item References", holdsBoxes: true) { reader, _ in reader.full() },
        "grpl": .holder("Groups"), "idat": .opaque("Stored Items"),
        "pitm": BoxLayout("Primary Item") { reader, _ in
            let version = reader.full().version
            reader.number("item_ID", version == 0 ? 2 : 4)
        },
        "iinf": BoxLayout("Item Information", holdsBoxes: true) { reader, _ in
            let version = reader.full().version
            reader.number("entry_count", version == 0 ? 2 : 4)
        },
        "infe": BoxLayout("Item Information Entry") { reader, _ in
            let version = reader.full().version
            reader.number("item_ID", version == 3 ? 4 : 2)
            reader.number("item_protection_index", 2)
            if version >= 2 { reader.fourLetters("item_type") }
            reader.text("item_name")
            if reader.left > 0 { reader.text("content_type") }
        },
        "iloc": location, "ipma": associations, "ccst": constraints,
        "ispe": BoxLayout("Image Size") { reader, _ in
            reader.full()
            reader.number("image_width", 4, unit: "pixels")
            reader.number("image_height", 4, unit: "pixels")
        },
        "pixi": BoxLayout("Pixel Information") { reader, _ in
            reader.full()
            let count = reader.number("num_channels", 1)
            reader.table("bits_per_channel", count: count, stride: 1) { $0.number("bits", 1) }
        },
        "irot": BoxLayout("Rotation") { reader, _ in reader.number("angle", 1) { "\($0 & 3 * 90)° against the clock" } },
        "imir": BoxLayout("Mirror") { reader, _ in reader.number("axis", 1) },
        "auxC": BoxLayout("Auxiliary Type") { reader, _ in
            reader.full()
            reader.text("aux_type")
        },
        "auxi": BoxLayout("Auxiliary Type of a Track") { reader, _ in
            reader.full()
            reader.text("aux_track_type")
        },
        "lsel": BoxLayout("Layer Selector") { reader, _ in
            reader.number("layer_id", 2) { $0 == 0xFFFF ? "all layers" : "" }
        },
        "a1op": BoxLayout("AV1 Operating Point") { reader, _ in reader.number("op_index", 1) },
        "a1lx": BoxLayout("AV1 Layers") { reader, _ in
            let long = reader.number("large_size", 1) & 1 == 1 ? 4 : 2
            reader.table("layer_size", count: 3, stride: long) { $0.number("layer_size", long, unit: "bytes") }
        },
    ]

    /// Where the bytes of items are (ISO/IEC 14496-12, 8.11.3). The widths of its numbers are in its head; a width of 0 is a number of 0.
    private static let location = BoxLayout("Item Location") { reader, _ in
        let version = reader.full().version
        guard let sizes = reader.raw(2, for: "offset_size") else { return }
        let widths = (offset: Int(sizes >> 12), length: Int(sizes >> 8 & 15), base: Int(sizes >> 4 & 15), index: Int(sizes & 15))
        reader.add("offset_size", FieldValue(sizes >> 12), unit: "bytes")
        reader.add("length_size", FieldValue(sizes >> 8 & 15), unit: "bytes")
        reader.add("base_offset_size", FieldValue(sizes >> 4 & 15), unit: "bytes")
        if version > 0 { reader.add("index_size", FieldValue(sizes & 15), unit: "bytes") }
        for width in [widths.offset, widths.length, widths.base, widths.index] where ![0, 4, 8].contains(width) {
            return reader.complain("a number has \(width) bytes; 0, 4 and 8 are allowed")
        }
        let count = reader.number("item_count", version < 2 ? 2 : 4)
        reader.rows("items", count: count) { row in
            row.number("item_ID", version < 2 ? 2 : 4)
            if version > 0 { row.code("construction_method", 2, [0: "in the file", 1: "in idat", 2: "in another item"]) }
            row.number("data_reference_index", 2) { $0 == 0 ? "this file" : "" }
            row.number("base_offset", widths.base)
            let extents = row.number("extent_count", 2)
            row.rows("extents", count: extents) { extent in
                if version > 0, widths.index > 0 { extent.number("extent_index", widths.index) }
                extent.number("extent_offset", widths.offset)
                extent.number("extent_length", widths.length, unit: "bytes")
            }
        }
    }

    /// Which properties an item has (ISO/IEC 14496-12, 8.11.14); properties are counted from 1 on.
    private static let associations = BoxLayout("Item Property Association") { reader, _ in
        let head = reader.full([(1, "wide indices")])
        let isWide = head.flags & 1 == 1
        let count = reader.number("entry_count", 4)
        reader.rows("associations", count: count) { row in
            row.number("item_ID", head.version < 1 ? 2 : 4)
            let count = row.number("association_count", 1)
            row.table("properties", count: count, stride: isWide ? 2 : 1) {
                $0.bits([("essential", 1), ("property_index", isWide ? 15 : 7)])
            }
        }
    }

    /// How the frames of an image sequence refer to one another (ISO/IEC 23008-12, 7.2.3).
    private static let constraints = BoxLayout("Coding Constraints") { reader, _ in
        reader.full()
        reader.bits(
            [("all_ref_pics_intra", 1), ("intra_pred_used", 1), ("max_ref_per_pic", 4), ("", 26)],
            meanings: ["max_ref_per_pic": { $0 == 15 ? "any number" : "" }])
    }
}
