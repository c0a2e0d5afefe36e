import AetherCore
import AetherTestSupport
import Testing

/// The terminal model itself, against bytes written by hand.
@Suite struct VTSixelTests {
    private func screen(_ text: String) -> VTScreen {
        var screen = VTScreen(columns: 4, rows: 3, cell: PixelSize(width: 5, height: 6))
        screen.feed(Array(text.utf8))
        return screen
    }

    @Test func readsRunsReturnsAndLines() {
        let red = RasterImage.rgb(255, 0, 0), blue = RasterImage.rgb(0, 0, 255)
        let screen = screen("\u{1B}[1;2H\u{1B}P0;1q\"1;1;8;12#1;2;100;0;0#2;1;0;50;100#1!4~$#2?@-#1!8A\u{1B}\\")
        #expect(screen.unknown.isEmpty && screen.scrolled == 0 && screen.strings.isEmpty)
        #expect(screen.plane[5, 0] == red && screen.plane[6, 0] == blue && screen.plane[6, 1] == red && screen.plane[9, 0] == 0)
        #expect(screen.plane[12, 7] == red && screen.plane[12, 6] == 0 && screen.plane[13, 7] == 0)
        #expect(screen.sixels.first?.registers == [1, 2] && screen.sixels.first?.bands == 2)
    }

    @Test func textWipesItsCellAndTransparencyKeeps() {
        let paint = "\u{1B}[H\u{1B}P0;1q\"1;1;10;6#1;2;0;100;0#1!10~\u{1B}\\"
        let green = RasterImage.rgb(0, 255, 0)
        var screen = screen(paint + "\u{1B}[1;2Hx")
        #expect(screen.plane[4, 5] == green && screen.plane[5, 5] == 0)
        screen.feed(Array("\u{1B}[H\u{1B}P0;1q\"1;1;10;6#1;2;0;0;100#1@\u{1B}\\".utf8))
        #expect(screen.plane[0, 0] == RasterImage.rgb(0, 0, 255) && screen.plane[0, 1] == green)
        screen.feed(Array("\u{1B}[H\u{1B}P0;0q\"1;1;10;6#1;2;0;0;100#1@\u{1B}\\".utf8))
        #expect(screen.plane[0, 1] == RasterImage.rgb(0, 0, 0))
    }

    @Test func aBandAcrossTheBottomScrolls() {
        #expect(screen("\u{1B}[3;1H\u{1B}P0;1q\"1;1;1;6#1;2;0;0;100#1@\u{1B}\\").scrolled == 0)
        #expect(screen("\u{1B}[3;1H\u{1B}P0;1q\"1;1;1;6#1;2;0;0;100#1@-@\u{1B}\\").scrolled == 1)
        #expect(screen("\u{1B}[3;1H\u{1B}P0;1q\"1;1;1;6#1;2;0;0;100#1@-\u{1B}\\").scrolled == 1)
    }

    @Test func objectsToUndefinedRegisters() {
        #expect(!screen("\u{1B}P0;1q\"1;1;1;6#7@\u{1B}\\").unknown.isEmpty)
        #expect(!screen("\u{1B}P0;1q\"1;1;1;6#8;2;0;0;0#7@\u{1B}\\").unknown.isEmpty)
    }
}
