import AetherCore
import AetherTerminal
import Testing

/// The facts that are known of programs by name and version.
struct ProgramTableTests {
    @Test(arguments: [
        ("0.19.3", "0.40", true), ("0.40", "0.40.0", false), ("0.9", "0.26", true), ("3.3", "3.3a", true), ("3.3a", "3.4", true),
        ("379", "369", false), ("20210813-1", "20210814", true), ("v0.2024.01", "0.2024.2", true), ("1.2.0-dev", "1.2", false),
        ("22.08.3", "22.12", true), ("999999999999999999999999.1", "999999999999999", false),
        ("1.2.3.4.5.6.7", "1.2.3.4.5.6", false),
    ])
    func comparesVersions(_ a: String, _ b: String, _ isEarlier: Bool) throws {
        let (first, second) = (try #require(VersionNumber(a)), try #require(VersionNumber(b)))
        #expect((first < second) == isEarlier)
        #expect(!(second < second) && second == second)
    }

    @Test(arguments: ["", "x", "v", ".1", "-1", "é", "一.二", " 1"])
    func aVersionWithoutANumberIsInNoBoundedRange(_ text: String) {
        #expect(VersionNumber(text) == nil)
        #expect(!VersionRange.from("0").contains(text) && !VersionRange.before("9").contains(text))
        #expect(VersionRange.all.contains(text))
    }

    @Test(arguments: [
        ("kitty(0.18.3)", DisplayTraits.Glyphs.quadrants), ("kitty(0.26.5)", .sextants), ("kitty(0.40.0)", .octants),
        ("kitty", .quadrants), ("kitty(garbage)", .quadrants), ("foot(1.13.1)", .sextants), ("foot(1.20.2)", .octants),
        ("foot(1.9.0)", .quadrants), ("ghostty 1.1.3", .sextants), ("ghostty 1.2.0", .octants),
        ("WezTerm 20240203-110809-5046fc22", .sextants), ("WezTerm 20260101-000000-00000000", .octants),
        ("Konsole 22.12.3", .sextants), ("VTE(7006)", .sextants), ("VTE(7802)", .octants), ("XTerm(410)", .halfBlocks),
        ("tmux 3.5a", .halfBlocks), ("mlterm(3.9.3)", .halfBlocks), ("Windows Terminal 1.24.1", .quadrants), ("", .halfBlocks),
        ("notkitty(0.40)", .halfBlocks),
    ])
    func provesGlyphs(_ report: String, _ glyphs: DisplayTraits.Glyphs) {
        #expect(GlyphSupport.glyphs(of: TerminalIdentity(report: report)) == glyphs)
    }

    @Test(
        arguments: [
            ("kitty(0.19.3)", []), ("kitty(0.26.5)", [.frameEdits]),
            ("kitty(0.40.1)", [.frameEdits, .placeholders]), ("kitty(0.48.0)", [.frameEdits, .placeholders, .transient]),
            ("ghostty 1.2.3", [.placeholders]), ("ghostty 1.3.0", [.placeholders, .frameEdits]), ("Konsole 26.04.0", []),
            ("WezTerm 20260101", []),
        ] as [(String, Set<KittyFeatures.Feature>)])
    func provesPartsOfTheKittyProtocol(_ report: String, _ features: Set<KittyFeatures.Feature>) {
        #expect(KittyFeatures.features(of: TerminalIdentity(report: report)) == features)
    }

    @Test(arguments: [
        ("iTerm2 2.9.20160206", false, true), ("iTerm2 2.1", false, false), ("WezTerm 20240203", false, true),
        ("mintty 3.6.1", false, true), ("Konsole 22.04.0", false, true), ("Konsole 21.12", false, false),
        ("xterm.js(5.6.0)", false, false), ("xterm.js(5.6.0)", true, true), ("XTerm(379)", true, false),
    ])
    func knowsInlineImages(_ report: String, _ hasSixel: Bool, _ expected: Bool) {
        #expect(InlineImageSupport.isKnown(of: TerminalIdentity(report: report), hasSixel: hasSixel) == expected)
    }

    @Test(arguments: [
        ("XTerm(379)", "XTerm", "379"), ("tmux 3.3a", "tmux", "3.3a"), ("Windows Terminal 1.24.1", "Windows Terminal", "1.24.1"),
        ("Warp(v0.2024.10)", "Warp", "v0.2024.10"), ("contour (0.4.0)", "contour", "0.4.0"), ("rio/0.2", "rio", "0.2"),
        ("", "", ""),
        ("(((", "", ""), ("foot", "foot", ""),
    ])
    func readsReports(_ report: String, _ name: String, _ version: String) {
        #expect(TerminalIdentity(report: report) == TerminalIdentity(name: name, version: version))
    }

    @Test func everyEntryNamesItsSource() {
        #expect(GlyphSupport.table.allSatisfy { !$0.source.isEmpty && !$0.program.isEmpty })
        #expect(
            KittyFeatures.table.allSatisfy { !$0.source.isEmpty } && InlineImageSupport.table.allSatisfy { !$0.source.isEmpty })
        #expect(Quirks.table.allSatisfy { !$0.source.isEmpty && !$0.symptom.isEmpty })
    }

    @Test func oldXtermsMeanTheOppositeByMode80() {
        func displayMode(_ version: String, _ state: Int) -> Bool? {
            var probe = CapabilityProbe(environment: ProbeEnvironment(["TERM": "xterm"]), sentAt: HostTime(nanoseconds: 0))
            probe.fold(.version("XTerm(\(version))"))
            probe.fold(.mode(80, TerminalReply.ModeState(rawValue: state) ?? .notRecognized))
            return probe.capabilities.sixelDisplayMode
        }
        #expect(displayMode("368", 1) == false && displayMode("368", 2) == true)
        #expect(displayMode("369", 1) == true && displayMode("410", 2) == false && displayMode("368", 0) == nil)
    }
}
