/// The container of a segment by its first bytes, as far as they tell.
public enum SegmentContainer: Sendable, Equatable {
    /// Boxes of MP4.
    case boxes
    case transportStream
    /// Frames of audio alone, with a tag before them or without.
    case audio
    /// The header of a file of Matroska or WebM: clusters behind it have none.
    case matroska

    /// The boxes that a segment or an init section may begin with.
    private static let kinds: Set<String> = [
        "ftyp", "styp", "moov", "moof", "sidx", "emsg", "prft", "mdat", "free", "skip", "uuid", "ssix", "pdin",
    ]
    private static let packet = 188

    /// nil where the bytes may be of anything else.
    public init?(_ head: some Collection<UInt8>) {
        let head = Array(head.prefix(1024))
        guard head.count >= 8 else { return nil }
        if Self.kinds.contains(String(decoding: head[4..<8], as: UTF8.self)) {
            self = .boxes
        } else if head[0] == 0x47, head.count > Self.packet, head[Self.packet] == 0x47 {
            self = .transportStream
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .matroska
        } else if head.starts(with: "ID3".utf8) || head[0] == 0xFF && head[1] & 0xF6 == 0xF0 || head[0] == 0x0B && head[1] == 0x77
        {
            self = .audio
        } else {
            return nil
        }
    }
}
