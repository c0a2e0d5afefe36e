import AetherCore
import AetherTerminal

/// The actions of keys. One table: keys are looked up in it, the help page and the man page are written from it, tests read it.
public struct Keymap: Sendable {
    /// The paragraphs of the help page, in order.
    public typealias Section = ActionSection

    /// One line of the help page: a few keys that belong together.
    public struct Entry: Sendable {
        /// The paragraph of the help page.
        public let section: Section
        /// One line in English, capitalised, without a full stop. Where keys do opposite things, in the order of the keys.
        public let description: String
        /// The actions and their keys.
        public let bindings: [Binding]
        let label: String?

        /// The description in the language of the person.
        var words: String { translated(Phrase(stringLiteral: description)) }

        /// The text for the keys: "← →", "0 … 9".
        public func keysLabel(unicode: Bool = true) -> String {
            if let label {
                let shown = translated(Phrase(stringLiteral: label))
                guard !unicode else { return shown }
                let arrows = [("←", KeyStroke(.left)), ("→", KeyStroke(.right))]
                let plain = arrows.reduce(shown) { $0.replacing($1.0, with: $1.1.label(unicode: false)) }
                return Glyphs(isUnicode: false).shown(plain.replacing("…", with: "-"))
            }
            return bindings.flatMap(\.strokes).map { $0.label(unicode: unicode) }.joined(separator: " ")
        }
    }

    /// One action and its keys.
    public struct Binding: Sendable {
        /// The action.
        public let action: PlayerAction
        /// Keys that do the same.
        public let strokes: [KeyStroke]
    }

    /// The table, in the order of the help page.
    public let entries: [Entry]
    private let actions: [KeyStroke: PlayerAction]
    /// The actions of several keys one after the other.
    let chords: [[KeyStroke]: PlayerAction]
    /// The map is unchanged.
    var isStandard = true

    /// A map of the given entries; of two bindings for one key the first counts.
    public init(entries: [Entry]) { self.init(entries: entries, chords: [:]) }

    init(entries: [Entry], chords: [[KeyStroke]: PlayerAction]) {
        self.entries = entries
        self.chords = chords
        var actions: [KeyStroke: PlayerAction] = [:]
        for binding in entries.flatMap(\.bindings) {
            for stroke in binding.strokes where actions[stroke] == nil { actions[stroke] = binding.action }
        }
        self.actions = actions
    }

    /// The action of a key, or nil.
    public func action(for stroke: KeyStroke) -> PlayerAction? { actions[stroke] }

    /// The keys of the player.
    public static let standard = Keymap(entries: [
        entry(.playback, phrase("Play, pause"), (.togglePause, [KeyStroke(" "), KeyStroke("p")])),
        entry(
            .playback, phrase("Step frame back, forward"), (.stepFrame(-1), [KeyStroke(",")]), (.stepFrame(1), [KeyStroke(".")])),
        entry(.playback, phrase("A-B loop"), (.markLoop, [KeyStroke("l")])),
        entry(.playback, phrase("Slower, faster by 10 %"), (.slower, [KeyStroke("[")]), (.faster, [KeyStroke("]")])),
        entry(
            .playback, phrase("Half, double speed"), (.halfSpeed, [KeyStroke("{")]), (.doubleSpeed, [KeyStroke("}")])),
        entry(.playback, phrase("Normal speed"), (.normalSpeed, [KeyStroke(.backspace)])),
        entry(.playback, phrase("Previous, next file"), (.stepFile(-1), [KeyStroke("<")]), (.stepFile(1), [KeyStroke(">")])),
        entry(.playback, phrase("Playlist"), (.showMenu(.files), [KeyStroke("P")])),
        entry(.playback, phrase("Repeat: list, file, off"), (.nextRepeat, [KeyStroke("n")])),
        entry(.playback, phrase("Shuffle on, off"), (.toggleShuffle, [KeyStroke("X")])),
        entry(.playback, phrase("File browser"), (.browse, [KeyStroke("f")])),
        entry(
            .playback, phrase("Channels; guide; mosaic"), (.toggleChannels, [KeyStroke(.character("c"), .alt)]),
            (.toggleGuide, [KeyStroke("g")]), (.toggleMosaic, [KeyStroke(.character("m"), .alt)])),
        entry(
            .playback, phrase("Channel up, down"), (.stepChannel(1), [KeyStroke(.pageUp, .shift)]),
            (.stepChannel(-1), [KeyStroke(.pageDown, .shift)])),
        entry(
            .playback, phrase("Last channel; favourite"), (.lastChannel, [KeyStroke("`")]), (.toggleFavourite, [KeyStroke("*")])),
        entry(.playback, phrase("Quit"), (.quit, [KeyStroke("q")])),

        entry(
            .seeking, phrase("5 s back, forward"), (.seek(seconds: -5), [KeyStroke(.left)]),
            (.seek(seconds: 5), [KeyStroke(.right)])),
        entry(
            .seeking, phrase("1 min back, forward"), (.seek(seconds: -60), [KeyStroke(.down)]),
            (.seek(seconds: 60), [KeyStroke(.up)])),
        Entry(
            section: .seeking, description: phrase("1 s back, forward, exact").key,
            bindings: [
                Binding(action: .seekExactly(seconds: -1), strokes: [KeyStroke(.left, .shift)]),
                Binding(action: .seekExactly(seconds: 1), strokes: [KeyStroke(.right, .shift)]),
            ], label: "Shift+← →"),
        Entry(
            section: .seeking, description: phrase("To 0 % … 90 %").key,
            bindings: (0...9).map { Binding(action: .seekPercent(Double($0 * 10)), strokes: [KeyStroke(Character(String($0)))]) },
            label: "0 … 9"),
        entry(.seeking, phrase("Scrub with preview"), (.scrub, [KeyStroke(.enter)])),
        entry(.seeking, phrase("To the start, the end"), (.seekToStart, [KeyStroke(.home)]), (.seekToEnd, [KeyStroke(.end)])),
        entry(
            .seeking, phrase("Chapter forward, back"), (.stepChapter(1), [KeyStroke(.pageUp)]),
            (.stepChapter(-1), [KeyStroke(.pageDown)])
        ),
        entry(.seeking, phrase("Menu of chapters"), (.showMenu(.chapters), [KeyStroke("T")])),

        entry(
            .audio, phrase("Volume down, up by 5 %"), (.volumeDown, [KeyStroke("-")]),
            (.volumeUp, [KeyStroke("+"), KeyStroke("=")])),
        entry(.audio, phrase("Mute"), (.toggleMute, [KeyStroke("m")])),
        entry(
            .audio, phrase("Audio delay by 0.1 s"), (.delayAudio(seconds: -0.1), [KeyStroke("(")]),
            (.delayAudio(seconds: 0.1), [KeyStroke(")")])),
        entry(.audio, phrase("Next audio track"), (.nextAudioTrack, [KeyStroke("#")])),
        entry(
            .audio, phrase("Equaliser; its presets"), (.toggleEqualizer, [KeyStroke("E")]),
            (.nextEqualizer, [KeyStroke(.character("e"), .alt)])),
        entry(.audio, phrase("Menu of audio tracks"), (.showMenu(.audio), [KeyStroke("a")])),
        entry(.audio, phrase("Menu of audio devices"), (.showMenu(.devices), [KeyStroke("d")])),

        entry(
            .subtitles, phrase("Next, previous subtitles"), (.nextSubtitleTrack, [KeyStroke("j")]),
            (.previousSubtitleTrack, [KeyStroke("J")])),
        entry(.subtitles, phrase("Subtitles on, off"), (.toggleSubtitles, [KeyStroke("v")])),
        entry(.subtitles, phrase("Second subtitles (top)"), (.nextSecondSubtitleTrack, [KeyStroke("C")])),
        entry(
            .subtitles, phrase("Subtitle delay by 0.1 s"), (.delaySubtitles(seconds: -0.1), [KeyStroke("z")]),
            (.delaySubtitles(seconds: 0.1), [KeyStroke("x")])),
        entry(
            .subtitles, phrase("Subtitles up, down"), (.liftSubtitles(rows: 1), [KeyStroke("r")]),
            (.liftSubtitles(rows: -1), [KeyStroke(.character("r"), .alt)])),
        entry(
            .subtitles, phrase("Subtitle size"), (.growSubtitles(-1), [KeyStroke("F")]), (.growSubtitles(1), [KeyStroke("G")])),
        Entry(
            section: .subtitles, description: phrase("Previous, next subtitle").key,
            bindings: [
                Binding(action: .stepCue(-1), strokes: [KeyStroke(.left, .control)]),
                Binding(action: .stepCue(1), strokes: [KeyStroke(.right, .control)]),
            ], label: "Ctrl+← →"),
        entry(.subtitles, phrase("Subtitle list"), (.toggleCueList, [KeyStroke("L")])),
        entry(.subtitles, phrase("Search in subtitles"), (.searchSubtitles, [KeyStroke("/")])),
        entry(.subtitles, phrase("Menu of subtitles"), (.showMenu(.subtitles), [KeyStroke("c")])),

        entry(
            .video, phrase("Brightness, contrast"), (.adjustVideo(.brightness, -1), [KeyStroke("b")]),
            (.adjustVideo(.brightness, 1), [KeyStroke("B")]), (.adjustVideo(.contrast, -1), [KeyStroke("k")]),
            (.adjustVideo(.contrast, 1), [KeyStroke("K")])),
        entry(
            .video, phrase("Saturation, gamma"), (.adjustVideo(.saturation, -1), [KeyStroke("u")]),
            (.adjustVideo(.saturation, 1), [KeyStroke("U")]), (.adjustVideo(.gamma, -1), [KeyStroke("y")]),
            (.adjustVideo(.gamma, 1), [KeyStroke("Y")])),
        entry(.video, phrase("Reset picture"), (.resetColours, [KeyStroke("N")])),
        entry(.video, phrase("Next tone mapping"), (.nextToneMapping, [KeyStroke("h")])),
        entry(.video, phrase("Fit or fill; aspect ratio"), (.nextFit, [KeyStroke("w")]), (.nextAspect, [KeyStroke("A")])),
        entry(
            .video, phrase("Zoom out, in"), (.zoomVideo(-1), [KeyStroke(.character("-"), .alt)]),
            (.zoomVideo(1), [KeyStroke(.character("+"), .alt), KeyStroke(.character("="), .alt)])),
        Entry(
            section: .video, description: phrase("Pan").key,
            bindings: [
                Binding(action: .panVideo(.left), strokes: [KeyStroke(.left, .alt)]),
                Binding(action: .panVideo(.right), strokes: [KeyStroke(.right, .alt)]),
                Binding(action: .panVideo(.up), strokes: [KeyStroke(.up, .alt)]),
                Binding(action: .panVideo(.down), strokes: [KeyStroke(.down, .alt)]),
            ], label: phrase("Alt+arrows").key),
        entry(.video, phrase("Reset zoom"), (.resetView, [KeyStroke(.backspace, .alt)])),

        // Ctrl+i is Tab in terminals without kitty's keyboard protocol.
        entry(
            .display, phrase("Information on the file"),
            (.showInfo, [KeyStroke(.character("i"), .alt), KeyStroke(.character("i"), .control)])),
        entry(.display, phrase("Menu of video tracks"), (.showMenu(.video), [KeyStroke("V")])),
        entry(.display, phrase("Menu of titles"), (.showMenu(.titles), [KeyStroke("D")])),
        entry(
            .display, phrase("Disc menu; menu above"), (.discMenu(.open), [KeyStroke(.character("d"), .alt)]),
            (.discMenu(.parent), [KeyStroke(.character("u"), .alt)])),
        entry(.display, phrase("Menu of renderers"), (.showMenu(.renderers), [KeyStroke("W")])),
        entry(.display, phrase("Save still, screenshot"), (.saveStill, [KeyStroke("s")]), (.saveScreen, [KeyStroke("S")])),
        entry(.display, phrase("Record, end the recording"), (.toggleRecording, [KeyStroke("R")])),
        entry(.display, phrase("Record from here on"), (.recordFromHere, [KeyStroke(.character("R"), .alt)])),
        entry(
            .display, phrase("Download; downloads"), (.keepSource, [KeyStroke("O")]),
            (.toggleDownloads, [KeyStroke(.character("O"), .alt)])),
        entry(.display, phrase("Transport bar on, off"), (.toggleBar, [KeyStroke("o")])),
        entry(.display, phrase("Remaining or total time"), (.toggleRemaining, [KeyStroke(.character("o"), .alt)])),
        entry(.display, phrase("Telemetry on, off"), (.toggleTelemetry, [KeyStroke("i")])),
        entry(.display, phrase("Next page of telemetry"), (.nextTelemetryPage, [KeyStroke("I")])),
        entry(.display, phrase("Menu of themes"), (.nextTheme, [KeyStroke("t")])),
        entry(.display, phrase("Notices and errors"), (.toggleNotices, [KeyStroke("e")])),
        entry(.display, phrase("Inside the file (Debug)"), (.toggleInspector, [KeyStroke(.tab)])),
        entry(.display, phrase("Main menu"), (.showMenu(.player), [KeyStroke("M")])),
        entry(.display, phrase("Command palette"), (.palette, [KeyStroke(":")])),
        entry(.display, phrase("This help on, off"), (.toggleHelp, [KeyStroke("?")])),
    ])

    private static func entry(
        _ section: Section, _ description: Phrase, _ bindings: (PlayerAction, [KeyStroke])...
    ) -> Entry {
        Entry(
            section: section, description: description.key, bindings: bindings.map { Binding(action: $0.0, strokes: $0.1) },
            label: nil)
    }
}

extension Keymap {
    /// The first key of an action; nil where it has none.
    func label(of action: PlayerAction, unicode: Bool = true) -> String? {
        for entry in entries {
            for binding in entry.bindings where binding.action == action {
                return binding.strokes.first.map { $0.label(unicode: unicode) } ?? entry.label
            }
        }
        return nil
    }
}
