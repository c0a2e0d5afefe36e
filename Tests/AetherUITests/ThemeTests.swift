import AetherCore
import AetherTerminal
import AetherUI
import Foundation
import Testing

private let themesDirectory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("themes")

@Suite struct ThemeTests {
    static let files: [String] = {
        // Losing the error is right: without the directory the list is empty, and the first test fails on that.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: themesDirectory.path)) ?? []
        return names.filter { $0.hasSuffix(".toml") }.sorted()
    }()

    @Test func theShippedDefaultIsTheBuiltInOne() throws {
        #expect(Self.files.contains("default.toml"))
        let text = try String(contentsOf: themesDirectory.appendingPathComponent("default.toml"), encoding: .utf8)
        #expect(try ThemeParser.parse(text, file: "default.toml") == Theme.standard)
        for role in ThemeRole.allCases { #expect(text.contains("[roles.\(role.rawValue)]"), "default.toml leaves out a role") }
    }

    /// 4.5 is WCAG's AA for text; signs of the progress line must only stand out from one another.
    @Test(arguments: files) func everyShippedThemeParsesAndCanBeRead(_ file: String) throws {
        let text = try String(contentsOf: themesDirectory.appendingPathComponent(file), encoding: .utf8)
        let theme = try ThemeParser.parse(text, file: file)
        for role in ThemeRole.allCases where !role.rawValue.hasPrefix("progress") {
            let contrast = try #require(theme.contrast(role), "\(role) has a colour of the terminal's own")
            #expect(contrast >= 4.5, "\(role): \(contrast)")
        }
        var played = Theme(name: "")
        played[.flash] = ChromeFace(
            foreground: theme[.progressPlayed].foreground, background: theme[.progressRest].foreground)
        #expect(try #require(played.contrast(.flash)) >= 3)
    }

    @Test func contrastIsThatOfWCAG() {
        var theme = Theme(name: "x")
        theme[.bar] = ChromeFace(foreground: .rgb(255, 255, 255), background: .rgb(0, 0, 0))
        #expect(abs((theme.contrast(.bar) ?? 0) - 21) < 0.001)
        theme[.bar] = ChromeFace(foreground: .rgb(0x77, 0x77, 0x77), background: .rgb(255, 255, 255))
        #expect(abs((theme.contrast(.bar) ?? 0) - 4.478) < 0.001)
        theme[.bar].foreground = .terminalDefault
        #expect(theme.contrast(.bar) == nil)
    }

    @Test func aThemeChangesWhatItNames() throws {
        let theme = try ThemeParser.parse(
            """
            name = "night"
            [roles.bar]
            foreground = "#ABCDEF"
            background = 17
            style = ["italic", "underline"]
            [roles.pane-key]
            foreground = "default"
            """, file: "x.toml")
        #expect(theme.name == "night")
        #expect(
            theme[.bar] == ChromeFace(foreground: .rgb(0xAB, 0xCD, 0xEF), background: .indexed(17), style: [.italic, .underline]))
        #expect(theme[.paneKey].foreground == .terminalDefault)
        #expect(theme[.paneKey].background == Theme.standard[.paneKey].background)
        #expect(theme[.subtitle] == Theme.standard[.subtitle])
        #expect(try ThemeParser.parse("", file: "/a/plain.toml").name == "plain")
    }

    @Test(arguments: [
        ("name = \"a\"\n[roles.bar\n", "t.toml:2:"),
        ("\n[&", "t.toml:2: a table's name is letters"), ("[\n", "t.toml:1:"), ("[[ §]]", "t.toml:1:"),
        ("name = [}", "t.toml:1: braces have no place"),
        ("\n\n[roles.bar]\nforeground = \"red\"", "t.toml:4: roles.bar.foreground: is \"#rrggbb\""),
        ("[roles.bar]\nbackground = 256", "t.toml:2: roles.bar.background: is a palette entry from 0 to 255, not 256"),
        ("[roles.bar]\nforeground = \"#12345\"", "t.toml:2: roles.bar.foreground:"),
        ("[roles.bar]\nforeground = \"#+12345\"", "t.toml:2: roles.bar.foreground:"),
        ("[roles.flash]\nforeground = 1\n[roles.bar]\nforeground = 1.5", "t.toml:4: roles.bar.foreground:"),
        ("[roles.bar]\nstyle = [\"blink\"]", "t.toml:2: roles.bar.style: is a list of"),
        ("[roles.bar]\nstyle = \"bold\"", "t.toml:2: roles.bar.style:"),
        ("[roles.bar]\ncolor = 1", "t.toml:2: roles.bar.color: is not known"),
        ("[roles.barn]\nforeground = 1", "t.toml:1: roles.barn: is no role; there are: bar,"),
        ("[roles]\nbar = 3", "t.toml:2: roles.bar: is a table"), ("colour = 3", "t.toml:1: colour: is not known"),
        ("name = 3", "t.toml:1: name: is a text"),
        ("roles = 3", "t.toml:1: roles: is a table"), (String(repeating: "#", count: 70_000), "t.toml: larger than 64 KiB"),
        ("\"\u{9B}2J\" = 1", "t.toml"),
    ])
    func aWrongThemeSaysWhereAndWhat(_ text: String, _ expected: String) {
        do throws(ThemeError) {
            _ = try ThemeParser.parse(text, file: "t.toml")
            Issue.record("was accepted")
        } catch {
            #expect(error.description.hasPrefix(expected), "\(error)")
            #expect(!error.description.unicodeScalars.contains { DisplayText.isUnsafe($0) })
        }
    }

    @Test func themesAreFoundByNameOrFile() throws {
        let directory = themesDirectory.path
        #expect(try ThemeLibrary.load("default", directories: [directory]) == .standard)
        #expect(try ThemeLibrary.load("default", directories: []) == .standard)
        #expect(try ThemeLibrary.load(directory + "/default.toml", directories: []) == .standard)
        #expect(throws: ThemeError.self) { try ThemeLibrary.load("nothing", directories: [directory]) }
        #expect(throws: ThemeError.self) { try ThemeLibrary.load("/nowhere/x.toml", directories: []) }
        #expect(throws: ThemeError.self) { try ThemeLibrary.load(directory + "/", directories: []) }
        let found = ThemeLibrary.directories(environment: ["HOME": "/h"], installPrefix: "/opt")
        #expect(
            found == [
                "/h/.config/aether-tui/themes", "/opt/share/aether-tui/themes", "/usr/local/share/aether-tui/themes",
                "/usr/share/aether-tui/themes",
            ])
    }

    @Test func everyRoleHasItsOwnNumberForNcurses() {
        let palette = Theme.standard.palette()
        #expect(Set(ThemeRole.allCases.map(\.chromeRole)).count == ThemeRole.allCases.count)
        for role in ThemeRole.allCases { #expect(palette[role.chromeRole] == Theme.standard[role]) }
        let plain = Theme.standard.palette(hasColor: false)
        for role in ThemeRole.allCases {
            let face = plain[role.chromeRole]
            #expect(face.foreground.isDefault && face.style.contains(.reverse) == (role != .paneSelected && role != .spectrum))
        }
    }
}
