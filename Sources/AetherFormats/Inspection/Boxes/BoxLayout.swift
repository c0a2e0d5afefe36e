/// How a kind of box is laid out: its fields, and whether other boxes lie behind them.
struct BoxLayout: Sendable {
    /// The surroundings of a box that its layout depends on.
    struct Context {
        /// The kinds of the boxes that hold it, the outermost first.
        var path: [String] = []
        /// The kind of media of the track: `vide`, `soun`, `text` …
        var handler = ""
        /// Bytes of a sample's vector, as the track's `tenc` said.
        var vectorSize = 8
        /// The kind of the box that directly holds it; "" at the top level.
        var parent: String { path.last ?? "" }
    }

    typealias Reading = @Sendable (_ reader: inout FieldReader, _ context: inout Context) -> Void

    let title: String
    let holdsBoxes: Bool
    let read: Reading

    /// Fields, then nothing, or, where `holdsBoxes`, other boxes.
    init(_ title: String, holdsBoxes: Bool = false, _ read: @escaping Reading = { _, _ in }) {
        (self.title, self.holdsBoxes, self.read) = (title, holdsBoxes, read)
    }

    /// Nothing but other boxes.
    static func holder(_ title: String) -> BoxLayout { BoxLayout(title, holdsBoxes: true) }

    /// Nothing that has fields.
    static func plain(_ title: String) -> BoxLayout { BoxLayout(title) { reader, _ in reader.remainder("data") } }

    /// Samples or nothing: what is in it is not shown.
    static func opaque(_ title: String) -> BoxLayout { BoxLayout(title) }

    /// The layout of a kind of box in its surroundings; nil for one that is not known.
    static func find(_ type: String, _ context: Context) -> BoxLayout? {
        switch context.parent {
        case "stsd": return SampleEntryBoxes.layout(type, handler: context.handler)
        case "ilst": return MetadataBoxes.item(type)
        case "tref", "iref": return context.parent == "tref" ? reference : itemReference
        default: return all[type]
        }
    }

    private static let reference = BoxLayout("Track Reference") { reader, _ in
        reader.table("track_IDs", count: UInt64(reader.left / 4), stride: 4) { $0.number("track_ID", 4) }
    }

    private static let itemReference = BoxLayout("Item Reference") { reader, _ in
        reader.number("from_item_ID", 2)
        let count = reader.number("reference_count", 2)
        reader.table("to_item_IDs", count: count, stride: 2) { $0.number("to_item_ID", 2) }
    }

    private static let all: [String: BoxLayout] = [
        MovieBoxes.layouts, TrackBoxes.layouts, SampleTableBoxes.layouts, SampleGroupBoxes.layouts, FragmentBoxes.layouts,
        VideoCodecBoxes.layouts, AudioCodecBoxes.layouts, ImmersiveAudioBoxes.layouts, ColourBoxes.layouts,
        ProtectionBoxes.layouts, MetadataBoxes.layouts,
        ItemBoxes.layouts, TextBoxes.layouts,
    ].reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }
}

extension FieldReader {
    /// Version and flags of a full box.
    @discardableResult
    mutating func full(_ names: [(UInt64, String)] = []) -> (version: Int, flags: UInt64) {
        (Int(number("version", 1)), flags("flags", 3, names))
    }

    /// A count, and a table of so many rows.
    mutating func counted(_ name: String, stride: Int, count: String = "entry_count", _ row: (inout FieldReader) -> Void) {
        let entries = number(count, 4)
        table(name, count: entries, stride: stride, row)
    }

    /// Three letters of ISO 639-2/T in 15 bits; below 0x400, or 0x7FFF, a number of the Macintosh.
    mutating func packedLanguage() {
        number("language", 2) { value in
            guard value >= 0x400, value != 0x7FFF else { return value == 0x7FFF ? "not stated" : "Macintosh language \(value)" }
            return BoxName.text([10, 5, 0].map { UInt8(truncatingIfNeeded: value >> $0 & 31) &+ 0x60 })
        }
    }

    /// Nine numbers that turn and place the video.
    mutating func matrix() {
        guard let bytes = take(36, for: "matrix") else { return }
        var reader = FieldReader(bytes), values: [Double] = []
        for place in 0..<9 { reader.fixed("", 4, fraction: place % 3 == 2 ? 30 : 16) }
        for case .number(let value) in reader.fields.map(\.value) { values.append(value) }
        add("matrix", .list(values.map { .number($0) }), meaning: Self.turn(values))
    }

    private static func turn(_ m: [Double]) -> String {
        guard m.count == 9 else { return "" }
        switch (m[0], m[1], m[3], m[4]) {
        case (1, 0, 0, 1): return "upright"
        case (0, 1, -1, 0): return "turned by 90°"
        case (-1, 0, 0, -1): return "turned by 180°"
        case (0, -1, 1, 0): return "turned by 270°"
        case (-1, 0, 0, 1): return "mirrored"
        default: return ""
        }
    }

    /// 16 bytes as a UUID.
    mutating func uuid(_ name: String, meaning: (String) -> String = { _ in "" }) {
        guard let bytes = take(16, for: name) else { return }
        let text = UUIDText.text(bytes)
        add(name, .text(text), meaning: meaning(text))
    }
}

/// The 36 characters of a UUID.
enum UUIDText {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let hex = Array(FieldValue.hex(bytes))
        var text = ""
        for (place, digit) in hex.enumerated() {
            if [8, 12, 16, 20].contains(place) { text += "-" }
            text.append(digit)
        }
        return text
    }
}
