/// Scales images by the mean of the area that each new pixel covers. Keeps its room from call to call.
struct AreaScaler: Sendable {
    /// The first source pixel of each target pixel, and the shares, which add up to 256.
    private struct Axis: Equatable {
        var source = 0, target = 0
        var starts: [Int32] = []
        var offsets: [Int32] = [0]
        var shares: [UInt16] = []
    }

    private var horizontal = Axis(), vertical = Axis()
    private var sums: [UInt16] = []

    /// Scales an image of width × height pixels into `target` of `targetWidth` × `targetHeight`; no side may be 0.
    mutating func scale(
        _ source: [UInt32], width: Int, height: Int, into target: inout [UInt32], targetWidth: Int, targetHeight: Int
    ) {
        if horizontal.source != width || horizontal.target != targetWidth { horizontal = Self.axis(width, targetWidth) }
        if vertical.source != height || vertical.target != targetHeight { vertical = Self.axis(height, targetHeight) }
        if target.count != targetWidth * targetHeight { target = [UInt32](repeating: 0, count: targetWidth * targetHeight) }
        if sums.count != width * 4 { sums = [UInt16](repeating: 0, count: width * 4) }
        source.withUnsafeBytes { source in
            target.withUnsafeMutableBufferPointer { target in
                sums.withUnsafeMutableBufferPointer { sums in
                    guard let bytes = source.baseAddress, let out = target.baseAddress, let sums = sums.baseAddress else {
                        return
                    }
                    for y in 0..<targetHeight {
                        Self.add(bytes, rowBytes: width * 4, vertical, y, into: sums)
                        Self.fold(sums, horizontal, into: out + y * targetWidth)
                    }
                }
            }
        }
    }

    /// The shares of the source rows of one target row, added up: up to 255 · 256, which 16 bits hold.
    private static func add(
        _ source: UnsafeRawPointer, rowBytes: Int, _ axis: Axis, _ y: Int, into sums: UnsafeMutablePointer<UInt16>
    ) {
        let first = Int(axis.offsets[y]), last = Int(axis.offsets[y + 1])
        for index in first..<last {
            let start = (Int(axis.starts[y]) + index - first) * rowBytes
            let row = source.advanced(by: start).assumingMemoryBound(to: UInt8.self)
            let share = axis.shares[index]
            if index == first {
                for at in 0..<rowBytes { sums[at] = UInt16(row[at]) &* share }
            } else {
                for at in 0..<rowBytes { sums[at] = sums[at] &+ UInt16(row[at]) &* share }
            }
        }
    }

    private static func fold(_ sums: UnsafePointer<UInt16>, _ axis: Axis, into target: UnsafeMutablePointer<UInt32>) {
        let sums = UnsafeRawPointer(sums)
        axis.shares.withUnsafeBufferPointer { shares in
            for x in 0..<axis.target {
                var sum = SIMD4<UInt32>(repeating: 32_768)
                var place = Int(axis.starts[x])
                for index in Int(axis.offsets[x])..<Int(axis.offsets[x + 1]) {
                    let pixel = sums.loadUnaligned(fromByteOffset: place &* 8, as: SIMD4<UInt16>.self)
                    sum = sum &+ SIMD4<UInt32>(truncatingIfNeeded: pixel) &* UInt32(shares[index])
                    place &+= 1
                }
                let value = sum &>> 16
                target[x] = value.x | value.y &<< 8 | value.z &<< 16 | value.w &<< 24
            }
        }
    }

    private static func axis(_ source: Int, _ target: Int) -> Axis {
        var axis = Axis(source: source, target: target)
        for place in 0..<target {
            // In units of 1/target source pixels: the target pixel covers `source` of them.
            let start = place * source, end = start + source
            let first = start / target, last = (end - 1) / target
            axis.starts.append(Int32(first))
            var taken = 0
            for pixel in first...last {
                let reached = (min(end, (pixel + 1) * target) - start) * 256 / source
                axis.shares.append(UInt16(reached - taken))
                taken = reached
            }
            axis.offsets.append(Int32(axis.shares.count))
        }
        return axis
    }
}
