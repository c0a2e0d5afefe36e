import AetherTestSupport
import Testing

@testable import AetherFormats

/// Packets of a transport stream, as a multiplexer writes them.
private struct Packets {
    var bytes: [UInt8] = []
    let size: Int

    init(size: Int = 188) { self.size = size }

    mutating func add(_ pid: Int, _ payload: [UInt8], begins: Bool = true) {
        let head: [UInt8] = [0x47, UInt8(pid >> 8) | (begins ? 0x40 : 0), UInt8(pid & 0xff), 0x10]
        let packet = head + payload.prefix(184) + [UInt8](repeating: 0xff, count: max(0, 184 - payload.count))
        switch size {
        case 192: bytes += [0, 0, 0, 0] + packet
        case 204: bytes += packet + [UInt8](repeating: 0, count: 16)
        default: bytes += packet
        }
    }

    static func section(_ table: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 5 + 4
        let open: [UInt8] = [table, 0xb0 | UInt8(length >> 8), UInt8(length & 0xff), 0, 1, 0xc1, 0, 0] + body
        let sum = MPEGChecksum.of(open)
        return open + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> UInt32($0)) }
    }

    static func map(_ types: [(Int, UInt8)], padding: Int = 0) -> [UInt8] {
        var body: [UInt8] = [0xe1, 0, 0xf0 | UInt8(padding >> 8), UInt8(padding & 0xff)]
        body += [UInt8](repeating: 0, count: padding)
        for (pid, type) in types {
            body.append(type)
            body += [0xe0 | UInt8(pid >> 8), UInt8(pid & 0xff), 0xf0, 0]
        }
        return section(2, body)
    }

    /// A description table, the list of programs, the one program, and packets of its streams.
    mutating func addPart(_ types: [(Int, UInt8)], packets: Int = 20, isDamaged: Bool = false, padding: Int = 0) {
        add(0x11, [0] + Self.section(0x42, [1, 2, 3, 4, 5, 6]))
        add(0, [0] + Self.section(0, [0, 1, 0xf0, 0]))
        var map = Self.map(types, padding: padding)
        if isDamaged { map[13] ^= 1 }
        let all = [0] + map
        add(0x1000, Array(all.prefix(184)))
        if all.count > 184 {
            add(types[0].0, [1, 2, 3])
            add(0x1000, Array(all.dropFirst(184)), begins: false)
        }
        for number in 0..<packets { add(types[number % types.count].0, [UInt8(truncatingIfNeeded: number)]) }
    }
}

@Suite struct TransportSpliceTests {
    private static let avc: [(Int, UInt8)] = [(0x100, 0x1b), (0x101, 0x0f)]
    private static let hevc: [(Int, UInt8)] = [(0x100, 0x24), (0x101, 0x0f)]
    private static let dolby: [(Int, UInt8)] = [(0x100, 0x1b), (0x101, 0x81)]

    private func watched(_ bytes: [UInt8], step: Int) -> TransportSplice {
        var splice = TransportSplice()
        for start in stride(from: 0, to: bytes.count, by: step) {
            let before = splice.cleared
            bytes[start..<min(bytes.count, start + step)].withUnsafeBytes { splice.take($0) }
            #expect(splice.cleared >= before && splice.cleared <= splice.place ?? Int64(bytes.count))
        }
        return splice
    }

    @Test(arguments: [188, 192, 204], [1, 7, 188, 4096])
    func anotherCodecOfAStreamIsASpliceAtTheTablesBeforeIt(_ size: Int, _ step: Int) {
        for other in [Self.hevc, Self.dolby] {
            var packets = Packets(size: size)
            packets.addPart(Self.avc)
            packets.addPart(Self.avc)
            let place = packets.bytes.count
            packets.addPart(other)
            let splice = watched(packets.bytes, step: step)
            #expect(splice.place == Int64(place))
            #expect(splice.cleared == Int64(place))
            #expect(splice.codecs == [0x100: 0x1b, 0x101: 0x0f])
        }
    }

    @Test func aTableInTwoPacketsCounts() {
        var packets = Packets()
        packets.addPart(Self.avc, padding: 200)
        let place = packets.bytes.count
        packets.addPart(Self.hevc, padding: 200)
        #expect(watched(packets.bytes, step: 100).place == Int64(place))
    }

    @Test func aPartThatIsCutInAPacketEndsThere() {
        var packets = Packets()
        packets.addPart(Self.avc)
        packets.bytes.removeLast(50)
        let place = packets.bytes.count
        packets.addPart(Self.hevc)
        #expect(watched(packets.bytes, step: 1000).place == Int64(place))
    }

    @Test func otherStreamsAreNoSplice() {
        var packets = Packets()
        packets.addPart(Self.avc)
        packets.addPart(Self.avc + [(0x102, 0x81)])
        packets.addPart([(0x100, 0x1b)])
        packets.addPart([(0x200, 0x24), (0x101, 0x0f)])
        packets.addPart([(0x200, 0x24), (0x102, 0x06)])
        packets.addPart(Self.hevc, isDamaged: true)
        #expect(watched(packets.bytes, step: 500).place == nil)
    }

    @Test func nothingIsHeldBackOfOtherBytes() {
        var random = SeededRandom(seed: 7)
        for start in [[0x1a, 0x45, 0xdf, 0xa3], [0, 0, 0, 0x20, 0x66, 0x74, 0x79, 0x70]] as [[UInt8]] {
            let bytes = start + (0..<100_000).map { _ in UInt8.random(in: 0...0x46, using: &random) }
            var splice = TransportSplice()
            bytes.prefix(300).withUnsafeBytes { splice.take($0) }
            #expect(splice.cleared >= 296)
            Array(bytes.dropFirst(300)).withUnsafeBytes { splice.take($0) }
            #expect(splice.cleared == Int64(bytes.count) && !splice.isTransport)
        }
    }

    @Test func atTheEndAllIsClear() {
        var packets = Packets()
        packets.addPart(Self.avc)
        var splice = watched(packets.bytes, step: 64)
        #expect(splice.cleared < Int64(packets.bytes.count))
        splice.end()
        #expect(splice.cleared == Int64(packets.bytes.count))
    }

    /// A border elsewhere may have been glued long before.
    @Test func elsewhereTheCodecsAreUnknownUntilTheNextTable() {
        var first = Packets(), second = Packets()
        first.addPart(Self.avc)
        second.addPart(Self.hevc)
        var splice = watched(first.bytes, step: 5000)
        splice.move(to: 1_000_000)
        second.bytes.withUnsafeBytes { splice.take($0) }
        #expect(splice.place == nil && splice.codecs == [0x100: 0x24, 0x101: 0x0f])
        #expect(splice.cleared > 1_000_000)
    }
}
