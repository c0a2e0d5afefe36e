public import AetherCore

/// The place of an image of pixels on the screen.
public struct PixelPlacement: Sendable, Equatable {
    /// The cell whose top left corner is the frame's.
    public var origin: CellPosition
    /// Screen pixels that the frame covers. The image may have fewer: it is scaled up by the terminal where that can do so, by
    /// the renderer otherwise. From `origin` on it lies within the screen.
    public var display: PixelSize
    /// The screen in cells, the last row too.
    public var screen: CellSize
    /// Pixels of one cell, at least 1×1.
    public var cell: PixelSize

    /// A place.
    public init(origin: CellPosition, display: PixelSize, screen: CellSize, cell: PixelSize) {
        self.origin = origin
        self.display = display
        self.screen = screen
        self.cell = cell
    }

    /// The cells that the frame touches, clipped to the screen.
    public var cells: CellRect {
        let columns = (display.width + cell.width - 1) / cell.width, rows = (display.height + cell.height - 1) / cell.height
        return CellRect(
            column: origin.column, row: origin.row, columns: max(0, min(columns, screen.columns - origin.column)),
            rows: max(0, min(rows, screen.rows - origin.row)))
    }
}

extension PixelPlacement {
    /// The cells that the frame covers to the last pixel: all that was there before is painted over. The last `unreached` rows of pixels
    /// of the screen do not count.
    func wholeCells(without unreached: Int) -> CellRect {
        let bottom = (screen.rows - origin.row) * cell.height - unreached
        return CellRect(
            column: cells.column, row: cells.row, columns: min(cells.columns, display.width / cell.width),
            rows: max(0, min(cells.rows, min(display.height, bottom) / cell.height)))
    }
}

/// The text layer's effect on each cell of the screen, row by row, for renderers whose pixels text wipes away.
public struct CellCoverage: Sendable, Equatable {
    /// The state of one cell.
    public enum State: UInt8, Sendable {
        /// The pixels that were painted there are still there.
        case clear
        /// Text lies there: nothing may be painted into this cell.
        case covered
        /// Text lay there until now: it is no longer covered, and what had been painted there is gone.
        case uncovered
    }

    /// The screen.
    public let size: CellSize
    /// columns × rows states.
    public var states: [State]

    /// A coverage without text.
    public init(_ size: CellSize) {
        self.size = size
        states = [State](repeating: .clear, count: size.columns * size.rows)
    }

    /// Whether every state is `.clear`.
    public var isClear: Bool { !states.contains { $0 != .clear } }
}

/// Shows a raster as pixels: sixel, kitty, iTerm2. From raster to bytes, beside `CellRenderer`, which goes from raster to cells.
///
/// A conformer holds what the terminal really shows and sends the difference. All bytes it appends reach the terminal in order,
/// or `invalidate()` is called. It may move the cursor and must leave attributes as they are; it never scrolls the screen, never
/// paints into covered cells, and never lets one sequence reach 1 MiB. After its first frames of a size it does not allocate.
/// A value of one thread; never blocks.
public protocol PixelRenderer: Sendable {
    /// The name on the command line.
    static var name: String { get }

    /// λ of a moving frame where bytes are no trouble; see `EncodeQuality`.
    static var cruise: Double { get }

    /// The share of its budget under which a frame is one in which little moves; see `RateControl`.
    static var busyShare: Int { get }

    /// The factor of `cruise` while only a part of the frame moves: its errors are few beside those of video, and its bytes
    /// would be most of what is sent.
    static var localFactor: Double { get }

    /// Appends what brings the terminal's frame from what it shows to `image` (both sides at least 1), as near as `quality`
    /// asks for. With a byte budget, what reduces the visible error most per byte goes first, and what is left over is caught
    /// up by later calls, also by calls with the same image.
    mutating func encode(
        _ image: borrowing RasterImage, at placement: PixelPlacement, coverage: borrowing CellCoverage, quality: EncodeQuality,
        into buffer: inout ByteBuffer
    ) -> EncodeStats

    /// Appends what takes the frame away and frees what the terminal holds for it; afterwards nothing is shown.
    mutating func clear(into buffer: inout ByteBuffer)

    /// The terminal has forgotten, or another program has written, or bytes were lost: the next frame is sent whole.
    mutating func invalidate()

    /// The bytes that free the images in the terminal, from any state of its parser's ground; for the way out.
    var partingBytes: [UInt8] { get }

    /// The cell that the text layer puts under the image: `Cell.pixels` where the pixels themselves replace what is there,
    /// a blank where they shine through cells of the terminal's own background.
    var backdrop: Cell { get }

    /// Rows of pixels at the bottom of the screen that may stay unpainted although the frame lies there.
    var unreachedRows: Int { get }

    /// Whether the terminal can take another frame now; false while it has not answered for earlier ones. A renderer that waits
    /// in vain falls back to another way and is ready again.
    mutating func isReady(at now: HostTime) -> Bool

    /// The terminal has answered for the frame of that number and placement: "OK" or an error.
    mutating func acknowledge(id: Int, placement: Int, message: String)
}

extension PixelRenderer {
    /// The λ of cells.
    public static var cruise: Double { RateControl.cellCruise }
    /// The share of cells.
    public static var busyShare: Int { RateControl.cellBusyShare }
    /// One λ for all that moves.
    public static var localFactor: Double { 1 }
    /// The rate control of moving video, without a budget yet.
    static var rateControl: RateControl {
        RateControl(budget: 0, cruise: cruise, busyShare: busyShare, localFactor: localFactor)
    }
    /// `Cell.pixels`: the pixels replace the cells.
    public var backdrop: Cell { .pixels }
    /// The cells that the text layer leaves to the pixels. Others that the frame touches are blanked before it is painted: it would not
    /// hide all of what was there.
    func ownCells(of placement: PixelPlacement) -> CellRect {
        backdrop == .pixels ? placement.wholeCells(without: unreachedRows) : placement.cells
    }
    /// None: every pixel of the frame is painted.
    public var unreachedRows: Int { 0 }
    /// Nothing to free.
    public var partingBytes: [UInt8] { [] }
    /// Always: no answer is waited for.
    public mutating func isReady(at now: HostTime) -> Bool { true }
    /// Ignored: no answer is waited for.
    public mutating func acknowledge(id: Int, placement: Int, message: String) {}
}

extension Cell {
    /// A cell that belongs to a renderer of pixels: `CellDiff` sends nothing for it, and draws it anew once text is wanted there.
    public static let pixels = Cell(glyph: .max - 1, style: .video)
}
