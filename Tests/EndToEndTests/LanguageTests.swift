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

    /// A terminal whose locale is not UTF-8 is given letters of ASCII, a pipe the name as it is.
    @Test(arguments: [("C", "Playing: fur"), ("de_DE.ISO-8859-1", "fur"), ("C.UTF-8", "für")])
    func plainLinesAreInTheEncodingOfTheTerminal(_ locale: String, _ expected: String) throws {
        let folder = try TemporaryFolder(), file = folder.path("für.mp4")
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "color=red:size=64x48:rate=5:duration=0.4", "-c:v", "libx264"], ext: "mp4")
        try FileManager.default.copyItem(atPath: clip, toPath: file)
        let words = try [#require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", "--no-history", file]
        let pty = try Pty(words, environment: ["LC_ALL": locale, "LANG": locale])
        #expect(pty.waitForText(expected + ".mp4"), "\(pty.text)")
        #expect(pty.waitForEnd() == .exited(0))
        #expect(try Command(words, environment: ["LC_ALL": locale]).standardOutput.contains("für.mp4"))
    }

    private func control(_ words: String..., language: String = "") throws -> Command {
        try Command([#require(Programs.control)] + words, environment: ["LC_ALL": "C.UTF-8", "LANGUAGE": language])
    }

    @Test func aetherctlSpeaksTheLanguage() throws {
        let german = "Öffnen nicht möglich: „/no/such.mkv“"
        #expect(try control("probe", "/no/such.mkv", language: "de").standardError.contains(german))
        // The option counts more than the environment, before the subcommand and behind it.
        #expect(try control("--language", "de", "probe", "/no/such.mkv", language: "fr").standardError.contains(german))
        #expect(try control("probe", "/no/such.mkv", "--language=de").standardError.contains(german))
        #expect(try control("--language", "de", "history", "--limit", "0").standardError.contains("--limit nimmt 1 bis 2000."))
        #expect(try control("--language", "eo", "probe", "x").status == 64)
    }

    /// A bare source is served; one that is none is told in the language.
    @Test func theLanguageMayStandBeforeABareSource() throws {
        let folder = try TemporaryFolder(), file = folder.path("a.mkv")
        try Data("no media".utf8).write(to: URL(filePath: file))
        let said = try control("--language", "de", file)
        #expect(said.status == 2 && said.standardError.contains("ist keine abspielbare Mediendatei"), "\(said.standardError)")
    }

    /// Each of these is `serve`, which says what is wrong with the source, or with the option.
    @Test(arguments: [
        (["--no-sandbox", "FILE"], "is not a playable media file"), (["--port", "0", "FILE"], "is not a playable media file"),
        (["--language=en", "--audio-bridge=aac", "FILE"], "is not a playable media file"),
        (["/no/such.mkv"], "No such file or directory"), (["no-such.mkv"], "No such file or directory"),
        (["--port", "0", "no-such.mkv"], "No such file or directory"),
        // The value of an option may be called as a subcommand is.
        (["FILE", "--user-agent", "play"], "is not a playable media file"),
        (["--port", "70000", "FILE"], "--port takes 1 to 65535"),
    ])
    func optionsMayStandBeforeABareSource(_ words: [String], _ expected: String) throws {
        let folder = try TemporaryFolder(), file = folder.path("a.mkv")
        try Data("no media".utf8).write(to: URL(filePath: file))
        let said = try Command(
            [#require(Programs.control)] + words.map { $0 == "FILE" ? file : $0 }, environment: ["LC_ALL": "C.UTF-8"])
        #expect(
            said.status == (words.contains("70000") ? 64 : 2) && said.standardError.contains(expected), "\(said.standardError)")
    }

    @Test func theHelpIsInTheLanguage() throws {
        let player = try #require(Programs.player)
        let german = try Command([player, "--help", "--language", "de"]),
            french = try Command([player, "--language=fr", "--help"])
        #expect(german.status == 0 && german.standardOutput.contains("Ohne Ton abspielen."))
        #expect(french.status == 0 && french.standardOutput.contains("Lire sans le son."))
        #expect(try Command([player, "--language=de", "--version"]).standardOutput.contains("Freigaben (SMB, NFS)"))
        let theirs = try control("probe", "--help", language: "fr").standardOutput
        #expect(theirs.contains("Écrire du JSON.") && theirs.contains("USAGE: aetherctl probe"))
        #expect(try control("probe", "--help").standardOutput.contains("Print JSON."))
    }

    @Test func reportsAreInTheLanguage() throws {
        #expect(try control("history", language: "de").standardOutput == "noch wurde nichts gespielt\n")
        #expect(try control("history", "--clear", language: "fr").standardOutput == "0 fichier oublié\n")
        let doctor = try control("doctor", language: "de").standardOutput
        #expect(doctor.contains("Einstellungen") && !doctor.contains("works  "))
        let wrong = try control("variants", "--variant", "height <", "/no/such.m3u8", language: "de")
        #expect(wrong.status == 64 && wrong.standardError.contains("ein Wert oder ein Schlüsselpfad fehlt am Ende"))
    }

    /// Words that programs read are English: JSON with the sentences in it, and completions, which packages bring for all.
    @Test func whatProgramsReadIsEnglish() throws {
        let json = try control("swdecode", "--json", "/no/such.mkv", language: "de").standardOutput
        #expect(json.contains("cannot open") && !json.contains("Öffnen"))
        for shell in ["bash", "zsh", "fish"] {
            let words = ["--generate-completion-script", shell]
            for program in try [#require(Programs.player), #require(Programs.control)] {
                let english = try Command([program] + words)
                let german = try Command([program] + words, environment: ["LC_ALL": "C.UTF-8", "LANGUAGE": "de"])
                #expect(english.standardOutput == german.standardOutput && english.standardOutput.count > 1000)
            }
        }
    }
}
