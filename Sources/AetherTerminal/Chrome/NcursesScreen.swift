public import AetherCore
import CLinux
import CNcurses
import Glibc
import Synchronization

private typealias Window = OpaquePointer
private typealias Panel = OpaquePointer

/// The chrome's windows: ncurses draws them into memory, `readBack` hands them on as cells. What ncurses itself would print
/// is never printed: its clears (CSI 2J, CSI K) would wipe video cells, and its colour pairs stop short of 24 bit.
///
/// Owns the ncurses screen, its panels and two anonymous files. Lives on one thread (ncurses is not thread-safe) and there is
/// one at a time per process, because ncurses keeps the present screen in globals. Nothing here blocks.
public struct NcursesScreen: ~Copyable {
    private struct Pane {
        var rect: CellRect
        var role: ChromeRole
        let window: Window
        let panel: Panel
        var isVisible = true
    }

    private static let inUse = Atomic<Bool>(false)
    /// The size in cells. Windows are clipped to it.
    public private(set) var size: CellSize
    private let screen: OpaquePointer
    private let output, input: UnsafeMutablePointer<FILE>
    private var panes: [WindowID: Pane] = [:]
    private var row: [cchar_t]

    /// An empty screen of 1x1 cells to `TerminalSize.limit`. Sets LC_CTYPE to C.UTF-8 where it is not UTF-8; signal dispositions are as
    /// before afterwards. Throws when another screen lives, or terminfo or the locale is missing.
    public init(size: CellSize) throws(ChromeError) {
        guard NcursesScreen.isUsable(size) else { throw .unusableSize(columns: size.columns, rows: size.rows) }
        guard ChromeText.hasUTF8Locale else { throw .noUTF8Locale }
        guard !NcursesScreen.inUse.exchange(true, ordering: .acquiringAndReleasing) else { throw .alreadyInUse }
        var opened = false
        defer { if !opened { NcursesScreen.inUse.store(false, ordering: .releasing) } }

        guard let output = NcursesScreen.memoryFile("aether-chrome-out") else {
            throw .outOfResources(operation: "open a file in memory")
        }
        guard let input = NcursesScreen.memoryFile("aether-chrome-in") else {
            fclose(output)
            throw .outOfResources(operation: "open a file in memory")
        }
        let dispositions = SignalDispositions()
        defer { dispositions.restore() }
        use_env(false)  // LINES and COLUMNS of the environment are not our size
        guard let screen = newterm("xterm-256color", output, input) ?? newterm("xterm", output, input) else {
            fclose(output)
            fclose(input)
            throw .noTerminalDescription
        }
        guard start_color() == OK, resize_term(Int32(size.rows), Int32(size.columns)) == OK else {
            delscreen(screen)
            fclose(output)
            fclose(input)
            throw .noTerminalDescription
        }
        // The colours of a pair do not matter: its number carries the role to the read-back.
        for role in 1...ChromeRole.last { init_pair(Int16(role), Int16(COLOR_WHITE), Int16(COLOR_BLACK)) }
        self.screen = screen
        self.output = output
        self.input = input
        self.size = size
        row = [cchar_t](repeating: cchar_t(), count: size.columns + 1)
        opened = true
    }

    deinit {
        let dispositions = SignalDispositions()
        for pane in panes.values { NcursesScreen.free(pane) }
        delscreen(screen)
        fclose(output)
        fclose(input)
        dispositions.restore()
        NcursesScreen.inUse.store(false, ordering: .releasing)
    }

    /// Another size. All windows are closed: draw them anew. Throws for sizes outside 1x1 … 1000x500, with the size as before.
    public mutating func resize(_ size: CellSize) throws(ChromeError) {
        guard NcursesScreen.isUsable(size) else { throw .unusableSize(columns: size.columns, rows: size.rows) }
        guard size != self.size else { return }
        closeAll()
        // Not resizeterm: that one also queues a KEY_RESIZE that is never read.
        guard resize_term(Int32(size.rows), Int32(size.columns)) == OK else {
            throw .outOfResources(operation: "resize the screen")
        }
        self.size = size
        row = [cchar_t](repeating: cchar_t(), count: size.columns + 1)
    }

    /// Opens, moves or resizes a window and makes it visible, empty and filled with a role's background. The rectangle is
    /// clipped to the screen; nothing left of it hides the window.
    public mutating func show(_ id: WindowID, at rect: CellRect, fill role: ChromeRole) {
        guard let rect = clipped(rect) else {
            hide(id)
            return
        }
        if let pane = panes[id], pane.rect == rect {
            panes[id]?.role = role
            if !pane.isVisible {
                panes[id]?.isVisible = true
                aether_panel_show(pane.panel)
                restack()
            }
            erase(id)
            return
        }
        if let old = panes.removeValue(forKey: id) { NcursesScreen.free(old) }
        guard let window = aether_window_new(Int32(rect.rows), Int32(rect.columns), Int32(rect.row), Int32(rect.column)) else {
            return
        }
        guard let panel = aether_panel_new(window) else {
            aether_window_delete(window)
            return
        }
        panes[id] = Pane(rect: rect, role: role, window: window, panel: panel)
        restack()
        erase(id)
    }

    /// Makes a window invisible.
    public mutating func hide(_ id: WindowID) {
        guard let pane = panes[id], pane.isVisible else { return }
        aether_panel_hide(pane.panel)
        panes[id]?.isVisible = false
    }

    /// Empties a window: every cell a space in its fill role.
    public mutating func erase(_ id: WindowID) {
        guard let pane = panes[id] else { return }
        var blank = cchar_t()
        aether_set_cell(&blank, 0x20, 0, Int16(pane.role.rawValue))
        aether_window_set_background(pane.window, &blank)
        aether_window_erase(pane.window)
    }

    /// The windows that are visible, lowest first.
    public var visibleWindows: [WindowID] { panes.filter { $0.value.isVisible }.keys.sorted() }

    /// The place of a visible window.
    public func rect(of id: WindowID) -> CellRect? { panes[id].flatMap { $0.isVisible ? $0.rect : nil } }

    /// Writes text into a window, `column` and `row` counted from its corner, and returns the cells it took. Text beyond the
    /// window is cut, a wide character that does not fit whole is left out. Controls and other unsafe scalars, and combining
    /// marks (a cell has one scalar), are left out. Bold, dim, italic, underline and reverse can be added to the role's style.
    @discardableResult
    public mutating func put(
        _ text: String, column: Int, row line: Int, in id: WindowID, role: ChromeRole, style: CellStyle = []
    ) -> Int {
        guard let pane = panes[id], line >= 0, line < pane.rect.rows, column < pane.rect.columns else { return 0 }
        let attributes = NcursesScreen.attributes(style)
        var position = column, first = 0, count = 0
        for scalar in text.unicodeScalars {
            let width = ChromeText.columns(of: scalar)
            if width == 0 { continue }
            if position + width > pane.rect.columns { break }
            // Text that starts left of the window: what lies inside is shown, half a wide character is not.
            if position >= 0 {
                if count == 0 { first = position }
                aether_set_cell(&row[count], scalar.value, attributes, Int16(role.rawValue))
                count += 1
            }
            position += width
        }
        guard count > 0 else { return 0 }
        aether_window_put(pane.window, Int32(line), Int32(first), row, Int32(count))
        return position - max(column, 0)
    }

    /// The cells of all visible windows, the upper ones over the lower ones, coloured by the palette.
    public mutating func readBack(_ palette: ChromePalette) -> CellOverlay {
        var overlay = CellOverlay(size)
        for id in visibleWindows {
            guard let pane = panes[id] else { continue }
            for line in 0..<pane.rect.rows { read(line, of: pane, palette, into: &overlay) }
        }
        return overlay
    }

    private mutating func read(_ line: Int, of pane: Pane, _ palette: ChromePalette, into overlay: inout CellOverlay) {
        guard aether_window_read(pane.window, Int32(line), 0, &row, Int32(pane.rect.columns)) == OK else { return }
        let start = (pane.rect.row + line) * size.columns + pane.rect.column
        repairWideCharacter(cutAt: start, in: &overlay)
        repairWideCharacter(cutAt: start + pane.rect.columns, in: &overlay)
        // ncurses gives one element for a wide character; here its second cell gets one of its own.
        var column = 0, element = 0
        while column < pane.rect.columns {
            let scalar = max(0x20, aether_cell_scalar(&row[element]))
            let face = palette.face(pair: Int(aether_cell_pair(&row[element])))
            let style = face.style.union(NcursesScreen.style(row[element].attr))
            let width = Unicode.Scalar(scalar).map(ChromeText.columns(of:)) == 2 ? min(2, pane.rect.columns - column) : 1
            for offset in 0..<width {
                overlay.grid.cells[start + column + offset] = Cell(
                    glyph: offset == 0 ? scalar : 0, foreground: face.foreground, background: face.background, style: style)
                overlay.covered[start + column + offset] = true
            }
            column += width
            element += 1
        }
    }

    /// A window's edge that cuts a wide character of a lower window in two leaves a space, not half a character.
    private func repairWideCharacter(cutAt index: Int, in overlay: inout CellOverlay) {
        guard index > 0, index % size.columns != 0, index < overlay.grid.cells.count else { return }
        guard overlay.covered[index], overlay.grid.cells[index].glyph == 0 else { return }
        overlay.grid.cells[index - 1].glyph = 0x20
        overlay.grid.cells[index].glyph = 0x20
    }

    private mutating func closeAll() {
        for pane in panes.values { NcursesScreen.free(pane) }
        panes.removeAll(keepingCapacity: true)
    }

    private func restack() {
        for id in visibleWindows { if let pane = panes[id] { aether_panel_raise(pane.panel) } }
    }

    private func clipped(_ rect: CellRect) -> CellRect? {
        func part(_ first: Int, _ count: Int, of limit: Int) -> Range<Int> {
            let (end, overflow) = first.addingReportingOverflow(count)
            let start = min(max(0, first), limit)
            return start..<max(start, overflow ? (first > 0 ? limit : start) : min(limit, end))
        }
        let columns = part(rect.column, rect.columns, of: size.columns), rows = part(rect.row, rect.rows, of: size.rows)
        let result = CellRect(column: columns.lowerBound, row: rows.lowerBound, columns: columns.count, rows: rows.count)
        return result.isEmpty ? nil : result
    }

    private static func isUsable(_ size: CellSize) -> Bool {
        (1...TerminalSize.limit.columns).contains(size.columns) && (1...TerminalSize.limit.rows).contains(size.rows)
    }

    private static func memoryFile(_ name: String) -> UnsafeMutablePointer<FILE>? {
        let descriptor = clinux_memfd_create(name)
        guard descriptor >= 0 else { return nil }
        guard let file = fdopen(descriptor, "r+") else {
            close(descriptor)
            return nil
        }
        return file
    }

    private static func free(_ pane: Pane) {
        aether_panel_delete(pane.panel)
        aether_window_delete(pane.window)
    }

    private static func attributes(_ style: CellStyle) -> attr_t {
        var attributes: attr_t = 0
        if style.contains(.bold) { attributes |= aether_attribute_bold() }
        if style.contains(.dim) { attributes |= aether_attribute_dim() }
        if style.contains(.italic) { attributes |= aether_attribute_italic() }
        if style.contains(.underline) { attributes |= aether_attribute_underline() }
        if style.contains(.reverse) { attributes |= aether_attribute_reverse() }
        return attributes
    }

    private static func style(_ attributes: attr_t) -> CellStyle {
        var style: CellStyle = []
        if attributes & aether_attribute_bold() != 0 { style.insert(.bold) }
        if attributes & aether_attribute_dim() != 0 { style.insert(.dim) }
        if attributes & aether_attribute_italic() != 0 { style.insert(.italic) }
        if attributes & aether_attribute_underline() != 0 { style.insert(.underline) }
        if attributes & aether_attribute_reverse() != 0 { style.insert(.reverse) }
        return style
    }
}
