import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// The bytes that a run is made of, one piece at a time: its init section, then its segments.
struct SegmentPiece: Sendable {
    let address: StreamAddress
    /// nil: all of the file.
    let range: ByteRange?
    /// Where it begins in the file.
    let offset: Int64
    /// Of the whole piece; nil for a clear one.
    let cipher: PieceCipher?
    /// Of the segment; nil for an init section.
    let number: Int64?
    /// The piece is a part of that segment.
    var isPart = false
    /// The piece is all of a segment.
    var isWhole: Bool { number != nil && !isPart && offset == range?.offset ?? 0 }

    init(_ segment: Segment) {
        (address, range, number) = (segment.address, segment.range, segment.number)
        offset = range?.offset ?? 0
        cipher = Self.cipher(segment.encryption, number: segment.number)
    }

    /// A part of a segment.
    init(_ part: PartialSegment, of segment: Segment) {
        (address, range, number, isPart) = (part.address, part.range, segment.number, true)
        offset = range?.offset ?? 0
        cipher = Self.cipher(segment.encryption, number: segment.number)
    }

    /// The rest of a segment, behind bytes that were read in parts; nil where the segment is encrypted as a whole, or lies in a larger
    /// file.
    init?(_ segment: Segment, behind count: Int64) {
        guard segment.encryption == nil, segment.range == nil else { return nil }
        (address, range, number, offset, cipher) = (segment.address, nil, segment.number, count, nil)
    }

    /// The init section before a segment, whose number serves as the vector where none is written.
    init(_ map: InitSection, before segment: Segment) {
        (address, range, number) = (map.address, map.range, nil)
        offset = range?.offset ?? 0
        cipher = Self.cipher(map.encryption, number: segment.number)
    }

    private static func cipher(_ encryption: SegmentEncryption?, number: Int64) -> PieceCipher? {
        guard let encryption, case .whole(let cipher, let key, _) = encryption else { return nil }
        return PieceCipher(cipher: cipher, key: key, vector: encryption.vector(number: number))
    }
}

/// The cipher of a whole piece, with its key's address and its vector.
struct PieceCipher: Sendable {
    let cipher: SegmentCipher
    let key: StreamAddress
    let vector: [UInt8]

    /// The clear bytes behind those of `base`. Blocks on the key. Throws as the server does, and where the key has another length.
    func clear(
        _ base: any IOReader, _ fetch: StreamFetch, _ patience: NamedFile.Patience = .opening
    ) throws(IOReaderError) -> DecipheringReader {
        let bytes = try fetch.key(key, length: cipher.keyLength, patience)
        return try DecipheringReader(base, key: bytes, initial: vector, isCounter: cipher == .aes256Counter)
    }
}
