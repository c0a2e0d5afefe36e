/// Encryption (ISO/IEC 14496-12, 8.12; ISO/IEC 23001-7; PIFF).
enum ProtectionBoxes {
    static let layouts: [String: BoxLayout] = [
        "sinf": .holder("Protection Scheme Information"), "schi": .holder("Scheme Information"),
        "rinf": .holder("Restricted Scheme Information"),
        "ipro": BoxLayout("Item Protection", holdsBoxes: true) { reader, _ in
            reader.full()
            reader.number("protection_count", 2)
        },
        "frma": BoxLayout("Original Format") { reader, _ in reader.fourLetters("data_format") },
        "schm": BoxLayout("Scheme Type") { reader, _ in
            let flags = reader.full([(1, "has a URI")]).flags
            reader.fourLetters("scheme_type") { schemes[$0] ?? "" }
            reader.number("scheme_version", 4) { "\($0 >> 16).\($0 & 0xFFFF)" }
            if flags & 1 != 0 { reader.text("scheme_uri") }
        },
        "tenc": BoxLayout("Track Encryption") { reader, context in
            let version = reader.full().version
            reader.skip(1)
            if version == 0 {
                reader.skip(1)
            } else {
                reader.bits([("default_crypt_byte_block", 4), ("default_skip_byte_block", 4)])
            }
            let isProtected = reader.number("default_isProtected", 1)
            let size = reader.number("default_Per_Sample_IV_Size", 1, unit: "bytes")
            reader.uuid("default_KID")
            context.vectorSize = Int(size)
            guard isProtected == 1, size == 0, reader.left > 0 else { return }
            let length = reader.number("default_constant_IV_size", 1, unit: "bytes")
            reader.bytes("default_constant_IV", Int(length))
        },
        "pssh": BoxLayout("Protection System Specific Header") { reader, _ in
            let version = reader.full().version
            reader.uuid("SystemID") { systems[$0] ?? "" }
            if version > 0 {
                let count = reader.number("KID_count", 4)
                reader.table("KIDs", count: count, stride: 16) { $0.uuid("KID") }
            }
            let size = reader.number("DataSize", 4, unit: "bytes")
            if size > 0 { reader.remainder("Data") }
        },
        "senc": BoxLayout("Sample Encryption") { reader, context in encryption(&reader, context) },
        "uuid": BoxLayout("Extension") { reader, context in extensionBox(&reader, context) },
    ]

    private static let schemes = [
        "cenc": "AES-CTR", "cens": "AES-CTR, pattern", "cbc1": "AES-CBC", "cbcs": "AES-CBC, pattern", "piff": "PIFF",
        "adkm": "Adobe",
        "itun": "FairPlay",
    ]

    private static let systems = [
        "1077efec-c0b2-4d02-ace3-3c1e52e2fb4b": "W3C common (ClearKey)", "edef8ba9-79d6-4ace-a3c8-27dcd51d21ed": "Widevine",
        "9a04f079-9840-4286-ab92-e65be0885f95": "PlayReady", "94ce86fb-07ff-4f43-adb8-93d2fa968ca2": "FairPlay",
        "e2719d58-a985-b3c9-781a-b030af78d30e": "ClearKey (DASH-IF)", "f239e769-efa3-4850-9c16-a903c6932efb": "Adobe Primetime",
        "5e629af5-38da-4063-8977-97ffbd9902d4": "Marlin",
    ]

    static func group(_ reader: inout FieldReader) {
        reader.skip(1)
        reader.bits([("crypt_byte_block", 4), ("skip_byte_block", 4)])
        let isProtected = reader.number("isProtected", 1)
        let size = reader.number("Per_Sample_IV_Size", 1, unit: "bytes")
        reader.uuid("KID")
        guard isProtected == 1, size == 0, reader.left > 0 else { return }
        let length = reader.number("constant_IV_size", 1)
        reader.bytes("constant_IV", Int(length))
    }

    private static func encryption(_ reader: inout FieldReader, _ context: BoxLayout.Context) {
        let flags = reader.full([(1, "own parameters"), (2, "subsamples")]).flags
        var vector = context.vectorSize
        if flags & 1 != 0 {
            reader.number("AlgorithmID", 3)
            vector = Int(reader.number("IV_size", 1))
            reader.uuid("KID")
        }
        let count = reader.number("sample_count", 4)
        let size = vector <= 16 ? vector : 8
        reader.rows("samples", count: count) { row in
            if size > 0 { row.bytes("InitializationVector", size) }
            guard flags & 2 != 0 else { return }
            let parts = row.number("subsample_count", 2)
            row.table("subsamples", count: parts, stride: 6) { part in
                part.number("BytesOfClearData", 2)
                part.number("BytesOfProtectedData", 4)
            }
        }
    }

    private static func extensionBox(_ reader: inout FieldReader, _ context: BoxLayout.Context) {
        guard let bytes = reader.take(16, for: "extended_type") else { return }
        let text = UUIDText.text(bytes)
        reader.add("extended_type", .text(text), meaning: extensions[text] ?? "")
        switch text {
        case "a2394f52-5a9b-4f14-a244-6c427c648df4": encryption(&reader, context)
        case "6d1d9b05-42d5-44e6-80e2-141daff757b2":
            let long = reader.full().version == 1 ? 8 : 4
            reader.number("fragment_absolute_time", long)
            reader.number("fragment_duration", long)
        case "be7acfcb-97a9-42e8-9c71-999491e3afac": reader.text("xmp", bytes: min(reader.rest.count, 2048))
        default: reader.remainder("data")
        }
    }

    private static let extensions = [
        "a2394f52-5a9b-4f14-a244-6c427c648df4": "PIFF sample encryption",
        "8974dbce-7be7-4c51-84f9-7148f9882554": "PIFF track encryption",
        "d08a4f18-10f3-4a82-b6c8-32d8aba183d3": "PIFF protection header",
        "6d1d9b05-42d5-44e6-80e2-141daff757b2": "Smooth Streaming tfxd",
        "d4807ef2-ca39-4695-8e54-26cb9e46a79f": "Smooth Streaming tfrf", "be7acfcb-97a9-42e8-9c71-999491e3afac": "XMP",
        "ffcc8263-f855-4a93-8814-587a02521fdd": "spherical video, version 1",
    ]
}
