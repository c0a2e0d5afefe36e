/// How samples of a track are encrypted (Common Encryption, ISO/IEC 23001-7): the contents of `tenc` for a track and of `seig` for a group
/// of samples.
public struct SampleScheme: Sendable, Equatable {
    /// The schemes.
    public enum Kind: String, Sendable {
        /// AES in counter mode, over all of a protected range or by a pattern.
        case cenc, cens
        /// AES in chained blocks, over all of a protected range or by a pattern that begins anew with each range.
        case cbc1, cbcs
    }

    /// The scheme.
    public let kind: Kind
    let isProtected: Bool
    /// Blocks of 16 bytes that are encrypted and left clear, in turn; 0 and 0: all blocks are encrypted.
    public let encryptedBlocks: Int, clearBlocks: Int
    /// Bytes of the vector that each sample has; 0: the constant one.
    let vectorSize: Int
    let constantVector: [UInt8]
    /// The name of the key.
    public let key: KeyID

    /// Reads the body of `tenc` behind version and flags, or an entry of `seig`: from the byte before the pattern on. nil where the body is
    /// cut off or makes no sense.
    init?(_ kind: Kind, _ body: ArraySlice<UInt8>) {
        let start = body.startIndex
        guard body.count >= 20, let key = KeyID(body[(start + 4)..<(start + 20)]) else { return nil }
        self.kind = kind
        self.key = key
        let hasPattern = kind == .cens || kind == .cbcs
        encryptedBlocks = hasPattern ? Int(body[start + 1] >> 4) : 0
        clearBlocks = hasPattern ? Int(body[start + 1] & 15) : 0
        isProtected = body[start + 2] != 0
        vectorSize = Int(body[start + 3])
        guard [0, 8, 16].contains(vectorSize) else { return nil }
        var vector: [UInt8] = []
        if isProtected, vectorSize == 0, let count = body.dropFirst(20).first {
            vector = Array(body.dropFirst(21).prefix(Int(count)))
            guard vector.count == Int(count), [8, 16].contains(vector.count) || vector.isEmpty else { return nil }
        }
        constantVector = vector
    }
}

/// One encrypted sample, ready to be decrypted.
public struct EncryptedSample: Sendable, Equatable {
    /// A stretch of clear bytes with the encrypted ones behind it.
    public struct Part: Sendable, Equatable {
        /// Bytes.
        public let clear: Int, encrypted: Int

        /// A part.
        public init(clear: Int, encrypted: Int) { (self.clear, self.encrypted) = (clear, encrypted) }
    }

    /// Its first byte: from the start of its `moof` on, or from the start of the file.
    public let offset: Int64
    /// Bytes.
    public let size: Int
    /// Scheme and key.
    public let scheme: SampleScheme
    /// 16 bytes.
    public let vector: [UInt8]
    /// The parts of the sample; empty: the whole sample is encrypted.
    public let parts: [Part]
}
