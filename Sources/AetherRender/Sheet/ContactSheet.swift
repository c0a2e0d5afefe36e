public import AetherCore

/// Stills in a grid with their times below: a video at a glance. Pure.
public struct ContactSheet: Sendable {
    /// Numbers of stills.
    public let columns, rows: Int
    /// The room of each still.
    public let tile: PixelSize
    /// Between stills and around them.
    private static let gap = 8
    /// A row of digits of seven pixels, doubled, with as much air.
    private static let captionHeight = 22
    private static let ground = RasterImage.rgb(16, 16, 18)
    private static let ink = RasterImage.rgb(200, 200, 204)
    /// The tile of a still that could not be had.
    private static let missing = RasterImage.rgb(40, 40, 44)

    /// The sheet as it is now.
    public private(set) var image: RasterImage

    /// An empty sheet; each side of it is cut to 1 … 64 tiles, tiles to 1 … 4096 pixels.
    public init(columns: Int, rows: Int, tile: PixelSize) {
        self.columns = min(64, max(1, columns))
        self.rows = min(64, max(1, rows))
        self.tile = PixelSize(width: min(4096, max(1, tile.width)), height: min(4096, max(1, tile.height)))
        image = RasterImage(
            width: self.columns * (self.tile.width + Self.gap) + Self.gap,
            height: self.rows * (self.tile.height + Self.gap + Self.captionHeight) + Self.gap, fill: Self.ground)
    }

    /// Puts a still, nil for one that is missing, into a tile with its time (digits, colons, points) below. Larger ones are cut;
    /// tiles outside are left out.
    public mutating func place(_ still: RasterImage?, caption: String, at index: Int) {
        guard (0..<columns * rows).contains(index) else { return }
        let left = Self.gap + index % columns * (tile.width + Self.gap)
        let top = Self.gap + index / columns * (tile.height + Self.gap + Self.captionHeight)
        let still = still ?? RasterImage(width: tile.width, height: tile.height, fill: Self.missing)
        let width = min(tile.width, still.width), height = min(tile.height, still.height)
        let x = left + (tile.width - width) / 2, y = top + (tile.height - height) / 2
        for row in 0..<height {
            for column in 0..<width { image[x + column, y + row] = still[column, row] }
        }
        write(caption, centre: left + tile.width / 2, top: top + tile.height + 4)
    }

    private mutating func write(_ text: String, centre: Int, top: Int) {
        let scale = 2, advance = (DigitGlyphs.width + 1) * scale
        let signs = text.compactMap { DigitGlyphs.rows($0) }
        var x = centre - signs.count * advance / 2
        for rows in signs {
            for (row, bits) in rows.enumerated() {
                for column in 0..<DigitGlyphs.width where bits >> UInt8(DigitGlyphs.width - 1 - column) & 1 == 1 {
                    fill(x: x + column * scale, y: top + row * scale, side: scale)
                }
            }
            x += advance
        }
    }

    private mutating func fill(x: Int, y: Int, side: Int) {
        for row in y..<y + side where (0..<image.height).contains(row) {
            for column in x..<x + side where (0..<image.width).contains(column) { image[column, row] = Self.ink }
        }
    }
}
