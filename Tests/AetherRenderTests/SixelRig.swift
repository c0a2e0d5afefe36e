import AetherCore
import AetherTestSupport

@testable import AetherRender

/// A sixel renderer wired to a terminal model.
struct SixelRig {
    var renderer: SixelRenderer
    var screen: VTScreen
    var coverage: CellCoverage
    let placement: PixelPlacement
    private(set) var bytes: [UInt8] = []

    init(
        display: PixelSize, screen size: CellSize, cell: PixelSize, origin: CellPosition = CellPosition(column: 0, row: 0),
        registers: Int = 256, limit: PixelSize? = nil, isTmux: Bool = false, reservesBottom: Bool = false
    ) {
        renderer = SixelRenderer(registers: registers, limit: limit, isTmux: isTmux, reservesBottom: reservesBottom)
        screen = VTScreen(columns: size.columns, rows: size.rows, cell: cell)
        coverage = CellCoverage(size)
        placement = PixelPlacement(origin: origin, display: display, screen: size, cell: cell)
    }

    /// A screen that the picture fills.
    init(
        _ width: Int, _ height: Int, cell: PixelSize = PixelSize(width: 8, height: 16), registers: Int = 256, isTmux: Bool = false
    ) {
        self.init(
            display: PixelSize(width: width, height: height),
            screen: CellSize(columns: (width + cell.width - 1) / cell.width, rows: (height + cell.height - 1) / cell.height),
            cell: cell,
            registers: registers, isTmux: isTmux)
    }

    @discardableResult
    mutating func show(_ image: RasterImage, _ quality: EncodeQuality = .exact) -> EncodeStats {
        var buffer = ByteBuffer()
        let stats = renderer.encode(image, at: placement, coverage: coverage, quality: quality, into: &buffer)
        bytes = buffer.withUnsafeBytes { Array($0) }
        screen.feed(bytes)
        return stats
    }

    /// The pixels that the terminal shows in the place of the image.
    var picture: RasterImage {
        screen.plane.image(
            x: placement.origin.column * placement.cell.width, y: placement.origin.row * placement.cell.height,
            width: placement.display.width, height: placement.display.height)
    }

    /// Covers cells with text, as a composer does: it writes them, and tells the renderer.
    mutating func cover(_ cells: [(column: Int, row: Int)]) {
        for index in coverage.states.indices where coverage.states[index] == .uncovered { coverage.states[index] = .clear }
        for index in coverage.states.indices where coverage.states[index] == .covered { coverage.states[index] = .uncovered }
        for (column, row) in cells {
            coverage.states[row * coverage.size.columns + column] = .covered
            screen.feed(Array("\u{1B}[\(row + 1);\(column + 1)H".utf8))
            screen.feed(Array("x".utf8))
        }
        // A composer blanks what is uncovered.
        for row in 0..<coverage.size.rows {
            for column in 0..<coverage.size.columns where coverage.states[row * coverage.size.columns + column] == .uncovered {
                screen.feed(Array("\u{1B}[\(row + 1);\(column + 1)H ".utf8))
            }
        }
    }

    /// Faults that must never happen.
    var faults: [String] {
        var faults = screen.unknown
        if screen.scrolled > 0 { faults.append("scrolled by \(screen.scrolled)") }
        if let longest = screen.sixels.map(\.byteCount).max(), longest >= 1_048_576 {
            faults.append("a sequence of \(longest) bytes")
        }
        if !screen.strings.isEmpty { faults.append("strings \(screen.strings.prefix(2))") }
        return faults
    }
}

extension RasterImage {
    /// Mean squared error per channel to a picture of the same size.
    func meanError(to other: RasterImage) -> Double {
        Double(squaredError(to: other)) / Double(max(1, width * height * 3))
    }
}
