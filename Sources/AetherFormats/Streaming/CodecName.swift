/// A codec as manifests name it (RFC 6381): "avc1.640028", "ec-3", "dvh1.05.06".
public struct CodecName: Sendable, Hashable {
    /// The name as it is written, with the few misspellings in use put right: "mp4a.40.02" is "mp4a.40.2".
    public let text: String

    /// The kinds of stream.
    public enum Kind: Sendable {
        case video, audio, text
    }

    /// The first part in lower case: "avc1".
    public let base: String

    /// A name.
    public init(_ text: some StringProtocol) {
        var text = String(text)
        (self.text, base) = text.withUTF8 { bytes in
            let end = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
            let base = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
            guard base == "mp4a", let dot = bytes[min(end + 1, bytes.count)...].firstIndex(of: UInt8(ascii: ".")),
                bytes.count == dot + 3, bytes[dot + 1] == UInt8(ascii: "0"), bytes[dot + 2] != UInt8(ascii: ".")
            else { return (String(decoding: bytes, as: UTF8.self), base) }
            return (String(decoding: bytes[...dot], as: UTF8.self) + String(decoding: bytes[(dot + 2)...], as: UTF8.self), base)
        }
    }

    /// The names of a list with commas.
    public static func list(_ text: some StringProtocol) -> [CodecName] {
        let space = UInt8(ascii: " ")
        return text.utf8.split(separator: UInt8(ascii: ",")).prefix(16).compactMap { entry in
            let name = entry.drop { $0 == space }.prefix { $0 != space }
            return name.isEmpty ? nil : CodecName(String(decoding: name, as: UTF8.self))
        }
    }

    /// The kind of stream; nil for a name that is not known here.
    public var kind: Kind? {
        switch base {
        case "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "dav1", "av01", "vp08", "vp09", "vp8", "vp9", "vvc1",
            "vvi1",
            "mp4v", "mjpg", "jpeg", "mjp2", "theora":
            .video
        case "mp4a", "ac-3", "ec-3", "ac-4", "alac", "flac", "opus", "vorbis", "dtsc", "dtsh", "dtsl", "dtse", "dtsx", "mlpa",
            "mha1", "mhm1",
            "mp3", "iamf", "ipcm", "fpcm":
            .audio
        case "wvtt", "stpp", "tx3g", "c608", "c708": .text
        default: nil
        }
    }

    /// Dolby Vision by its own name.
    public var isDolbyVision: Bool { ["dvh1", "dvhe", "dva1", "dvav", "dav1"].contains(base) }

    /// The usual name for people: "H.264", "HEVC", "AAC"; the text itself where it is not known.
    public var name: String {
        switch base {
        case "avc1", "avc3": "H.264"
        case "hvc1", "hev1": "HEVC"
        case "dvh1", "dvhe", "dva1", "dvav", "dav1": "Dolby Vision"
        case "av01": "AV1"
        case "vp08", "vp8": "VP8"
        case "vp09", "vp9": "VP9"
        case "vvc1", "vvi1": "VVC"
        case "mp4a": ["mp4a.40.34", "mp4a.69", "mp4a.6b"].contains(text.lowercased()) ? "MP3" : "AAC"
        case "ac-3": "Dolby Digital"
        case "ec-3": "Dolby Digital Plus"
        case "ac-4": "Dolby AC-4"
        case "alac": "Apple Lossless"
        case "flac": "FLAC"
        case "opus": "Opus"
        case "wvtt": "WebVTT"
        case "stpp": "TTML"
        default: text
        }
    }
}
