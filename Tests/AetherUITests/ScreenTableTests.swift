import AetherCore
import AetherTerminal
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

/// Every pane on every shape of screen, and every theme's colours.
@Suite struct ScreenTableTests {
    @Test(arguments: ScreenPane.allCases) func everyPaneHasItsScreens(_ pane: ScreenPane) throws {
        var text = ""
        for shape in ScreenShape.all {
            let rows = try rendered(pane.model(shape))
            text += "== \(shape.name)\n"
            for (index, row) in rows.enumerated() {
                #expect(ChromeText.columns(of: row) == shape.columns, "\(shape.name), row \(index): \(row)")
                if !shape.isUnicode { #expect(row.allSatisfy { $0.isASCII || $0 == "·" }, "\(row)") }
                if row.contains(where: { $0 != "·" }) { text += "\(index)\t\(Self.compact(row))\n" }
            }
        }
        expectGolden(text: text, "screen-\(pane.rawValue)")
    }

    /// Screens differ from one another: a pane that is not there would look like the bar alone.
    @Test(arguments: ScreenShape.all.indices) func noPaneIsMissing(_ index: Int) throws {
        var seen: [[String]: ScreenPane] = [:]
        for pane in ScreenPane.allCases {
            let rows = try rendered(pane.model(ScreenShape.all[index]))
            if let other = seen.updateValue(pane, forKey: rows) { Issue.record("\(pane) looks like \(other)") }
        }
        // Whatever is a window of its own is one of the panes here.
        for kind in MenuKind.allCases {
            // Those of the sections are one menu with other words.
            if case .actions(let section) = kind, section != .subtitles { continue }
            #expect(ScreenPane.allCases.contains { $0.menu == kind }, "no screen for \(kind)")
        }
    }

    @Test(arguments: ThemeTests.files) func everyThemeHasItsColours(_ file: String) throws {
        let text = try String(contentsOf: ThemeTests.directory.appendingPathComponent(file), encoding: .utf8)
        let theme = try ThemeParser.strictly(text, file: file)
        let shape = ScreenShape(name: "", columns: 60, rows: 12)
        var golden = ""
        for pane in [ScreenPane.bar, .audio, .palette, .telemetry, .subtitles] {
            golden += "== \(pane.rawValue)\n" + (try Self.colours(pane.model(shape), theme))
        }
        expectGolden(text: golden, "theme-\(theme.name)")
    }

    /// Stretches of picture and of blanks as their length: "·×60".
    private static func compact(_ row: String) -> String {
        var text = ""
        var rest = row[...]
        while let first = rest.first {
            let run = rest.prefix { $0 == first }
            text += run.count >= 12 && (first == "·" || first == " ") ? "\(first)×\(run.count) " : String(run)
            rest = rest.dropFirst(run.count)
        }
        return text
    }

    /// A letter for each pair of colours, a row as letters and lengths, and what the letters stand for.
    private static func colours(_ model: AppModel, _ theme: Theme) throws -> String {
        let overlay = try withScreen(columns: model.size.columns, rows: model.size.rows) { screen in
            ChromeView.draw(ChromeView.panes(model), into: &screen)
            var overlay = screen.readBack(theme.palette())
            for line in ChromeView.subtitles(model) { line.draw(theme[.subtitle], into: &overlay) }
            return overlay
        }
        var letters: [String: Character] = [:], legend = "", text = ""
        for row in 0..<model.size.rows {
            var line: [(sign: Character, count: Int)] = []
            for column in 0..<model.size.columns {
                var sign: Character = "."
                if overlay.covered[row * model.size.columns + column] {
                    let cell = overlay.grid[column, row]
                    let style = cell.style.rawValue == 0 ? "" : " style \(cell.style.rawValue)"
                    let face = "\(name(cell.foreground)) on \(name(cell.background))\(style)"
                    let known = letters[face]
                    sign = known ?? Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(letters.count)))
                    if known == nil {
                        letters[face] = sign
                        legend += "  \(sign) \(face)\n"
                    }
                }
                if line.last?.sign == sign { line[line.count - 1].count += 1 } else { line.append((sign, 1)) }
            }
            guard line.count > 1 || line.first?.sign != "." else { continue }
            text += "\(row)\t" + line.map { "\($0.sign)\($0.count)" }.joined(separator: " ") + "\n"
        }
        return text + legend
    }

    private static func name(_ color: CellColor) -> String {
        if color.isDefault { return "default" }
        return color.isIndexed
            ? "palette \(color.index)" : "#" + String(color.packed & 0xFFFFFF | 0x1000000, radix: 16).dropFirst()
    }
}
