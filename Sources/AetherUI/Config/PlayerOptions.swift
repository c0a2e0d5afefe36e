public import AetherCore
public import AetherEngine
public import AetherOptions
public import ArgumentParser

/// The command line of `aether-tui`. `--help` and `--version` come from the command that holds it.
public struct PlayerOptions: ParsableArguments, Sendable {
    /// Paths and URLs in their order; "-" is standard input.
    @Argument(
        help: .translated("Files, directories, playlists or URLs, in order; - is standard input.", value: "file"),
        completion: .file())
    public var files: [String] = []

    /// `--renderer`: a name, or `auto` for the terminal's best.
    @Option(help: .translated("The renderer that draws the video.", value: "name"))
    public var renderer = RendererChoice.auto

    /// `--color`: a depth, or `auto` for the terminal's best.
    @Option(help: .translated("The number of colours to send.", value: "depth"))
    public var color = ColorChoice.auto

    /// `--audio-device`: ALSA's name of a PCM.
    @Option(
        help: .translated("The ALSA device to play on; aetherctl audio-devices lists them.", value: "name"),
        completion: .shellCommand("aetherctl audio-devices 2>/dev/null | grep -v \"^ \""))
    public var audioDevice = "default"

    /// `--no-audio`: the monotonic clock takes the place of the audio clock.
    @Flag(help: .translated("Play without audio."))
    public var noAudio = false

    /// `--start`: nil for the start of the file, or where it was left.
    @Option(help: .translated("Start at this time: seconds, 1:30, 1:02:03.5, 50%, or =-30 before the end.", value: "time"))
    public var start: TimePoint?

    /// `--end`: nil for the end of the file.
    @Option(help: .translated("End at this time, in the same forms.", value: "time"))
    public var end: TimePoint?

    /// `--speed`: media seconds a second, 0.25…4.
    @Option(help: .translated("Playback speed, 0.25 to 4; the pitch stays.", value: "factor"))
    public var speed = 1.0

    /// `--volume`: percent of the samples, 0…150.
    @Option(help: .translated("Volume in percent, 0 to 150.", value: "percent"))
    public var volume = 100

    /// `--mute`: audio is played unheard.
    @Flag(help: .translated("Start muted."))
    public var mute = false

    /// `--audio-delay`: seconds by which audio is later than video, -10…10.
    @Option(
        help: .translated("Delay of the audio in seconds, -10 to 10; negative is earlier.", value: "seconds"))
    public var audioDelay = 0.0

    /// `--replaygain`: the level of the recording, of its album, or none.
    @Option(help: .translated("Play at the level in the file's tags: off, track or album.", value: "mode"))
    public var replaygain = ReplayGainMode.off

    /// `--loudness`: the loudness (BS.1770) is measured and brought to -18 LUFS; it takes the place of `--replaygain`.
    @Flag(help: .translated("Level everything to the same loudness, -18 LUFS."))
    public var loudness = false

    /// `--passthrough`: codecs that go to the device undecoded; nil for none.
    @Option(
        help: .translated(
            "Send these codecs untouched to a receiver on --audio-device: ac3,eac3,dts,dtshd,truehd.", value: "codecs"))
    public var passthrough: BitstreamPassthrough?

    /// `--equalizer`: gains of the ten bands in dB; nil for a flat curve.
    @Option(
        help: .translated("Equaliser: flat, speech, bass, night, or gains of its ten bands in dB.", value: "curve"),
        completion: .list(EqualizerCurve.presets.map(\.name)))
    public var equalizer: EqualizerCurve?

    /// `--channels`: the layout that the device is asked for.
    @Option(help: .translated("Channels of the audio device: auto (those of the source), stereo, 5.1 or 7.1."))
    public var channels = SpeakerLayout.auto

    /// `--center-level`: dB of the centre channel in a downmix, -24…6.
    @Option(help: .translated("Level of the centre channel where it is mixed down, in dB, -24 to 6.", form: "dB"))
    public var centerLevel = -3.0

    /// `--lfe-level`: dB of the bass channel in a downmix, -24…12, or off.
    @Option(
        help: .translated("Level of the bass channel where it is mixed down, in dB, -24 to 12, or off.", form: "dB|off"))
    public var lfeLevel = BassLevel.off

    /// `--downmix`: with a limiter or without.
    @Option(help: .translated("Downmix: loud as a stereo recording, with a limiter, or safe without one."))
    public var downmix = Downmix.loud

    /// `--no-ytdl`: an address that is no media is an error at once.
    @Flag(help: .translated("Do not ask yt-dlp for the media of a page."))
    public var noYtdl = false

    /// `--ytdl-format`: the format that a page is asked for.
    @Option(help: .translated("Ask yt-dlp for this format of a page, in its own words: 22, worst.", value: "format"))
    public var ytdlFormat: String?

    /// The options of web servers.
    @OptionGroup public var network: NetworkOptions
    /// `--epg`: a guide of the channels of a list.
    @Option(
        help: .translated(
            "The guide of a list of channels: a file or URL of XMLTV, also .gz. It replaces those that the list names.",
            form: "file|URL"), completion: .file())
    public var epg: String?

    /// `--ready-channels`: channels that are read along.
    @Option(
        help: .translated(
            "Read so many channels of a list along, 0 to 4, so that zapping to them shows at once: the next, the previous, the last, the next but one.",
            value: "count"))
    public var readyChannels = 0

    /// Recording and time shift.
    @OptionGroup public var recording: RecordingOptions
    /// How the quality of streams is chosen.
    @OptionGroup public var quality: QualityOptions

    /// `--demuxer`: who reads streams.
    @Option(
        help: .translated("Read HLS and DASH by the player's own sources, or by libavformat's, to compare.", form: "own|lavf"))
    public var demuxer = StreamDemuxer.own

    /// The keys of encrypted media.
    @OptionGroup public var keys: KeyOptions

    /// The look of video and the sound of audio.
    @OptionGroup public var look: LookOptions

    /// The face of the player.
    @OptionGroup public var face: FaceOptions

    /// `--loop`: the list begins again behind its last file.
    @Flag(help: .translated("Repeat the playlist."))
    public var loop = false

    /// `--loop-file`: each file begins again at its end.
    @Flag(help: .translated("Repeat the present file."))
    public var loopFile = false

    /// `--shuffle`: the list is played in random order.
    @Flag(help: .translated("Shuffle the playlist."))
    public var shuffle = false

    /// `--audio-language`: ISO 639 or BCP 47, best first; nil for the file's own choice.
    @Option(help: .translated("Audio language, best first: de or ger,en.", value: "languages"))
    public var audioLanguage: LanguageList?

    /// `--audio-file`: paths and URLs of files with audio.
    @Option(
        help: .translated("Play the audio of this file or URL with the video; may be given several times.", value: "file"),
        completion: .file())
    public var audioFile: [String] = []

    /// `--subtitle-language`: ISO 639 or BCP 47, best first; nil for the file's own choice.
    @Option(help: .translated("Show subtitles in this language, best first: de or ger,en.", value: "languages"))
    public var subtitleLanguage: LanguageList?

    /// `--sub`: paths and URLs of subtitle files.
    @Option(
        help: .translated("Show subtitles from this file or URL; may be given several times.", value: "file"),
        completion: .file())
    public var sub: [String] = []

    /// `--forced-subtitles`: other subtitles are not shown by themselves.
    @Flag(help: .translated("Show only subtitles that are marked as forced."))
    public var forcedSubtitles = false

    /// `--subtitles-after-skip-back`: seconds, 0…600; 0 for never.
    @Option(
        help: .translated(
            "While subtitles are off, show them for this long after a skip back, 0 to 600; 0 for never.", value: "seconds"))
    public var subtitlesAfterSkipBack = 0.0

    /// `--no-ocr`: `tesseract` is not asked.
    @Flag(help: .translated("Do not turn image subtitles into text with tesseract."))
    public var noOcr = false

    /// `--teletext-page`: 100…899; nil for the page that is marked as subtitles.
    @Option(help: .translated("Show this page of teletext, 100 to 899, and not the pages for subtitles.", value: "page"))
    public var teletextPage: Int?

    /// `--title`: the title of a disc, the program of a broadcast or the edition of a file; nil for the main one.
    @Option(help: .translated("Play this title of a disc, program of a broadcast or edition of a file.", value: "number"))
    public var title: Int?

    /// `--disc-menu`: a disc begins with its menu.
    @Flag(help: .translated("Begin a disc with its menu, as it says itself, and not with its main title."))
    public var discMenu = false

    /// `--angle`: the angle of a disc's title, 1…9.
    @Option(help: .translated("Play a disc's title from this angle, 1 to 9, where it has several.", value: "number"))
    public var angle = 1

    /// `--cache`: bytes of packets in memory; nil for 64 MB, and 4 MB of files.
    @Option(
        help: .translated(
            "Memory for packets, so that short seeks read nothing again: 500k, 64M, 1G; 0 for none. 64M by default, 4M for files.",
            value: "bytes"))
    public var cache: ByteCount?

    /// `--log`: the path of a file, made with mode 0600.
    @Option(help: .translated("Write a log to this file.", value: "file"), completion: .file())
    public var log: String?

    /// `--log-level`: the lines of it that are wanted.
    @Option(
        help: .translated(
            "Level of the log: verbose, info, warning, error or off; for one part of the program part=level.", value: "levels"))
    public var logLevel = LogFilter()

    /// `--telemetry`: the path of a file, made with mode 0600.
    @Option(help: .translated("Write a line of JSON each second to this file.", value: "file"), completion: .file())
    public var telemetry: String?

    /// `--deinterlace`: when, and at which rate.
    @Option(help: .translated("Deinterlace: auto, off, field or frame.", value: "mode"))
    public var deinterlace = DeinterlaceChoice.auto

    /// `--fit`: what gives way where aspect ratios differ.
    @Option(help: .translated("Where aspect ratios differ: fit, fill (crop) or stretch.", value: "mode"))
    public var fit = VideoView.Fit.fit

    /// `--aspect`: width to height of the display, 0.1…10; nil for the file's own.
    @Option(help: .translated("Display aspect ratio, where the file is wrong: 16:9, 2.35.", value: "ratio"))
    public var aspect: AspectRatio?

    /// `--tone-map`: the curve for HDR video.
    @Option(help: .translated("Tone mapping of HDR video: auto, bt2390, hable or off.", value: "mode"))
    public var toneMap = ToneMapping.auto

    /// `--fps-cap`: frames a second, 1…240; nil for all.
    @Option(help: .translated("Show at most this many frames a second, 1 to 240.", value: "frames"))
    public var fpsCap: Double?

    /// `--max-rate`: bytes a second to the terminal; nil for what the link drains.
    @Option(
        help: .translated("Send the terminal at most this many bytes a second: 500K, 2M; the image gets coarser.", value: "bytes")
    )
    public var maxRate: ByteCount?

    /// `--plain`: lines in place of a screen.
    @Flag(help: .translated("Print plain lines instead of video, as when the output is not a terminal."))
    public var plain = false

    /// `--screenshot-dir`: the directory of stills; nil for $XDG_PICTURES_DIR or the current one.
    @Option(
        help: .translated(
            "Save stills here; without it in $XDG_PICTURES_DIR, else in the current directory.", value: "directory"),
        completion: .directory)
    public var screenshotDir: String?

    /// `--screenshot-subtitles`: stills of the source have subtitles in them.
    @Flag(help: .translated("Burn the subtitles into saved stills."))
    public var screenshotSubtitles = false

    /// `--no-thumbnail-cache`: thumbnails stay in memory.
    @Flag(help: .translated("Keep no thumbnails on disk."))
    public var noThumbnailCache = false

    /// `--no-config`: only the command line counts.
    @Flag(help: .translated("Ignore config.toml and keys.toml."))
    public var noConfig = false

    /// `--print-config`: the program prints and exits.
    @Flag(help: .translated("Print the effective settings in the form of config.toml, and exit."))
    public var printConfig = false

    /// `--no-mouse`: no mouse reports are asked for.
    @Flag(help: .translated("Leave the mouse to the terminal."))
    public var noMouse = false

    /// `--sandbox`: what cannot be taken apart in a box is refused, and workers share no addresses with the player.
    @Flag(help: .translated("Refuse media that cannot be taken apart in the box, and start its program apart from the player."))
    public var sandbox = false

    /// `--no-sandbox`: demuxers and decoders run in the player's process.
    @Flag(help: .translated("Take media apart in the program itself, not in a box of processes without files and network."))
    public var noSandbox = false

    /// `--hwdec`: whether graphics processors may decode video, with `--no-sandbox`.
    @Option(
        help: .translated(
            "Let VA-API decode video where a trial finds that cheaper than software; needs --no-sandbox.", form: "no|vaapi"))
    public var hwdec = HardwareDecoding.off

    /// `--no-resume`: positions of the history are not used.
    @Flag(help: .translated("Start each file at its beginning, not where it was left."))
    public var noResume = false

    /// `--no-history`: the database is not opened.
    @Flag(help: .translated("Neither read nor write the history."))
    public var noHistory = false

    /// `--ipc`: the path of a Unix socket; nil for no remote control.
    @Option(
        help: .translated("Listen for a remote control at this socket: see aether-tui-ipc(5).", value: "path"),
        completion: .file())
    public var ipc: String?

    /// `--no-mpris`: the session bus is left alone.
    @Flag(help: .translated("Stay off the desktop's session bus (MPRIS)."))
    public var noMpris = false

    /// `--no-title`: neither title nor progress is sent to the terminal.
    @Flag(help: .translated("Leave the title of the terminal's window alone, and its progress bar."))
    public var noTitle = false

    /// `--osc-notify`: a desktop notification (OSC 9) at the end.
    @Flag(help: .translated("Have the terminal notify you when the last file has ended."))
    public var oscNotify = false

    /// `--print-subtitles`: cues are lines of plain mode.
    @Flag(help: .translated("In plain mode: print the subtitles too."))
    public var printSubtitles = false

    /// `--theme`: a name, or the path of a file.
    @Option(
        help: .translated("Colours of the bar and panes: the name of a theme or a .toml file.", form: "name|file"),
        completion: .list(ThemeLibrary.shipped))
    public var theme = "default"

    /// The defaults.
    public init() {}
}
