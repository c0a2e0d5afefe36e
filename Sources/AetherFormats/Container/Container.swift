/// The families of containers, as far as anything depends on them.
public enum Container: String, Sendable, CaseIterable {
    case matroska = "EBML"
    /// MP4, QuickTime, 3GP and the like, and their fragments.
    case isoBMFF = "ISO base media"
    case mpegTS = "MPEG-TS"
    case riff = "RIFF"
    case ogg = "Ogg"
    case flac = "FLAC"
    /// Frames of audio alone, with a tag before them or without.
    case audioFrames = "MPEG audio"
    case other

    /// The boxes that a file, a segment or an init section may begin with.
    private static let firstBoxes: Set<String> = [
        "ftyp", "styp", "moov", "moof", "sidx", "emsg", "prft", "mdat", "free", "skip", "uuid", "ssix", "pdin", "wide",
    ]

    /// By the first bytes, of which 1024 are looked at; nil where they may be of anything else. Never `.other`.
    public init?(head bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(1024))
        switch Array(head.prefix(4)) {
        case [0x1A, 0x45, 0xDF, 0xA3]: self = .matroska
        case Array("RIFF".utf8), Array("RF64".utf8), Array("RIFX".utf8): self = .riff
        case Array("OggS".utf8): self = .ogg
        case Array("fLaC".utf8): self = .flac
        default:
            if head.count >= 8, Self.firstBoxes.contains(String(decoding: head[4..<8], as: UTF8.self)) {
                self = .isoBMFF
            } else if TransportPackets(head) != nil {
                self = .mpegTS
            } else if Self.isAudio(head) {
                self = .audioFrames
            } else {
                return nil
            }
        }
    }

    /// A tag of ID3, or a frame of AAC (ADTS) or AC-3. The eleven bits of an MP3 frame alone stand in too much else.
    private static func isAudio(_ head: [UInt8]) -> Bool {
        guard head.count >= 8 else { return head.starts(with: "ID3".utf8) }
        return head.starts(with: "ID3".utf8) || head[0] == 0xFF && head[1] & 0xF6 == 0xF0 || head[0] == 0x0B && head[1] == 0x77
    }

    /// By libavformat's short name, for example "mov,mp4,m4a,3gp,3g2,mj2".
    public init(formatName name: String) {
        self =
            switch name {
            case _ where name.hasPrefix("matroska"): .matroska
            case _ where name.hasPrefix("mov,"): .isoBMFF
            case _ where name.hasPrefix("mpegts"): .mpegTS
            case "wav", "w64", "avi": .riff
            case "ogg": .ogg
            case "flac": .flac
            case "mp3", "aac", "ac3", "eac3": .audioFrames
            default: .other
            }
    }

    /// The file has an index of key frames, so that a seek finds the right one without reading around it.
    public var isIndexed: Bool { self == .matroska || self == .isoBMFF }
}
