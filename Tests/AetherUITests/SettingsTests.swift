import AetherCore
import AetherEngine
import AetherOptions
import AetherSources
import AetherTerminal
import AetherTestSupport
import ArgumentParser
import Foundation
import Testing

@testable import AetherUI

private func settings(_ text: String, _ commandLine: [String] = ["film.mkv"]) throws -> Settings {
    try Settings(strictly: text, commandLine: commandLine)
}

private func reported(_ text: String, _ commandLine: [String] = ["film.mkv"]) throws -> (Settings, ConfigReport) {
    var report = ConfigReport()
    let settings = Settings(try TOMLDocument(text, file: "config.toml"), commandLine: commandLine, &report)
    return (settings, report)
}

private func options(
    _ text: String, _ commandLine: [String] = ["film.mkv"], file: String = "/films/film.mkv", environment: [String: String] = [:]
) throws -> PlayerOptions {
    try settings(text, commandLine).options(for: .file(file), ProbeEnvironment(environment))
}

@Suite struct SettingsTests {
    @Test func everyOptionIsASettingByItself() {
        let names = OptionCatalogue.player.options.map(\.name)
        let help = PlayerOptions.helpMessage()
        for name in names { #expect(help.contains("--\(name)"), "\(name)") }
        let offered = Set(help.matches(of: /--(?<name>[a-z][a-z0-9-]*)/).map { String($0.output.name) })
        #expect(
            offered.subtracting(names).isSubset(of: [
                "help", "version", "no-config", "print-config", "ipc", "insecure", "key", "record", "for", "at",
            ]))
        #expect(names.count > 15 && Set(names).count == names.count)
        #expect(
            OptionCatalogue.player.option("mute")?.isFlag == true
                && OptionCatalogue.player.option("volume")?.defaultValue == "100")
    }

    @Test func valuesOfEveryKindAreTaken() throws {
        let taken = try options(
            "volume = 80\nspeed = 1.5\nmute = true\nloop = false\naudio-delay = -0.1\naudio-language = [\"de\", \"en\"]\nrenderer = \"sextant\""
        )
        #expect(taken.volume == 80 && taken.speed == 1.5 && taken.mute && !taken.loop && taken.audioDelay == -0.1)
        #expect(taken.audioLanguage?.codes == ["de", "en"] && taken.renderer == .sextant)
        #expect(taken.files == ["film.mkv"])
    }

    @Test func theLayoutIsAnOptionAndASetting() throws {
        for layout in SpeakerLayout.allCases {
            #expect(try options("channels = \"\(layout.rawValue)\"").channels == layout)
            let options = try PlayerOptions.parse(["--channels", layout.rawValue, "a.flac"])
            let loading = LoadOptions(options, isPlain: true, item: .init(location: .file("a.flac")), carried: nil)
            #expect(loading.channels == layout)
        }
        #expect(try options("channels = 5.1").channels == .surround51)
        #expect(throws: (any Error).self) { try PlayerOptions.parse(["--channels", "6", "a.flac"]) }
    }

    @Test func theDownmixIsAnOptionAndASetting() throws {
        for downmix in Downmix.allCases {
            #expect(try options("downmix = \"\(downmix.rawValue)\"").downmix == downmix)
            let options = try PlayerOptions.parse(["--downmix", downmix.rawValue, "a.flac"])
            let loading = LoadOptions(options, isPlain: true, item: .init(location: .file("a.flac")), carried: nil)
            #expect(loading.downmix == downmix)
        }
    }

    @Test func theCommandLineCountsMore() throws {
        #expect(try options("volume = 80", ["--volume", "30", "a.mkv"]).volume == 30)
        #expect(try options("volume = 80", ["a.mkv", "--volume=30"]).volume == 30)
    }

    @Test func anOptionThatMayBeGivenSeveralTimesIsAList() throws {
        let taken = try options("http-header = [\"X-A: 1\", \"X-B: 2\"]")
        #expect(HTTPOptions(taken.network).headers == ["X-A": "1", "X-B": "2"])
        #expect(throws: ConfigError.self) { try settings("http-header = [\"X-A: 1\", \"b\"]") }
    }

    @Test func aHostHasSettingsOfItsOwn() throws {
        let text = """
            user-agent = "all"
            [host."media.example.org"]
            http-header = ["X-Token: abc", "X-Other: 1"]
            cookies = "/dev/null"
            net-limit = "500K"
            connect-timeout = 3
            [host."*.example.net"]
            http-proxy = "http://proxy:3128"
            user-agent = "net"
            """
        let http = HTTPOptions(try options(text).network)
        #expect(http.userAgent == "all" && http.hosts.map(\.pattern) == ["*.example.net", "media.example.org"])
        let host = try #require(http.hosts.last)
        #expect(
            host.headers == ["X-Token": "abc", "X-Other": "1"] && host.cookieFile == "/dev/null" && host.rateLimit == 500_000)
        #expect(host.connectTimeout == .seconds(3) && host.userAgent == nil && host.caFile == nil)
        #expect(http.hosts[0].proxy == "http://proxy:3128" && http.hosts[0].userAgent == "net")
        // The command line counts more.
        let said = ["--user-agent=me", "--http-header", "x-token: mine", "--connect-timeout", "9", "a.mkv"]
        let under = HTTPOptions(try options(text, said).network)
        #expect(under.hosts[0].userAgent == nil && under.hosts[1].headers == ["X-Other": "1"])
        #expect(under.hosts[1].connectTimeout == nil && under.connectTimeout == .seconds(9))
        // Printed settings read back as the same.
        let environment = ProbeEnvironment([:])
        let printed = try settings(text).text(for: .file("film.mkv"), environment)
        #expect(try settings(printed).hosts == settings(text).hosts)
    }

    @Test(
        arguments: [
            ("/x/My LIVE set.flac", [:], 50), ("/x/other.flac", [:], 100), ("/x/other.flac", ["SSH_TTY": "/dev/pts/1"], 60),
            ("/x/live.flac", ["SSH_TTY": "/dev/pts/1"], 60), ("/x/a", ["TERM": "xterm-kitty"], 70),
            ("/x/a", ["TERM": "foot"], 70),
            ("/x/a", ["TERM": "xterm"], 100),
        ] as [(String, [String: String], Int)])
    func profilesCountWhereTheyFit(_ file: String, _ environment: [String: String], _ volume: Int) throws {
        let text = """
            [profile.live]
            if-file = "*live*"
            volume = 50
            [profile.remote]
            if-remote = true
            volume = 60
            [profile.terms]
            if-terminal = ["kitty", "fo?t"]
            volume = 70
            """
        #expect(try options(text, file: file, environment: environment).volume == volume)
    }

    /// In strings and comments they are nothing to the parser.
    @Test(arguments: ["volume = 80 # {x}", "# {\nvolume = 80", "http-header = [\"X: {\\\"a\\\"}\", 'Y: }'] # '\nvolume = 80"])
    func bracesInStringsAndCommentsAreLetters(_ text: String) throws { #expect(try options(text).volume == 80) }

    @Test(arguments: [
        ("volum = 3", "config.toml:1: unknown setting \"volum\"; did you mean \"volume\"?"),
        ("\n# x\nvolume = 300", "config.toml:3: volume: --volume takes 0 to 150"),
        ("volume = \"loud\"", "config.toml:1: volume: "),
        ("mute = 1", "config.toml:1: mute: is true or false"), ("volume = [1, 2]", "config.toml:1: volume: "),
        ("xyzzyplugh = 1", "unknown setting \"xyzzyplugh\"; aether-tui --help lists"),
        ("help = true", "unknown setting \"help\""),
        ("a = \n", "config.toml:"), ("volume = {a=1}", "config.toml:1: braces"), ("volume = \"{ }", "config.toml:1:"),
        ("script = [\"\"\"\nx' \"\"\", }'", "config.toml:2: braces"),
        (String(repeating: "a.", count: 130_000) + "a = 1", "config.toml:1: a name has too many parts"),
        ("[" + String(repeating: "a.", count: 130_000) + "a]", "config.toml:1: a name has too many parts"),
        ("[profile.x]\nvolume = 5", "config.toml:1: profile.x: needs a condition"),
        ("[profile.x]\nif-file = 3", "config.toml:2: profile.x.if-file: is a pattern"),
        (
            "[profile.x]\nwhen = \"*\"",
            "config.toml:2: unknown setting \"profile.x.when\"; the conditions of a profile are if-file,"
        ),
        ("[profile.x]\nif-remote = true\nvolume = 999", "config.toml:3: profile.x.volume: --volume"),
        // The culprit among values that are looked at together, and of an option that is set elsewhere, too.
        (
            "volume = 80\nspeed = 1.5\n[profile.a]\nif-remote = true\nvolume = 70\nspeed = 99\n[profile.b]\nif-remote = true\nvolume = 70",
            "config.toml:6: profile.a.speed: --speed"
        ), ("[profile.x]\nif-fil = \"a\"", "did you mean \"if-file\"?"), ("profile = 3", "config.toml:1: profile: is a table"),
        ("host = 3", "config.toml:1: host: is a table"), ("[host]\n\"a.org\" = 3", "config.toml:2: host.a.org: is a table"),
        ("[host.example.org]\nuser-agent = \"x\"", "its name stands in quotes: [host.\"example.org\"]"),
        ("[host.\"a*b\"]\nuser-agent = \"x\"", "config.toml:1: host.a*b: is not a host"),
        (
            "[host.\"a.org\"]\nvolume = 3",
            "config.toml:2: unknown setting \"host.a.org.volume\"; the settings of a host are http-header"
        ),
        ("[host.\"a.org\"]\nuser-agen = \"x\"", "did you mean \"user-agent\"?"),
        ("[host.\"a.org\"]\nconnect-timeout = 0", "config.toml:2: host.a.org.connect-timeout: --connect-timeout takes"),
        ("[host.\"a.org\"]\nhttp-header = [\"x\"]", "config.toml:2: host.a.org.http-header: --http-header takes"),
        // Text that is not TOML, in our words.
        ("volume = \"eighty", "config.toml:1: the text is not closed"),
        ("x = 1\ntheme = \"a\nvolume = 3", "config.toml:2: the text is not closed"),
        ("theme = 'a\n", "config.toml:1: the text is not closed"), ("theme = \"\"\"a\n", "the text is not closed"),
        ("theme = \"a\\q\"", "config.toml:1: unknown escape sequence"),
        ("volume = 80\nvolume = 90", "config.toml:2: volume is set twice: remove one"),
        ("[profile.a]\nif-remote = true\n[profile.a]\nvolume = 4", "config.toml:3: [profile.a] appears twice"),
        ("volume 80", "config.toml:1: the = after the key is missing"), ("volume: 80", "the = after the key is missing"),
        ("volume =\n", "config.toml:1: the value after the = is missing"),
        ("volume = 80 90", "config.toml:1: text after the value"),
        ("[profile.a\n", "config.toml:1: a heading is a name in brackets"), ("= 80", "config.toml:1: a line begins with a key"),
        ("audio-language = [\"de\" \"en\"]", "config.toml:1: a list is in brackets with commas"),
        ("theme = paper # light", "config.toml:1: text needs straight quotes: theme = \"paper\";"),
        ("theme = “paper”", "theme = \"paper\""), ("start = 1:00", "start = \"1:00\""),
        ("mute = True", "write true in small letters"),
        ("renderer = \"kity\"", "config.toml:1: renderer: \"kity\" is none of auto, halfblock"),
        ("renderer = \"kity\"", "did you mean \"kitty\"?"),
        ("[profil.a]\nif-file = \"*\"", "config.toml:1: unknown setting \"profil\"; did you mean \"profile\"?"),
        ("log.x = 3", "config.toml:1: log: "), ("audio-language = [1, 2]", "audio-language: is a text in quotes, or a list"),
        ("audio-language = []", "is a text in quotes, or a list"),
        ("volume = inf", "volume: \"inf\" does not fit: Volume in percent"),
        (String(repeating: "# x\n", count: 70_000), "config.toml: is larger"),
        ("mute = true\nspeed = 2\0\nvolume = 999", "config.toml:2: a NUL has no place"),
        ("\u{FEFF}volum = 3", "config.toml:1: unknown setting \"volum\""),
        ("volume = 99999999999999999999", "config.toml:1: 99999999999999999999 is not a number"),
        ("speed = 1.2.3", "1.2.3 is not a number"),
        ("theme = " + String(repeating: "[", count: 9000), "\u{2026}\"; numbers"),
        ("\"theme\" = \"a\"\ntheme = \"b\"", "config.toml:2: theme is set twice"),
    ])
    func whatIsWrongIsSaidWithItsPlace(_ text: String, _ expected: String) {
        let error = #expect(throws: ConfigError.self) { try settings(text) }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }

    @Test func unknownNamesAreLeftOutAndAllOfThemTold() throws {
        let (found, report) = try reported(
            """
            speeed = 2
            volume = 70
            [profile.x]
            if-file = "*.mkv"
            mut = true
            speed = 1.5
            [profile.y]
            if-fil = "*"
            volume = 5
            [host."a.org"]
            user-agen = "x"
            """)
        #expect(report.errors.isEmpty)
        #expect(
            report.warnings.map(\.description) == [
                "config.toml:1: unknown setting \"speeed\"; did you mean \"speed\"?",
                "config.toml:5: unknown setting \"profile.x.mut\"; did you mean \"mute\"?",
                "config.toml:8: unknown setting \"profile.y.if-fil\"; did you mean \"if-file\"?",
                "config.toml:11: unknown setting \"host.a.org.user-agen\"; did you mean \"user-agent\"?",
            ])
        // Known settings count, and a profile without its condition fits nothing.
        let options = try found.options(for: .file("/a.mkv"), ProbeEnvironment([:]))
        #expect(options.volume == 70 && options.speed == 1.5 && found.profiles.map(\.name) == ["x"])
    }

    @Test func allWrongValuesAreToldAtOnce() throws {
        let report = try reported("volume = 300\nmute = 1\nspeed = 99\nrenderer = \"kity\"\nvolum = 3").1
        #expect(report.errors.map(\.line) == [1, 2, 3, 4] && report.warnings.map(\.line) == [5])
        #expect(report.lines.first?.hasPrefix("warning: config.toml:5: unknown setting") == true && report.lines.count == 5)
        let many = try reported((0..<5000).map { "x\($0) = 1" }.joined(separator: "\n")).1
        #expect(many.warnings.count == ConfigReport.limit)
    }

    @Test(.timeLimit(.minutes(30))) func whatLiesInThePlaceOfAFileHangsNothing() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("directory"), withIntermediateDirectories: true)
        mkfifo(folder.path("fifo"), 0o600)
        for (name, target) in [("loop", "loop"), ("null", "/dev/null"), ("zero", "/dev/zero"), ("dangling", "nothing")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
        }
        let cases = [
            ("directory", "cannot be read: Is a directory"), ("fifo", "is not a file"), ("zero", "is larger than 256 KiB"),
            ("loop", "cannot be read: Too many levels of symbolic links"),
        ]
        for (name, expected) in cases {
            let error = #expect(throws: ConfigError.self) { try TOMLDocument(path: folder.path(name)) }
            #expect(error?.reason == expected)
        }
        _ = try #require(try TOMLDocument(path: folder.path("null")))
        #expect(try TOMLDocument(path: folder.path("dangling")) == nil)
        #expect(try TOMLDocument(path: folder.path("null/below")) == nil)
    }

    /// Each for itself is good, and they belong to different cases.
    @Test func valuesOfDifferentProfilesMayContradictEachOther() throws {
        let found = try settings("start = \"10\"\n[profile.x]\nif-file = \"*.avi\"\nend = \"5\"", ["f.mkv"])
        #expect(found.isSet("start", for: .file("f.mkv"), ProbeEnvironment([:])))
    }

    @Test func whatCountsIsPrintedAsAFileThatSaysTheSame() throws {
        let first = try settings(
            "volume = 80\n[profile.x]\nif-file = \"*.mkv\"\ntheme = \"a \\\"b\\\"\"", ["--speed", "1.5", "--mute", "f.mkv"])
        let text = first.text(for: .file("f.mkv"), ProbeEnvironment([:]))
        #expect(text.contains("\nvolume = 80\n") && text.contains("\nspeed = 1.5\n") && text.contains("\nmute = true\n"))
        #expect(text.contains("theme = \"a \\\"b\\\"\"") && text.contains("\n# loop = false\n"))
        let again = try settings(text, ["f.mkv"])
        #expect(again.text(for: .file("f.mkv"), ProbeEnvironment([:])) == text)
    }

    @Test func theManPageNamesWhatCannotBeASetting() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../man/aether-tui-config.5")
        let manual = try String(contentsOf: file, encoding: .utf8)
        let sentence = try #require(
            manual.components(separatedBy: "without the dashes, except").last?.components(separatedBy: "Options without a value")
                .first)
        let named = sentence.matches(of: /Fl Fl (?<name>[a-z-]+)/).map { String($0.output.name) }
        #expect(Set(named) == OptionCatalogue.unsettable)
    }

    /// TOML has fewer forms of numbers than the command line, and a name that looks like one is to stay as it is.
    @Test(arguments: [
        ("speed", ".5", "\".5\""), ("speed", "1.", "\"1.\""), ("speed", "1.50", "\"1.50\""), ("volume", "+80", "\"+80\""),
        ("volume", "080", "\"080\""), ("user-agent", "1.10", "\"1.10\""), ("ytdl-format", "022", "\"022\""),
        ("volume", "80", "80"),
        ("audio-delay", "-0.5", "-0.5"), ("audio-delay", "1e-05", "\"1e-05\""),
    ])
    func numbersArePrintedAsTheyAreReadAgain(_ name: String, _ value: String, _ expected: String) throws {
        let text = try settings("", ["--\(name)=\(value)", "f.mkv"]).text(for: .file("f.mkv"), ProbeEnvironment([:]))
        #expect(text.contains("\n\(name) = \(expected)\n"), "\(text)")
        #expect(try settings(text, ["f.mkv"]).text(for: .file("f.mkv"), ProbeEnvironment([:])) == text)
    }

    /// The defaults that are printed as comments are settings without the comment's sign; what is empty takes no file for its value.
    @Test func anEmptyTextSetsNothing() throws {
        let printed = try settings("", ["f.mkv"]).text(for: .file("f.mkv"), ProbeEnvironment([:]))
        let all = printed.split(separator: "\n").map { $0.replacing("# ", with: "", maxReplacements: 1) }
        #expect(all.contains("user-agent = \"\"") && all.contains("keys = \"\"") && all.contains("sub = \"\""))
        let (found, report) = try reported(all.joined(separator: "\n"), ["f.mkv"])
        #expect(report.lines == [])
        let options = try found.options(for: .file("f.mkv"), ProbeEnvironment([:]))
        #expect(options.files == ["f.mkv"] && options.network.userAgent == nil && options.start == nil && options.sub == [])
        // What has a default cannot be without a value.
        for name in ["theme", "audio-device", "volume"] {
            #expect(try reported("\(name) = \"\"").1.errors.count == 1, "\(name)")
        }
        // What was chosen for a file the last time holds then.
        #expect(try !settings("aspect = \"\"", ["f.mkv"]).isSet("aspect", for: .file("f.mkv"), ProbeEnvironment([:])))
        // A profile takes back what holds for all files.
        let text = "user-agent = \"me\"\n[profile.x]\nif-file = \"*.mkv\"\nuser-agent = \"\"\n[host.\"a.org\"]\nreferrer = \"\""
        #expect(try AetherUITests.options(text).network.userAgent == nil)
    }

    @Test func anOptionThatIsGivenSeveralTimesIsAList() throws {
        let first = try settings("sub = [\"a, \\\"b\\\".srt\", \"c.srt\"]", ["f.mkv", "--sub", "d.srt"])
        let found = try first.options(for: .file("f.mkv"), ProbeEnvironment([:]))
        #expect(found.sub == ["a, \"b\".srt", "c.srt", "d.srt"])
        let text = first.text(for: .file("f.mkv"), ProbeEnvironment([:]))
        #expect(text.contains("\nsub = [\"a, \\\"b\\\".srt\", \"c.srt\", \"d.srt\"]\n"))
        let again = try settings(text, ["f.mkv"])
        #expect(again.text(for: .file("f.mkv"), ProbeEnvironment([:])) == text)
        #expect(try again.options(for: .file("f.mkv"), ProbeEnvironment([:])).sub == found.sub)
        #expect(try settings("sub = []", ["f.mkv"]).options(for: .file("f.mkv"), ProbeEnvironment([:])).sub == [])
    }

    @Test(arguments: [
        ("*.mkv", "a.MKV", true), ("*.mkv", "a.mp4", false), ("*", "", true), ("", "", true), ("", "a", false),
        ("a?c", "abc", true),
        ("a?c", "ac", false), ("*a*b*", "xxaxxbxx", true), ("*a*b", "xxaxxbxx", false), ("a*", "b", false),
        (String(repeating: "*a", count: 50), String(repeating: "a", count: 2000) + "b", false),
    ])
    func patternsAreThoseOfAShell(_ pattern: String, _ text: String, _ expected: Bool) {
        #expect(FileGlob(pattern).matches(text) == expected)
    }

    @Test(arguments: [
        ("volume", "volume", 0), ("volum", "volume", 1), ("vloume", "volume", 1), ("", "abc", 3), ("kitten", "sitting", 3),
    ])
    func distancesAreThoseOfTheBook(_ a: String, _ b: String, _ expected: Int) {
        #expect(ConfigError.distance(a, b) == expected && ConfigError.distance(b, a) == expected)
    }

    @Test func theFolderIsThePersons() {
        #expect(Settings.directory(["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/aether-tui")
        #expect(Settings.directory(["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/aether-tui")
        #expect(Settings.directory([:]) == nil)
    }
}

@Suite struct KeysFileTests {
    private func keymap(_ text: String) throws -> Keymap { try KeysFile.strictly(text) }

    @Test func everyActionHasAWordThatIsReadBack() throws {
        for action in Keymap.standard.entries.flatMap(\.bindings).map(\.action) {
            let text = ActionName.text(action)
            #expect(!text.isEmpty)
            #expect(try ActionName.action(text) == action, "\(text)")
        }
    }

    @Test func keysAreBoundFreedAndChorded() throws {
        let map = try keymap(
            """
            [keys]
            "Ctrl+Right" = "seek 30"
            q = "none"
            "g g" = "start"
            "g t" = "menu chapters"
            x = "quit"
            """)
        #expect(map.action(for: KeyStroke(.right, .control)) == .seek(seconds: 30))
        #expect(map.action(for: KeyStroke("q")) == nil && map.action(for: KeyStroke("x")) == .quit)
        #expect(map.meaning(of: [KeyStroke("g")]) == .beginning)
        #expect(map.meaning(of: [KeyStroke("g"), KeyStroke("g")]) == .action(.seekToStart))
        #expect(map.meaning(of: [KeyStroke("g"), KeyStroke("z")]) == .nothing)
        #expect(map.action(for: KeyStroke("m")) == .toggleMute)
        let quit = map.entries.first { $0.bindings.contains { $0.action == .quit } }
        #expect(quit?.keysLabel() == "x")
        #expect(map.entries.contains { $0.keysLabel() == "g t" } && map.entries.contains { $0.description == "30 s forward" })
    }

    @Test(arguments: KeyPreset.allCases) func everyPresetIsWhole(_ preset: KeyPreset) throws {
        let changes = KeysFile.changes(of: preset)
        #expect(changes.count == preset.bindings.count)
        #expect(Set(changes.map(\.strokes)).count == changes.count, "a key is bound twice")
        let map = try keymap("preset = \"\(preset.rawValue)\"")
        for change in changes { #expect(map.meaning(of: change.strokes) == change.action.map { .action($0) } ?? .nothing) }
        // Whatever the preset, one can pause, get help and leave.
        for action in [PlayerAction.togglePause, .toggleHelp, .quit] {
            #expect(map.entries.flatMap(\.bindings).contains { $0.action == action && !$0.strokes.isEmpty }, "\(action)")
        }
    }

    @Test(arguments: [
        ("[keys]\nq = \"qit\"", "keys.toml:2: keys.q: is not an action; did you mean \"quit\"?"),
        ("[keys]\nq = 3", "keys.toml:2: keys.q: is an action in quotes"),
        ("preset = \"emacs\"", "keys.toml:1: preset: is one of standard, mpv, vim"),
        ("[keys]\n\"Spcae\" = \"pause\"", "keys.toml:2: keys.Spcae: is not a key; did you mean \"space\"?"),
        ("[keys]\n\"a b c d\" = \"pause\"", "keys.a b c d: is a chord of more than 3 keys"),
        ("[keys]\n\"Ctl+x\" = \"pause\"", "is not a key; did you mean \"ctrl\"?"),
        ("[keys]\n\"Strg+x\" = \"pause\"", "is not a key; before a key stand Ctrl+, Alt+ or Shift+"),
        ("[keys]\n\"C-x\" = \"pause\"", "is not a key; keys are called x, Space,"),
        ("[keys]\n\"Page Up\" = \"pause\"", "is not a key; did you mean \"PageUp\"?"),
        ("[keys]\n\"\" = \"pause\"", "names no key"), ("[keys]\n\"g F36\" = \"pause\"", "keys.g F36: is not a key"),
        ("[keys]\nx = \"menu audoi\"", "all-video; did you mean \"audio\"?"),
        ("[keys]\nx = \"pan lefft\"", "did you mean \"left\"?"), ("preset = \"mvp\"", "vim; did you mean \"mpv\"?"),
        ("[key]\nx = \"quit\"", "preset and [keys]; did you mean \"keys\"?"),
        ("[keys]\nx = \"seek\"", "seek takes seconds, such as"),
        ("[keys]\nx = \"seek 0\"", "seek takes seconds"), ("[keys]\nx = \"quit 3\"", "quit takes no value"),
        ("[keys]\nx = \"menu films\"", "menu takes audio"), ("[keys]\nx = \"\"", "names an action"),
        ("keys = 3", "keys.toml:1: keys: is a table"), ("[kyes]\nx = \"quit\"", "is not known"),
    ])
    func whatIsWrongIsSaidWithItsPlace(_ text: String, _ expected: String) {
        let error = #expect(throws: ConfigError.self) { try keymap(text) }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }

    @Test func unknownKeysAndActionsAreLeftOutAndTold() throws {
        var report = ConfigReport()
        let text = "colour = 1\n[keys]\nSpcae = \"pause\"\nx = \"qit\"\nq = \"none\"\ny = \"quit\"\nz = \"seek 0\"\n"
        let map = KeysFile.keymap(try TOMLDocument(text, file: "keys.toml"), &report)
        #expect(report.warnings.map(\.line) == [1, 3, 4] && report.errors.map(\.line) == [7])
        #expect(map.action(for: KeyStroke("q")) == nil && map.action(for: KeyStroke("y")) == .quit)
        #expect(map.action(for: KeyStroke("x")) == Keymap.standard.action(for: KeyStroke("x")))
    }

    @Test(arguments: [
        ("Space", KeyStroke(" ")), ("ctrl+x", KeyStroke(.character("x"), .control)), ("Shift+Left", KeyStroke(.left, .shift)),
        ("Shift+a", KeyStroke("A")), ("F12", KeyStroke(.function(12))), ("Alt+Ctrl+Del", KeyStroke(.delete, [.alt, .control])),
        ("+", KeyStroke("+")), ("Ctrl++", KeyStroke(.character("+"), .control)),
        ("Ctrl+plus", KeyStroke(.character("+"), .control)),
        ("ä", KeyStroke("ä")), ("brace-left", KeyStroke("{")),
    ])
    func keysAreReadAsTheyAreWritten(_ text: String, _ expected: KeyStroke) { #expect(KeyName.strokes(text) == [expected]) }

    @Test(arguments: ["", " ", "F0", "F99", "Ctrl+", "Hyper+a", "ab", "Shift+1"])
    func whatIsNoKeyIsRefused(_ text: String) { #expect(KeyName.strokes(text) == nil) }

    @Test func everyKeyIsReadAsItIsPrinted() {
        for stroke in Keymap.standard.entries.flatMap(\.bindings).flatMap(\.strokes) {
            #expect(KeyName.strokes(stroke.label()) == [stroke] && KeyName.strokes(stroke.label(unicode: false)) == [stroke])
        }
    }
}

@Suite struct ChordTests {
    private func chorded() throws -> AppModel {
        let map = try KeysFile.strictly("[keys]\n\"g g\" = \"start\"\n\"g m\" = \"mute\"")
        var model = AppModel(size: CellSize(columns: 80, rows: 24), keymap: map, now: at(0))
        _ = model.update(.snapshot(film()), now: at(0))
        return model
    }

    @Test func twoKeysWithinASecondAreOne() throws {
        var model = try chorded()
        #expect(model.update(.key(KeyStroke("g")), now: at(1)) == [.redraw])
        #expect(model.message?.text == "g …")
        #expect(model.update(.key(KeyStroke("m")), now: at(1.9)).first == .send(.set(.muted(true))))
        _ = model.update(.key(KeyStroke("g")), now: at(3))
        #expect(model.update(.key(KeyStroke("g")), now: at(3.5)).first == .send(.seekToFraction(0)))
    }

    @Test func aKeyThatDoesNotGoOnIsOneOfItsOwn() throws {
        var model = try chorded()
        _ = model.update(.key(KeyStroke("g")), now: at(1))
        #expect(model.update(.key(KeyStroke(" ")), now: at(1.2)).first == .send(.pause))
        _ = model.update(.key(KeyStroke("g")), now: at(2))
        // Too late.
        #expect(model.update(.key(KeyStroke("g")), now: at(3.1)) == [.redraw])
        #expect(model.message?.text == "g …")
    }
}
