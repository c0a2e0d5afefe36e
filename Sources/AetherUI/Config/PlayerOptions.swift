public import AetherCore
public import ArgumentParser

/// How the picture is drawn.
public enum RendererChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
    case auto, halfblock, quadrant, sextant, octant, braille, ascii, sixel, kitty, iterm2
}

/// How many colours are sent.
public enum ColorChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
    case auto
    case trueColor = "24bit"
    case palette256 = "256"
    case palette16 = "16"
    case mono
}

/// Languages in order of preference.
public struct LanguageList: Sendable, Equatable, ExpressibleByArgument {
    /// Codes as written, at least one.
    public let codes: [String]

    /// Parses "de" or "ger,en".
    public init?(argument: String) {
        codes = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard codes.allSatisfy({ (2...16).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") } })
        else {
            return nil
        }
    }

    /// Whether a track's language is one of these, and which (0 = most wanted). "de", "ger", "deu" and "German" are the same.
    public func rank(of language: String?) -> Int? {
        guard let language else { return nil }
        return codes.firstIndex { LanguageName.isSame($0, language) }
    }
}

/// How loud the bass channel is mixed into the others.
public enum BassLevel: Sendable, Equatable, ExpressibleByArgument, CustomStringConvertible {
    case off
    /// −24...12 dB.
    case decibels(Double)

    /// Parses "off" or a number.
    public init?(argument: String) {
        if argument == "off" {
            self = .off
            return
        }
        guard let number = Double(argument), (-24...12).contains(number) else { return nil }
        self = .decibels(number)
    }

    /// nil for off.
    var level: Double? { if case .decibels(let number) = self { number } else { nil } }

    public var description: String { level.map { "\($0)" } ?? "off" }
}

extension BitstreamPassthrough: ExpressibleByArgument {
    /// Parses "ac3,dts"; nil for any other word.
    public init?(argument: String) { self.init(names: argument) }
}

extension EqualizerCurve: ExpressibleByArgument {
    /// Parses the name of a preset or gains with commas between; nil for anything else.
    public init?(argument: String) { self.init(argument) }
}

extension ReplayGainMode: ExpressibleByArgument {}
extension PictureView.Fit: ExpressibleByArgument {}
extension ToneMapping: ExpressibleByArgument {}

extension TimePoint: ExpressibleByArgument {
    /// Parses; nil for anything but the four forms.
    public init?(argument: String) { self.init(argument) }
}

/// The command line of `aether-tui`. `--help` and `--version` come from the command that holds it.
public struct PlayerOptions: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp(
            "Files, directories, playlists or URLs, one after another; - is standard input. A directory plays its media files.",
            valueName: "file"))
    public var files: [String] = []

    @Option(help: ArgumentHelp("How to draw the picture.", valueName: "name"))
    public var renderer = RendererChoice.auto

    @Option(help: ArgumentHelp("How many colours to send.", valueName: "depth"))
    public var color = ColorChoice.auto

    @Option(help: ArgumentHelp("The ALSA device to play on; aetherctl audio-devices lists them.", valueName: "name"))
    public var audioDevice = "default"

    @Flag(help: "Play without sound.")
    public var noAudio = false

    @Option(help: ArgumentHelp("Start there: seconds, 1:30, 1:02:03.5 or 50%.", valueName: "time"))
    public var start: TimePoint?

    @Option(help: ArgumentHelp("End there: seconds, 1:30, 1:02:03.5 or 50%.", valueName: "time"))
    public var end: TimePoint?

    @Option(help: ArgumentHelp("Play that many times as fast, 0.25 to 4; the pitch stays.", valueName: "factor"))
    public var speed = 1.0

    @Option(help: ArgumentHelp("Volume in percent, 0 to 150.", valueName: "percent"))
    public var volume = 100

    @Flag(help: "Start muted.")
    public var mute = false

    @Option(
        help: ArgumentHelp("Sound later than the file says, in seconds; negative is earlier. -10 to 10.", valueName: "seconds"))
    public var audioDelay = 0.0

    @Option(help: ArgumentHelp("Play at the level in the file's tags: off, track or album.", valueName: "mode"))
    public var replaygain = ReplayGainMode.off

    @Flag(help: "Bring everything to the same loudness, -18 LUFS, while playing.")
    public var loudness = false

    @Option(
        help: ArgumentHelp(
            "Send these untouched to a receiver on --audio-device: ac3,eac3,dts,dtshd,truehd.", valueName: "codecs"))
    public var passthrough: BitstreamPassthrough?

    @Option(
        help: ArgumentHelp("Equaliser: flat, speech, bass, night, or gains of its ten bands in dB.", valueName: "curve"))
    public var equalizer: EqualizerCurve?

    @Option(help: ArgumentHelp("Level of the centre channel where it is mixed down, in dB, -24 to 6.", valueName: "dB"))
    public var centerLevel = -3.0

    @Option(
        help: ArgumentHelp("Level of the bass channel where it is mixed down, in dB, -24 to 12, or off.", valueName: "dB|off"))
    public var lfeLevel = BassLevel.off

    @Flag(help: "Do not ask yt-dlp what plays at the address of a page.")
    public var noYtdl = false

    @Flag(help: "Start again after the last file.")
    public var loop = false

    @Flag(help: "Play the files in an order that nobody knows.")
    public var shuffle = false

    @Option(help: ArgumentHelp("Audio language, best first: de or ger,en.", valueName: "languages"))
    public var audioLanguage: LanguageList?

    @Option(help: ArgumentHelp("Show subtitles in this language, best first: de or ger,en.", valueName: "languages"))
    public var subtitleLanguage: LanguageList?

    @Option(help: ArgumentHelp("Show subtitles from this file or URL; may be given several times.", valueName: "file"))
    public var sub: [String] = []

    @Flag(help: "Show no subtitles but those that are marked as forced.")
    public var forcedSubtitles = false

    @Option(
        help: ArgumentHelp(
            "Where subtitles are off, show them for so long after a skip back, 0 to 600; 0 for never.", valueName: "seconds"))
    public var subtitlesAfterSkipBack = 0.0

    @Flag(help: "Do not read subtitles that are pictures, though tesseract is installed and the picture is small.")
    public var noOcr = false

    @Option(help: ArgumentHelp("Show this page of teletext, 100 to 899, and not those for subtitles.", valueName: "page"))
    public var teletextPage: Int?

    @Option(help: ArgumentHelp("Memory for what was read, to seek in: bytes, 500k, 64M, 1G; 0 for none.", valueName: "bytes"))
    public var cache = ByteCount(bytes: 64_000_000)

    @Option(help: ArgumentHelp("Write a log to this file.", valueName: "file"))
    public var log: String?

    @Option(help: ArgumentHelp("Write measurements to this file, a line of JSON each second.", valueName: "file"))
    public var telemetry: String?

    @Option(help: ArgumentHelp("Make whole pictures of interlaced ones: auto, off, field or frame.", valueName: "mode"))
    public var deinterlace = DeinterlaceChoice.auto

    @Option(help: ArgumentHelp("Where shapes differ, show all of the picture, fill the screen, or stretch.", valueName: "mode"))
    public var fit = PictureView.Fit.fit

    @Option(help: ArgumentHelp("Width to height of the picture, where the file is wrong: 16:9, 2.35.", valueName: "ratio"))
    public var aspect: AspectRatio?

    @Option(help: ArgumentHelp("Bring HDR pictures to the terminal's range: auto, bt2390, hable or off.", valueName: "mode"))
    public var toneMap = ToneMapping.auto

    @Option(help: ArgumentHelp("Show at most that many frames a second, 1 to 240.", valueName: "frames"))
    public var fpsCap: Double?

    @Option(
        help: ArgumentHelp(
            "Send the terminal at most that many bytes a second: 500K, 2M; the picture gets coarser.", valueName: "bytes"))
    public var maxRate: ByteCount?

    @Flag(help: "Print plain lines instead of a picture, as when output is no terminal.")
    public var plain = false

    @Option(
        help: ArgumentHelp(
            "Save pictures here; without it in $XDG_PICTURES_DIR, else where the player was started.", valueName: "directory"))
    public var screenshotDir: String?

    @Flag(help: "Save pictures with the subtitles in them.")
    public var screenshotSubtitles = false

    @Flag(help: "Keep no small pictures of films on disk.")
    public var noThumbnailCache = false

    @Flag(help: "Ignore config.toml and keys.toml.")
    public var noConfig = false

    @Flag(help: "Print the settings that count, in the form of config.toml, and stop.")
    public var printConfig = false

    @Flag(help: "Leave the mouse to the terminal.")
    public var noMouse = false

    @Flag(help: "Start each file at its start, and not where it was left.")
    public var noResume = false

    @Flag(help: "Remember nothing of what is played, and know nothing of what was.")
    public var noHistory = false

    @Option(help: ArgumentHelp("Listen for a remote control at this socket: see aether-tui-ipc(5).", valueName: "path"))
    public var ipc: String?

    @Flag(help: "Stay off the desktop's session bus (MPRIS).")
    public var noMpris = false

    @Flag(help: "Leave the title of the terminal's window alone, and its progress bar.")
    public var noTitle = false

    @Flag(help: "Have the terminal notify you when the last file has ended.")
    public var oscNotify = false

    @Flag(help: "With plain lines: print the subtitles too.")
    public var printSubtitles = false

    @Option(help: ArgumentHelp("Colours of the bar and panes: the name of a theme or a .toml file.", valueName: "name|file"))
    public var theme = "default"

    /// The defaults.
    public init() {}

    /// What is said where there is nothing to play and nobody to ask.
    static let noFile = ValidationError("Name at least one file to play, for example: aether-tui movie.mkv")

    /// Checks what types alone do not say.
    public func validate() throws {
        if files.contains("") { throw ValidationError("A file name is empty: leave it out or name a file.") }
        if files.count(where: { $0 == "-" }) > 1 {
            throw ValidationError("Standard input (-) can be played once: name - only once.")
        }
        if !(0.25...4).contains(speed) { throw ValidationError("--speed takes 0.25 to 4, for example --speed 1.5.") }
        if !(0...150).contains(volume) { throw ValidationError("--volume takes 0 to 150, for example --volume 80.") }
        if !(-10...10).contains(audioDelay) {
            throw ValidationError("--audio-delay takes -10 to 10 seconds, for example --audio-delay=-0.1.")
        }
        if !(0...600).contains(subtitlesAfterSkipBack) {
            throw ValidationError(
                "--subtitles-after-skip-back takes 0 to 600 seconds, for example --subtitles-after-skip-back 10.")
        }
        if let teletextPage, !(100...899).contains(teletextPage) {
            throw ValidationError("--teletext-page takes 100 to 899, for example --teletext-page 150.")
        }
        if !(-24...6).contains(centerLevel) {
            throw ValidationError("--center-level takes -24 to 6 dB, for example --center-level=0.")
        }
        if let fpsCap, !(1...240).contains(fpsCap) {
            throw ValidationError("--fps-cap takes 1 to 240, for example --fps-cap 24.")
        }
        if let maxRate, maxRate.bytes < 10_000 {
            throw ValidationError("--max-rate takes at least 10K, for example --max-rate 500K.")
        }
        if audioDevice.isEmpty {
            throw ValidationError("--audio-device takes a name that aetherctl audio-devices lists, or leave it out.")
        }
        if ipc == "" { throw ValidationError("--ipc takes the path of a socket to make.") }
        if telemetry == "" { throw ValidationError("--telemetry takes the name of a file to write.") }
        if log == "" { throw ValidationError("--log takes the name of a file to write.") }
        if screenshotDir == "" { throw ValidationError("--screenshot-dir takes the name of a directory.") }
        if theme.isEmpty { throw ValidationError("--theme takes the name of a theme or a .toml file.") }
        if let start, let end, PlayerOptions.isKnownToBeEmpty(start, end) {
            throw ValidationError("--end must be later than --start: there is nothing between them.")
        }
    }

    private static func isKnownToBeEmpty(_ start: TimePoint, _ end: TimePoint) -> Bool {
        switch (start, end) {
        case (.offset(let a), .offset(let b)): b <= a
        case (.fraction(let a), .fraction(let b)): b <= a
        default: false
        }
    }
}
