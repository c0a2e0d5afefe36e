/// A gzip file (RFC 1952), inflated piece by piece (RFC 1951): only the last 32 KB of the output are kept for the next piece. Checksums are
/// not compared: the output is text, whose parser judges it. Pure; never traps.
public struct GzipPieces: Sendable {
    /// The data breaks off, or holds impossible codes.
    public struct Damage: Error, Equatable {}

    private var bits: DeflateBits
    private var output: [UInt8] = []
    private var stage = Stage.member
    private var codes = DeflateCodes.fixed
    private var isLast = false

    private enum Stage { case member, block, stored(Int), coded, ended }

    /// A piece is about so long.
    private static let pieceLength = 256 << 10
    /// The furthest that a copy reaches back.
    private static let history = 32 << 10

    /// Whether a document begins as gzip does.
    public static func isGzip(_ head: [UInt8]) -> Bool { head.starts(with: [0x1F, 0x8B, 0x08]) }

    /// The whole file, as it lies on disk.
    public init(_ bytes: [UInt8]) { bits = DeflateBits(bytes) }

    /// The next piece of the output; nil at the end. Throws where the data is damaged; the pieces before that are good.
    public mutating func next() throws(Damage) -> [UInt8]? {
        if output.count > Self.history { output.removeFirst(output.count - Self.history) }
        let start = output.count
        while output.count < start + Self.pieceLength {
            switch stage {
            case .member:
                guard try header() else {
                    stage = .ended
                    continue
                }
                stage = .block
            case .block: try beginBlock()
            case .stored(let left): try store(left, upTo: start + Self.pieceLength)
            case .coded: try inflate(upTo: start + Self.pieceLength)
            case .ended: return output.count > start ? Array(output[start...]) : nil
            }
        }
        return Array(output[start...])
    }

    /// The head of a member; false at the end of the file, and for whatever else stands behind the last one.
    private mutating func header() throws(Damage) -> Bool {
        guard bits.hasBytes(18), bits.byte() == 0x1F, bits.byte() == 0x8B else { return false }
        guard bits.byte() == 8 else { throw Damage() }
        let flags = bits.byte()
        bits.skip(6)
        if flags & 4 != 0 {
            let low = Int(bits.byte())
            bits.skip(low | Int(bits.byte()) << 8)
        }
        if flags & 8 != 0 { while bits.byte() != 0 {} }
        if flags & 16 != 0 { while bits.byte() != 0 {} }
        if flags & 2 != 0 { bits.skip(2) }
        return true
    }

    private mutating func beginBlock() throws(Damage) {
        if isLast {
            isLast = false
            bits.align()
            // Checksum and length.
            bits.skip(8)
            stage = .member
            return
        }
        guard !bits.isOver else { throw Damage() }
        isLast = bits.take(1) == 1
        switch bits.take(2) {
        case 0:
            bits.align()
            let low = Int(bits.byte()), length = low | Int(bits.byte()) << 8
            let inverse = Int(bits.byte())
            guard length ^ (inverse | Int(bits.byte()) << 8) == 0xFFFF, !bits.isOver else { throw Damage() }
            stage = .stored(length)
        case 1: (codes, stage) = (.fixed, .coded)
        case 2:
            guard let read = DeflateCodes(&bits) else { throw Damage() }
            (codes, stage) = (read, .coded)
        default: throw Damage()
        }
    }

    private mutating func store(_ left: Int, upTo end: Int) throws(Damage) {
        let count = min(left, end - output.count)
        guard bits.hasBytes(count) else { throw Damage() }
        for _ in 0..<count { output.append(bits.byte()) }
        stage = count == left ? .block : .stored(left - count)
    }

    private mutating func inflate(upTo end: Int) throws(Damage) {
        while output.count < end {
            let symbol = codes.literals.symbol(&bits)
            guard symbol >= 0, !bits.isOver else { throw Damage() }
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 {
                stage = .block
                return
            }
            guard symbol - 257 < DeflateCodes.lengths.count else { throw Damage() }
            let (base, extra) = DeflateCodes.lengths[symbol - 257]
            let length = base + bits.take(extra)
            let place = codes.distances.symbol(&bits)
            guard place >= 0, place < DeflateCodes.reaches.count else { throw Damage() }
            let (near, more) = DeflateCodes.reaches[place]
            let distance = near + bits.take(more)
            guard distance <= output.count, !bits.isOver else { throw Damage() }
            let from = output.count - distance
            // A copy may read what it has just written.
            for offset in 0..<length { output.append(output[from + offset]) }
        }
    }
}
