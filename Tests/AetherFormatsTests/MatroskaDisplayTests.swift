import AetherCore
import AetherTestSupport
import Testing

@testable import AetherFormats

@Suite struct MatroskaDisplayTests {
    private static func track(_ type: UInt64, _ video: [[UInt8]]) -> [UInt8] {
        EBML.element(0xAE, [EBML.element(0x83, type), EBML.element(0x86, "V_FFV1"), EBML.element(0xE0, video)])
    }

    private static func side(_ id: UInt32, _ value: UInt64) -> [UInt8] { EBML.element(id, value) }

    private static func file(_ tracks: [[UInt8]], ahead: [UInt8] = []) -> [UInt8] {
        EBML.element(0x1A45_DFA3, [EBML.element(0x4282, "matroska")])
            + EBML.element(
                0x1853_8067,
                [ahead, EBML.element(0x1654_AE6B, tracks), EBML.element(0x1F43_B675, [UInt8](repeating: 7, count: 300))])
    }

    private static func search(_ file: [UInt8]) -> (sizes: [MatroskaDisplay], requests: Int) {
        var search = MatroskaDisplaySearch(), count = 0
        while let request = search.request {
            count += 1
            let start = min(file.count, Int(clamping: request.offset))
            search.take(Array(file[start..<min(file.count, start + request.count)]))
        }
        return (search.sizes, count)
    }

    @Test func videosAreFoundInTheirOrder() {
        let first = Self.track(
            1,
            [
                Self.side(0xB0, 1920), Self.side(0xBA, 1080), Self.side(0x54BB, 140), Self.side(0x54AA, 140),
                Self.side(0x54B0, 12), Self.side(0x54BA, 5),
            ])
        let found = Self.search(
            Self.file(
                [Self.track(2, []), first, Self.track(1, [Self.side(0xB0, 640), Self.side(0xBA, 480)])],
                ahead: EBML.element(0xEC, [UInt8](repeating: 0, count: 90)))
        )
        #expect(found.sizes.map(\.width) == [1920, 640])
        #expect(found.sizes.map(Self.isCropped) == [true, false])
        #expect(found.sizes[0].top == 140)
        #expect(found.sizes[0].display?.width == 12 && found.sizes[0].display?.height == 5)
        #expect(found.requests <= 6)
    }

    private static func isCropped(_ picture: MatroskaDisplay) -> Bool {
        picture.left + picture.top + picture.right + picture.bottom > 0
    }

    @Test func whatLeavesNothingCutsNothing() {
        for (id, other) in [(0x54CC, 0x54DD), (0x54BB, 0x54AA)] as [(UInt32, UInt32)] {
            let found = Self.search(
                Self.file([Self.track(1, [Self.side(0xB0, 100), Self.side(0xBA, 100), Self.side(id, 60), Self.side(other, 40)])]))
            #expect(found.sizes.first.map(Self.isCropped) == false)
        }
        let huge = Self.search(
            Self.file([Self.track(1, [Self.side(0xB0, .max), Self.side(0xBA, .max), Self.side(0x54CC, .max)])]))
        #expect(huge.sizes.first.map(Self.isCropped) == false)
        #expect(huge.sizes.first?.width == 1 << 16)
    }

    @Test func cutAndBentFilesEnd() {
        let file = Self.file([Self.track(1, [Self.side(0xB0, 100), Self.side(0xBA, 100), Self.side(0x54CC, 60)])])
        for count in 0..<file.count {
            #expect(Self.search(Array(file.prefix(count))).requests <= MatroskaDisplaySearch.requestLimit)
        }
        for index in file.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var bent = file
                bent[index] = value
                #expect(Self.search(bent).requests <= MatroskaDisplaySearch.requestLimit)
            }
        }
    }
}
