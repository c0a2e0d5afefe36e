import AetherTestSupport
import Foundation
import Testing

/// The catalogues as programs of this checkout look for them.
private enum CompiledCatalogues {
    static let areThere: Bool = {
        let script = SourceTree.root.appending(path: "scripts/catalogue.sh").path
        let folder = SourceTree.root.appending(path: ".build/locale").path
        // Where it cannot be started the tests are skipped, and say so.
        return (try? Command([script, "compile", folder]).status) == 0
    }()
}

/// The built programs in other languages, by gettext and the catalogues of this checkout.
@Suite(.serialized, .enabled(if: CompiledCatalogues.areThere, "msgfmt (gettext) makes the catalogues"))
struct LanguageTests {
    private static let english = "aether-tui: cannot open ‘/no/such.mkv’"
    private static let german = "aether-tui: Öffnen nicht möglich: „/no/such.mkv“"
    private static let french = "aether-tui: ouverture impossible : « /no/such.mkv »"

    private func complaint(options: [String] = [], _ variables: [String: String]) throws -> String {
        let none = ["LC_ALL": "", "LC_MESSAGES": "", "LANG": "", "LANGUAGE": ""]
        let words = try [#require(Programs.player), "--plain", "--no-config", "--no-mpris"] + options + ["/no/such.mkv"]
        return try Command(words, environment: none.merging(variables) { $1 }).standardError
    }

    @Test func theEnvironmentChoosesTheLanguage() throws {
        #expect(try complaint(["LANG": "C.UTF-8", "LANGUAGE": "de"]).contains(Self.german))
        // Most machines do not have this locale; it works all the same.
        #expect(try complaint(["LANG": "fr_CA.UTF-8"]).contains(Self.french))
        #expect(try complaint(["LANG": "de_AT.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"]).contains(Self.french))
    }

    @Test func otherwiseItIsEnglish() throws {
        for variables in [
            [:], ["LANG": "C"], ["LANG": "C.UTF-8"], ["LANG": "C", "LANGUAGE": "de"], ["LANG": "en_US.UTF-8"],
            ["LANG": "eo.UTF-8"], ["LANG": "de_DE.UTF-8", "LANGUAGE": "en:de"],
        ] {
            #expect(try complaint(variables).contains(Self.english), "\(variables)")
        }
    }

    @Test func theOptionAndTheSettingCountMore() throws {
        #expect(try complaint(options: ["--language", "de"], ["LANG": "fr_FR.UTF-8"]).contains(Self.german))
        #expect(try complaint(options: ["--language=en"], ["LANG": "fr_FR.UTF-8"]).contains(Self.english))
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("aether-tui"), withIntermediateDirectories: true)
        try "language = \"fr\"\n".write(toFile: folder.path("aether-tui/config.toml"), atomically: true, encoding: .utf8)
        let words = try [#require(Programs.player), "--plain", "--no-mpris", "/no/such.mkv"]
        let said = try Command(
            words, environment: ["XDG_CONFIG_HOME": folder.path(""), "LANG": "de_DE.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""])
        #expect(said.standardError.contains(Self.french))
    }

    /// Numbers on the command line are what they are in all languages.
    @Test func numbersAreParsedAsEver() throws {
        let said = try complaint(options: ["--language", "de", "--speed", "1.5"], ["LC_ALL": "de_DE.UTF-8"])
        #expect(said.contains(Self.german))
    }

    /// Scripts read aetherctl's JSON: names and numbers stay.
    @Test func aetherctlSpeaksTheLanguageInItsErrors() throws {
        let control = try #require(Programs.control)
        let said = try Command(
            [control, "probe", "/no/such.mkv"], environment: ["LC_ALL": "C.UTF-8", "LANGUAGE": "de"])
        #expect(said.standardError.contains("Öffnen nicht möglich: „/no/such.mkv“"))
    }
}
