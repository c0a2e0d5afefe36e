import AetherCore

/// The image that the terminal holds, pixel by pixel, and what of it differs from a wanted one.
struct KittyCanvas: Sendable {
    /// Pixels that one PNG of an edit changes.
    struct Edit: Sendable {
        var x = 0, y = 0, width = 0, height = 0
        /// Pixels sent for their own error.
        var count = 0
        /// Whether rows below had to wait altogether.
        var isCut = false
    }

    private(set) var width = 0, height = 0
    /// The pixels on screen; alpha is 0 where that is only known about.
    var shown: [UInt32] = []
    var errors: [UInt8] = []
    var peaks: [UInt8] = []
    var row: [UInt32] = []
    private var line: [UInt32] = []
    /// Pixels by their error 0…255 at the last comparison.
    private(set) var histogram = [Int](repeating: 0, count: 256)
    /// Pixels between two changed ones that are sent with them: an unbroken run compresses better than its holes (measured on
    /// video: 570 KB a frame against 643).
    static let gap = 5

    /// Another size. What is shown is not known then.
    mutating func resize(width: Int, height: Int) {
        guard width != self.width || height != self.height else { return }
        self.width = width
        self.height = height
        shown = [UInt32](repeating: 0, count: width * height)
        errors = [UInt8](repeating: 0, count: width * height)
        peaks = [UInt8](repeating: 0, count: height)
        row = [UInt32](repeating: 0, count: width + 1)
    }

    /// The shown image, enlarged to another size by repeating pixels. A terminal may smooth it, so that what is seen is only
    /// known about: its alpha is 0.
    mutating func enlarge(width: Int, height: Int) {
        let old = shown, oldWidth = self.width, oldHeight = self.height
        resize(width: width, height: height)
        for y in 0..<height {
            let line = y * oldHeight / height * oldWidth
            for x in 0..<width { shown[y * width + x] = old[line + x * oldWidth / width] & 0x00FF_FFFF }
        }
    }

    /// Compares with a wanted image of the same size. Returns how many pixels are further off than `threshold`.
    mutating func compare(_ wanted: [UInt32], threshold: Int) -> Int {
        for level in histogram.indices { histogram[level] = 0 }
        wanted.withUnsafeBufferPointer { wanted in
            shown.withUnsafeBufferPointer { shown in
                errors.withUnsafeMutableBufferPointer { errors in
                    guard let wanted = wanted.baseAddress, let shown = shown.baseAddress, let errors = errors.baseAddress else {
                        return
                    }
                    for y in 0..<height {
                        let line = y * width
                        let peak = PixelRows.errors(wanted + line, shown + line, count: width, into: errors + line)
                        peaks[y] = peak
                        if Int(peak) > threshold { Self.count(errors + line, width, into: &histogram) }
                    }
                }
            }
        }
        return count(over: threshold)
    }

    private static func count(_ errors: UnsafePointer<UInt8>, _ count: Int, into histogram: inout [Int]) {
        histogram.withUnsafeMutableBufferPointer { histogram in
            for x in 0..<count { histogram[Int(errors[x])] &+= 1 }
        }
    }

    /// The least threshold from `least` on that leaves at most so many pixels over it, and how many of those just at it fit besides.
    func threshold(from least: Int, allowing most: Int) -> EditBound {
        var over = 0
        for level in stride(from: 255, to: least, by: -1) {
            if over + histogram[level] > most { return EditBound(level: level, quota: most - over) }
            over += histogram[level]
        }
        return EditBound(level: least)
    }

    /// Pixels that were further off than a threshold at the last comparison.
    func count(over threshold: Int) -> Int { histogram[min(256, threshold + 1)...].reduce(0, +) }

    /// The squared difference to an image that the canvas shows, enlarged if need be.
    mutating func squaredError(to image: borrowing RasterImage) -> Int {
        if line.count != image.width { line = [UInt32](repeating: 0, count: image.width) }
        let width = width, height = height, imageWidth = image.width, imageHeight = image.height
        return image.pixels.withUnsafeBufferPointer { wanted in
            shown.withUnsafeBufferPointer { shown in
                line.withUnsafeMutableBufferPointer { line in
                    guard let wanted = wanted.baseAddress, let shown = shown.baseAddress, let line = line.baseAddress else {
                        return 0
                    }
                    if imageWidth == width, imageHeight == height {
                        return PixelRows.squaredError(wanted, shown, count: width * height)
                    }
                    var sum = 0, last = -1
                    for y in 0..<imageHeight {
                        let row = y * height / imageHeight
                        if row != last { PixelRows.enlarge(shown + row * width, width, into: line, imageWidth) }
                        last = row
                        sum += PixelRows.squaredError(wanted + y * imageWidth, line, count: imageWidth)
                    }
                    return sum
                }
            }
        }
    }
}
