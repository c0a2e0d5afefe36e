import AetherCore
import AetherEngine
import AetherFormats
import AetherRender
import AetherTerminal

/// The rows of the Boxes tab, and what is selected in it.
struct BoxesTab {
    let inspector: Inspector
    let frame: ListFrame

    /// "00000000 " and 8 bytes.
    private static let hexColumns = 33

    /// A box of the tree.
    func write(_ place: Int, row: Int, into pane: inout Pane) {
        let line = inspector.tree.rows[place], isSelected = place == inspector.cursor.row
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        let isUnicode = frame.glyphs.isUnicode
        let sign = line.box.children.isEmpty ? " " : line.isOpen ? (isUnicode ? "▾" : "-") : isUnicode ? "▸" : "+"
        let column = min(2 + line.depth * 2, max(2, frame.rect.columns - 16))
        let name = "\(sign) \(DisplayText.singleLine(line.box.type, limit: 40))"
        let size = " \(line.box.size)", room = frame.rect.columns - column - ListFrame.trail - size.count
        let isWrong = !line.box.damage.isEmpty
        let words = line.box.title.isEmpty ? name : name + "  " + line.box.title
        pane.write(
            frame.clipped(words, room), column: column, row: row,
            isSelected ? .paneSelected : isWrong ? .paneWarning : .paneValue)
        pane.write(
            size, column: frame.rect.columns - ListFrame.trail - size.count, row: row, isSelected ? .paneSelected : .paneLabel)
    }

    /// Fields and bytes of the selected part.
    func writeDetails(in place: CellRect, into pane: inout Pane) {
        guard let box = inspector.box else { return }
        let hex = hexLines(box, place.columns)
        let words = place.rows - min(hex.count, place.rows / 3)
        var row = 0
        func write(_ text: String, _ role: ThemeRole, before end: Int) {
            guard row < end else { return }
            pane.write(frame.clipped(text, place.columns), column: place.column, row: place.row + row, role)
            row += 1
        }
        write(translated("offset \(box.offset), \(box.size) bytes"), .paneLabel, before: words)
        for sentence in box.damage { write("! " + sentence, .paneWarning, before: words) }
        for line in box.fields.flatMap({ InspectedBox.lines(of: $0) }) { write(line, .paneValue, before: words) }
        for line in hex { write(line, .paneLabel, before: place.rows) }
    }

    private func hexLines(_ box: InspectedBox, _ room: Int) -> [String] {
        guard let held = inspector.bytes, held.offset == box.offset, held.segment == inspector.segment, room >= Self.hexColumns
        else { return [] }
        let bytes = held.bytes.prefix(Int(clamping: min(box.size, 1024)))
        // Sixteen bytes with their letters, eight, or eight without.
        let lines = HexDump.lines(bytes, at: box.offset, width: room >= 78 ? 16 : 8)
        return room >= 46 ? lines : lines.map { String($0.prefix(Self.hexColumns)) }
    }
}
