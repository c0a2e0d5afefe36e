import AetherFormats
import CFFmpeg

@testable import AetherMedia

/// Writes Dolby Vision's units as encoders do, for what no file at hand contains.
struct UnitWriter {
    private var bits: [UInt8] = []

    static let denominatorBits = 23

    mutating func write(_ value: Int, _ count: Int) {
        for shift in stride(from: count - 1, through: 0, by: -1) { bits.append(UInt8(value >> shift & 1)) }
    }

    mutating func golomb(_ value: Int) {
        let code = value + 1, width = Int.bitWidth - code.leadingZeroBitCount
        write(0, width - 1)
        write(code, width)
    }

    mutating func signedGolomb(_ value: Int) { golomb(value > 0 ? value * 2 - 1 : -value * 2) }

    mutating func coefficient(_ value: Double) {
        let fixed = Int((value * Double(1 << Self.denominatorBits)).rounded())
        signedGolomb(fixed >> Self.denominatorBits)
        write(fixed & ((1 << Self.denominatorBits) - 1), Self.denominatorBits)
    }

    var bytes: [UInt8] {
        stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(0) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
        }
    }

    /// A unit with checksum and end mark, of ten-bit components. Pivots are codes.
    static func payload(_ mapping: DolbyVisionMapping, scenePeak: Int? = nil, hasResidual: Bool = false) -> [UInt8] {
        var w = UnitWriter()
        w.write(2, 6)
        w.write(0x12, 11)
        w.write(1, 4)
        w.write(0, 4)
        w.write(1, 1)
        w.write(0, 1)
        w.write(0, 2)
        w.golomb(denominatorBits)
        w.write(1, 2)
        w.write(1, 1)
        w.golomb(2)
        w.golomb(2)
        w.golomb(4)
        w.write(0, 1)
        w.write(0, 3)
        w.write(0, 1)
        w.write(hasResidual ? 0 : 1, 1)
        w.write(1, 1)
        w.write(0, 1)
        for _ in 0..<3 { w.golomb(0) }
        let curves = [mapping.curves.0, mapping.curves.1, mapping.curves.2]
        for curve in curves {
            w.golomb(curve.pivots.count - 2)
            var last = 0
            for pivot in curve.pivots.map({ Int(($0 * 1024).rounded()) }) {
                w.write(pivot - last, 10)
                last = pivot
            }
        }
        // All files have these two pivots, 0 and 1023.
        if hasResidual { w.write(1023, 3 + 20) }
        w.golomb(0)
        w.golomb(0)
        for curve in curves { for piece in curve.pieces { w.piece(piece) } }
        if hasResidual {
            for _ in 0..<3 {
                w.write(512, 10)
                for _ in 0..<3 {
                    w.golomb(0)
                    w.write(99, denominatorBits)
                }
            }
        }
        w.colours(mapping, scenePeak)
        var bytes = w.bytes
        let sum = MPEGChecksum.of(bytes)
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: sum >> UInt32(shift))) }
        return bytes + [0x80]
    }

    private mutating func piece(_ piece: DolbyVisionMapping.Piece) {
        switch piece {
        case .polynomial(let k):
            golomb(0)
            let isLine = k.z == 0
            golomb(isLine ? 0 : 1)
            if isLine { write(0, 1) }
            for power in 0..<(isLine ? 2 : 3) { coefficient(k[power]) }
        case .mixed(let constant, let weights):
            golomb(1)
            write(weights.count - 1, 2)
            coefficient(constant)
            for weight in weights { for product in 0..<7 { coefficient(weight[product]) } }
        }
    }

    private mutating func colours(_ mapping: DolbyVisionMapping, _ scenePeak: Int?) {
        for _ in 0..<3 { golomb(0) }
        func rows(_ m: Matrix3) -> [Double] { [m.x, m.y, m.z].flatMap { [$0.x, $0.y, $0.z] } }
        for value in rows(mapping.toCodes) { write(Int((value * 8192).rounded()) & 0xFFFF, 16) }
        for index in 0..<3 { write(Int((mapping.zero[index] * Double(1 << 28)).rounded()), 32) }
        for value in rows(mapping.toCones) { write(Int((value * 16384).rounded()) & 0xFFFF, 16) }
        write(0xFFFF, 16)
        write(0, 16)
        write(0, 16)
        write(0, 32)
        write(12, 5)
        write(0, 6)
        write(7, 12)
        write(Int(((mapping.peakCode ?? 0) * 4095).rounded()), 12)
        write(42, 10)
        golomb(scenePeak == nil ? 0 : 1)
        while bits.count % 8 != 0 { write(0, 1) }
        if let scenePeak {
            golomb(5)
            write(1, 8)
            write(0, 12)
            write(scenePeak, 12)
            write(scenePeak / 2, 12)
            write(0, 4)
        }
    }

    /// As a NAL unit's body: a prefix, and emulation prevention.
    static func nal(_ payload: [UInt8]) -> [UInt8] {
        [25] + StreamSplicer.escaped(payload)
    }

    /// As AV1's metadata: a T.35 message with an EMDF container.
    static func t35(_ payload: [UInt8]) -> [UInt8] {
        var w = UnitWriter()
        w.write(0x01BE_6841, 27)
        // Groups of eight bits, the highest first; each but the first counts one less.
        if payload.count >= 256 {
            let rest = payload.count - 256
            w.write(rest >> 8, 8)
            w.write(1, 1)
            w.write(rest & 255, 8)
        } else {
            w.write(payload.count, 8)
        }
        w.write(0, 1)
        for byte in payload { w.write(Int(byte), 8) }
        w.write(0x400, 17)
        return [0xB5, 0x00, 0x3B, 0x00, 0x00, 0x08, 0x00] + w.bytes
    }

    // MARK: - Mappings

    /// As profile 5 has them: cones of IPT, codes of PQ.
    static func profile5(curves: (DolbyVisionMapping.Curve, DolbyVisionMapping.Curve, DolbyVisionMapping.Curve))
        -> DolbyVisionMapping
    {
        DolbyVisionMapping(
            curves: curves, toCodes: Matrix3([8192, 799, 1681] / 8192, [8192, -933, 1091] / 8192, [8192, 267, -5545] / 8192),
            zero: [0, 0.5, 0.5],
            toCones: Matrix3([17081, -349, -349] / 16384, [-349, 17081, -349] / 16384, [-349, -349, 17081] / 16384),
            peakCode: 3079.0 / 4095)
    }

    /// A luma curve of three pieces, and chroma that depends on all components.
    static var bentCurves: (DolbyVisionMapping.Curve, DolbyVisionMapping.Curve, DolbyVisionMapping.Curve) {
        let luma = DolbyVisionMapping.Curve(
            pivots: [0, 256.0 / 1024, 700.0 / 1024, 1023.0 / 1024],
            pieces: [.polynomial([0, 0.5, 1]), .polynomial([0.0625, 0.5, 0.5]), .polynomial([0.12, 0.8, 0])])
        func mixed(_ own: Int) -> DolbyVisionMapping.Curve? {
            var one = SIMD8<Double>(0.02, 0, 0, 0.05, -0.03, 0.01, 0.02, 0)
            one[own] = 0.9
            return DolbyVisionMapping.Curve(
                pivots: [0, 1023.0 / 1024],
                pieces: [
                    .mixed(
                        constant: 0.03,
                        [one, SIMD8(0.01, 0.02, -0.02, 0.03, 0.01, 0.02, 0.01, 0), SIMD8(-0.01, 0.01, 0.01, 0, 0.02, 0, 0.01, 0)])
                ])
        }
        return (luma ?? .identity, mixed(1) ?? .identity, mixed(2) ?? .identity)
    }
}
