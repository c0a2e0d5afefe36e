import AetherCore

extension TerminalSize {
    /// A report in pixels as one in cells that knows how far into its cell it is; nil where the size of a cell is not known.
    public func inCells(_ event: MouseEvent) -> MouseEvent? {
        guard event.unit == .pixels, let cell = cellPixels else { return event.unit == .cells ? event : nil }
        // A window of the kernel's need not be a whole number of pixels a cell.
        let isKernel = aspectSource == .kernel
        let width = isKernel ? window.map { Double($0.width) / Double(cells.columns) } ?? 1 : Double(cell.width)
        let height = isKernel ? window.map { Double($0.height) / Double(cells.rows) } ?? 1 : Double(cell.height)
        // In the middle of the pixel: at the border of two cells it is the right one.
        let x = (Double(max(0, event.x)) + 0.5) / max(1, width), y = (Double(max(0, event.y)) + 0.5) / max(1, height)
        let column = min(Int(x), cells.columns - 1), row = min(Int(y), cells.rows - 1)
        return MouseEvent(
            event.action, event.button, x: column, y: row, event.modifiers, part: min(max(0, x - Double(column)), 0.999))
    }
}
