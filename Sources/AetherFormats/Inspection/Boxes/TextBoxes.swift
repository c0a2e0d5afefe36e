/// Boxes of subtitles and time code (ISO/IEC 14496-30; 3GPP TS 26.245; QuickTime).
enum TextBoxes {
    static let layouts: [String: BoxLayout] = [
        "vttC": BoxLayout("WebVTT Configuration") { reader, _ in reader.text("config") },
        "vlab": BoxLayout("WebVTT Source Label") { reader, _ in reader.text("source_label") },
        "vttc": .holder("WebVTT Cue"), "vtte": .opaque("Empty WebVTT Cue"),
        "payl": BoxLayout("Cue Payload") { reader, _ in reader.text("cue_text") },
        "sttg": BoxLayout("Cue Settings") { reader, _ in reader.text("settings") },
        "iden": BoxLayout("Cue Identifier") { reader, _ in reader.text("cue_id") },
        "ctim": BoxLayout("Cue Time") { reader, _ in reader.text("cue_current_time") },
        "vsid": BoxLayout("Cue Source") { reader, _ in reader.signed("source_ID", 4) },
        "mime": BoxLayout("MIME Type") { reader, _ in
            reader.full()
            reader.text("content_type")
        },
        "ftab": BoxLayout("Font Table") { reader, _ in
            let count = reader.number("entry_count", 2)
            reader.rows("fonts", count: count) { row in
                row.number("font_ID", 2)
                let length = row.number("font_name_length", 1)
                row.text("font", bytes: Int(length))
            }
        },
        "tcmi": BoxLayout("Time Code Media Information") { reader, _ in
            reader.full()
            for name in ["text_font", "text_face", "text_size"] { reader.number(name, 2) }
            reader.remainder("colours")
        },
        "tmcd": .holder("Time Code"), "text": .plain("Text Media Information"),
    ]
}
