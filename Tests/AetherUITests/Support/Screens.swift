import AetherCore
import AetherEngine
import AetherTerminal
import Synchronization
import Testing

@testable import AetherUI

/// ncurses has one screen per process, and tests run in parallel: one at a time comes in.
private let screenLock = Mutex<Void>(())

/// Runs a test with a screen of its own.
@discardableResult
func withScreen<Result>(
    columns: Int, rows: Int, _ body: (inout NcursesScreen) throws -> sending Result
) throws -> sending Result {
    try screenLock.withLock { _ in
        var screen = try NcursesScreen(size: CellSize(columns: columns, rows: rows))
        return try body(&screen)
    }
}

/// Runs a test that opens screens itself.
@discardableResult
func withoutScreen<Result>(_ body: () throws -> sending Result) rethrows -> sending Result {
    try screenLock.withLock { _ in try body() }
}

extension CellOverlay {
    /// The rows as text: "·" where the picture shows through, nothing for the second half of a wide character.
    var text: [String] {
        (0..<grid.size.rows).map { row in
            var line = String.UnicodeScalarView()
            for column in 0..<grid.size.columns {
                guard covered[row * grid.size.columns + column] else {
                    line.append("·")
                    continue
                }
                let glyph = grid[column, row].glyph
                if let scalars = GlyphCluster.scalars(of: glyph) {
                    line.append(contentsOf: scalars)
                } else if glyph != 0 {
                    line.append(Unicode.Scalar(glyph) ?? "\u{FFFD}")
                }
            }
            return String(line)
        }
    }
}

/// The screen of a model, at the model's size, as text rows.
func rendered(_ model: AppModel) throws -> [String] {
    try withScreen(columns: model.size.columns, rows: model.size.rows) { screen in
        ChromeView.draw(ChromeView.panes(model), into: &screen)
        var overlay = screen.readBack(Theme.standard.palette())
        for line in ChromeView.subtitles(model) { line.draw(Theme.standard[.subtitle], into: &overlay) }
        return overlay.text
    }
}

/// The rows of a model's screen that are not picture only, numbered.
func screen(_ model: AppModel) throws -> String {
    let rows = try rendered(model).enumerated().filter { $0.element.contains { $0 != "·" } }
    return rows.map { "\($0.offset)\t\($0.element)\n" }.joined() + "\n"
}
