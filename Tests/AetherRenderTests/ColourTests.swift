import AetherCore
import AetherRender
import AetherTestSupport
import Testing

@Suite struct ColourTests {
    @Test func everyPaletteEntryIsItsOwnNearest() {
        for index in 16...255 {
            let colour = Xterm256.palette[index]
            let nearest = Xterm256.nearest(
                red: UInt8(colour >> 16 & 255), green: UInt8(colour >> 8 & 255), blue: UInt8(colour & 255))
            #expect(Xterm256.palette[Int(nearest)] == colour)
        }
    }

    @Test func theFastNearestIsTheNearest() {
        var random = SeededRandom(seed: 17)
        for _ in 0..<2000 {
            let wanted = [random.below(256), random.below(256), random.below(256)]
            let fast = Xterm256.nearest(red: UInt8(wanted[0]), green: UInt8(wanted[1]), blue: UInt8(wanted[2]))
            let best = (16...255).map { distance(wanted, $0) }.min()
            #expect(distance(wanted, Int(fast)) == best)
            let ansi = Xterm256.nearestANSI(red: UInt8(wanted[0]), green: UInt8(wanted[1]), blue: UInt8(wanted[2]))
            #expect(distance(wanted, Int(ansi)) == (0...15).map { distance(wanted, $0) }.min())
        }
    }

    @Test func mapsColoursToWhatTheDepthHas() {
        let red = CellColor.rgb(255, 0, 0)
        #expect(ColourDepth.trueColor.map(red) == red)
        #expect(ColourDepth.indexed256.map(red) == .indexed(196))
        #expect(ColourDepth.indexed16.map(red) == .indexed(9))
        #expect(ColourDepth.indexed16.map(.indexed(196)) == .indexed(9))
        #expect(ColourDepth.indexed16.map(.indexed(5)) == .indexed(5))
        #expect(ColourDepth.mono.map(red) == .terminalDefault)
        for depth in ColourDepth.allCases { #expect(depth.map(.terminalDefault) == .terminalDefault) }
    }

    @Test func aSelectionStaysVisibleWithoutColours() {
        let selected = Cell(glyph: 0x41, foreground: .rgb(0, 0, 0), background: .rgb(240, 240, 240))
        #expect(ColourDepth.mono.map(selected).style.contains(.reverse))
        let plain = Cell(glyph: 0x41, foreground: .rgb(240, 240, 240), background: .rgb(0, 0, 0))
        #expect(!ColourDepth.mono.map(plain).style.contains(.reverse))
    }

    private func distance(_ wanted: [Int], _ index: Int) -> Int {
        let entry = Int(Xterm256.palette[index])
        let levels = [entry >> 16 & 255, entry >> 8 & 255, entry & 255]
        return zip(wanted, levels).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
}
