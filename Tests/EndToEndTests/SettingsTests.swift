import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// A person's settings, from their files to the screen.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct SettingsTests {
    /// A home with these files.
    private func home(config: String? = nil, keys: String? = nil) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("aether-tui"), withIntermediateDirectories: true)
        for (name, text) in [("config.toml", config), ("keys.toml", keys)] {
            if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("aether-tui/" + name))) }
        }
        return folder
    }

    @Test func settingsAndKeysCount() throws {
        let home = try home(
            config: "volume = 65\nno-audio = true\n[profile.demo]\nif-file = \"demo*\"\nspeed = 1.5\n",
            keys: "[keys]\nx = \"quit\"\n\"g g\" = \"start\"\n")
        let session = try Session(
            [#require(Programs.demo)], size: Pty.Size(100, 30), environment: ["XDG_CONFIG_HOME": home.url.path])
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        session.pty.send("m")
        session.pty.send("m")
        #expect(session.waitForRow { $0.contains("Volume 65") || $0.contains("Vol 65") })
        #expect(session.waitForRow { $0.contains("1.50×") })
        session.pty.send("gg")
        #expect(session.waitForRow { $0.contains("Start") })
        session.pty.send("x")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
    }

    @Test func mistakesAreSaidBeforeTheScreenIsTouched() throws {
        let home = try home(config: "\nvolume = 165\nmute = 3\nvolum = 4\n", keys: "preset = 1\n")
        let result = try Command(
            [#require(Programs.player), #require(Programs.demo)], environment: ["XDG_CONFIG_HOME": home.url.path])
        #expect(result.status == 64)
        let lines = result.standardError.split(separator: "\n")
        for (line, words) in zip(
            lines, ["config.toml:4: unknown setting", "config.toml:2: volume:", ":3: mute:", "keys.toml:1:"])
        {
            #expect(line.contains(words), "\(lines)")
        }
        #expect(lines.count == 4 && lines.first?.hasPrefix("aether-tui: warning: ") == true)
        let without = try Command(
            [#require(Programs.player), "--no-config", "--print-config"], environment: ["XDG_CONFIG_HOME": home.url.path])
        #expect(without.status == 0 && without.standardOutput.contains("# volume = 100\n"))
    }

    @Test func unknownNamesKeepNobodyFromPlaying() throws {
        let home = try home(config: "volum = 65\nno-audio = true\n", keys: "[keys]\nx = \"quit\"\ny = \"qit\"\n")
        let session = try Session(
            [#require(Programs.demo)], size: Pty.Size(100, 30), environment: ["XDG_CONFIG_HOME": home.url.path])
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        session.pty.send("e")
        // The pane breaks a sentence where the path of the folder ends the row, so the sentence is looked for across rows.
        for sentence in ["unknown setting \"volum\"", "is not an action; did you mean"] {
            #expect(
                session.waitForRows { $0.joined(separator: " ").split(separator: " ").joined(separator: " ").contains(sentence) },
                "\(session.rows)")
        }
        session.pty.send("x")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        #expect(session.standardError.contains("config.toml:1: unknown setting \"volum\"; did you mean \"volume\"?"))
    }

    @Test(arguments: [[], ["--plain"], ["--print-config"]])
    func aThemeThatIsNotThereIsRefusedInEveryMode(_ mode: [String]) throws {
        let result = try Command(
            [#require(Programs.player), "--no-config", "--theme", "nope"] + mode + [#require(Programs.demo)])
        #expect(result.status == 64 && result.standardOutput == "")
        #expect(result.standardError.hasPrefix("aether-tui: nope: no such theme"), "\(result.standardError)")
    }

    @Test func whatCountsIsPrinted() throws {
        let home = try home(config: "volume = 65\n[profile.x]\nif-file = \"*.flac\"\nloop = true\n")
        let result = try Command(
            [#require(Programs.player), "--print-config", "--mute", "song.flac"], environment: ["XDG_CONFIG_HOME": home.url.path])
        #expect(result.status == 0 && result.standardError == "")
        for line in ["volume = 65", "loop = true", "mute = true", "# speed = 1.0"] {
            #expect(result.standardOutput.contains(line + "\n"), "\(line)")
        }
    }

    /// A theme that lies in a directory of dotfiles, to which the person's own leads.
    @Test func aThemeIsFollowedThroughItsLinkWhetherItIsWrongOrRight() throws {
        let home = try home(config: "")
        func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: home.path("dotfile.toml"))) }
        try write("[colors]\naccent = 1\n")
        let themes = home.path("aether-tui/themes")
        try FileManager.default.createDirectory(atPath: themes, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: themes + "/linked.toml", withDestinationPath: home.path("dotfile.toml"))
        let session = try Session(
            ["--no-audio", "--theme", "linked", #require(Programs.demo)], size: Pty.Size(160, 30),
            environment: ["XDG_CONFIG_HOME": home.url.path])
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        try write("[colors]\naccnt = 1\naccent = 3\n")
        #expect(session.waitForRow { $0.contains("linked.toml:2: colors.accnt") }, "\(session.rows)")
        try write("[colors]\naccent = 2\n")
        #expect(session.waitForRow { $0.contains("Theme linked") }, "\(session.rows)")
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
    }

    /// Settings with which a player would refuse to start.
    @Test(arguments: [
        ("", "[keys]\nq = \"seek 0\"\n", "keys.toml:2: keys.q: seek takes seconds"),
        ("theme = \"papr\"\n", "", "did you mean \"paper\"?\n"), ("start = 9\nend = 3\n", "", "--end"),
    ])
    func printingWhatCountsChecksAllOfIt(_ config: String, _ keys: String, _ expected: String) throws {
        let home = try home(config: config, keys: keys)
        let result = try Command(
            [#require(Programs.player), "--print-config"], environment: ["XDG_CONFIG_HOME": home.url.path])
        #expect(result.status == 64 && result.standardOutput == "")
        #expect(result.standardError.contains(expected), "\(result.standardError)")
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func completionsAreMade(_ shell: String) throws {
        let result = try Command([#require(Programs.player), "--generate-completion-script", shell])
        #expect(result.status == 0 && result.standardOutput.contains("print-config"))
    }

    private static let shells = [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")]

    /// A subcommand that there is not makes zsh refuse the whole script at the first Tab.
    @Test(arguments: shells) func completionsOfferFilesAndThemesAndNoSubcommand(_ shell: String, _ check: String) throws {
        let folder = try TemporaryFolder()
        let script = try Command([#require(Programs.player), "--generate-completion-script", shell]).standardOutput
        for command in ["'(-)*:: :->arg'", "-d 'Show subcommand help", "compgen -W 'help'"] { #expect(!script.contains(command)) }
        let themes = try FileManager.default.contentsOfDirectory(
            atPath: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../themes").path)
        for theme in themes { #expect(script.contains("\(theme.replacing(".toml", with: ""))"), "\(theme)") }
        let way = ["bash": "add_completions -f", "zsh": "_files", "fish": "-F"][shell] ?? ""
        #expect(script.contains(way), "no files are offered")
        #expect(script.contains("aetherctl history --urls"), "no addresses are offered")
        try Data(script.utf8).write(to: URL(filePath: folder.path("script")))
        let parsed = try Command(["sh", "-c", "! command -v \(shell) >/dev/null || \(shell) \(check) \(folder.path("script"))"])
        #expect(parsed.status == 0 && parsed.standardError == "", "\(parsed.standardError)")
    }

    /// bash takes words apart at their colons: what is offered goes behind the last one.
    @Test(arguments: [
        ("https://h/f", "//h/film.mkv //h/form.m3u8"), ("https://h/fo", "//h/form.m3u8"), ("ftp", "ftp://h/clip"), ("x", ""),
        ("", ""),
    ])
    func completionOffersAddressesThatWerePlayed(_ word: String, _ offered: String) throws {
        let folder = try TemporaryFolder()
        let script = try Command([#require(Programs.player), "--generate-completion-script", "bash"]).standardOutput
        try Data(script.utf8).write(to: URL(filePath: folder.path("script")))
        let program =
            "#!/bin/sh\necho \"$*\" > '\(folder.path("asked"))'\n"
            + "printf '%s\\n' https://h/film.mkv https://h/form.m3u8 ftp://h/clip\n"
        try Data(program.utf8).write(to: URL(filePath: folder.path("aetherctl")))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("aetherctl"))
        let parts = word.contains(":") ? "https : \(word.dropFirst(6))" : word.isEmpty ? "''" : word
        let count = word.contains(":") ? 3 : 1
        let lines = """
            source '\(folder.path("script"))'; cd '\(folder.url.path)'; PATH=".:$PATH"
            COMP_LINE='aether-tui \(word)'; COMP_POINT=${#COMP_LINE}; COMP_WORDS=(aether-tui \(parts)); COMP_CWORD=\(count)
            _aether-tui aether-tui "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            echo "${COMPREPLY[*]}"
            """
        let result = try Command(["bash", "-c", lines])
        let words = result.standardOutput.split { $0.isWhitespace }.filter { !["script", "aetherctl", "asked"].contains($0) }
        #expect(words.joined(separator: " ") == offered, "\(result.standardOutput) \(result.standardError)")
    }
}
