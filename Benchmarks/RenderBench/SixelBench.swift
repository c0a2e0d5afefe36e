import AetherCore
import AetherRender
import AetherTestSupport
import Foundation
import Glibc

// aether-bench-render sixel FRAMES.rgba [WIDTH HEIGHT] [--lambda L] [--budget BYTES] [--bound N] [--registers N] [--frames N]
//     [--cell HEIGHT] [--repeat N] [--picture FILE.ppm] [--bytes FILE] [--unchecked] [--reserve]
//
// FRAMES.rgba: raw rgba of WIDTH × HEIGHT pixels (1280 × 720), as from
//   ffmpeg -i clip.mkv -t 2 -vf scale=1280:720:flags=area -pix_fmt rgba -f rawvideo FRAMES.rgba
// Every frame is decoded by the terminal model and compared with its source: pixel by pixel, and after a Gaussian blur of
// sigma 2, the eye at a distance. --repeat shows the last frame N times more; --unchecked only encodes.

struct SixelOptions {
    var path = "", picture: String?, bytes: String?
    var width = 1280, height = 720, cell = 16
    var lambda = SixelRenderer.cruise
    var bound = 32, registers = 256, frames = Int.max, repeats = 0
    var budget: Int?
    var isChecked = true, reserves = false

    init(_ arguments: [String]) {
        var numbers: [Int] = []
        var rest = arguments[...]
        func number(_ otherwise: Int) -> Int { rest.popFirst().flatMap { Int($0) } ?? otherwise }
        while let argument = rest.popFirst() {
            switch argument {
            case "--lambda": lambda = rest.popFirst().flatMap(Double.init) ?? lambda
            case "--budget": budget = number(0)
            case "--bound": bound = number(bound)
            case "--registers": registers = number(registers)
            case "--frames": frames = number(frames)
            case "--cell": cell = number(cell)
            case "--repeat": repeats = number(0)
            case "--picture": picture = rest.popFirst()
            case "--bytes": bytes = rest.popFirst()
            case "--unchecked": isChecked = false
            case "--reserve": reserves = true
            default: if let number = Int(argument) { numbers.append(number) } else { path = argument }
            }
        }
        if numbers.count == 2 { (width, height) = (max(1, numbers[0]), max(1, numbers[1])) }
    }
}

struct SixelTally {
    var milliseconds: [Double] = [], bytes: [Int] = []
    var native = 0.0, blurred = 0.0, checked = 0
    var lastNative = 0.0, lastBlurred = 0.0, worstNative = 0.0, worstBlurred = 0.0
}

func runSixelBench(_ arguments: [String]) {
    let options = SixelOptions(arguments)
    guard let file = FileHandle(forReadingAtPath: options.path) else { return print("cannot read ‘\(options.path)’") }
    let cell = PixelSize(width: options.cell / 2, height: options.cell)
    let screenSize = CellSize(
        columns: (options.width + cell.width - 1) / cell.width, rows: (options.height + cell.height - 1) / cell.height)
    let placement = PixelPlacement(
        origin: CellPosition(column: 0, row: 0), display: PixelSize(width: options.width, height: options.height),
        screen: screenSize, cell: cell)
    let coverage = CellCoverage(screenSize)
    let quality = EncodeQuality(lambda: options.lambda, maximumChannelError: options.bound, byteBudget: options.budget)
    var renderer = SixelRenderer(registers: options.registers, limit: nil, isTmux: false, reservesBottom: options.reserves)
    var screen = VTScreen(columns: screenSize.columns, rows: screenSize.rows, cell: cell)
    var buffer = ByteBuffer(), tally = SixelTally(), stream = Data()
    var image: RasterImage?, repeats = options.repeats
    while tally.bytes.count < options.frames {
        if let next = readImage(file, options) { image = next } else if repeats > 0 { repeats -= 1 } else { break }
        guard let image else { break }
        buffer.removeAll()
        let start = processTime()
        let stats = renderer.encode(image, at: placement, coverage: coverage, quality: quality, into: &buffer)
        tally.milliseconds.append(processTime() - start)
        tally.bytes.append(stats.byteCount)
        if options.bytes != nil { buffer.withUnsafeBytes { stream.append(contentsOf: $0) } }
        if options.isChecked {
            buffer.withUnsafeBytes { screen.feed($0) }
            let shown = screen.plane.image(width: image.width, height: image.height)
            compare(shown, image, &tally)
            if options.repeats > 0 { print(tally.bytes.count, stats.byteCount, psnr(tally.lastNative), psnr(tally.lastBlurred)) }
        }
    }
    if let path = options.bytes, !FileManager.default.createFile(atPath: path, contents: stream) {
        print("cannot write ‘\(path)’")
    }
    if let path = options.picture, let image {
        let shown = screen.plane.image(width: image.width, height: image.height)
        if !FileManager.default.createFile(atPath: path, contents: pixelMap(shown)) { print("cannot write ‘\(path)’") }
    }
    report(tally, screen)
}

private func report(_ tally: SixelTally, _ screen: VTScreen) {
    let count = tally.bytes.count
    guard count > 0 else { return print("no frames") }
    let times = tally.milliseconds.sorted()
    print(
        "\(count) frames",
        String(
            format: "CPU mean %.1f p50 %.1f p95 %.1f ms", times.reduce(0, +) / Double(count), times[count / 2],
            times[count * 95 / 100]),
        String(
            format: "%.1f KB/frame, first %.1f, max %.1f", Double(tally.bytes.reduce(0, +)) / 1000 / Double(count),
            Double(tally.bytes[0]) / 1000, Double(tally.bytes.max() ?? 0) / 1000), separator: "  ")
    if tally.checked == 0 { return }
    let frames = Double(tally.checked)
    print(
        "PSNR native \(psnr(tally.native / frames)) (worst \(psnr(tally.worstNative)))",
        "blurred \(psnr(tally.blurred / frames)) (worst \(psnr(tally.worstBlurred)))",
        "\(screen.sixels.count) sequences, largest \((screen.sixels.map(\.byteCount).max() ?? 0) / 1000) KB, scrolled \(screen.scrolled)",
        separator: "  ")
    if !screen.unknown.isEmpty { print("faults: \(screen.unknown.prefix(3))") }
}

private func psnr(_ meanSquare: Double) -> String { String(format: "%.2f dB", 10 * log10(65025 / max(1e-9, meanSquare))) }

private func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

private func readImage(_ file: FileHandle, _ options: SixelOptions) -> RasterImage? {
    let size = options.width * options.height * 4
    let data = file.readData(ofLength: size)
    guard data.count == size else { return nil }
    let pixels = [UInt32](unsafeUninitializedCapacity: size / 4) { buffer, count in
        data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
        count = size / 4
    }
    return RasterImage(width: options.width, height: options.height, pixels: pixels)
}

/// Adds the mean squared errors of a frame: per channel and pixel, as shown and blurred.
private func compare(_ shown: RasterImage, _ wanted: RasterImage, _ tally: inout SixelTally) {
    let width = wanted.width, height = wanted.height, samples = Double(width * height * 3)
    var native = 0.0, blurred = 0.0
    for shift: UInt32 in [0, 8, 16] {
        var difference = [Float](repeating: 0, count: width * height)
        for index in difference.indices {
            difference[index] = Float(Int(shown.pixels[index] >> shift & 255) - Int(wanted.pixels[index] >> shift & 255))
            native += Double(difference[index] * difference[index])
        }
        for value in gaussian(difference, width: width, height: height) { blurred += Double(value * value) }
    }
    tally.lastNative = native / samples
    tally.lastBlurred = blurred / samples
    tally.native += native / samples
    tally.blurred += blurred / samples
    tally.worstNative = max(tally.worstNative, native / samples)
    tally.worstBlurred = max(tally.worstBlurred, blurred / samples)
    tally.checked += 1
}

/// Sigma 2, cut at 6; edges repeat.
private func gaussian(_ plane: [Float], width: Int, height: Int) -> [Float] {
    var kernel = (-6...6).map { Float(exp(-Double($0 * $0) / 8)) }
    let sum = kernel.reduce(0, +)
    for index in kernel.indices { kernel[index] /= sum }
    var rows = plane, result = [Float](repeating: 0, count: plane.count)
    for y in 0..<height {
        for x in 0..<width {
            var value: Float = 0
            for tap in 0..<13 { value += kernel[tap] * plane[y * width + min(max(0, x + tap - 6), width - 1)] }
            rows[y * width + x] = value
        }
    }
    for y in 0..<height {
        for tap in 0..<13 {
            let from = min(max(0, y + tap - 6), height - 1) * width
            for x in 0..<width { result[y * width + x] += kernel[tap] * rows[from + x] }
        }
    }
    return result
}

private func pixelMap(_ image: RasterImage) -> Data {
    var data = Data("P6 \(image.width) \(image.height) 255\n".utf8)
    for pixel in image.pixels {
        data.append(contentsOf: [UInt8(pixel & 255), UInt8(pixel >> 8 & 255), UInt8(pixel >> 16 & 255)])
    }
    return data
}
