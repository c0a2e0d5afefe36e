public import AetherCore
public import ArgumentParser

/// The command line of `aether-tui`. `--help` and `--version` come from the command that holds it.
public struct PlayerOptions: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp(
            "Files, directories, playlists or URLs, one after another; - is standard input. A directory plays its media files.",
            valueName: "file"), completion: .file())
    public var files: [String] = []

    @Option(help: ArgumentHelp("How to draw the video.", valueName: "name"))
    public var renderer = RendererChoice.auto

    @Option(help: ArgumentHelp("How many colours to send.", valueName: "depth"))
    public var color = ColorChoice.auto

    @Option(
        help: ArgumentHelp("The ALSA device to play on; aetherctl audio-devices lists them.", valueName: "name"),
        completion: .shellCommand("aetherctl audio-devices 2>/dev/null | grep -v \"^ \""))
    public var audioDevice = "default"

    @Flag(help: "Play without audio.")
    public var noAudio = false

    @Option(help: ArgumentHelp("Start there: seconds, 1:30, 1:02:03.5, 50%, or =-30 before the end.", valueName: "time"))
    public var start: TimePoint?

    @Option(help: ArgumentHelp("End there, in the same forms.", valueName: "time"))
    public var end: TimePoint?

    @Option(help: ArgumentHelp("Playback speed, 0.25 to 4; the pitch stays.", valueName: "factor"))
    public var speed = 1.0

    @Option(help: ArgumentHelp("Volume in percent, 0 to 150.", valueName: "percent"))
    public var volume = 100

    @Flag(help: "Start muted.")
    public var mute = false

    @Option(
        help: ArgumentHelp("Delay the audio by so many seconds, -10 to 10; negative is earlier.", valueName: "seconds"))
    public var audioDelay = 0.0

    @Option(help: ArgumentHelp("Play at the level in the file's tags: off, track or album.", valueName: "mode"))
    public var replaygain = ReplayGainMode.off

    @Flag(help: "Level everything to the same loudness, -18 LUFS.")
    public var loudness = false

    @Option(
        help: ArgumentHelp(
            "Send these codecs untouched to a receiver on --audio-device: ac3,eac3,dts,dtshd,truehd.", valueName: "codecs"))
    public var passthrough: BitstreamPassthrough?

    @Option(
        help: ArgumentHelp("Equaliser: flat, speech, bass, night, or gains of its ten bands in dB.", valueName: "curve"),
        completion: .list(EqualizerCurve.presets.map(\.name)))
    public var equalizer: EqualizerCurve?

    @Option(help: "Channels of the audio device: auto (those of the source), stereo, 5.1 or 7.1.")
    public var channels = SpeakerLayout.auto

    @Option(help: ArgumentHelp("Level of the centre channel where it is mixed down, in dB, -24 to 6.", valueName: "dB"))
    public var centerLevel = -3.0

    @Option(
        help: ArgumentHelp("Level of the bass channel where it is mixed down, in dB, -24 to 12, or off.", valueName: "dB|off"))
    public var lfeLevel = BassLevel.off

    @Option(help: "Loudness of channels that are mixed down: loud as a stereo film is, with a limiter, or safe without one.")
    public var downmix = Downmix.loud

    @Flag(help: "Do not ask yt-dlp what plays at the address of a page.")
    public var noYtdl = false

    @Flag(help: "Repeat the playlist.")
    public var loop = false

    @Flag(help: "Repeat the present file.")
    public var loopFile = false

    @Flag(help: "Shuffle the playlist.")
    public var shuffle = false

    @Option(help: ArgumentHelp("Audio language, best first: de or ger,en.", valueName: "languages"))
    public var audioLanguage: LanguageList?

    @Option(help: ArgumentHelp("Show subtitles in this language, best first: de or ger,en.", valueName: "languages"))
    public var subtitleLanguage: LanguageList?

    @Option(
        help: ArgumentHelp("Show subtitles from this file or URL; may be given several times.", valueName: "file"),
        completion: .file())
    public var sub: [String] = []

    @Flag(help: "Show only subtitles that are marked as forced.")
    public var forcedSubtitles = false

    @Option(
        help: ArgumentHelp(
            "Where subtitles are off, show them for so long after a skip back, 0 to 600; 0 for never.", valueName: "seconds"))
    public var subtitlesAfterSkipBack = 0.0

    @Flag(help: "Do not turn image subtitles into text, though tesseract is installed and the video is small.")
    public var noOcr = false

    @Option(help: ArgumentHelp("Show this page of teletext, 100 to 899, and not those for subtitles.", valueName: "page"))
    public var teletextPage: Int?

    @Option(
        help: ArgumentHelp(
            "Memory for read packets, so that seeks need no source: 500k, 64M, 1G; 0 for none. 64M by default, 4M of files.",
            valueName: "bytes"))
    public var cache: ByteCount?

    @Option(help: ArgumentHelp("Write a log to this file.", valueName: "file"), completion: .file())
    public var log: String?

    @Option(
        help: ArgumentHelp("Write measurements to this file, a line of JSON each second.", valueName: "file"), completion: .file()
    )
    public var telemetry: String?

    @Option(help: ArgumentHelp("Deinterlace: auto, off, field or frame.", valueName: "mode"))
    public var deinterlace = DeinterlaceChoice.auto

    @Option(help: ArgumentHelp("Where aspect ratios differ: fit, fill (crop) or stretch.", valueName: "mode"))
    public var fit = PictureView.Fit.fit

    @Option(help: ArgumentHelp("Display aspect ratio, where the file is wrong: 16:9, 2.35.", valueName: "ratio"))
    public var aspect: AspectRatio?

    @Option(help: ArgumentHelp("Tone mapping of HDR video: auto, bt2390, hable or off.", valueName: "mode"))
    public var toneMap = ToneMapping.auto

    @Option(help: ArgumentHelp("Show at most that many frames a second, 1 to 240.", valueName: "frames"))
    public var fpsCap: Double?

    @Option(
        help: ArgumentHelp(
            "Send the terminal at most that many bytes a second: 500K, 2M; the image gets coarser.", valueName: "bytes"))
    public var maxRate: ByteCount?

    @Flag(help: "Print plain lines instead of video, as when the output is no terminal.")
    public var plain = false

    @Option(
        help: ArgumentHelp(
            "Save stills here; without it in $XDG_PICTURES_DIR, else in the current directory.", valueName: "directory"),
        completion: .directory)
    public var screenshotDir: String?

    @Flag(help: "Burn the subtitles into saved stills.")
    public var screenshotSubtitles = false

    @Flag(help: "Keep no thumbnails on disk.")
    public var noThumbnailCache = false

    @Flag(help: "Ignore config.toml and keys.toml.")
    public var noConfig = false

    @Flag(help: "Print the effective settings in the form of config.toml, and exit.")
    public var printConfig = false

    @Flag(help: "Leave the mouse to the terminal.")
    public var noMouse = false

    @Flag(help: "Start each file at its beginning, not where it was left.")
    public var noResume = false

    @Flag(help: "Neither read nor write the history.")
    public var noHistory = false

    @Option(
        help: ArgumentHelp("Listen for a remote control at this socket: see aether-tui-ipc(5).", valueName: "path"),
        completion: .file())
    public var ipc: String?

    @Flag(help: "Stay off the desktop's session bus (MPRIS).")
    public var noMpris = false

    @Flag(help: "Leave the title of the terminal's window alone, and its progress bar.")
    public var noTitle = false

    @Flag(help: "Have the terminal notify you when the last file has ended.")
    public var oscNotify = false

    @Flag(help: "In plain mode: print the subtitles too.")
    public var printSubtitles = false

    @Option(
        help: ArgumentHelp("Colours of the bar and panes: the name of a theme or a .toml file.", valueName: "name|file"),
        completion: .list(ThemeLibrary.shipped))
    public var theme = "default"

    /// The defaults.
    public init() {}
}

extension SpeakerLayout: ExpressibleByArgument {}

extension PlaybackSettings {
    /// The settings that options ask for.
    init(_ options: PlayerOptions) {
        self.init()
        rate = options.speed
        volume = Double(options.volume) / 100
        isMuted = options.mute
        audioDelay = .seconds(options.audioDelay)
        equalizer = options.equalizer ?? EqualizerCurve()
        channels = options.channels
        downmix = options.downmix
        pictureLook = PictureLook(
            view: PictureView(fit: options.fit, aspect: options.aspect?.value), toneMapping: options.toneMap)
        deinterlacing = options.deinterlace.deinterlacing
    }
}
