import AetherTerminal
import AetherUI
import Foundation
import Testing

/// The man page's KEYS are the keymap's, written out.
@Suite struct ManualKeysTests {
    /// The table in mdoc.
    private static var page: String {
        Keymap.Section.allCases.map { section in
            let entries = Keymap.standard.entries.filter { $0.section == section }
            return ".Ss \(section.rawValue)\n.Bl -tag -width \"Shift+Left, Shift+Right\" -compact\n"
                + entries.map { ".It Cm \(keys($0))\n\($0.description.replacing("…", with: "..."))\n" }.joined() + ".El\n"
        }.joined()
    }

    private static func keys(_ entry: Keymap.Entry) -> String {
        let names = entry.bindings.flatMap(\.strokes).map { escaped($0.label(unicode: false)) }
        guard names.count > 4 else { return names.joined(separator: " , ") }
        return "\(names[0]) No to Cm \(names[names.count - 1])"
    }

    /// mdoc takes lone punctuation for delimiters.
    private static func escaped(_ name: String) -> String {
        name.count == 1 && ".,:;()[]?!|".contains(name) ? "\\&" + name : name
    }

    @Test func theManPageHasTheKeysOfTheTable() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../man/aether-tui.1")
        let manual = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(
            manual.components(separatedBy: ".\\\" BEGIN keys\n").dropFirst().first?.components(separatedBy: ".\\\" END keys")
                .first)
        #expect(section == Self.page, "KEYS should be:\n\(Self.page)")
    }
}
