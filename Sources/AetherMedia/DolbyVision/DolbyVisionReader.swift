import AetherCore
import AetherFormats

/// Reads Dolby Vision's reference processing units (ETSI GS CCM 001, annex): of HEVC's NAL units of type 62, and of AV1's metadata by
/// ITU-T T.35. Bytes are hostile: every count is bounded, the checksum must be right. Remembers mappings by number, as units may
/// refer to earlier ones. Lives on one thread.
struct DolbyVisionReader {
    /// A unit as it was read.
    struct Unit: Equatable {
        var mapping: DolbyVisionMapping
        /// The scene's brightest light as a PQ code of 0...1 (extension level 1); nil where it does not say.
        var scenePeakCode: Double?
    }

    /// The header's word on the numbers that follow.
    private struct Header {
        var coefficientsAreFloats = false
        var denominatorBits = 32
        var baseDepth = 10, enhancementDepth = 10
        var hasResidual = false
    }

    private typealias Curves = (DolbyVisionMapping.Curve, DolbyVisionMapping.Curve, DolbyVisionMapping.Curve)
    private struct Colours {
        var toCodes, toCones: Matrix3
        var zero: SIMD3<Double>
        var peakCode: Double?
    }
    private var known: [Int: (DolbyVisionMapping.Curve, DolbyVisionMapping.Curve, DolbyVisionMapping.Curve)] = [:]
    private var colours: Colours?

    /// The largest unit that is looked at. Real ones have up to 1.5 kB.
    static let sizeLimit = 64 << 10

    init() {}

    /// Forgets earlier units, for a seek.
    mutating func reset() { self = DolbyVisionReader() }

    /// The body of a T.35 message of AV1, with or without its country code (0xB5) in front; nil for another vendor's message.
    mutating func read(t35 message: [UInt8]) -> Unit? {
        var body = message[...]
        if body.first == 0xB5 { body = body.dropFirst() }
        guard body.count <= DolbyVisionReader.sizeLimit, body.starts(with: [0x00, 0x3B, 0x00, 0x00, 0x08, 0x00]) else {
            return nil
        }
        return body.dropFirst(6).withUnsafeBytes { bytes -> [UInt8]? in
            var bits = BitReader(bytes)
            // An EMDF container of which everything but the size is fixed.
            guard bits.read(27) == 0x01BE_6841 else { return nil }
            let size = DolbyVisionReader.variable(&bits)
            guard 6...DolbyVisionReader.sizeLimit ~= size, size * 8 <= bytes.count * 8 - bits.position else { return nil }
            return (0..<size).map { _ in UInt8(bits.read(8)) }
        }.flatMap { read(payload: $0) }
    }

    /// The body of a NAL unit of type 62, behind its header of two bytes, with its emulation prevention bytes.
    mutating func read(nal: [UInt8]) -> Unit? { DolbyVisionReader.payload(nal).flatMap { read(payload: $0) } }

    /// Whether a NAL unit's body goes with frames of two layers (profiles 4 and 7).
    static func isOfTwoLayers(nal: [UInt8]) -> Bool {
        guard let payload = payload(nal), payload.count > 6, MPEGChecksum.of(payload.dropLast()) == 0 else { return false }
        return payload.withUnsafeBytes { bytes in
            var bits = BitReader(bytes)
            return bits.read(6) == 2 && header(&bits)?.hasResidual == true && !bits.isOverrun
        }
    }

    /// Whether a NAL unit's body is not what was written. FFmpeg 5.1 reads those too, and colours a frame with the result.
    static func isDamaged(nal: [UInt8]) -> Bool {
        guard let payload = payload(nal), payload.count > 6, payload.last == 0x80 else { return true }
        return MPEGChecksum.of(payload.dropLast()) != 0
    }

    /// Without emulation prevention and the bytes that only fill.
    private static func payload(_ nal: [UInt8]) -> [UInt8]? {
        guard nal.first == 25, nal.count <= DolbyVisionReader.sizeLimit else { return nil }
        var payload: [UInt8] = []
        payload.reserveCapacity(nal.count)
        var zeros = 0
        for byte in nal.dropFirst() {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            payload.append(byte)
        }
        while payload.last == 0 { payload.removeLast() }
        return payload
    }

    /// A message of either kind, as it stands beside a frame.
    mutating func read(_ bytes: [UInt8]) -> Unit? { bytes.first == 25 ? read(nal: bytes) : read(t35: bytes) }

    /// EMDF's numbers: groups of eight bits, each with a bit that says whether another follows.
    private static func variable(_ bits: inout BitReader) -> Int {
        var value = 0
        for _ in 0..<4 {
            value += bits.read(8)
            guard bits.flag() else { return value }
            value = (value + 1) << 8
        }
        return .max
    }

    // MARK: Units

    private mutating func read(payload: [UInt8]) -> Unit? {
        // Ends in a checksum and 0x80; the checksum over both is 0.
        guard payload.count > 6, payload.last == 0x80, MPEGChecksum.of(payload.dropLast()) == 0 else { return nil }
        return payload.withUnsafeBytes { bytes -> Unit? in
            var bits = BitReader(UnsafeRawBufferPointer(rebasing: bytes.dropLast(5)))
            guard bits.read(6) == 2, let header = DolbyVisionReader.header(&bits) else { return nil }
            let hasColours = bits.flag()
            guard let curves = curves(&bits, header) else { return nil }
            var scenePeak: Double?
            if hasColours {
                guard let read = DolbyVisionReader.colours(&bits) else { return nil }
                colours = read
                scenePeak = DolbyVisionReader.scenePeak(&bits)
            }
            guard !bits.isOverrun, let colours else { return nil }
            let mapping = DolbyVisionMapping(
                curves: curves, toCodes: colours.toCodes, zero: colours.zero, toCones: colours.toCones, peakCode: colours.peakCode
            )
            return Unit(mapping: mapping, scenePeakCode: scenePeak)
        }
    }

    private static func header(_ bits: inout BitReader) -> Header? {
        let format = bits.read(11)
        // Profile and level; then everything is there, or nothing of it.
        bits.skip(8)
        guard bits.flag(), format & 0x700 == 0 else { return nil }
        var header = Header()
        bits.skip(1)
        header.coefficientsAreFloats = bits.read(2) == 1
        if !header.coefficientsAreFloats { header.denominatorBits = bits.exponentialGolomb() }
        // Two bits of how numbers are normalised, one of the range.
        bits.skip(3)
        header.baseDepth = bits.exponentialGolomb() + 8
        // Above the lower eight bits another number is kept.
        header.enhancementDepth = (bits.exponentialGolomb() & 255) + 8
        let depth = bits.exponentialGolomb() + 8
        bits.skip(5)
        header.hasResidual = !bits.flag()
        guard 8...16 ~= header.baseDepth, 8...16 ~= header.enhancementDepth, 8...16 ~= depth, 13...32 ~= header.denominatorBits
        else { return nil }
        return header
    }

    private static func coefficient(_ bits: inout BitReader, _ header: Header, isSigned: Bool = true) -> Double {
        if header.coefficientsAreFloats { return Double(Float(bitPattern: UInt32(bits.read(32)))) }
        let whole = isSigned ? bits.signedExponentialGolomb() : bits.exponentialGolomb()
        let fraction = bits.read(header.denominatorBits)
        return Double(whole) + Double(fraction) / Double(1 << header.denominatorBits)
    }

    // MARK: Curves

    private mutating func curves(_ bits: inout BitReader, _ header: Header) -> Curves? {
        if bits.flag() { return known[bits.exponentialGolomb()] }
        let number = bits.exponentialGolomb()
        guard 0...15 ~= number else { return nil }
        // Colour space and chroma format of the mapping.
        _ = (bits.exponentialGolomb(), bits.exponentialGolomb())
        var pivots: [[Double]] = []
        for _ in 0..<3 {
            let count = bits.exponentialGolomb() + 2
            guard 2...9 ~= count, !bits.isOverrun else { return nil }
            var sum = 0
            pivots.append(
                (0..<count).map { _ in
                    sum += bits.read(header.baseDepth)
                    return Double(min(sum, 65535)) / Double(1 << header.baseDepth)
                })
        }
        if header.hasResidual { bits.skip(3 + 2 * header.baseDepth) }
        // Partitions, of which no known stream has more than one.
        _ = (bits.exponentialGolomb(), bits.exponentialGolomb())
        var curves: [DolbyVisionMapping.Curve] = []
        for pivots in pivots {
            var pieces: [DolbyVisionMapping.Piece] = []
            for _ in 1..<pivots.count {
                guard let piece = DolbyVisionReader.piece(&bits, header), !bits.isOverrun else { return nil }
                pieces.append(piece)
            }
            guard let curve = DolbyVisionMapping.Curve(pivots: pivots, pieces: pieces) else { return nil }
            curves.append(curve)
        }
        if header.hasResidual { DolbyVisionReader.skipResidual(&bits, header) }
        let read = (curves[0], curves[1], curves[2])
        known[number] = read
        return read
    }

    private static func piece(_ bits: inout BitReader, _ header: Header) -> DolbyVisionMapping.Piece? {
        switch bits.exponentialGolomb() {
        case 0:
            let order = bits.exponentialGolomb() + 1
            // Order 1 may be written as a line between its ends; no encoder does, and nothing says how.
            guard 1...2 ~= order, order == 2 || !bits.flag() else { return nil }
            let k = (0...order).map { _ in coefficient(&bits, header) }
            return .polynomial(SIMD3(k[0], k[1], order == 2 ? k[2] : 0))
        case 1:
            let order = bits.read(2) + 1
            guard order <= 3 else { return nil }
            let constant = coefficient(&bits, header)
            let weights = (0..<order).map { _ in
                var weight = SIMD8<Double>.zero
                for product in 0..<7 { weight[product] = coefficient(&bits, header) }
                return weight
            }
            return .mixed(constant: constant, weights)
        default: return nil
        }
    }

    /// Skips the meaning of an enhancement layer's frames, which are not decoded.
    private static func skipResidual(_ bits: inout BitReader, _ header: Header) {
        for _ in 0..<3 {
            bits.skip(header.enhancementDepth)
            for _ in 0..<3 { _ = coefficient(&bits, header, isSigned: false) }
        }
    }

    // MARK: Colours

    private static func colours(_ bits: inout BitReader) -> Colours? {
        // Numbers of metadata sets, and whether a scene begins.
        for _ in 0..<3 { _ = bits.exponentialGolomb() }
        func row(_ unit: Double) -> SIMD3<Double> {
            SIMD3(Double(bits.signed(16)), Double(bits.signed(16)), Double(bits.signed(16))) / unit
        }
        let toCodes = Matrix3(row(8192), row(8192), row(8192))
        let zero = SIMD3(Double(bits.read(32)), Double(bits.read(32)), Double(bits.read(32))) / Double(1 << 28)
        let toCones = Matrix3(row(16384), row(16384), row(16384))
        // The curve and its parameters, depth, colour space, chroma format, range, and the darkest light.
        bits.skip(16 + 16 + 16 + 32 + 5 + 2 + 2 + 2 + 12)
        let peak = bits.read(12)
        bits.skip(10)
        guard !bits.isOverrun else { return nil }
        return Colours(toCodes: toCodes, toCones: toCones, zero: zero, peakCode: peak > 0 ? Double(peak) / 4095 : nil)
    }

    /// The brightest light of level 1, among at most 255 extension blocks.
    private static func scenePeak(_ bits: inout BitReader) -> Double? {
        let count = bits.exponentialGolomb()
        guard count <= 255, !bits.isOverrun else { return nil }
        bits.align()
        for _ in 0..<count {
            let length = bits.exponentialGolomb()
            let level = bits.read(8)
            guard length <= 1024, !bits.isOverrun else { return nil }
            if level == 1, length >= 5 {
                bits.skip(12)
                let peak = bits.read(12)
                return peak > 0 && !bits.isOverrun ? Double(peak) / 4095 : nil
            }
            bits.skip(length * 8)
        }
        return nil
    }
}
