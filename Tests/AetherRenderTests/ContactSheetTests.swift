import AetherCore
import AetherRender
import AetherTestSupport
import Testing

@Suite struct ContactSheetTests {
    @Test func framesLieInRowsWithTheirTimesBelow() {
        var sheet = ContactSheet(columns: 3, rows: 2, tile: PixelSize(width: 100, height: 50))
        for index in 0..<6 {
            sheet.place(
                index == 4 ? nil : RasterImage(width: 100, height: 50, fill: RasterImage.rgb(UInt8(index * 40), 0, 0)),
                caption: "0:01:0\(index)",
                at: index)
        }
        let image = sheet.image
        #expect(image.size == PixelSize(width: 332, height: 168))
        for index in [0, 1, 2, 3, 5] {
            #expect(image[8 + index % 3 * 108 + 50, 8 + index / 3 * 80 + 25] == RasterImage.rgb(UInt8(index * 40), 0, 0))
        }
        let inked = (0..<3).map { tile in
            (62..<84).contains { y in
                (8 + tile * 108..<108 + tile * 108).contains { image[$0, y] == RasterImage.rgb(200, 200, 204) }
            }
        }
        #expect(inked == [true, true, true])
    }

    @Test func whatDoesNotFitIsCutAndNeverTraps() {
        var sheet = ContactSheet(columns: 0, rows: 9999, tile: PixelSize(width: -3, height: 2))
        sheet.place(RasterImage(width: 500, height: 500), caption: String(repeating: "8:", count: 500), at: 0)
        sheet.place(nil, caption: "x", at: -1)
        sheet.place(nil, caption: "", at: 100_000)
        #expect(sheet.columns == 1 && sheet.rows == 64)
    }

    @Test(arguments: [(1, 1), (7, 5), (320, 180)]) func aFileHasThePixels(width: Int, height: Int) throws {
        var random = SeededRandom(seed: 3)
        var image = RasterImage(width: width, height: height)
        for index in image.pixels.indices { image.pixels[index] = UInt32(truncatingIfNeeded: random.next()) | 0xFF00_0000 }
        #expect(try #require(PNGReader.read(PNGImage.bytes(image))) == image)
        image.pixels[0] = 0x7F12_3456
        #expect(try #require(PNGReader.read(PNGImage.bytes(image))) == image)
    }
}
