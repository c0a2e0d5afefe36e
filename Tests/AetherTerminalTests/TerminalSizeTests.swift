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

    @Test func keepsTheTerminalsOwnReportAcrossAResize() {
        let size = TerminalSize(columns: 80, rows: 24).reporting(cell: PixelSize(width: 9, height: 20), window: nil)
        #expect(size.cellPixels == PixelSize(width: 9, height: 20))
        #expect(size.reporting(cell: nil, window: nil) == size)
    }
}
