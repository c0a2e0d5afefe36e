/// The elements of Matroska and WebM (RFC 9559, RFC 8794): number, type, name. One line for each; `m` holds others, `u` is a number, `i` one with
/// a sign, `f` floating point, `s` ASCII, `8` UTF-8, `d` a date, `b` bytes. The digit behind it is the level where the element ends one of unknown size.
struct ElementKind: Sendable {
    enum Content: Character, Sendable {
        case holder = "m"
        case unsigned = "u"
        case signed = "i"
        case real = "f"
        case ascii = "s"
        case text = "8"
        case date = "d"
        case bytes = "b"
    }

    let name: String
    let content: Content
    /// 0 and 1: it ends elements of unknown size of that level and deeper; nil: it ends none.
    let level: Int?

    static func find(_ id: UInt32) -> ElementKind? { all[id] }

    private static let all: [UInt32: ElementKind] = {
        var all: [UInt32: ElementKind] = [:]
        for line in (ElementTable.segment + ElementTable.tracks + ElementTable.rest).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, let id = UInt32(words[0], radix: 16), let first = words[1].first,
                let content = Content(rawValue: first)
            else { continue }
            all[id] = ElementKind(name: String(words[2]), content: content, level: words[1].dropFirst().first?.wholeNumberValue)
        }
        return all
    }()

    /// The meanings of values.
    static func meaning(_ name: String, _ value: UInt64) -> String { meanings[name]?[Int(clamping: value)] ?? "" }

    private static let meanings: [String: [Int: String]] = [
        "TrackType": [
            1: "video", 2: "audio", 3: "complex", 16: "logo", 17: "subtitles", 18: "buttons", 32: "control", 33: "metadata",
        ],
        "FlagInterlaced": [0: "not known", 1: "interlaced", 2: "progressive"],
        "FieldOrder": [
            0: "progressive", 1: "top first", 2: "not known", 6: "bottom first", 9: "bottom first, stored top",
            14: "top first, stored bottom",
        ],
        "StereoMode": [
            0: "mono", 1: "side by side, left first", 2: "top and bottom, right first", 3: "top and bottom, left first",
            11: "side by side, right first",
        ],
        "DisplayUnit": [0: "pixels", 1: "centimetres", 2: "inches", 3: "aspect ratio", 4: "not known"],
        "MatrixCoefficients": ColourNames.matrix, "TransferCharacteristics": ColourNames.transfer,
        "Primaries": ColourNames.primaries,
        "Range": [0: "not stated", 1: "broadcast", 2: "full", 3: "as matrix and transfer say"],
        "ContentCompAlgo": [0: "zlib", 1: "bzlib", 2: "lzo1x", 3: "header stripping"],
        "ContentEncodingType": [0: "compression", 1: "encryption"],
        "ContentEncAlgo": [0: "none", 1: "DES", 2: "3DES", 3: "Twofish", 4: "Blowfish", 5: "AES"],
        "AESSettingsCipherMode": [1: "AES-CTR", 2: "AES-CBC"],
        "ProjectionType": [0: "rectangular", 1: "equirectangular", 2: "cube map", 3: "mesh"],
        "ChapProcessTime": [0: "during", 1: "before", 2: "after"],
    ]
}
