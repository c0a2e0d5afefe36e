import AetherCore
import AetherRender
import AetherTestSupport
import Foundation

// aether-bench-render sixel … : see SixelBench.swift
// aether-bench-render FRAMES.rgba [COLUMNS ROWS] [--source WxH] [--renderer R] [--depth D]
//                     [--lambda L [--bound N]] [--budget BYTES] [--rate BYTES] [--picture FILE.ppm]
//
// FRAMES.rgba: raw rgba of WxH pixels (8×16 a cell: 1280×720 for 160×45), as from
//   ffmpeg -i clip.mkv -t 5 -vf scale=1280:720:flags=area -pix_fmt rgba -f rawvideo FRAMES.rgba
// They are averaged to the renderer's raster. --budget is the hard limit of a frame, --rate lets RateControl set λ.
// --picture writes what the terminal shows at the end.
// Prints one line: CPU time per frame of drawing and of encoding, bytes, PSNR of the screen against the raster ("native") and, where
// the frames have 8×16 pixels a cell, of both blurred at that size ("blurred"); flicker is the rms of the change from frame to
// frame, both blurred, shown and source.

struct Tally {
    var drawing: [Double] = [], encoding: [Double] = []
    var bytes: [Int] = []
    var changed = 0, elided = 0
    var native = 0.0, nativeFrames = 0
    var blurred = 0.0, blurredRaster = 0.0, blurredFrames = 0
    var flicker = 0.0, sourceFlicker = 0.0, pairs = 0
}

/// Milliseconds of CPU that this thread has had: the machine may be shared.
func cpu() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

func run(_ options: Options, _ file: FrameFile) -> Tally {
    var renderer = FrameRenderer(EncoderChoice(renderer: options.renderer, depth: options.depth))
    var diff = CellDiff(depth: options.depth)
    let size = CellSize(columns: options.columns, rows: options.rows)
    var grid = CellGrid(size)
    var buffer = ByteBuffer()
    var control = RateControl(budget: options.rate ?? 160_000)
    var screen = VTScreen(columns: size.columns, rows: size.rows)
    var tally = Tally()
    let perCell = renderer.pixelsPerCell
    let raster = PixelSize(width: size.columns * perCell.width, height: size.rows * perCell.height)
    var last: (shown: Blurred, source: Blurred)?
    var index = 0
    while let frame = file.next() {
        let image = frame.areaScaled(to: raster)
        var quality = options.rate == nil ? EncodeQuality(lambda: 0, maximumChannelError: 0) : control.quality
        if let lambda = options.lambda { quality = EncodeQuality(lambda: lambda, maximumChannelError: options.bound) }
        quality.byteBudget = options.budget
        buffer.removeAll()
        let start = cpu()
        renderer.draw(image, at: CellPosition(column: 0, row: 0), into: &grid)
        let middle = cpu()
        let stats = diff.encode(
            grid, video: CellFrame(image, at: CellPosition(column: 0, row: 0), glyphs: renderer.glyphs), quality: quality,
            into: &buffer)
        tally.encoding.append(cpu() - middle)
        tally.drawing.append(middle - start)
        control.didEncode(byteCount: stats.byteCount)
        tally.bytes.append(stats.byteCount)
        tally.changed += stats.cellsChanged
        tally.elided += stats.coloursElided
        buffer.withUnsafeBytes { screen.feed($0) }
        if index % 8 >= 6 {
            let shown = perCell.width == 1 ? screen.pixels() : screen.parts(rows: perCell.height)
            tally.native += Double(shown.squaredError(to: image)) / Double(image.pixels.count * 3)
            tally.nativeFrames += 1
            if options.frameSize == options.display {
                let display = Blurred(screen.display(cell: PixelSize(width: 8, height: 16))), source = Blurred(frame)
                tally.blurred += display.meanSquare(to: source)
                tally.blurredRaster += display.meanSquare(to: Blurred(image.areaScaled(to: options.display)))
                tally.blurredFrames += 1
                if let last, index % 8 == 7 {
                    tally.flicker += display.meanSquare(to: last.shown)
                    tally.sourceFlicker += source.meanSquare(to: last.source)
                    tally.pairs += 1
                }
                last = (display, source)
            }
        }
        index += 1
    }
    if let path = options.picture {
        let picture = ppm(screen.display(cell: PixelSize(width: 8, height: 16)))
        if !FileManager.default.createFile(atPath: path, contents: picture) { print("cannot write ‘\(path)’") }
    }
    if !screen.unknown.isEmpty { print("unknown sequences: \(screen.unknown.prefix(3))") }
    return tally
}

func ppm(_ image: RasterImage) -> Data {
    var data = Data("P6 \(image.width) \(image.height) 255\n".utf8)
    data.reserveCapacity(image.pixels.count * 3 + 32)
    for pixel in image.pixels {
        data.append(contentsOf: [UInt8(pixel & 255), UInt8(pixel >> 8 & 255), UInt8(pixel >> 16 & 255)])
    }
    return data
}

func decibels(_ meanSquare: Double) -> String {
    meanSquare == 0 ? "exact" : String(format: "%.2f dB", 10 * log10(255 * 255 / meanSquare))
}

func median(_ values: [Double]) -> String {
    let sorted = values.sorted()
    return String(format: "%.3f/%.3f", sorted[sorted.count / 2], sorted[sorted.count * 95 / 100])
}

/// Cells of every kind.
func runCellBench(_ arguments: [String]) {
    let options = Options(arguments)
    let tally = FrameFile(options.path, size: options.frameSize).map { run(options, $0) } ?? Tally()
    if tally.bytes.isEmpty {
        print("no frames in ‘\(options.path)’: raw rgba of \(options.frameSize.width)×\(options.frameSize.height) is wanted")
    } else {
        let count = tally.bytes.count
        print(
            "\(options.renderer.rawValue) \(options.depth.rawValue) \(count) frames",
            "draw \(median(tally.drawing)) encode \(median(tally.encoding)) ms p50/p95",
            "\(tally.bytes.reduce(0, +) / count) bytes/frame (max \(tally.bytes.max() ?? 0), first \(tally.bytes.first ?? 0))",
            "native \(decibels(tally.native / Double(max(1, tally.nativeFrames))))",
            "blurred \(decibels(tally.blurred / Double(max(1, tally.blurredFrames))))"
                + " (\(decibels(tally.blurredRaster / Double(max(1, tally.blurredFrames)))) against the raster)",
            String(
                format: "flicker %.2f of %.2f", (tally.flicker / Double(max(1, tally.pairs))).squareRoot(),
                (tally.sourceFlicker / Double(max(1, tally.pairs))).squareRoot()),
            "\(tally.changed / count) cells, \(tally.elided / count) elided", separator: "  ")
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "sixel" { runSixelBench(Array(arguments.dropFirst())) } else { runCellBench(arguments) }
