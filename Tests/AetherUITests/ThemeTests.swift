import AetherCore
import AetherTerminal
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

private let themesDirectory = ThemeTests.directory

@Suite struct ThemeTests {
    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("themes")

    static let files: [String] = {
        // Losing the error is right: without the directory the list is empty, and the first test fails on that.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: themesDirectory.path)) ?? []
        return names.filter { $0.hasSuffix(".toml") }.sorted()
    }()

    @Test func theShippedDefaultIsTheBuiltInOne() throws {
        #expect(Self.files.contains("default.toml"))
        let text = try String(contentsOf: themesDirectory.appendingPathComponent("default.toml"), encoding: .utf8)
        #expect(try ThemeParser.strictly(text, file: "default.toml") == Theme.standard)
        for role in ThemeRole.allCases { #expect(text.contains(" \(role.rawValue)"), "default.toml leaves out \(role.rawValue)") }
    }

    /// 4.5 is WCAG's AA for text; signs of the progress line must only stand out from one another.
    @Test(arguments: files) func everyShippedThemeParsesAndCanBeRead(_ file: String) throws {
        let text = try String(contentsOf: themesDirectory.appendingPathComponent(file), encoding: .utf8)
        let theme = try ThemeParser.strictly(text, file: file)
        #expect(theme.name + ".toml" == file)
        // Its colours are the terminal's business.
        if theme.name == "terminal" { return }
        for role in ThemeRole.allCases where !role.rawValue.hasPrefix("progress") {
            let contrast = try #require(theme.contrast(role), "\(role) has a colour of the terminal's own")
            #expect(contrast >= 4.5, "\(role): \(contrast)")
        }
        var played = Theme(name: "")
        played[.flash] = ChromeFace(
            foreground: theme[.progressPlayed].foreground, background: theme[.progressRest].foreground)
        #expect(try #require(played.contrast(.flash)) >= 3)
    }

    @Test func thereAreEnoughThemes() {
        #expect(Self.files.count >= 8 && Self.files.contains("terminal.toml") && Self.files.contains("picture.toml"))
    }

    @Test(arguments: 0..<40) func aThemeThatFollowsTheFrameCanBeReadOverAny(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let tint = UInt32(truncatingIfNeeded: random.next()), base = UInt32(truncatingIfNeeded: random.next())
        let image = RasterImage(
            width: 40, height: 30,
            pixels: (0..<1200).map { _ in 0xFF00_0000 | (seed % 3 == 0 ? UInt32(truncatingIfNeeded: random.next()) & tint : base)
            })
        var theme = Theme(name: "picture")
        theme.followsVideo = true
        let mood = try #require(FrameMood(image))
        let followed = theme.following(mood)
        for role in ThemeRole.allCases where !role.rawValue.hasPrefix("progress") {
            #expect(try #require(followed.contrast(role)) >= 4.5, "\(role)")
        }
        let played = try #require(Luminance.of(followed[.progressPlayed].foreground)),
            rest = try #require(Luminance.of(followed[.progressRest].foreground))
        #expect(Luminance.contrast(played, rest) >= 3)
        #expect(mood.gliding(to: mood) == mood)
    }

    @Test func aFramesHueIsThatOfItsColourfulPart() throws {
        // Gray for the most part, and red where there is colour.
        let image = RasterImage(
            width: 64, height: 48, pixels: (0..<64 * 48).map { $0 % 4 == 0 ? 0xFF20_20C0 : 0xFF80_8080 })
        let colors = try #require(FrameMood(image)).tint(.standard)
        let accent = colors[.accent]
        #expect(accent.red > accent.green && accent.red > accent.blue)
        #expect(FrameMood(RasterImage(width: 8, height: 8)) == nil, "black says nothing")
        let gray = try #require(FrameMood(RasterImage(width: 8, height: 8, pixels: Array(repeating: 0xFF80_8080, count: 64))))
        let plain = gray.tint(.standard)[.accent]
        #expect(plain.red == plain.green && plain.green == plain.blue)
    }

    @Test func rolesAreMadeOfNamedColours() throws {
        let theme = try ThemeParser.strictly(
            """
            follows = "picture"
            [colors]
            accent = "#102030"
            ground = 4
            [roles.bar-title]
            foreground = "accent"
            background = "default"
            """, file: "x.toml")
        #expect(theme[.barMessage].foreground == .rgb(0x10, 0x20, 0x30) && theme[.bar].background == .indexed(4))
        #expect(theme[.barTitle].foreground == .rgb(0x10, 0x20, 0x30) && theme[.barTitle].background == .terminalDefault)
        #expect(theme.followsVideo)
        let orange = FrameMood(RasterImage(width: 8, height: 8, pixels: Array(repeating: 0xFF10_60E0, count: 64)))
        #expect(theme.following(orange)[.barTitle] == theme[.barTitle], "what a theme says of a role stays")
        #expect(theme.following(orange)[.barMessage] != theme[.barMessage])
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
        let theme = try ThemeParser.strictly(
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
        #expect(try ThemeParser.strictly("", file: "/a/plain.toml").name == "plain")
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
        ("[roles.xyzzy]\nforeground = 1", "t.toml:1: roles.xyzzy: is not a role; there are: bar,"),
        ("[roles.bar-titel]\nforeground = 1", "t.toml:1: roles.bar-titel: is not a role; did you mean \"bar-title\"?"),
        ("[roles.bar]\nforground = 1", "did you mean \"foreground\"?"),
        ("[roles.bar]\nforeground = \"acent\"", "not \"acent\"; did you mean \"accent\"?"),
        ("[roles.bar]\nstyle = [\"blod\"]", "did you mean \"bold\"?"), ("follows = \"pictures\"", "did you mean \"picture\"?"),
        ("[color]\nground = 1", "did you mean \"colors\"?"),
        ("[roles]\nbar = 3", "t.toml:2: roles.bar: is a table"), ("colour = 3", "t.toml:1: colour: is not known"),
        ("name = 3", "t.toml:1: name: is a text"), ("follows = 1", "t.toml:1: follows: is \"picture\""),
        ("[colors]\naccnt = 1", "t.toml:2: colors.accnt: is not a colour; did you mean \"accent\"?"),
        ("[colors]\nxyzzy = 1", "t.toml:2: colors.xyzzy: is not a colour; there are: ground,"),
        ("[colors]\naccent = \"dim\"", "t.toml:2: colors.accent: is \"#rrggbb\""), ("colors = 1", "t.toml:1: colors: is a table"),
        ("roles = 3", "t.toml:1: roles: is a table"), (String(repeating: "#", count: 300_000), "t.toml: is larger than 256 KiB"),
        ("\"\u{9B}2J\" = 1", "t.toml"),
    ])
    func aWrongThemeSaysWhereAndWhat(_ text: String, _ expected: String) {
        do throws(ConfigError) {
            var report = ConfigReport()
            _ = try ThemeParser.parse(text, file: "t.toml", &report)
            if let warning = report.warnings.first { throw warning }
            Issue.record("was accepted")
        } catch {
            #expect(error.description.contains(expected), "\(error)")
            #expect(!error.description.unicodeScalars.contains { DisplayText.isUnsafe($0) })
        }
    }

    @Test func unknownNamesOfAThemeAreLeftOutAndAllOfThemTold() throws {
        var report = ConfigReport()
        let text = "colour = 3\n[colors]\naccnt = 1\naccent = 2\n[roles.bra]\nforeground = 1\n[roles.bar]\nforground = 4\n"
        let theme = try ThemeParser.parse(text, file: "t.toml", &report)
        #expect(report.warnings.map(\.line) == [1, 3, 5, 8] && report.errors.isEmpty)
        var expected = ConfigReport()
        #expect(try theme == ThemeParser.parse("[colors]\naccent = 2\n", file: "t.toml", &expected))
    }

    @Test func themesAreFoundByNameOrFile() throws {
        let directory = themesDirectory.path
        let library = ThemeLibrary(directories: [directory]), empty = ThemeLibrary(directories: [])
        #expect(try library.theme("default") == .standard)
        #expect(try empty.theme("default") == .standard)
        #expect(try empty.theme(directory + "/default.toml") == .standard)
        #expect(throws: ConfigError.self) { try library.theme("nothing") }
        #expect(throws: ConfigError.self) { try empty.theme("/nowhere/x.toml") }
        #expect(throws: ConfigError.self) { try empty.theme(directory + "/") }
        #expect(library.names().first == "default" && library.names().contains("fjord") && empty.names() == ["default"])
        #expect(library.file(of: "fjord") == directory + "/fjord.toml" && empty.file(of: "fjord") == nil)
        let system = ["/usr/local/share/aether-tui/themes", "/usr/share/aether-tui/themes"]
        #expect(
            ThemeLibrary(environment: ["HOME": "/h"], program: "/opt/bin/aether-tui").directories
                == ["/h/.config/aether-tui/themes", "/opt/share/aether-tui/themes"] + system)
        #expect(ThemeLibrary(environment: [:], program: "/w/.build/release/aether-tui").directories == ["/w/themes"] + system)
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
