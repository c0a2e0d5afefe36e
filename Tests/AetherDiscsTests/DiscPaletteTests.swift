import AetherFormats
import Testing

struct DiscPaletteTests {
    @Test(arguments: [
        (UInt32(0x10_80_80), UInt32(0)), (0xEB_80_80, 0xFF_FFFF), (0x51_F0_5A, 0xFE_0000), (0x91_22_36, 0x00_FF01),
    ])
    func coloursAreThoseOfTheNarrowRange(_ disc: UInt32, _ rgb: UInt32) {
        #expect(DiscPalette.rgb(disc) == rgb, "\(String(DiscPalette.rgb(disc), radix: 16))")
    }

    @Test func theHeaderNamesSizeAndColours() {
        let header = DiscPalette.header([0x10_80_80, 0xEB_80_80], width: 720, height: 576)
        #expect(String(decoding: header, as: UTF8.self) == "size: 720x576\npalette: 000000, ffffff\n")
    }
}
