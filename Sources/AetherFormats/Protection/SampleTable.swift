/// The encrypted samples of a fragment or a file, in the order of their bytes. The data of a sample are read when they are asked for.
public struct SampleTable: Sendable {
    /// Samples at most: 12 hours of video and audio.
    static let limit = 1 << 22

    struct Entry: Sendable {
        let offset: Int64
        let size: Int32
        /// The place of its scheme among `schemes`.
        let scheme: UInt16
        /// The place in `bytes` of what `senc` says of it; -1 for nothing.
        let auxiliary: Int32
    }

    private var entries: [Entry] = []
    private var schemes: [SampleScheme] = []
    private let bytes: [UInt8]
    /// In the place of a vector that nothing says.
    private let vector: [UInt8]
    private(set) var hasParts: [Bool] = []

    init(_ bytes: [UInt8], vector: [UInt8]?) { (self.bytes, self.vector) = (bytes, vector ?? Array(repeating: 0, count: 16)) }

    /// Encrypted samples.
    public var count: Int { entries.count }

    /// The names of the keys that its samples need.
    public var keys: Set<KeyID> { Set(schemes.map(\.key)) }

    /// From the first sample's first byte to the last one's last; nil without samples. After `sort`.
    public var extent: Range<Int64>? {
        guard let first = entries.first, let last = entries.last else { return nil }
        return first.offset..<max(first.offset, last.offset + Int64(last.size))
    }

    /// The number by which `append` knows a scheme.
    mutating func number(of scheme: SampleScheme, hasParts: Bool) -> UInt16? {
        if let known = schemes.indices.first(where: { schemes[$0] == scheme && self.hasParts[$0] == hasParts }) {
            return UInt16(known)
        }
        guard schemes.count < 1000 else { return nil }
        schemes.append(scheme)
        self.hasParts.append(hasParts)
        return UInt16(schemes.count - 1)
    }

    /// False where there are too many.
    mutating func append(_ entry: Entry) -> Bool {
        guard entries.count < Self.limit else { return false }
        guard (-(1 << 62)...1 << 62).contains(entry.offset) else { return true }
        entries.append(entry)
        return true
    }

    /// Brings the samples in the order of their bytes.
    mutating func sort() {
        let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.offset <= $1.offset }
        if !isSorted { entries.sort { $0.offset < $1.offset } }
    }

    /// The first sample that ends behind an offset; nil for none.
    public func sample(endingAfter offset: Int64) -> EncryptedSample? {
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].offset + Int64(entries[middle].size) <= offset { low = middle + 1 } else { high = middle }
        }
        return low < entries.count ? sample(entries[low]) : nil
    }

    private func sample(_ entry: Entry) -> EncryptedSample {
        let scheme = schemes[Int(entry.scheme)]
        var own = scheme.constantVector, parts: [EncryptedSample.Part] = []
        if entry.auxiliary >= 0 {
            var rest = bytes[Int(entry.auxiliary)...]
            if scheme.vectorSize > 0 {
                own = Array(rest.prefix(scheme.vectorSize))
                rest = rest.dropFirst(scheme.vectorSize)
            }
            if hasParts[Int(entry.scheme)] {
                let count = rest.bigEndian(2) ?? 0
                rest = rest.dropFirst(2)
                for _ in 0..<count {
                    guard let clear = rest.bigEndian(2), let encrypted = rest.dropFirst(2).bigEndian(4) else { break }
                    parts.append(.init(clear: clear, encrypted: encrypted))
                    rest = rest.dropFirst(6)
                }
            }
        }
        if own.isEmpty { own = vector }
        own += Array(repeating: 0, count: max(0, 16 - own.count))
        return EncryptedSample(offset: entry.offset, size: Int(entry.size), scheme: scheme, vector: own, parts: parts)
    }
}

/// Goes through what `senc` says, sample by sample.
struct AuxiliaryWalk {
    private let bytes: [UInt8]
    private var place: Int
    private let end: Int
    let hasParts: Bool
    /// The body of `senc`; nil where it is cut off.
    init?(_ body: ArraySlice<UInt8>, in bytes: [UInt8]) {
        guard let flags = body.bigEndian(4) else { return nil }
        hasParts = flags & 2 != 0
        var rest = body.dropFirst(4)
        // PIFF says algorithm, size and key once more.
        if flags & 1 != 0 { rest = rest.dropFirst(20) }
        guard rest.count >= 4 else { return nil }
        rest = rest.dropFirst(4)
        (self.bytes, place, end) = (bytes, rest.startIndex, rest.endIndex)
    }

    /// The place of the next sample's words; nil where they are cut off.
    mutating func next(vectorSize: Int) -> Int? {
        let start = place
        var size = vectorSize
        if hasParts {
            guard start + size + 2 <= end else { return nil }
            size += 2 + 6 * (Int(bytes[start + size]) << 8 | Int(bytes[start + size + 1]))
        }
        guard start + size <= end else { return nil }
        place += size
        return start
    }
}
