import AetherBox
import AetherCore
import AetherDesktop
import AetherEngine
import AetherOptions
import AetherRender
import AetherSources
import AetherTerminal
import ArgumentParser
import FoundationEssentials
import Glibc

/// The program: options in, outcome out.
public enum App {
    /// The version of program, man pages and engine.
    public static var version: String { ProgramVersion.text }

    /// The version, and under it the optional parts, as `--version` prints them. Blocks on the file system.
    public static var versionReport: String {
        versionReport(readsShares: AetherEngine.readsShares, readsDrives: AetherEngine.readsDrives)
    }

    static func versionReport(readsShares: Bool, readsDrives: Bool) -> String {
        func part(_ name: String, _ isThere: Bool, _ program: String) -> String {
            "\n" + (isThere ? translated("\(name): yes") : translated("\(name): no (\(program) is not installed)"))
        }
        return version + part(translated("Shares (SMB, NFS)"), readsShares, "aether-share")
            + part(translated("Audio CDs and Video CDs in a drive"), readsDrives, "aether-disc")
    }

    /// The player in a sentence, and where more is said: the head and the text of `--help`.
    public static var summary: (abstract: String, discussion: String) {
        (
            translated("Play video and audio in the terminal."),
            translated("Press ? while playing for the keys. See aether-tui(1) for everything else.")
        )
    }

    /// The words of the command line, as `run` and the parser of options take them.
    public static var arguments: [String] { CommandWords.withEmptyValues(PathText.commandLine) }

    /// Copies the process for the box. The first thing of all: what is known later, a worker must not know.
    public static func prepare() { DecoderBox.prepareCopies() }

    /// Chooses the language by the command line, which is not parsed yet, or by the environment. Before any other thread exists, and behind `prepare`: a
    /// copy of the process speaks English, and what it says is translated here.
    public static func chooseLanguage(_ arguments: [String]) {
        Language.begin(InterfaceLanguage(in: arguments).code)
    }

    /// Plays what the options say and returns when that is over, with the terminal as it was found. Call on the main thread before
    /// any other thread exists (signals are blocked here and inherited). Trouble is one line on standard error.
    ///
    /// `arguments` is the command line that `options` was parsed from: it is laid over the person's settings.
    public static func run(_ commandLine: PlayerOptions, arguments: [String]) -> PlayerOutcome {
        HeapLayout.mapLargeBlocks()
        AetherEngine.divertLibraryMessages()
        let environment = ProcessInfo.processInfo.environment
        Privileges.giveUp(path: environment["PATH"] ?? "")
        do {
            try checkFiles(commandLine)
            let folder = commandLine.noConfig ? nil : Settings.directory(environment)
            // All faults of all files are told at once.
            var report = ConfigReport()
            let settings = Settings(document("config.toml", in: folder, &report), commandLine: arguments, &report)
            let probe = ProbeEnvironment(environment)
            let first = commandLine.files.first.map { MediaLocation.parse($0) }
            let options =
                report.errors.isEmpty
                ? try settings.options(for: first ?? .standardInput, probe, parsed: commandLine) : commandLine
            // The command line's was begun before it was parsed.
            if options.face.language != commandLine.face.language {
                Language.begin(options.face.language.code)
            }
            let keymap = KeysFile.keymap(document("keys.toml", in: folder, &report), preset: options.face.preset, &report)
            let shares = SharesFile.shares(document("shares.toml", in: folder, &report), &report)
            let themes = ThemeLibrary(environment: environment, program: ChildProgram.own)
            let theme = report.take { report throws(ConfigError) in try themes.load(options.theme, &report) }
            for line in report.lines { SystemText.complain(line) }
            guard report.errors.isEmpty, let theme else { return .exit(.usage) }
            if commandLine.printConfig {
                SystemText.write(DisplayText.printable(settings.text(for: first, probe)), to: STDOUT_FILENO)
                return .exit(.played)
            }
            let player = Player(
                settings: settings, keymap: keymap, environment: environment, warnings: report.warnings, shares: shares)
            return try run(player, options, theme, themes)
        } catch let error as MediaError {
            SystemText.complain(error.description)
            return .exit(.cannotOpen)
        } catch {
            // Each value was checked alone; together they may contradict each other, as --start and --end do.
            complain(ofUsage: PlayerOptions.message(for: error))
            return .exit(.usage)
        }
    }

    /// 4 MiB: some hundred runs. A larger log is begun anew.
    private static let logLimit: Int64 = 4 << 20

    /// A file of the person's settings; nil where there is none that can be read.
    private static func document(_ name: String, in folder: String?, _ report: inout ConfigReport) -> TOMLDocument? {
        guard let folder else { return nil }
        return report.take { _ throws(ConfigError) in try TOMLDocument(path: folder + "/" + name) }
    }

    /// Says in a line what is wrong with a command line, and in another where it stands how it is right.
    public static func complain(ofUsage message: String) {
        let lines = usageLines(message)
        SystemText.complain(lines[0])
        for line in lines.dropFirst() { SystemText.writeError(line + "\n") }
        SystemText.writeError(translated("Try aether-tui --help, or man aether-tui") + "\n")
    }

    /// What is wrong in a line of at most 300 characters, with the values that are right where the parser lists them; and behind it an
    /// expression and the caret below the place that is wrong, where there are such. Never empty. Pure.
    static func usageLines(_ message: String) -> [String] {
        let lines = message.split(whereSeparator: \.isNewline).map(String.init)
        let values = lines.dropFirst().prefix { $0.hasPrefix(valueMark) }.map { String($0.dropFirst(valueMark.count)) }
        let sentence = (lines.first ?? message) + (values.isEmpty ? "" : " " + values.joined(separator: ", "))
        let rest = lines.dropFirst(1 + values.count).prefix(2).filter { $0.hasPrefix("  ") }.map { String($0.prefix(500)) }
        return [DisplayText.singleLine(sentence, limit: 300)] + rest
    }

    /// ArgumentParser writes it before each of the values that an option takes.
    private static let valueMark = "  - "

    /// Without a file there must be a person who can choose one: throws unless the player has a terminal.
    public static func checkFiles(_ commandLine: PlayerOptions) throws {
        let isSeen = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 && !commandLine.plain
        if commandLine.files.isEmpty, !commandLine.printConfig, !isSeen { throw PlayerOptions.noFile }
    }

    /// Ends the program: help and version go to standard output, what is wrong with the command line, made safe to display, to
    /// standard error.
    public static func leave(_ status: Int32, saying message: String) -> Never {
        if status == 0 { print(message) } else if !message.isEmpty { SystemText.writeError(message + "\n") }
        exit(status)
    }

    /// The person's settings for all files.
    struct Player {
        let settings: Settings
        let keymap: Keymap
        /// The variables that the program was started with.
        let environment: [String: String]
        /// Settings that were left out because their names are not known.
        var warnings: [ConfigError] = []
        /// The servers that the person has written down.
        var shares: [SavedShare] = []
    }

    private static func run(
        _ player: Player, _ options: PlayerOptions, _ theme: Theme, _ themes: ThemeLibrary
    ) throws -> PlayerOutcome {
        let environment = player.environment, probe = ProbeEnvironment(environment)
        do {
            let isPlain = options.plain || probe.lacksCursorAddressing
            let outputs = OutputFile(hasScreen: !isPlain && isatty(STDOUT_FILENO) != 0)
            if let path = options.recording.file {
                if let reason = OutputFile.obstacle(toMaking: path) {
                    throw MediaError(.cannotOpen, "record to", subject: path, reason: reason)
                }
                if let time = options.recording.recordAt {
                    SystemText.writeError(
                        "aether-tui: "
                            + translated("waiting until \(WallClock.fileText(WallClock.next(time, after: Glibc.time(nil))))")
                            + "\n")
                    WallClock.wait(for: time)
                }
            }
            if let path = options.log.map({ HomePath.expanded($0) }) {
                Log.shared.write(
                    to: try outputs.open(path, "write the log to", holding: .log, keeping: logLimit), options.logLevel)
                Log.module("aether-tui").info("version \(version), \(SystemText.date)")
            }
            try installBox(options)
            let telemetry = try options.telemetry.map { path throws(MediaError) in
                try outputs.open(HomePath.expanded(path), "write telemetry to", holding: .telemetry)
            }
            let signals = try Signals()
            let stray = StrayOutput()
            defer { stray?.flush() }
            watchForCrashes(environment)
            let repeats: RepeatMode = options.loopFile ? .file : options.loop ? .list : .off
            var playlist: Playlist
            if !isPlain, isatty(STDOUT_FILENO) != 0, let folder = PlaylistReading.folderOfFolders(options.files) {
                playlist = Playlist(folder: folder, repeats: repeats)
            } else {
                playlist = try Playlist(arguments: options.files, repeats: repeats)
            }
            if options.shuffle {
                var generator = SystemRandomNumberGenerator()
                playlist.shuffle(using: &generator)
            }
            let surroundings = try Surroundings(options, player.settings, environment, logins: LoginBook(player.shares))
            defer { surroundings.close() }
            if !playlist.isEmpty { surroundings.expect(playlist.currentItem) }
            if playlist.isEmpty, isPlain, options.plain || probe.term == "dumb" {
                complain(ofUsage: PlayerOptions.noFile.message)
                return .exit(.usage)
            }
            if isPlain, !options.plain, probe.term != "dumb", isatty(STDOUT_FILENO) != 0 {
                let term = DisplayText.singleLine(probe.term, limit: 40)
                let name = term.isEmpty ? translated("TERM is not set") : translated("TERM=\(term) cannot address the cursor")
                SystemText.complain(translated("cannot draw on this terminal: \(name); --plain plays with plain lines"))
                return .exit(.terminalUnsuitable)
            }
            if isPlain || isatty(STDOUT_FILENO) == 0 {
                if options.renderer != .auto, !options.plain {
                    let why =
                        isatty(STDOUT_FILENO) == 0
                        ? translated("standard output is not a terminal")
                        : translated("TERM=\(probe.term) cannot address the cursor")
                    SystemText.complain(translated("cannot draw with \(options.renderer.rawValue): \(why)"))
                    return .exit(.terminalUnsuitable)
                }
                var plain = PlainApp(
                    options: options, player: player, probe: probe, playlist: playlist, signals: signals,
                    surroundings: surroundings, telemetry: telemetry.map { TelemetryLog(descriptor: $0) })
                return plain.run()
            }
            stray?.hold()
            return try ScreenStart(
                options: options, player: player, playlist: playlist, signals: signals, probe: probe, theme: theme,
                themes: themes,
                surroundings: surroundings, telemetry: telemetry
            ).run()
        } catch let error as MediaError {
            SystemText.complain(error.description)
            return .exit(.cannotOpen)
        } catch let error as RemoteError {
            SystemText.complain(error.description)
            return .exit(.usage)
        } catch {
            SystemText.complain("\(error)")
            return .exit(.terminalUnsuitable)
        }
    }

    /// Puts sources into the box that the person wants. Throws where it was asked for by name and there is none.
    private static func installBox(_ options: PlayerOptions) throws(MediaError) {
        if options.noSandbox { return DecoderBox.forgetCopies() }
        if options.sandbox { return try DecoderBox.install() }
        if !DecoderBox.installCopies() {
            Log.module("app").warning("no copy of this process could be made: sources are read without a box")
        }
    }

    /// Tells once that the run before has crashed, and has a crash of this one written down from now on.
    private static func watchForCrashes(_ environment: [String: String]) {
        guard let path = CrashReport.path(environment) else { return }
        if CrashReport.isNew(at: path) {
            SystemText.complain(translated("the last run crashed; what is known of it is in \(path), and was sent nowhere"))
        }
        let libraries = AetherEngine.libraryVersions + TerminalLibraries.versions
        let words = libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
        CrashReport.arm(path: path, head: "aether-tui \(version), \(SystemText.kernel)\n\(words)\n")
    }
}
