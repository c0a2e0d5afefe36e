import AetherCore
import AetherTerminal
import Testing

struct TerminalSizeTests {
    @Test(arguments: [
        (160, 45, 160, 45), (0, 0, 80, 24), (0, 50, 80, 24), (-3, 10, 80, 24), (10000, 10000, 2000, 1000), (1, 1, 1, 1),
        (65535, 2, 2000, 2),
    ])
    func bringsTheGridIntoBounds(_ columns: Int, _ rows: Int, _ expectedColumns: Int, _ expectedRows: Int) {
        #expect(TerminalSize(columns: columns, rows: rows).cells == CellSize(columns: expectedColumns, rows: expectedRows))
    }

    @Test(arguments: [
        // kernel pixels are believed from 2 × 4 a cell on
        (80, 24, 800, 480, nil, nil, 0.5, TerminalSize.AspectSource.kernel),
        (80, 24, 720, 432, nil, nil, 0.5, .kernel), (160, 45, 1280, 720, nil, nil, 0.5, .kernel),
        (80, 24, 80, 24, nil, nil, 0.5, .assumed), (80, 24, 160, 96, nil, nil, 0.5, .kernel),
        (80, 24, 0, 0, PixelSize(width: 9, height: 20), nil, 0.45, .cellReport),
        (80, 24, 159, 96, PixelSize(width: 9, height: 20), nil, 0.45, .cellReport),
        (80, 24, 0, 0, nil, PixelSize(width: 720, height: 384), 0.5625, .windowReport),
        (80, 24, 0, 0, PixelSize(width: 0, height: 20), PixelSize(width: 720, height: 384), 0.5625, .windowReport),
        // shapes that no font has
        (80, 24, 65535, 480, nil, nil, 0.5, .assumed), (80, 24, 0, 0, PixelSize(width: 65535, height: 1), nil, 0.5, .assumed),
        (0, 0, 800, 480, nil, nil, 0.5, .assumed),
    ])
    func knowsTheShapeOfACell(
        _ columns: Int, _ rows: Int, _ x: Int, _ y: Int, _ cell: PixelSize?, _ window: PixelSize?, _ aspect: Double,
        _ source: TerminalSize.AspectSource
    ) {
        let size = TerminalSize(columns: columns, rows: rows, xPixels: x, yPixels: y, reportedCell: cell, reportedWindow: window)
        #expect(abs(size.cellAspect - aspect) < 1e-9)
        #expect(size.aspectSource == source)
        #expect((size.cellPixels == nil) == (source == .assumed))
    }

    @Test func pixelsOfTheMouseAreCellsAndAPartOfOne() throws {
        // 10 x 20 pixels a cell by the kernel's word, and a window whose cells are no whole number of pixels.
        let even = TerminalSize(columns: 80, rows: 24, xPixels: 800, yPixels: 480)
        let press = MouseEvent(.press, .left, x: 255, y: 479, .control, unit: .pixels)
        let found = try #require(even.inCells(press))
        #expect((found.x, found.y, found.button, found.modifiers, found.unit) == (25, 23, .left, .control, .cells))
        #expect(abs((found.part ?? 0) - 0.55) < 0.001)
        let odd = TerminalSize(columns: 80, rows: 24, xPixels: 804, yPixels: 480)
        #expect(try #require(odd.inCells(MouseEvent(.move, x: 803, y: 0, unit: .pixels))).x == 79)
        let outside = try #require(even.inCells(MouseEvent(.move, x: 9000, y: 9000, unit: .pixels)))
        #expect((outside.x, outside.y) == (79, 23) && (outside.part ?? 2) < 1)
        // Cells stay as they are; pixels without a size say nothing.
        #expect(TerminalSize(columns: 80, rows: 24).inCells(press) == nil)
        let cells = MouseEvent(.press, .left, x: 3, y: 4)
        #expect(TerminalSize(columns: 80, rows: 24).inCells(cells) == cells)
    }

    @Test func keepsTheTerminalsOwnReportAcrossAResize() {
        let size = TerminalSize(columns: 80, rows: 24).reporting(cell: PixelSize(width: 9, height: 20), window: nil)
        #expect(size.cellPixels == PixelSize(width: 9, height: 20))
        #expect(size.reporting(cell: nil, window: nil) == size)
    }
}
