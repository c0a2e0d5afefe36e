import AetherCore
import AetherEngine
import AetherOptions
import ArgumentParser
import Testing

@testable import AetherUI

@Suite struct PlayerOptionsTests {
    @Test func aFileAloneTakesTheDefaults() throws {
        let options = try PlayerOptions.parse(["movie.mkv"])
        #expect(options.files == ["movie.mkv"])
        #expect(options.renderer == .auto && options.color == .auto && options.audioDevice == "default")
        #expect(!options.noAudio && !options.mute && !options.loop && !options.plain)
        #expect(options.start == nil && options.end == nil && options.fpsCap == nil && options.log == nil)
        #expect(options.speed == 1 && options.volume == 100 && options.theme == "default")
    }

    @Test func everyOptionIsUnderstood() throws {
        let options = try PlayerOptions.parse([
            "--renderer", "sixel", "--color", "256", "--audio-device", "hw:0,0", "--no-audio", "--start", "1:30", "--end", "90%",
            "--speed", "1.5", "--volume", "80", "--mute", "--loop", "--audio-language", "de,en", "--subtitle-language", "ger",
            "--log",
            "a.log", "--fps-cap", "23.976", "--plain", "--theme", "night", "-", "b.mkv",
        ])
        #expect(options.files == ["-", "b.mkv"])
        #expect(options.renderer == .sixel && options.color == .palette256 && options.audioDevice == "hw:0,0" && options.noAudio)
        #expect(options.start == .offset(.seconds(90)) && options.end == .fraction(0.9))
        #expect(options.speed == 1.5 && options.volume == 80 && options.mute && options.loop && options.plain)
        #expect(options.audioLanguage?.codes == ["de", "en"] && options.subtitleLanguage?.codes == ["ger"])
        #expect(options.log == "a.log" && options.fpsCap == 23.976 && options.theme == "night")
    }

    @Test(arguments: [
        (["--log=", "a.mkv"], ["--log", "", "a.mkv"]), (["--log=x", "--", "--log="], ["--log=x", "--", "--log="]),
        (["a=", "-", "--sub=a="], ["a=", "-", "--sub=a="]), ([], []), (["--="], ["--="]),
    ])
    func anOptionWithoutItsValueTakesNoFile(_ words: [String], _ expected: [String]) {
        #expect(CommandWords.withEmptyValues(words) == expected)
    }

    /// No shell replaces the `~` behind `--record=`.
    @Test func aRecordingMayLieBelowTheHomeDirectory() throws {
        let recording = try PlayerOptions.parse(["--record=~/a.mkv", "--for", "1h30m", "--at", "7:05", "film.mkv"]).recording
        #expect(recording.file == HomePath.expanded("~/a.mkv") && recording.file?.hasPrefix("~") == false)
        #expect(recording.order == RecordingOrder(path: recording.file ?? "", span: .seconds(5400)))
        #expect(recording.recordAt == ClockTime(argument: "07:05:00"))
        #expect(HomePath.expanded("~/a.mkv", ["HOME": "/home/me"]) == "/home/me/a.mkv")
    }

    @Test func whatIsSaidToWebServersIsUnderstood() throws {
        let network = try PlayerOptions.parse([
            "--http-header", "X-Token: a:b", "--http-header", "Empty:", "--user-agent", "me", "--referrer", "http://page/",
            "--cookies",
            "/dev/null", "--http-proxy", "http://proxy:3128", "--ca-file", "/dev/zero", "--client-cert", "/dev/full",
            "--insecure",
            "--connect-timeout", "3", "--net-limit", "2M", "--allow-lan", "--probe-size", "20M", "--analyze-time", "7.5",
            "--disk-cache", "8G", "http://host/film",
        ]).network
        #expect(network.diskCache?.bytes == 8_000_000_000)
        #expect(
            network.httpHeader == ["X-Token: a:b", "Empty:"] && network.userAgent == "me" && network.referrer == "http://page/")
        #expect(network.cookies == "/dev/null" && network.httpProxy == "http://proxy:3128" && network.caFile == "/dev/zero")
        #expect(network.clientCert == "/dev/full" && network.insecure && network.connectTimeout == 3)
        #expect(network.netLimit?.bytes == 2_000_000 && network.allowLan)
        #expect(network.probeSize?.bytes == 20_000_000 && network.analyzeTime == 7.5)
    }

    @Test(arguments: [
        ["--http-header", "no colon"], ["--http-header", ": value"], ["--http-header", "A b: c"],
        ["--http-header", "A: b\r\nC: d"],
        ["--connect-timeout", "0"], ["--connect-timeout", "301"], ["--net-limit", "5"], ["--probe-size", "100"],
        ["--analyze-time", "61"], ["--disk-cache", "1M"], ["--cookies", "/nowhere/c.txt"], ["--ca-file", "/nowhere/ca.pem"],
        ["--client-cert", "~/nowhere/me.pem"],
    ])
    func whatCannotBeSaidToWebServersIsRefused(_ words: [String]) {
        #expect(throws: (any Error).self) { try PlayerOptions.parse(words + ["http://host/film"]) }
    }

    /// Hardware is not asked unless it is wanted, and never in a box that is wanted, too.
    @Test func decodingByHardwareIsAskedForByName() throws {
        #expect(try PlayerOptions.parse(["x"]).hwdec == .off)
        #expect(try PlayerOptions.parse(["--hwdec", "vaapi", "--no-sandbox", "x"]).hwdec == .vaapi)
        #expect(throws: (any Error).self) { try PlayerOptions.parse(["--hwdec", "maybe", "x"]) }
        #expect(throws: (any Error).self) { try PlayerOptions.parse(["--hwdec", "vaapi", "--sandbox", "x"]) }
    }

    @Test(arguments: RendererChoice.allCases) func everyRendererHasItsName(_ choice: RendererChoice) throws {
        let options = try PlayerOptions.parse(["--renderer", choice.rawValue, "x"])
        #expect(options.renderer == choice)
    }

    @Test(arguments: [
        ("90", 90.0), ("0", 0), ("1:30", 90), ("01:02:03.5", 3723.5), ("100:00", 6000), (".5", 0.5), ("30:00:00", 108_000),
    ])
    func timesAreUnderstood(_ text: String, _ seconds: Double) {
        #expect(TimePoint(argument: text) == .offset(.seconds(seconds)))
    }

    @Test(arguments: [
        "", "--5", "-", "-50%", "1:60", "1:60:00", "1:2:3:4", "abc", "1e9", "inf", "nan", "1:", ":30", "1.5:30", "%", "101%",
        "-1%",
        "99999999999", "+1", "1..5",
        "٣",
    ])
    func whatIsNoTimeIsRefused(_ text: String) { #expect(TimePoint(argument: text) == nil) }

    @Test func percentsAndWhatIsNegativeAreOfTheDuration() {
        #expect(TimePoint(argument: "50%") == .fraction(0.5))
        #expect(TimePoint.fraction(0.5).time(start: .seconds(10), duration: .seconds(100)) == .seconds(60))
        #expect(TimePoint.fraction(0.5).time(start: .zero, duration: nil) == nil)
        #expect(TimePoint(argument: "-1:30") == .beforeEnd(.seconds(90)))
        #expect(TimePoint.beforeEnd(.seconds(30)).time(start: .seconds(10), duration: .seconds(100)) == .seconds(80))
        #expect(TimePoint.beforeEnd(.seconds(300)).time(start: .seconds(10), duration: .seconds(100)) == .seconds(10))
        #expect(TimePoint.offset(.seconds(5)).time(start: .seconds(10), duration: nil) == .seconds(15))
    }

    @Test(arguments: [
        (["x", "--bogus"], "--bogus"), (["x", "--speed", "5"], "0.25 to 4"),
        (["x", "--speed", "nan"], "0.25 to 4"),
        (["x", "--volume", "151"], "0 to 150"), (["x", "--volume", "loud"], "--volume"), (["x", "--fps-cap", "0"], "1 to 240"),
        (["x", "--renderer", "magic"], "halfblock"), (["x", "--color", "12"], "24bit"), (["x", "--start", "soon"], "--start"),
        (["x", "--start", "20", "--end", "10"], "--end must be later"), (["-", "-"], "only once"),
        (["x", "--audio-language", "d3"], "--audio-language"),
        (["x", "--theme", ""], "--theme"), ([""], "empty"),
    ])
    func aWrongCommandLineSaysWhatToDoAndExits64(_ arguments: [String], _ advice: String) {
        do {
            _ = try PlayerOptions.parse(arguments)
            Issue.record("was accepted")
        } catch {
            #expect(PlayerOptions.exitCode(for: error).rawValue == ExitStatus.usage.rawValue)
            #expect(PlayerOptions.fullMessage(for: error).contains(advice), "\(PlayerOptions.fullMessage(for: error))")
        }
    }

    @Test func theHelpNamesEveryOptionWithItsDefault() {
        let help = PlayerOptions.helpMessage(columns: 200)
        for option in [
            "--renderer", "--color", "--audio-device", "--no-audio", "--start", "--end", "--speed", "--volume", "--mute",
            "--loop",
            "--audio-language", "--subtitle-language", "--cache", "--log", "--fps-cap", "--max-rate", "--plain", "--theme",
            "<file>",
        ] { #expect(help.contains(option)) }
        for value in [
            "halfblock, quadrant", "default: auto)", "(default: default)", "(default: 1.0)", "(default: 100)", "64M by default",
        ] {
            #expect(help.contains(value))
        }
    }

    @Test func languagesAreTheSameInAllTheirSpellings() {
        let list = LanguageList(argument: "de,en")
        #expect(list?.rank(of: "ger") == 0 && list?.rank(of: "deu") == 0 && list?.rank(of: "German") == 0)
        #expect(list?.rank(of: "eng") == 1 && list?.rank(of: "en-US") == 1)
        #expect(list?.rank(of: "fra") == nil && list?.rank(of: nil) == nil)
        #expect(!LanguageName.isSame("pt-BR", "pt-PT") && LanguageName.isSame("qaa", "qaa") && !LanguageName.isSame("", "de"))
        #expect(LanguageName.english("pt-BR") == "Portuguese (BR)" && LanguageName.english("xyz") == "xyz")
    }

    @Test func exitStatusesAreThoseOfTheManual() {
        #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 64])
    }

    @Test func whatIsWrongIsOneLine() throws {
        let error = #expect(throws: (any Error).self) { try PlayerOptions.parse(["--renderer", "crayon", "a.mkv"]) }
        let lines = App.usageLines(PlayerOptions.message(for: try #require(error)))
        #expect(lines.count == 1 && lines[0].contains("crayon") && lines[0].hasSuffix("sixel, kitty, iterm2"), "\(lines)")
        #expect(App.usageLines("wrong here:\n  a = b\n    ^\nand more") == ["wrong here:", "  a = b", "    ^"])
        #expect(App.usageLines("") == [""])
    }
}
