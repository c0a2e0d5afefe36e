public import AetherCore

extension VTKitty {
    /// The first placeholder of Unicode.
    static let placeholder: UInt32 = 0x10EEEE

    /// The layers below this one lie under the backgrounds of cells.
    static let lowest = -1_073_741_824

    /// The pixels of a screen with its images: lower images first, scaled ones by their nearest pixel. `isPainted` chooses the places.
    public func paint(
        on screen: VTScreen, cell: PixelSize, where isPainted: (Place) -> Bool = { _ in true }
    ) -> PixelPlane {
        var plane = PixelPlane(cells: screen.size, cell: cell)
        for place in places.sorted(by: { ($0.z, $0.id) < ($1.z, $1.id) }) where !place.isVirtual && isPainted(place) {
            guard let picture = pictures[place.id] else { continue }
            let width = place.columns.map { $0 * cell.width } ?? picture.width
            let height = place.rows.map { $0 * cell.height } ?? picture.height
            plane.paint(x: place.column * cell.width, y: place.row * cell.height, width: width, height: height) { x, y in
                let pixel = picture[x * picture.width / width, y * picture.height / height]
                return pixel >> 24 == 0 ? nil : pixel
            }
        }
        for row in 0..<screen.size.rows {
            for column in 0..<screen.size.columns { paintPlaceholder(column, row, screen, &plane) }
        }
        return plane
    }

    private func paintPlaceholder(_ column: Int, _ row: Int, _ screen: VTScreen, _ plane: inout PixelPlane) {
        let glyph = screen[column, row], cell = plane.cell
        guard glyph.scalar == Self.placeholder, glyph.foreground.isRGB,
            let marks = screen.marks[row * screen.size.columns + column],
            marks.count == 2
        else { return }
        let id = Int(glyph.foreground.packed & 0xFF_FFFF)
        guard let picture = pictures[id], let place = places.first(where: { $0.id == id && $0.isVirtual }),
            let columns = place.columns, let rows = place.rows
        else { return }
        plane.paint(x: column * cell.width, y: row * cell.height, width: cell.width, height: cell.height) { x, y in
            let left = marks[1] * cell.width + x, top = marks[0] * cell.height + y
            return picture[left * picture.width / (columns * cell.width), top * picture.height / (rows * cell.height)]
        }
    }
}

/// tmux' passthrough: what it hands on of `ESC P tmux; … ESC \`, with doubled ESC inside, and what it keeps to itself as it is.
public enum VTTmux {
    /// The bytes that reach the outer terminal and those that tmux shows, in order, as one stream. nil when a wrapping never ends.
    public static func unwrap(_ bytes: [UInt8]) -> [UInt8]? {
        let opening = Array("\u{1B}Ptmux;".utf8)
        var result: [UInt8] = [], at = 0
        while at < bytes.count {
            guard bytes[at...].starts(with: opening) else {
                result.append(bytes[at])
                at += 1
                continue
            }
            at += opening.count
            while true {
                guard at + 1 < bytes.count else { return nil }
                if bytes[at] != 0x1B {
                    result.append(bytes[at])
                    at += 1
                } else if bytes[at + 1] == 0x1B {
                    result.append(0x1B)
                    at += 2
                } else {
                    guard bytes[at + 1] == 0x5C else { return nil }
                    at += 2
                    break
                }
            }
        }
        return result
    }
}
