import AetherTestSupport
import Testing

@testable import AetherRender

/// The kernels against the obvious way.
@Suite struct PixelRowsTests {
    @Test(arguments: 4...8) func fewerBitsAreAtMostHalfAStepOff(bits: Int) {
        let depth = ChannelDepth(bits: bits)
        let source = (0..<256).map { UInt32($0) * 0x010101 }
        var target = [UInt32](repeating: 0, count: 256)
        PixelRows.reduce(source, count: 256, by: depth, into: &target)
        var levels: Set<UInt32> = []
        for (level, pixel) in target.enumerated() {
            let value = pixel & 255
            #expect(pixel == 0xFF00_0000 | value * 0x010101)
            #expect(abs(Int(value) - level) <= Int(depth.half))
            levels.insert(value)
        }
        #expect(target[0] & 255 == 0 && target[255] & 255 == 255 && levels.count <= 1 << bits + 1)
        #expect(levels.count >= 1 << bits)
    }

    @Test(arguments: [1, 3, 15, 16, 17, 64, 100]) func findsErrors(count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        let a = (0..<count).map { _ in UInt32(truncatingIfNeeded: random.next()) | 0xFF00_0000 }
        var b = (0..<count).map { _ in UInt32(truncatingIfNeeded: random.next()) | 0xFF00_0000 }
        b[0] = a[0]
        if count > 2 { b[2] = a[2] & 0x00FF_FFFF }
        var errors = [UInt8](repeating: 0, count: count)
        let peak = PixelRows.errors(a, b, count: count, into: &errors)
        #expect(peak == errors.max())
        for x in 0..<count where x != 2 {
            let channels = [0, 8, 16].map { abs(Int(a[x] >> $0 & 255) - Int(b[x] >> $0 & 255)) }
            #expect(Int(errors[x]) == channels.max())
        }
        if count > 2 { #expect(errors[2] == 1) }
    }

    @Test func scalesByMeans() {
        var scaler = AreaScaler(), target: [UInt32] = []
        let source: [UInt32] = [0xFF000000, 0xFF0000FF, 0xFF00FF00, 0xFF00FF00, 0xFF0000FF, 0xFF000000, 0xFF00FF00, 0xFF00FF00]
        scaler.scale(source, width: 4, height: 2, into: &target, targetWidth: 2, targetHeight: 1)
        #expect(target == [0xFF000080, 0xFF00FF00])
        scaler.scale([0xFF123456], width: 1, height: 1, into: &target, targetWidth: 3, targetHeight: 5)
        #expect(target == [UInt32](repeating: 0xFF123456, count: 15))
        let flat = [UInt32](repeating: 0xFFFEDCBA, count: 77 * 31)
        scaler.scale(flat, width: 77, height: 31, into: &target, targetWidth: 13, targetHeight: 10)
        #expect(target == [UInt32](repeating: 0xFFFEDCBA, count: 130))
    }
}
