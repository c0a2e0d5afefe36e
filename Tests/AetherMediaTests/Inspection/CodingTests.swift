import AetherCore
import Testing

@testable import AetherMedia

@Suite struct CodingTests {
    private typealias Block = QuantiserMap.Block

    @Test func aMapHasTheMeanByAreaAndTheEnds() {
        // Half of the frame at 20, a quarter at 30, a quarter at 40; the last reaches beyond it.
        let map = QuantiserMap(
            [
                Block(x: 0, y: 0, width: 32, height: 64, quantiser: 20), Block(x: 32, y: 0, width: 32, height: 32, quantiser: 30),
                Block(x: 32, y: 32, width: 64, height: 64, quantiser: 40),
            ], base: 26, width: 64, height: 64)
        #expect(map.mean == 27.5 && map.least == 20 && map.most == 40)
        #expect((map.columns, map.rows, map.step) == (4, 4, 16))
        #expect(map.value(x: 0, y: 63) == 20 && map.value(x: 40, y: 10) == 30 && map.value(x: 63, y: 63) == 40)
        // Outside of it the mean is as good as anything.
        #expect(map.value(x: -1, y: 900) == 28)
    }

    @Test func aFrameWithoutBlocksHasOneQuantiser() {
        let map = QuantiserMap([], base: 33, width: 640, height: 360)
        #expect(map.values.isEmpty && map.mean == 33 && map.least == 33 && map.most == 33 && map.value(x: 5, y: 5) == 33)
    }

    @Test func blocksThatLieNowhereAreNotCounted() {
        let wild = [
            Block(x: .max - 4, y: 0, width: 16, height: 16, quantiser: 1),
            Block(x: -32, y: -32, width: 16, height: 16, quantiser: 2),
            Block(x: 0, y: 0, width: -8, height: 16, quantiser: 3),
        ]
        let map = QuantiserMap(wild, base: 7, width: 16384, height: 8704)
        #expect(map.mean == 7 && map.least == 7 && max(map.columns, map.rows) <= 256)
    }

    @Test(
        arguments: [
            // H.264: the reference's weight stands in the first byte.
            ([0, 0, 0, 2, 0x65, 0], 4, false, true), ([0, 0, 0, 2, 0x01, 0], 4, false, false),
            ([0, 0, 0, 2, 0x41, 0], 4, false, true),
            // A message before the slice says nothing of it.
            ([0, 0, 0, 2, 0x06, 9, 0, 0, 0, 2, 0x01, 0], 4, false, false),
            ([0, 0, 0, 1, 0x09, 0xF0, 0, 0, 1, 0x41, 0], 0, false, true),
            // HEVC: TRAIL_N, TRAIL_R, IDR.
            ([0, 0, 0, 3, 0, 1, 0], 4, true, false), ([0, 0, 0, 3, 2, 1, 0], 4, true, true),
            ([0, 0, 1, 38, 1, 0], 0, true, true),
            // Cut off, or nothing.
            ([0, 0, 0, 200, 0x06, 1], 4, false, nil), ([], 4, false, nil), ([0, 0, 1], 0, true, nil),
        ] as [([UInt8], Int, Bool, Bool?)])
    func aFrameIsAReferenceWhereItsHeadSaysSo(_ bytes: [UInt8], _ prefix: Int, _ isHEVC: Bool, _ expected: Bool?) {
        #expect(ReferenceUse.isReference(bytes, prefix: prefix, isHEVC: isHEVC) == expected)
    }
}
