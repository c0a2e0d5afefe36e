import AetherCore
import AetherTestSupport
import Testing

@testable import AetherMedia

/// The vector kernels of scaling and conversion against plain loops, on what is easiest to get wrong: ends of rows, groups of rows that
/// are not full, black, white, edges between them.
@Suite struct KernelReferenceTests {
    enum Pattern: String, Sendable, CaseIterable {
        case black, white, stripes, rows, noise

        func sample(_ x: Int, _ y: Int, _ noise: inout Noise) -> UInt8 {
            switch self {
            case .black: 0
            case .white: 255
            case .stripes: x % 2 == 0 ? 255 : 0
            case .rows: y % 2 == 0 ? 255 : 0
            case .noise: UInt8(truncatingIfNeeded: noise.next())
            }
        }
    }

    /// Source, target, share of a sample by which boxes lie later. Shrinking, and what planes of chroma are enlarged beside it.
    static let sizes: [(Int, Int, Int, Int, Double)] = [
        (48, 30, 32, 20, 0), (24, 15, 32, 20, 0.25), (31, 29, 17, 15, 0.25), (100, 9, 61, 8, 0), (13, 16, 8, 9, 0),
        (41, 33, 40, 17, 0),
    ]

    @Test(arguments: Pattern.allCases, sizes.indices) func boxesAreTheSumsOfTheirWeights(_ pattern: Pattern, _ index: Int) throws
    {
        let (width, height, targetWidth, targetHeight, offset) = Self.sizes[index]
        let plan = try #require(
            BoxPlan(
                width: width, height: height, extentX: Double(width), extentY: Double(height), offsetX: offset, offsetY: 0,
                target: PixelSize(width: targetWidth, height: targetHeight), sampleIsByte: true))
        let small = try #require(plan.small)
        #expect(small.rows.allSatisfy { Int($0.weights.0) + Int($0.weights.1) + Int($0.weights.2) == 256 })
        var noise = Noise(state: 3)
        // Rows lie upside down in memory every other time.
        let isTurned = index % 2 == 1, stride = width + 5
        var bytes = [UInt8](repeating: 77, count: stride * height)
        for y in 0..<height { for x in 0..<width { bytes[y * stride + x] = pattern.sample(x, y, &noise) } }
        let count = targetWidth * targetHeight
        var output = [UInt16](repeating: 0xABCD, count: count + 8)
        var scaler = TapScaler()
        bytes.withUnsafeBufferPointer { source in
            output.withUnsafeMutableBufferPointer { output in
                guard let source = source.baseAddress, let output = output.baseAddress else { return }
                scaler.scale(
                    isTurned ? source + (height - 1) * stride : source, stride: isTurned ? -stride : stride, width: width,
                    plan: small,
                    into: output)
            }
        }
        #expect(output[count...].allSatisfy { $0 == 0xABCD }, "something was written behind the plane")
        var worst = 0.0
        for y in 0..<targetHeight {
            for x in 0..<targetWidth {
                let (row, column) = (small.rows[y], small.columns[x])
                func sum(_ x: Int) -> Int {
                    [row.weights.0, row.weights.1, row.weights.2].enumerated().reduce(0) { sum, weight in
                        guard weight.element > 0 else { return sum }
                        let line = row.first + weight.offset
                        return sum + Int(weight.element) * Int(bytes[(isTurned ? height - 1 - line : line) * stride + x])
                    }
                }
                let parts = [column.weights.0, column.weights.1, column.weights.2].enumerated().map { part in
                    part.element == 0 ? 0 : (sum(Int(column.first) + part.offset) * Int(part.element)) >> 16
                }
                let wanted = min(65535, parts.reduce(1, +))
                if Int(output[y * targetWidth + x]) != wanted {
                    Issue.record("\(pattern) \(x),\(y): \(output[y * targetWidth + x]) for \(wanted)")
                    return
                }
                let (across, down) = (plan.columns.spans[x], plan.rows.spans[y])
                var exact = 0.0
                for line in 0..<down.count {
                    for sample in 0..<across.count {
                        let place = down.first + line
                        exact +=
                            Self.share(down, line) * Self.share(across, sample)
                            * Double(bytes[(isTurned ? height - 1 - place : place) * stride + across.first + sample])
                    }
                }
                worst = max(worst, abs(Double(wanted) / 256 - exact))
            }
        }
        // Shares of rows are rounded to 1 / 256: by half of that where they are two, by one where they are three.
        let bound = small.rows.contains { $0.weights.2 > 0 } ? 1.02 : 0.52
        #expect(worst <= bound, "\(worst) levels from the exact mean")
    }

    private static func share(_ span: BoxSpan, _ index: Int) -> Double {
        Double(index == 0 ? span.headShare : index == span.count - 1 ? span.tailShare : span.innerShare)
    }

    @Test(arguments: [
        ColourMatrix.Kind.luma(red: 0.2126, blue: 0.0722), .luma(red: 0.2627, blue: 0.0593), .yCgCo, .rgb, .gbr,
    ]) func eightPixelsAtATimeAreAsOneByOne(_ kind: ColourMatrix.Kind) {
        let extremes: [UInt16] = [0, 1, 255, 256, 4095, 4096, 32767, 32768, 32769, 60160, 61440, 65279, 65280, 65535]
        var planes: [[UInt16]] = [[], [], []]
        for a in extremes {
            for b in extremes {
                for c in extremes { for (plane, value) in [a, b, c].enumerated() { planes[plane].append(value) } }
            }
        }
        var noise = Noise(state: 5)
        for _ in 0..<1003 { for plane in 0..<3 { planes[plane].append(UInt16(truncatingIfNeeded: noise.next())) } }
        let count = planes[0].count
        for (isFullRange, depth) in [(false, 8), (true, 8), (false, 10), (true, 16)] {
            let matrix = ColourMatrix(kind, isFullRange: isFullRange, depth: depth)
            var together = [UInt32](repeating: 0, count: count), single = together
            matrix.convert(planes[0], planes[1], planes[2], count: count, into: &together)
            for index in 0..<count {
                var pixel: UInt32 = 0
                matrix.convert([planes[0][index]], [planes[1][index]], [planes[2][index]], count: 1, into: &pixel)
                single[index] = pixel
            }
            #expect(together == single, "\(kind), \(depth) bits")
        }
    }
}
