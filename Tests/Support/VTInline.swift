public import AetherCore

/// The side of a terminal that shows iTerm2's inline images: pixels that text wipes away.
public struct VTInline {
    /// The pixels that images have left on the screen.
    public var plane: PixelPlane
    /// The faults that were found.
    public internal(set) var faults: [String] = []
    /// Pictures so far.
    public internal(set) var count = 0
    /// The longest sequence seen, in bytes.
    public internal(set) var longest = 0
    /// Cells that a picture was painted into, row by row, since `touched` was last emptied.
    public var touched: Set<Int> = []
    /// Whether the cursor stays where it was (WezTerm's doNotMoveCursor); otherwise it goes behind the last row of the picture.
    public var knowsDoNotMoveCursor: Bool

    /// A screen without pictures.
    public init(cells: CellSize, cell: PixelSize, knowsDoNotMoveCursor: Bool = false) {
        plane = PixelPlane(cells: cells, cell: cell)
        self.knowsDoNotMoveCursor = knowsDoNotMoveCursor
    }
}

extension VTScreen {
    /// Shows the picture of an OSC 1337 `File=`.
    mutating func show(_ body: Substring) {
        guard var inline else { return }
        defer { self.inline = inline }
        inline.longest = max(inline.longest, body.utf8.count + 14)
        let halves = body.split(separator: ":", maxSplits: 1)
        var keys: [Substring: Substring] = [:]
        for pair in halves[0].split(separator: ";") {
            let parts = pair.split(separator: "=")
            if parts.count == 2 { keys[parts[0]] = parts[1] }
        }
        guard halves.count == 2, keys["inline"] == "1", keys["preserveAspectRatio"] == "0",
            let columns = keys["width"].flatMap({ Int($0) }), let rows = keys["height"].flatMap({ Int($0) }),
            let file = Base64Reader.read(halves[1].utf8), let picture = PNGReader.read(file)
        else { return inline.faults.append("not a picture: \(halves.first ?? "")") }
        if let size = keys["size"], Int(size) != file.count { inline.faults.append("size \(size) of \(file.count)") }
        if column + columns > size.columns || row + rows > size.rows { inline.faults.append("beyond the screen") }
        inline.count += 1
        let cell = inline.plane.cell, width = columns * cell.width, height = rows * cell.height
        inline.plane.paint(x: column * cell.width, y: row * cell.height, width: width, height: height) { x, y in
            picture[x * picture.width / width, y * picture.height / height]
        }
        for line in row..<min(size.rows, row + rows) {
            for place in column..<min(size.columns, column + columns) { inline.touched.insert(line * size.columns + place) }
        }
        guard !inline.knowsDoNotMoveCursor || keys["doNotMoveCursor"] != "1" else { return }
        row = min(size.rows - 1, row + rows - 1)
        column = min(size.columns - 1, column + columns)
    }
}
