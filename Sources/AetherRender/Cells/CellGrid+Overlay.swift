public import AetherCore

extension CellGrid {
    /// Puts the covered cells of an overlay over this grid. An overlay of another size (a resize is under way) is ignored.
    public mutating func compose(_ overlay: CellOverlay) {
        guard overlay.grid.size == size, overlay.covered.count == cells.count else { return }
        for index in overlay.covered.indices where overlay.covered[index] { cells[index] = overlay.grid.cells[index] }
    }
}
