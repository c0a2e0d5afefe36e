import Foundation

/// An MPEG transport stream in memory whose stamps can be bent: what broken multiplexers and broadcasts write.
public struct TransportStream {
    /// The time stamps of a PES header, in ticks of 90 kHz; nil where the header has none.
    public struct Stamps: Equatable {
        public var pts, dts: Int64?

        /// Stamps.
        public init(pts: Int64? = nil, dts: Int64? = nil) { (self.pts, self.dts) = (pts, dts) }
    }

    /// Whole packets of 188 bytes.
    public private(set) var bytes: [UInt8]
    private static let packetSize = 188

    /// Reads a file.
    public init(_ path: String) throws { bytes = [UInt8](try Data(contentsOf: URL(filePath: path))) }

    /// Rewrites the stamps of each PES packet of one kind: pictures (stream ids E0 … EF), or sound (C0 … DF). The body is given the number of
    /// the packet and what it says.
    public mutating func restamp(pictures: Bool, _ body: (Int, Stamps) -> Stamps) {
        let ids: ClosedRange<UInt8> = pictures ? 0xe0...0xef : 0xc0...0xdf
        var number = 0
        for start in stride(from: 0, to: bytes.count - Self.packetSize + 1, by: Self.packetSize) {
            guard bytes[start + 1] & 0x40 != 0 else { continue }
            let hasField = bytes[start + 3] & 0x20 != 0
            let header = start + 4 + (hasField ? 1 + Int(bytes[start + 4]) : 0)
            guard header + 19 <= start + Self.packetSize, bytes[header...].starts(with: [0, 0, 1]),
                ids.contains(bytes[header + 3])
            else { continue }
            rewrite(header: header, number: number, body)
            number += 1
        }
    }

    private mutating func rewrite(header: Int, number: Int, _ body: (Int, Stamps) -> Stamps) {
        let flags = bytes[header + 7] >> 6
        let room = Int(bytes[header + 8])
        var stamps = Stamps()
        if flags & 2 != 0 { stamps.pts = stamp(header + 9) }
        if flags == 3 { stamps.dts = stamp(header + 14) }
        let wanted = body(number, stamps)
        // Unused room in the header is stuffing.
        for index in 0..<room { bytes[header + 9 + index] = 0xff }
        var bits: UInt8 = 0
        if let pts = wanted.pts, room >= 5 {
            bits = 2
            if let dts = wanted.dts, room >= 10 {
                bits = 3
                put(dts, 1, header + 14)
            }
            put(pts, bits, header + 9)
        }
        bytes[header + 7] = bytes[header + 7] & 0x3f | bits << 6
    }

    private func stamp(_ at: Int) -> Int64 {
        let b = bytes[at..<at + 5].map { Int64($0) }
        return (b[0] >> 1 & 7) << 30 | b[1] << 22 | (b[2] >> 1) << 15 | b[3] << 7 | b[4] >> 1
    }

    private mutating func put(_ ticks: Int64, _ prefix: UInt8, _ at: Int) {
        let value = UInt64(bitPattern: ticks) & (1 << 33 - 1)
        bytes[at] = prefix << 4 | UInt8(value >> 30 & 7) << 1 | 1
        bytes[at + 1] = UInt8(value >> 22 & 0xff)
        bytes[at + 2] = UInt8(value >> 15 & 0x7f) << 1 | 1
        bytes[at + 3] = UInt8(value >> 7 & 0xff)
        bytes[at + 4] = UInt8(value & 0x7f) << 1 | 1
    }
}
