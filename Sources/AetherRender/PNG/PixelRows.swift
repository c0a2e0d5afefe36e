/// Kernels over rows of pixels 0xAABBGGRR, sixteen at a time. All pointers may be unaligned; ranges do not overlap.
enum PixelRows {
    private typealias Bytes = SIMD64<UInt8>
    private typealias Lanes = SIMD16<UInt32>
    private static let opaque: UInt32 = 0xFF00_0000

    @inline(__always) private static func load(_ pointer: UnsafePointer<UInt32>) -> Bytes {
        UnsafeRawPointer(pointer).loadUnaligned(as: Bytes.self)
    }

    @inline(__always) private static func lanes(_ bytes: Bytes) -> Lanes { unsafeBitCast(bytes, to: Lanes.self) }
    @inline(__always) private static func bytes(_ lanes: Lanes) -> Bytes { unsafeBitCast(lanes, to: Bytes.self) }

    @inline(__always) private static func larger(_ a: Bytes, _ b: Bytes) -> Bytes { a.replacing(with: b, where: b .> a) }

    /// Each pixel's largest difference over red, green and blue. Returns the largest of all.
    static func errors(
        _ wanted: UnsafePointer<UInt32>, _ shown: UnsafePointer<UInt32>, count: Int, into errors: UnsafeMutablePointer<UInt8>
    ) -> UInt8 {
        var peak = SIMD16<UInt8>()
        var x = 0
        while x + 16 <= count {
            let a = load(wanted + x), b = load(shown + x)
            let colours = lanes(a.replacing(with: b, where: b .> a) &- a.replacing(with: b, where: b .< a)) & 0x00FF_FFFF
            let two = larger(bytes(colours), bytes(colours &>> 8))
            let three = larger(two, bytes(lanes(two) &>> 16))
            let result = SIMD16<UInt8>(truncatingIfNeeded: lanes(three))
            peak = peak.replacing(with: result, where: result .> peak)
            UnsafeMutableRawPointer(errors + x).storeBytes(of: result, as: SIMD16<UInt8>.self)
            x += 16
        }
        var rest = peak.max()
        while x < count {
            errors[x] = error(wanted[x], shown[x])
            rest = max(rest, errors[x])
            x += 1
        }
        return rest
    }

    @inline(__always) private static func error(_ a: UInt32, _ b: UInt32) -> UInt8 {
        func channel(_ shift: UInt32) -> UInt8 {
            let x = UInt8(truncatingIfNeeded: a &>> shift), y = UInt8(truncatingIfNeeded: b &>> shift)
            return x > y ? x &- y : y &- x
        }
        return max(channel(0), channel(8), channel(16))
    }

    /// Opaque pixels of fewer bits a channel.
    static func reduce(
        _ source: UnsafePointer<UInt32>, count: Int, by depth: ChannelDepth, into target: UnsafeMutablePointer<UInt32>
    ) {
        let top = Bytes(repeating: 255 - depth.half), half = Bytes(repeating: depth.half), mask = Bytes(repeating: depth.mask)
        var x = 0
        while x + 16 <= count {
            let value = load(source + x)
            let rounded = (value.replacing(with: top, where: value .> top) &+ half) & mask
            let full = rounded.replacing(with: 255, where: rounded .== mask)
            UnsafeMutableRawPointer(target + x).storeBytes(of: lanes(full) | opaque, as: Lanes.self)
            x += 16
        }
        while x < count {
            target[x] = depth.reduce(source[x])
            x += 1
        }
    }

    /// Whether two rows are the same.
    static func isEqual(_ a: UnsafePointer<UInt32>, _ b: UnsafePointer<UInt32>, count: Int) -> Bool {
        var x = 0
        while x + 16 <= count {
            if load(a + x) != load(b + x) { return false }
            x += 16
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
        var at = min(step, count)
        for index in 0..<at { target[index] = source[index] }
        while at + 64 <= count {
            let here = UnsafeRawPointer(source + at).loadUnaligned(as: Bytes.self)
            let before = UnsafeRawPointer(source + at - step).loadUnaligned(as: Bytes.self)
            UnsafeMutableRawPointer(target + at).storeBytes(of: here &- before, as: Bytes.self)
            at += 64
        }
        while at < count {
            target[at] = source[at] &- source[at - step]
            at += 1
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
