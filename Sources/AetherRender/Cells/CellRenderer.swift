public import AetherCore

/// A place on the screen in cells, counted from the top left corner from 0; may lie outside.
public struct CellPosition: Hashable, Sendable {
    /// The column and row, from 0.
    public var column, row: Int

    /// A place.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// Turns a raster into character cells.
///
/// This is the seam for everything that shows pixels with glyphs: a conformer says how many pixels fit a cell, and writes cells
/// marked `.video` into the grid that overlays and chrome are composed in and that `CellDiff` sends. Renderers that send pixels
/// themselves have no cells to write, so they are a second protocol beside this one, from raster to bytes.
///
/// A conformer is a pure function of image and place (caches aside): the same pixels at the same place give the same cells.
public protocol CellRenderer: Sendable {
    /// The name on the command line.
    var name: String { get }

    /// The pixels that one cell shows, so the size of the raster wanted for a number of cells.
    var pixelsPerCell: PixelSize { get }

    /// Draws an image with its top left pixel in the cell `origin`, clipped to the grid. Does not allocate once its tables are
    /// warm.
    mutating func draw(_ image: RasterImage, at origin: CellPosition, into grid: inout CellGrid)
}

/// The part of a grid that an image covers.
struct CellClip {
    /// Columns and rows of the grid.
    let columns, rows: Range<Int>
    /// The grid's column and row of the image's first pixel.
    let origin: CellPosition

    /// The overlap of a grid and an image of `width` × `height` cells; empty where there is none.
    init(_ size: CellSize, origin: CellPosition, width: Int, height: Int) {
        self.origin = origin
        columns = Self.overlap(origin.column, width, limit: size.columns)
        rows = Self.overlap(origin.row, height, limit: size.rows)
    }

    private static func overlap(_ start: Int, _ length: Int, limit: Int) -> Range<Int> {
        let (end, overflow) = start.addingReportingOverflow(length)
        let first = min(max(0, start), limit)
        return first..<max(first, overflow ? limit : min(limit, end))
    }
}
