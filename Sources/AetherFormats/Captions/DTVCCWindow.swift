import AetherCore

/// One window of digital captions: a grid of characters with their looks, a pen, and a place on the frame.
struct DTVCCWindow: Sendable {
    private struct Character: Sendable {
        var scalar: Unicode.Scalar
        var look: SubtitleTextRun
    }

    var isVisible = false
    /// 0 is the highest.
    private(set) var priority = 0
    /// 0 left, 1 right, 2 in the middle, 3 on both sides.
    var justification = 0
    private var rowCount = 1, columnCount = 32
    /// nil: nothing was written there.
    private var cells: [[Character?]] = [[]]
    private var row = 0, column = 0
    private var look = SubtitleTextRun("")
    /// The point of the window that lies at the place, from 0, the upper left, to 8, the lower right.
    private var anchor = 7
    /// Of the frame, 0 … 1.
    private var place = SubtitlePoint(x: 0.5, y: 0.9)

    /// A row of the grid is a fifteenth of the safe area, a column a forty-second of it (section 8.2).
    private static let safeRows = 15.0, safeColumns = 42.0

    // MARK: - Defining

    /// The six bytes of a definition.
    mutating func define(_ bytes: [UInt8]) {
        guard bytes.count >= 6 else { return }
        isVisible = bytes[0] & 0x20 != 0
        priority = Int(bytes[0] & 7)
        let isRelative = bytes[1] & 0x80 != 0
        place = SubtitlePoint(x: Double(bytes[2]) / (isRelative ? 99 : 209), y: Double(bytes[1] & 0x7F) / (isRelative ? 99 : 74))
        anchor = min(Int(bytes[3] >> 4), 8)
        let rows = Int(bytes[3] & 0x0F) + 1, columns = Int(bytes[4] & 0x3F) + 1
        if rows < rowCount { cells = Array(cells.suffix(rows)) }
        (rowCount, columnCount) = (rows, columns)
        while cells.count < rowCount { cells.append([]) }
        row = min(row, rowCount - 1)
        // 1 … 7 are styles that set more; of them only those in the middle look different as text.
        switch bytes[5] >> 3 & 7 {
        case 0: break
        case 3, 6: justification = 2
        default: justification = 0
        }
    }

    // MARK: - The pen

    mutating func setPenAttributes(_ bits: UInt8) {
        setLook(isItalic: bits & 0x80 != 0, isUnderlined: bits & 0x40 != 0, color: look.color)
    }

    /// Two bits each of opacity, red, green, blue; white is the player's own.
    mutating func setPenColor(_ bits: UInt8) {
        func part(_ shift: UInt8) -> UInt8 { (bits >> shift & 3) * 85 }
        let color = SubtitleColor(r: part(4), g: part(2), b: part(0))
        let isWhite = color == SubtitleColor(r: 255, g: 255, b: 255) || color == SubtitleColor(r: 170, g: 170, b: 170)
        setLook(isItalic: look.isItalic, isUnderlined: look.isUnderlined, color: isWhite ? nil : color)
    }

    private mutating func setLook(isItalic: Bool, isUnderlined: Bool, color: SubtitleColor?) {
        look = SubtitleTextRun("", color: color, isItalic: isItalic, isUnderlined: isUnderlined)
    }

    mutating func movePen(row: Int, column: Int) { (self.row, self.column) = (min(row, rowCount - 1), min(column, columnCount)) }

    // MARK: - Writing

    mutating func put(_ scalar: Unicode.Scalar) {
        guard column < columnCount else { return }
        while cells[row].count <= column { cells[row].append(nil) }
        cells[row][column] = Character(scalar: scalar, look: look)
        column += 1
    }

    mutating func backspace() {
        column = max(0, column - 1)
        if column < cells[row].count { cells[row][column] = nil }
    }

    /// To the next row; the lowest moves all up.
    mutating func carriageReturn() {
        column = 0
        row += 1
        guard row >= rowCount else { return }
        row = rowCount - 1
        cells.removeFirst()
        cells.append([])
    }

    mutating func clearRow() {
        cells[row] = []
        column = 0
    }

    mutating func clear() {
        cells = [[Character?]](repeating: [], count: rowCount)
        (row, column) = (0, 0)
    }

    // MARK: - What is seen

    /// nil for an empty window.
    var text: DTVCCDecoder.Text? {
        var lines = StyledLines()
        for row in cells {
            for cell in row { lines.append(cell?.scalar ?? " ", cell?.look ?? SubtitleTextRun("")) }
            lines.append("\n", SubtitleTextRun(""))
        }
        return lines.body.map { DTVCCDecoder.Text(body: $0, placement: placement) }
    }

    /// The third of the frame, down and across, that holds the window's middle.
    private var placement: SubtitleTextPlacement? {
        let height = Double(rowCount) / Self.safeRows, width = Double(columnCount) / Self.safeColumns
        let x = place.x + width * [0.5, 0, -0.5][anchor % 3], y = place.y + height * [0.5, 0, -0.5][anchor / 3]
        let column = x < 1 / 3 ? 1 : x > 2 / 3 ? 3 : 2
        let row = y < 1 / 3 ? 6 : y > 0.6 ? 0 : 3
        let alignment = row + column
        return alignment == 2 ? nil : SubtitleTextPlacement(alignment: alignment)
    }
}
