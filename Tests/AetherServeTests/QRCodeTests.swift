import AetherTestSupport
import Testing

@testable import AetherServe

@Suite struct QRCodeTests {
    /// ISO/IEC 18004, annex I: the codewords of "01234567" in version 1-M, and their correction.
    @Test func correctionIsThatOfTheStandardsExample() {
        let data: [UInt8] = [0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11]
        #expect(QRCode.correction(data, count: 10) == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
    }

    @Test(arguments: [(14, 21), (15, 25), (26, 25), (62, 33), (84, 37), (106, 41), (122, 45), (152, 49), (180, 53), (213, 57)])
    func theVersionIsTheSmallestThatHolds(_ count: Int, _ size: Int) {
        #expect(QRCode(String(repeating: "a", count: count))?.size == size)
    }

    @Test func aLongTextHasNone() { #expect(QRCode(String(repeating: "a", count: 214)) == nil) }

    /// The format of level M under mask 5 is 100000011001110 (ISO/IEC 18004, table C.1).
    @Test func theFormatIsThatOfTheStandardsTable() throws {
        let code = try #require(QRCode(Array("a".utf8), mask: 5))
        let copy = (0..<6).map { code.modules[$0 * code.size + 8] } + [7, 8].map { code.modules[$0 * code.size + 8] }
        #expect(copy.map { $0 ? 1 : 0 } == [0, 1, 1, 1, 0, 0, 1, 1])
    }
}
