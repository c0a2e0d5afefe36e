import AetherCore
import AetherTerminal

/// The fields of a login over the video: who asks, a name, a password as dots, the keyring, and the keys. Where it lies is a value of its own, so that
/// clicks find what was drawn.
struct LoginPane {
    let rect: CellRect
    private let prompt: LoginPrompt
    private let glyphs: Glyphs

    /// 64: an address of a server and a name side by side.
    private static let widest = 64
    /// "Password" and the margins beside it.
    private static let lead = 12
    private static let userRow = 2, passwordRow = 3, keepRow = 4, height = 7

    /// nil when nothing of it would fit.
    init?(_ prompt: LoginPrompt, _ scene: Scene) {
        self.prompt = prompt
        glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let size = scene.size, bottom = scene.bottom()
        guard bottom >= 5, size.columns >= 24 else { return nil }
        let columns = min(size.columns, Self.widest), rows = min(bottom, Self.height)
        rect = CellRect(column: (size.columns - columns) / 2, row: max(0, (bottom - rows) / 2), columns: columns, rows: rows)
    }

    /// The field in a row of the screen.
    func field(row: Int) -> LoginPrompt.Field? {
        switch row - rect.row {
        case Self.userRow: .user
        case Self.passwordRow: .password
        default: nil
        }
    }

    var pane: Pane {
        var pane = Pane(.login, at: rect, fill: .pane)
        let room = rect.columns - 2
        pane.write(
            ChromeText.clipped(
                translated("Login to \(DisplayText.singleLine(prompt.question.server, limit: 200))"), to: room,
                ellipsis: glyphs.ellipsis),
            column: 1, row: 0,
            .paneHeading)
        write(translated("Name"), prompt.user, row: Self.userRow, isPresent: prompt.field == .user, &pane)
        let dot = glyphs.isUnicode ? "•" : "*"
        write(
            translated("Password"), String(repeating: dot, count: prompt.password.count), row: Self.passwordRow,
            isPresent: prompt.field == .password, &pane)
        if rect.rows > Self.keepRow + 1 {
            let mark = prompt.isKept ? (glyphs.isUnicode ? "[✓]" : "[x]") : "[ ]"
            pane.write(
                translated("\(mark) keep in the keyring"), column: Self.lead, row: Self.keepRow,
                prompt.isKept ? .paneValue : .paneLabel)
        }
        var hints = [
            translated("Enter log in"), translated("Esc give up"), translated("Tab other field"), translated("Ctrl+K keyring"),
        ]
        while hints.count > 1, ChromeText.columns(of: hints.joined(separator: "  ")) > room { hints.removeLast() }
        pane.write(
            ChromeText.clipped(hints.joined(separator: "  "), to: room, ellipsis: glyphs.ellipsis), column: 1, row: rect.rows - 1,
            .paneLabel)
        return pane
    }

    private func write(_ label: String, _ text: String, row: Int, isPresent: Bool, _ pane: inout Pane) {
        pane.write(label, column: 2, row: row, .paneLabel)
        let room = rect.columns - Self.lead - 3
        // The end is seen, where letters are added.
        var shown = Substring(glyphs.shown(DisplayText.singleLine(text, limit: 200)))
        while ChromeText.columns(of: String(shown)) > room - 1, !shown.isEmpty { shown.removeFirst() }
        let line = shown + (isPresent ? "_" : "")
        if isPresent {
            pane.write(String(repeating: " ", count: rect.columns - Self.lead - 2), column: Self.lead, row: row, .paneSelected)
        }
        pane.write(String(line), column: Self.lead, row: row, isPresent ? .paneSelected : .paneValue)
    }
}
