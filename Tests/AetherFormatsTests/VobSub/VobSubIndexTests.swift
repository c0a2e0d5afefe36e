import AetherCore
import AetherFormats
import Testing

/// The index of a VobSub.
@Suite struct VobSubIndexTests {
    private static func index(_ lines: [String]) -> VobSubIndex? {
        VobSubIndex(Array((["# VobSub index file, v7 (do not modify this line!)"] + lines).joined(separator: "\r\n").utf8))
    }

    @Test func languagesNamesTimesAndPlacesAreRead() throws {
        let index = try #require(
            Self.index([
                "# a comment: nothing", "size: 720x576", "palette: 000000, ffffff", "langidx: 0", "", "id: en, index: 0",
                "alt: Commentary", "timestamp: 00:00:01:234, filepos: 000000000", "timestamp: 01:02:03:004, filepos: 0000F800",
                "id: --, index: 3", "delay: -00:00:01:000", "timestamp: 00:00:00:500, filepos: 1",
                "timestamp: 00:00:02:000, filepos: 2",
                "id: fr, index: 4",
            ]))
        #expect(index.header == "size: 720x576\npalette: 000000, ffffff\nlangidx: 0\n")
        #expect(index.streams.map(\.number) == [0, 3] && index.streams.map(\.language) == ["en", ""])
        #expect(index.streams.map(\.title) == ["Commentary", ""])
        #expect(
            index.streams[0].cues.map(\.milliseconds) == [1234, 3_723_004] && index.streams[0].cues.map(\.offset) == [0, 0xF800])
        // What a delay moves before the beginning is not shown.
        #expect(index.streams[1].cues.map(\.milliseconds) == [1000] && index.streams[1].cues.map(\.offset) == [2])
    }

    @Test(arguments: [
        "timestamp: 00:00:01:000, filepos: -1", "timestamp: 00:00:01:000, filepos: FFFFFFFFFFFFFFFFF",
        "timestamp: 00:00:01, filepos: 0", "timestamp: 00:61:01:000, filepos: 0", "timestamp: 9999:00:00:000, filepos: 0",
        "timestamp: 00:00:01:000", "timestamp:", "timestamp: aa:bb:cc:dd, filepos: 0",
    ])
    func aLineThatMakesNoSenseIsLeftOut(_ line: String) throws {
        let index = try #require(Self.index(["id: en, index: 0", line, "timestamp: 00:00:02:000, filepos: 0"]))
        #expect(index.streams.first?.cues.map(\.milliseconds) == [2000])
    }

    @Test func whatIsNoIndexIsNone() {
        #expect(VobSubIndex([]) == nil && VobSubIndex(Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8)) == nil)
        #expect(Self.index(["id: en, index: 32", "timestamp: 00:00:01:000, filepos: 0"])?.streams.isEmpty == true)
    }

    /// A pack, private stream 1 with a header of five bytes behind its flags, and the number of the stream.
    private static func sector(_ stream: UInt8, _ payload: [UInt8], stuffing: UInt8 = 0) -> [UInt8] {
        let body = [0x81, 0x80, 5] + [UInt8](repeating: 0x21, count: 5) + [0x20 + stream] + payload
        let pack =
            [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 0, 0, 3, 0xF8 | stuffing] + [UInt8](repeating: 0xFF, count: Int(stuffing))
        return pack + [0, 0, 1, 0xBD, UInt8(body.count >> 8), UInt8(body.count & 255)] + body
    }

    @Test func aUnitIsGatheredFromItsPackets() {
        let unit: [UInt8] = [0, 9, 0, 4, 1, 2, 3, 4, 5]
        let whole = Self.sector(2, unit + [0xEE])
        #expect(VobSubImage.unit(in: whole[...], stream: 2) == unit)
        #expect(VobSubImage.unit(in: whole[...], stream: 1) == nil)
        // With another stream's packet and padding between its halves.
        let padding: [UInt8] = [0, 0, 1, 0xBE, 0, 3, 0xFF, 0xFF, 0xFF]
        let halves =
            Self.sector(2, Array(unit.prefix(1)), stuffing: 3) + padding + Self.sector(1, [0, 4, 0, 0])
            + Self.sector(2, Array(unit.dropFirst()))
        #expect(
            VobSubImage.unit(in: halves[...], stream: 2) == unit && VobSubImage.unit(in: halves[...], stream: 1) == [0, 4, 0, 0])
        for count in 0..<whole.count - 1 { #expect(VobSubImage.unit(in: whole[..<count], stream: 2) == nil, "\(count)") }
        #expect(VobSubImage.unit(in: Self.sector(2, [0, 3, 0, 0])[...], stream: 2) == nil)
        #expect(VobSubImage.unit(in: ([0] + whole)[...], stream: 2) == nil)
    }
}
