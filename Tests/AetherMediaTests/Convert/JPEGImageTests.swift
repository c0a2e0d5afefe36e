import AetherCore
import AetherMedia
import Testing

@Suite struct JPEGImageTests {
    /// Soft colours: what JPEG is for.
    private func gradient(_ width: Int, _ height: Int) -> RasterImage {
        var image = RasterImage(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { image[x, y] = RasterImage.rgb(UInt8(x * 255 / width), UInt8(y * 255 / height), 128) }
        }
        return image
    }

    @Test(arguments: [(160, 90), (161, 91), (16, 16), (320, 180)]) func isReadAsItWasWritten(width: Int, height: Int) throws {
        let image = gradient(width, height)
        let read = try StillImage.raster(try JPEGImage.bytes(image))
        #expect(read.size == image.size)
        var sum = 0
        for (a, b) in zip(image.pixels, read.pixels) {
            for shift in [0 as UInt32, 8, 16] { sum += abs(Int(a >> shift & 255) - Int(b >> shift & 255)) }
        }
        #expect(sum / (image.pixels.count * 3) <= 3)
    }

    @Test func whatIsNoPictureIsRefused() {
        for bytes: [UInt8] in [[], [1, 2, 3], [0xFF, 0xD8, 0xFF], Array("WEBVTT".utf8)] {
            #expect(throws: MediaError.self) { try StillImage.raster(bytes) }
        }
    }

    @Test func picturesAreNotEnlarged() throws {
        let bytes = try JPEGImage.bytes(gradient(64, 32))
        #expect(try StillImage.raster(bytes).size == PixelSize(width: 64, height: 32))
        #expect(
            try StillImage.raster(bytes, fitting: PixelSize(width: 32, height: 32)).size == PixelSize(width: 32, height: 16))
    }
}
