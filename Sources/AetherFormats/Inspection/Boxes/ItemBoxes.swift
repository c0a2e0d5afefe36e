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
        "iloc": BoxLayout("Item Location") { reader, _ in
            reader.full()
            reader.bits([("offset_size", 4), ("length_size", 4), ("base_offset_size", 4), ("index_size", 4)])
            reader.remainder("items")
        },
        "ipma": BoxLayout("Item Property Association") { reader, _ in
            reader.full()
            reader.number("entry_count", 4)
            reader.remainder("associations")
        },
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
    ]
}
