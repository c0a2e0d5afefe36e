import AetherCore
import AetherFormats

/// The subtitle of a menu with the selected button in its own colours. Pure.
struct MenuOverlay: Sendable {
    let picture: Subpicture
    let page: MenuPage?
    let selected: Int
    let isActivated: Bool
    /// 0x00RRGGBB.
    let palette: [UInt32]
    let canvas: PixelSize

    /// Values 0 … 3 have the subtitle's colours, 4 … 7 the button's.
    var image: SubtitleImage {
        var indices = picture.pixels
        var table = entries(picture.colours, picture.strengths)
        if let page, let button = page.button(selected), let set = button.colours, page.colours.indices.contains(set) {
            let colours = isActivated ? page.colours[set].activated : page.colours[set].selected
            table += entries(colours.colours, colours.strengths)
            let columns = Self.part(button.columns, from: picture.x, count: picture.width)
            for row in Self.part(button.rows, from: picture.y, count: picture.height) {
                for column in columns { indices[row * picture.width + column] += 4 }
            }
        }
        return SubtitleImage(
            width: picture.width, height: picture.height, indices: indices, palette: table, x: picture.x, y: picture.y,
            canvasSize: canvas, isForced: true)
    }

    /// The part of the subtitle's rows or columns that a button's take up.
    private static func part(_ own: ClosedRange<Int>, from start: Int, count: Int) -> Range<Int> {
        (own.lowerBound - start..<own.upperBound + 1 - start).clamped(to: 0..<count)
    }

    private func entries(_ colours: [Int], _ strengths: [Int]) -> [UInt32] {
        zip(colours, strengths).map { colour, strength in
            let rgb = palette.indices.contains(colour) ? palette[colour] : 0, alpha = UInt32(strength) * 17
            func part(_ shift: UInt32) -> UInt32 { ((rgb >> shift & 0xFF) * alpha + 127) / 255 }
            // The lowest byte of a pixel is red.
            return alpha << 24 | part(0) << 16 | part(8) << 8 | part(16)
        }
    }
}
