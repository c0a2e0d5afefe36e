import AetherCore
import AetherTerminal

/// The answer to an action, in one line at the bottom left, where no bar shows it.
enum FlashLine {
    /// A little above the edge, as subtitles are, where there are rows to spare: the last rows of a video stay free.
    private static let rowsBelow = 3

    /// `isIdle`: nothing plays, and nothing is chosen from.
    static func pane(_ scene: Scene, isIdle: Bool = false) -> Pane? {
        let bar = scene.barRect
        let hint = isIdle ? scene.idleHint.map { FlashMessage(text: $0, until: HostTime(nanoseconds: 0), isNotice: false) } : nil
        guard let message = scene.message ?? hint, bar.map({ $0.rows < 2 }) ?? true else { return nil }
        let bottom = scene.size.rows >= 12 ? scene.size.rows - rowsBelow : scene.size.rows
        let row = (bar?.row ?? bottom) - 1
        guard row >= 0 else { return nil }
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let text = glyphs.line(message.text, to: scene.size.columns - 2)
        guard !text.isEmpty else { return nil }
        var pane = Pane(
            .flash, at: CellRect(column: 0, row: row, columns: ChromeText.columns(of: text) + 2, rows: 1), fill: .flash)
        pane.write(text, column: 1, row: 0, message.isNotice ? .barNotice : .flash)
        return pane
    }
}
