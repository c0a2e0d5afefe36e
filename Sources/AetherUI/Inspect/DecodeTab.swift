import AetherCore
import AetherEngine
import AetherFormats
import AetherTerminal

/// The rows of the Decode tab.
struct DecodeTab {
    let inspector: Inspector
    let frame: ListFrame

    /// A frame: order of showing, type, time, order of decoding, bytes, quantiser, time, use.
    func write(_ place: Int, row: Int, into pane: inout Pane) {
        let coded = inspector.frames.look.frames[place], isSelected = place == inspector.cursor.row
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        var columns = [("#\(place + 1)", 5), (coded.type.rawValue + (coded.isKey ? " key" : ""), 6)]
        columns.append((coded.pts.map { Figures.decimal($0.seconds, places: 3) } ?? "-", 9))
        columns.append((coded.decodeOrder.map { "dec \($0)" } ?? "", 8))
        columns += [("\(coded.byteCount)", 8), (coded.quantiser.map { "QP " + Figures.decimal($0, places: 1) } ?? "", 8)]
        columns.append((Figures.decimal(coded.decodeTime.seconds * 1000, places: 1) + " ms", 9))
        columns.append((coded.isReference.map { $0 ? "ref" : "no ref" } ?? "", 8))
        columns.append((coded.vectorCount > 0 ? "\(coded.vectorCount) mv" : "", 10))
        var column = 2
        for (text, width) in columns {
            guard column + width <= frame.rect.columns - ListFrame.trail else { break }
            let start = column + max(0, width - 1 - text.count)
            pane.write(text, column: start, row: row, isSelected ? .paneSelected : coded.isKey ? .paneKey : .paneValue)
            column += width
        }
    }
}
