public import AetherCore

/// The size of the terminal, and the shape of a cell. A value; everything in it has been checked.
public struct TerminalSize: Hashable, Sendable {
    /// The source of a cell's shape.
    public enum AspectSource: String, Sendable {
        /// The pixels of TIOCGWINSZ.
        case kernel
        /// The answer to CSI 16 t.
        case cellReport
        /// The answer to CSI 14 t.
        case windowReport
        /// An assumption, 1:2, where nothing is known.
        case assumed
    }

    /// Columns and rows: 1…2000 × 1…1000. More is no screen that can be drawn at any rate, and 2 million cells already take
    /// 32 MB a grid.
    public let cells: CellSize
    /// Pixels of the whole text area by TIOCGWINSZ; nil where the kernel does not know or is not to be believed.
    public let window: PixelSize?
    /// Pixels of one cell as the terminal answered to CSI 16 t.
    public let reportedCell: PixelSize?
    /// Pixels of the text area as the terminal answered to CSI 14 t.
    public let reportedWindow: PixelSize?

    /// The largest grid that is believed.
    public static let limit = CellSize(columns: 2000, rows: 1000)

    /// A size from what the kernel and the terminal said. 0 columns or rows count as 80×24 (serial lines, some containers).
    public init(
        columns: Int, rows: Int, xPixels: Int = 0, yPixels: Int = 0, reportedCell: PixelSize? = nil,
        reportedWindow: PixelSize? = nil
    ) {
        let known = columns > 0 && rows > 0
        cells = CellSize(
            columns: known ? min(columns, Self.limit.columns) : 80, rows: known ? min(rows, Self.limit.rows) : 24)
        // A window narrower than 2 pixels a column or lower than 4 a row is a stub value, not a measurement.
        let plausible = known && xPixels / 2 >= columns && yPixels / 4 >= rows && xPixels <= 65535 && yPixels <= 65535
        window =
            plausible && columns <= Self.limit.columns && rows <= Self.limit.rows
            ? PixelSize(width: xPixels, height: yPixels) : nil
        self.reportedCell = reportedCell.flatMap { Self.isCell($0.width, $0.height) ? $0 : nil }
        self.reportedWindow = reportedWindow.flatMap { reported in
            let fits = reported.width / 2 >= columns && reported.height / 4 >= rows
            return known && fits && reported.width <= 65535 && reported.height <= 65535 ? reported : nil
        }
    }

    /// The same size with what the terminal answered to the probe; nil leaves what was known.
    public func reporting(cell: PixelSize?, window reported: PixelSize?) -> TerminalSize {
        TerminalSize(
            columns: cells.columns, rows: cells.rows, xPixels: window?.width ?? 0, yPixels: window?.height ?? 0,
            reportedCell: cell ?? reportedCell, reportedWindow: reported ?? reportedWindow)
    }

    /// Width divided by height of a cell, 0.2…2; 0.5 when nothing is known.
    public var cellAspect: Double { shape.aspect }

    /// The source of `cellAspect`.
    public var aspectSource: AspectSource { shape.source }

    /// Pixels of one cell, rounded down; nil when nothing is known.
    public var cellPixels: PixelSize? {
        switch aspectSource {
        case .kernel: window.map { PixelSize(width: $0.width / cells.columns, height: $0.height / cells.rows) }
        case .cellReport: reportedCell
        case .windowReport: reportedWindow.map { PixelSize(width: $0.width / cells.columns, height: $0.height / cells.rows) }
        case .assumed: nil
        }
    }

    private var shape: (aspect: Double, source: AspectSource) {
        if let aspect = window.flatMap(aspect(ofWindow:)) { return (aspect, .kernel) }
        if let reportedCell { return (Double(reportedCell.width) / Double(reportedCell.height), .cellReport) }
        if let aspect = reportedWindow.flatMap(aspect(ofWindow:)) { return (aspect, .windowReport) }
        return (0.5, .assumed)
    }

    /// The shape of a cell in a window of that size, unless no font has such a shape.
    private func aspect(ofWindow size: PixelSize) -> Double? {
        let aspect = Double(size.width) / Double(cells.columns) / (Double(size.height) / Double(cells.rows))
        return (0.2...2).contains(aspect) ? aspect : nil
    }

    private static func isCell(_ width: Int, _ height: Int) -> Bool {
        (2...1024).contains(width) && (4...1024).contains(height)
            && (0.2...2).contains(Double(width) / Double(height))
    }
}
