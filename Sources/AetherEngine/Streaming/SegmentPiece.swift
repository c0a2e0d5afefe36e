import AetherCore
import AetherFormats

/// The bytes that a run is made of, one piece at a time: its init section, then its segments.
struct SegmentPiece: Sendable {
    let address: StreamAddress
    /// nil: all of the file.
    let range: ByteRange?
    /// Key and vector of the whole piece; nil for a clear one.
    let cipher: (key: StreamAddress, vector: [UInt8])?
    /// Of the segment; nil for an init section.
    let number: Int64?

    init(_ segment: Segment) {
        (address, range, number) = (segment.address, segment.range, segment.number)
        cipher = Self.cipher(segment.encryption, number: segment.number)
    }

    /// The init section before a segment, whose number serves as the vector where none is written.
    init(_ map: InitSection, before segment: Segment) {
        (address, range, number) = (map.address, map.range, nil)
        cipher = Self.cipher(map.encryption, number: segment.number)
    }

    private static func cipher(_ encryption: SegmentEncryption?, number: Int64) -> (key: StreamAddress, vector: [UInt8])? {
        guard let encryption, case .aes128(let key, _) = encryption else { return nil }
        return (key, encryption.vector(number: number))
    }
}
