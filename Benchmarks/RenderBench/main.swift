import AetherCore
import AetherRender
import AetherTestSupport
import Foundation

// aether-bench-render sixel … : see SixelBench.swift
// aether-bench-render FRAMES.rgb [COLUMNS ROWS] [--lambda L | --budget BYTES] [--bound N] [--depth D] [--picture FILE.ppm]
//
// FRAMES.rgb: raw rgb24 of COLUMNS × 2·ROWS pixels (160 × 90), as from
//   ffmpeg -i clip.mkv -t 5 -vf scale=160:90:flags=area -pix_fmt rgb24 -f rawvideo FRAMES.rgb
// --picture writes what the terminal shows at the end, each cell 8×16 pixels.
// Prints one line: time per frame of draw + encode, bytes, PSNR of the screen that a terminal shows, exact and changed cells.

struct Options {
    var path = ""
    var columns = 160, rows = 45
    var lambda: Double?
    var budget = 160_000
    var bound = 16
    var depth = ColourDepth.trueColor
    var picture: String?

    init(_ arguments: [String]) {
        var numbers: [Int] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--lambda": lambda = rest.popFirst().flatMap(Double.init)
            case "--budget": budget = rest.popFirst().flatMap { Int($0) } ?? budget
            case "--bound": bound = rest.popFirst().flatMap { Int($0) } ?? bound
            case "--picture": picture = rest.popFirst()
            case "--depth": depth = rest.popFirst().flatMap(ColourDepth.init(rawValue:)) ?? depth
            default:
                if let number = Int(argument) { numbers.append(number) } else { path = argument }
            }
        }
        if numbers.count == 2 { (columns, rows) = (max(1, numbers[0]), max(1, numbers[1])) }
    }
}

struct Tally {
    var milliseconds: [Double] = []
    var bytes: [Int] = []
    var changed = 0, elided = 0
    var encoderError = 0
    var screenError = 0, sampledFrames = 0
}

func images(_ options: Options) -> [RasterImage] {
    let data = [UInt8](FileManager.default.contents(atPath: options.path) ?? Data())
    let pixels = options.columns * options.rows * 2
    return (0..<data.count / (pixels * 3)).map { frame in
        let values = (0..<pixels).map { index -> UInt32 in
            let at = (frame * pixels + index) * 3
            return RasterImage.rgb(data[at], data[at + 1], data[at + 2])
        }
        return RasterImage(width: options.columns, height: options.rows * 2, pixels: values)
    }
}

func run(_ options: Options, _ frames: [RasterImage]) -> Tally {
    var renderer = HalfBlockRenderer(depth: options.depth)
    var diff = CellDiff(depth: options.depth)
    var grid = CellGrid(CellSize(columns: options.columns, rows: options.rows))
    var buffer = ByteBuffer()
    var control = RateControl(budget: options.budget)
    var screen = VTScreen(columns: options.columns, rows: options.rows)
    var tally = Tally()
    for (index, image) in frames.enumerated() {
        let quality = options.lambda.map { EncodeQuality(lambda: $0, maximumChannelError: options.bound) } ?? control.quality
        buffer.removeAll()
        let start = SystemTime().now()
        renderer.draw(image, at: CellPosition(column: 0, row: 0), into: &grid)
        let stats = diff.encode(grid, quality: quality, into: &buffer)
        tally.milliseconds.append((SystemTime().now() - start).milliseconds)
        control.didEncode(byteCount: stats.byteCount)
        tally.bytes.append(stats.byteCount)
        tally.changed += stats.cellsChanged
        tally.elided += stats.coloursElided
        tally.encoderError += stats.squaredError
        buffer.withUnsafeBytes { screen.feed($0) }
        if index % 10 == 9 {
            tally.screenError += screen.pixels().squaredError(to: image)
            tally.sampledFrames += 1
        }
    }
    if let path = options.picture, !FileManager.default.createFile(atPath: path, contents: ppm(screen.pixels())) {
        print("cannot write ‘\(path)’")
    }
    if !screen.unknown.isEmpty { print("unknown sequences: \(screen.unknown.prefix(3))") }
    return tally
}

func ppm(_ image: RasterImage) -> Data {
    var data = Data("P6 \(image.width * 8) \(image.height * 8) 255\n".utf8)
    for y in 0..<image.height * 8 {
        for x in 0..<image.width * 8 {
            let pixel = image[x / 8, y / 8]
            data.append(contentsOf: [UInt8(pixel & 255), UInt8(pixel >> 8 & 255), UInt8(pixel >> 16 & 255)])
        }
    }
    return data
}

func decibels(_ error: Int, samples: Int) -> String {
    error == 0 ? "exact" : String(format: "%.2f dB", 10 * log10(255 * 255 * Double(max(1, samples)) / Double(error)))
}

/// Cells: half-blocks.
func runCellBench(_ arguments: [String]) {
    let options = Options(arguments)
    let frames = images(options)
    if frames.isEmpty {
        print("no frames in ‘\(options.path)’: raw rgb24 of \(options.columns)×\(options.rows * 2) is wanted")
    } else {
        let tally = run(options, frames)
        let times = tally.milliseconds.sorted()
        let samples = options.columns * options.rows * 6
        let bytes = tally.bytes.reduce(0, +)
        print(
            "\(frames.count) frames  draw+encode p50 \(Int(times[times.count / 2] * 1e6)) ns,"
                + " p95 \(Int(times[times.count * 95 / 100] * 1e6)) ns",
            "\(bytes / frames.count) bytes/frame (max \(tally.bytes.max() ?? 0))",
            "PSNR screen \(decibels(tally.screenError, samples: samples * tally.sampledFrames)),"
                + " encoder \(decibels(tally.encoderError, samples: samples * frames.count))",
            "\(tally.changed / frames.count) cells changed, \(tally.elided / frames.count) colours elided", separator: "  ")
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "sixel" { runSixelBench(Array(arguments.dropFirst())) } else { runCellBench(arguments) }
