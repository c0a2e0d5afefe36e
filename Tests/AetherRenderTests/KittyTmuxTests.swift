import AetherCore
import AetherTestSupport
import Testing

@testable import AetherRender

/// Pictures through tmux: wrapped sequences, and cells that say where the picture lies.
@Suite struct KittyTmuxTests {
    @Test(arguments: [true, false]) func showsThroughPlaceholders(edits: Bool) {
        var rig = KittyRig(PixelSize(width: 48, height: 40), edits: edits, throughTmux: true)
        let frames = SyntheticFrames(width: 48, height: 40, seed: 1)
        rig.screen.feed(Array("\u{1B}[31;44;1m".utf8))
        let pen = rig.screen.pen
        rig.show(frames.noise(0))
        #expect(rig.shown() == frames.noise(0) && rig.screen.pen == pen)
        let first = rig.bytes.count
        var image = frames.noise(0)
        image[5, 5] ^= 0xFF
        rig.show(image)
        #expect(rig.shown() == image && rig.isClean && rig.kitty.answers.isEmpty, "\(rig.kitty.faults) \(rig.screen.unknown)")
        // The cells are sent once.
        if edits { #expect(rig.bytes.count < 400 && first > 5000) }
        rig.clear()
        #expect(rig.kitty.pictures.isEmpty && rig.screen.rows.allSatisfy { $0.allSatisfy { $0 == " " } })
    }

    @Test func bringsCellsBackThatTextHasCovered() {
        var rig = KittyRig(PixelSize(width: 48, height: 40), throughTmux: true)
        let image = SyntheticFrames(width: 48, height: 40, seed: 1).noise(0)
        var coverage = CellCoverage(rig.screen.size)
        let covered = 2 * rig.screen.size.columns + 5
        coverage.states[covered] = .covered
        rig.show(image, coverage: coverage)
        #expect(rig.screen.cells[covered].scalar == 0x20 && rig.screen.cells[covered + 1].scalar == 0x10EEEE)
        rig.screen.feed(Array("\u{1B}[3;6Htext".utf8))
        for index in 0..<4 { coverage.states[covered + index] = .uncovered }
        rig.show(image, coverage: coverage)
        #expect(rig.shown() == image && rig.isClean)
        rig.show(image)
        #expect(rig.bytes.isEmpty)
    }

    @Test func goesThroughSharedMemoryToo() {
        var rig = KittyRig(PixelSize(width: 24, height: 16), store: ScriptedPixels(), throughTmux: true)
        let frames = SyntheticFrames(width: 24, height: 16, seed: 1)
        for index in 0..<6 {
            rig.show(frames.noise(index))
            #expect(rig.shown() == frames.noise(index))
            if index > 0 { #expect(rig.bytes.count <= 300) }
        }
        #expect(rig.isClean && rig.renderer.isSharing)
    }

    @Test func tableOfTheProtocol() {
        let table = RowColumnDiacritics.scalars
        #expect(table.count == 297 && Set(table).count == 297)
        #expect(table[0] == 0x305 && table[1] == 0x30D && table[2] == 0x30E && table[296] == 0x1D244)
        #expect(table.allSatisfy { Unicode.Scalar($0)?.properties.canonicalCombiningClass.rawValue == 230 })
    }
}
