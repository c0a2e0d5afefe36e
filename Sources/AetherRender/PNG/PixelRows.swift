/// Kernels over rows of pixels 0xAABBGGRR. Plain loops over bytes and words, which the compiler turns into vectors: Swift's own
/// comparisons of SIMD values are ten times slower. Ranges do not overlap.
enum PixelRows {
    private static let opaque: UInt32 = 0xFF00_0000

    /// Each pixel's largest difference over red, green and blue. Where `shown` is not opaque, what is seen is only known about: there
    /// it is at least 1 and counts half, since what moves matters more than what is not yet sharp. Returns the largest.
    static func errors(
        _ wanted: UnsafePointer<UInt32>, _ shown: UnsafePointer<UInt32>, count: Int, into errors: UnsafeMutablePointer<UInt8>
    ) -> UInt8 {
        var peak: UInt8 = 0
        for x in 0..<count {
            let p = wanted[x], q = shown[x]
            let red = abs(Int32(truncatingIfNeeded: p & 255) &- Int32(truncatingIfNeeded: q & 255))
            let green = abs(Int32(truncatingIfNeeded: p &>> 8 & 255) &- Int32(truncatingIfNeeded: q &>> 8 & 255))
            let blue = abs(Int32(truncatingIfNeeded: p &>> 16 & 255) &- Int32(truncatingIfNeeded: q &>> 16 & 255))
            let error = max(max(red, green), blue)
            let soft = max(1, error &>> 1)
            errors[x] = UInt8(truncatingIfNeeded: q &>> 31 == 0 ? soft : error)
        }
        for x in 0..<count { peak = max(peak, errors[x]) }
        return peak
    }

    /// The largest difference of two pixels over red, green and blue.
    @inline(__always) static func error(_ a: UInt32, _ b: UInt32) -> UInt8 {
        func channel(_ shift: UInt32) -> UInt8 {
            let x = UInt8(truncatingIfNeeded: a &>> shift), y = UInt8(truncatingIfNeeded: b &>> shift)
            return x > y ? x &- y : y &- x
        }
        return max(channel(0), channel(8), channel(16))
    }

    /// Reduces pixels in place.
    static func reduce(_ pixels: UnsafeMutablePointer<UInt32>, by depth: ChannelDepth, count: Int) {
        reduce(pixels, count: count, by: depth, into: pixels)
    }

    /// Opaque pixels of fewer bits a channel; source and target may be the same.
    static func reduce(
        _ source: UnsafePointer<UInt32>, count: Int, by depth: ChannelDepth, into target: UnsafeMutablePointer<UInt32>
    ) {
        let top = 255 - depth.half, half = depth.half, mask = depth.mask
        let from = UnsafeRawPointer(source).assumingMemoryBound(to: UInt8.self)
        let to = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt8.self)
        for at in 0..<count &* 4 {
            let value = from[at]
            let rounded = (min(value, top) &+ half) & mask
            to[at] = value > top ? 255 : rounded
        }
        for x in 0..<count { target[x] |= opaque }
    }

    /// Whether two rows are the same.
    static func isEqual(_ a: UnsafePointer<UInt32>, _ b: UnsafePointer<UInt32>, count: Int) -> Bool {
        var x = 0
        while x &+ 16 <= count {
            var difference: UInt32 = 0
            for at in x..<x &+ 16 { difference |= a[at] ^ b[at] }
            if difference != 0 { return false }
            x &+= 16
        }
        while x < count {
            if a[x] != b[x] { return false }
            x += 1
        }
        return true
    }

    /// Red, green and blue without alpha. Writes one byte too many.
    static func pack(_ source: UnsafePointer<UInt32>, count: Int, into target: UnsafeMutablePointer<UInt8>) {
        let target = UnsafeMutableRawPointer(target)
        for x in 0..<count { target.storeBytes(of: source[x].littleEndian, toByteOffset: x &* 3, as: UInt32.self) }
    }

    /// PNG's filter Sub: the difference to the byte `step` before.
    static func subtract(_ source: UnsafePointer<UInt8>, count: Int, step: Int, into target: UnsafeMutablePointer<UInt8>) {
        let first = min(step, count)
        for at in 0..<first { target[at] = source[at] }
        for at in first..<count { target[at] = source[at] &- source[at &- step] }
    }

    /// A row stretched by repeating pixels.
    static func enlarge(_ source: UnsafePointer<UInt32>, _ count: Int, into target: UnsafeMutablePointer<UInt32>, _ width: Int) {
        var x = 0
        for place in 0..<count {
            // The last x for which x * count / width is `place`.
            let end = min(width, ((place &+ 1) &* width &+ count &- 1) / count)
            while x < end {
                target[x] = source[place]
                x &+= 1
            }
        }
    }

    /// The squared differences of all colour channels, added up.
    static func squaredError(_ a: UnsafePointer<UInt32>, _ b: UnsafePointer<UInt32>, count: Int) -> Int {
        var sum = 0
        var start = 0
        while start < count {
            // 16 K pixels at a time: 3 · 255² · 16384 fits 32 bits.
            let end = min(count, start + 16_384)
            var part: UInt32 = 0
            for x in start..<end {
                let p = a[x], q = b[x]
                let red = Int32(p & 255) &- Int32(q & 255)
                let green = Int32(p &>> 8 & 255) &- Int32(q &>> 8 & 255)
                let blue = Int32(p &>> 16 & 255) &- Int32(q &>> 16 & 255)
                part &+= UInt32(bitPattern: red &* red &+ green &* green &+ blue &* blue)
            }
            sum += Int(part)
            start = end
        }
        return sum
    }
}
