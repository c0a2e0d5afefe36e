import AetherCore
import AetherDesktop

/// The effect of every action on a paused video of four minutes, one after the other: each step begins where the last one ended.
enum ActionScript {
    /// An effect of an action that can be seen from outside.
    enum Effect: Sendable {
        /// A property of the remote control becomes this.
        case property(String, JSON)
        /// A property has another value than before.
        case changes(String)
        /// A property is a number near this one.
        case near(String, Double, within: Double)
        /// A property is larger by so much.
        case moves(String, by: Double, within: Double)
        /// A row of the screen has this text, or none has it any more.
        case shows(String)
        case hides(String)
        /// The row that has this text stands so many rows lower.
        case sinks(String, by: Int)
        /// The picture has other pixels.
        case repaints
        /// There is one more file where stills go.
        case saves
        /// The action is refused with these words: on the screen, or as the remote control's answer.
        case refuses(String)
        /// The player ends as it should.
        case ends
    }

    /// An action, what comes of it, and what is typed afterwards so that the next one finds the film.
    struct Step: Sendable {
        let words: String
        let effects: [Effect]
        let leaving: String?
        /// It begins while the file plays; the others where it stands.
        let whilePlaying: Bool

        init(_ words: String, _ effects: Effect..., leaving: String? = nil, whilePlaying: Bool = false) {
            (self.words, self.effects, self.leaving, self.whilePlaying) = (words, effects, leaving, whilePlaying)
        }
    }

    private static let escape = "\u{1B}"

    static let steps = playing + seeking + sound + subtitles + panes + picture + display + leaving

    private static let playing = [
        Step("pause", .property("paused", .bool(false))),
        Step("pause", .property("paused", .bool(true)), whilePlaying: true),
        Step("slower", .near("speed", 0.909, within: 0.001)), Step("normal-speed", .property("speed", .number(1))),
        Step("half-speed", .property("speed", .number(0.5))), Step("double-speed", .property("speed", .number(1))),
        Step("repeat", .property("repeat", .string("list")), .shows("Repeat: the list")),
        Step("repeat", .property("repeat", .string("file"))), Step("repeat", .property("repeat", .string("off"))),
        Step("shuffle", .property("shuffle", .bool(true)), .shows("Shuffle on")),
        Step("shuffle", .property("shuffle", .bool(false))),
        Step("repeat-file", .property("repeat", .string("file")), .shows("Repeat file")),
        Step("repeat-file", .property("repeat", .string("off"))),
        Step("set speed 1.5", .property("speed", .number(1.5))), Step("add speed -0.5", .property("speed", .number(1))),
        Step("faster", .near("speed", 1.1, within: 0.001)), Step("normal-speed", .property("speed", .number(1))),
    ]

    private static let seeking =
        (0...9).reversed().map { tenth in
            Step("seek-percent \(tenth * 10)", .near("percent", Double(tenth) * 10, within: 1.5), .changes("position"))
        } + [
            Step("seek 60", .moves("position", by: 60, within: 1.5)), Step("seek 5", .moves("position", by: 5, within: 1.5)),
            Step("seek -5", .moves("position", by: -5, within: 1.5)), Step("seek -60", .moves("position", by: -60, within: 1.5)),
            Step("seek-exactly 1", .moves("position", by: 1, within: 0.15), .repaints),
            Step("seek-exactly -1", .moves("position", by: -1, within: 0.15), .repaints),
            Step("chapter 1", .shows("Chapter 2/3: Middle"), .near("position", 80, within: 0.5), .repaints),
            Step("chapter -1", .shows("Chapter 1/3: Begin"), .near("position", 0, within: 0.5)),
            Step("seek 60", .moves("position", by: 60, within: 1.5)),
            Step("frame 1", .moves("position", by: 0.1, within: 0.05), .repaints),
            Step("frame -1", .moves("position", by: -0.1, within: 0.05), .repaints),
            Step("loop", .shows("Loop from 0:01:00")), Step("seek 5", .moves("position", by: 5, within: 1.5)),
            Step("loop", .shows("Loop 0:01:00 to 0:01:0")), Step("loop", .shows("Loop off")),
            Step("scrub", .shows("Scrub: Enter go there"), leaving: escape),
            Step("start", .property("position", .number(0)), .repaints),
            Step("seek 60", .moves("position", by: 60, within: 1.5)),
            Step("revert-seek", .near("position", 0, within: 0.2), .shows("Back to")),
            Step("mark-place", .shows("Marked")), Step("seek 60", .moves("position", by: 60, within: 1.5)),
            Step("revert-seek", .near("position", 0, within: 0.2)), Step("progress", .shows("/ 0:04:00")),
        ]

    private static let sound = [
        Step("volume-down", .property("volume", .number(95))), Step("volume-up", .property("volume", .number(100))),
        Step("mute", .property("muted", .bool(true))), Step("mute", .property("muted", .bool(false))),
        // The film is played without sound: the choice is refused in words, as a film's other track needs a device.
        Step("next-audio", .shows("audio is switched off")),
        Step("next-equalizer", .property("equalizer", .string("speech"))),
        Step("next-equalizer", .property("equalizer", .string("bass"))),
        Step("equalizer", .shows("16 kHz"), leaving: escape),
        Step("cycle crossfeed", .property("crossfeed", .bool(true)), .shows("Crossfeed: on")),
        Step("cycle crossfeed", .property("crossfeed", .bool(false))),
        Step("audio-delay 0.1", .near("audio-delay", 0.1, within: 0.001)),
        Step("audio-delay -0.1", .near("audio-delay", 0, within: 0.001)),
    ]

    /// At 0:01:20 "Spoken" is said in both languages.
    private static let subtitles = [
        Step("chapter 1", .near("position", 80, within: 0.5)),
        Step("next-subtitles", .changes("subtitle-track"), .shows("Spoken in English")),
        Step("next-subtitles", .changes("subtitle-track"), .shows("Auf Deutsch gesagt")),
        Step("previous-subtitles", .changes("subtitle-track"), .shows("Spoken in English")),
        Step("subtitles", .property("subtitle-track", .null), .hides("Spoken in English")),
        Step("subtitles", .changes("subtitle-track"), .shows("Spoken in English")),
        Step("next-second-subtitles", .changes("second-subtitle-track"), .shows("Auf Deutsch gesagt")),
        Step("next-second-subtitles", .property("second-subtitle-track", .null), .hides("Auf Deutsch gesagt")),
        Step("second-subtitles", .changes("second-subtitle-track"), .shows("Auf Deutsch gesagt")),
        Step("second-subtitles", .property("second-subtitle-track", .null), .hides("Auf Deutsch gesagt")),
        Step("seek -5", .moves("position", by: -5, within: 1.5), .hides("Spoken in English")),
        Step("subtitle-align 1", .near("subtitle-delay", -5, within: 1.5), .shows("Spoken in English")),
        Step("set subtitle-delay 0", .property("subtitle-delay", .number(0)), .hides("Spoken in English")),
        Step("subtitle-step 1", .near("position", 80, within: 0.15), .shows("Spoken in English")),
        Step("seek 5", .moves("position", by: 5, within: 1.5)),
        Step("subtitle-step -1", .near("position", 80, within: 0.15)),
        Step("subtitle-delay 0.1", .near("subtitle-delay", 0.1, within: 0.001)),
        Step("subtitle-delay -0.1", .near("subtitle-delay", 0, within: 0.001)),
        Step("subtitle-lift 1", .sinks("Spoken in English", by: -1)),
        Step("subtitle-lift -1", .sinks("Spoken in English", by: 1)),
        // A subtitle drawn in cells has one size: the line gives the size that pixels would have.
        Step("subtitle-size 1", .shows("Subtitle size 110 %")), Step("subtitle-size -1", .shows("Subtitle size 100 %")),
        Step("subtitle-list", .shows("0:01:20")), Step("subtitle-list", .shows("Subtitle list: off")),
        Step("subtitle-search", .shows("/_"), leaving: escape),
        Step("subtitles", .property("subtitle-track", .null), .hides("Spoken in English")),
    ]

    private static let panes = [
        Step("menu audio", .shows("1/3"), leaving: escape), Step("menu subtitles", .shows("Second subtitles"), leaving: escape),
        Step("menu video", .shows("1/1"), leaving: escape), Step("menu chapters", .shows("2/3"), leaving: escape),
        Step("menu titles", .shows("There is only one title")), Step("disc-menu open", .shows("has no menus")),
        Step("menu devices", .shows("No audio device")), Step("disc-menu parent", .shows("has no menus")),
        Step("menu renderers", .shows("Quadrants"), leaving: escape),
        Step("menu player", .shows("Command palette"), leaving: escape), Step("menu files", .shows("other.mkv"), leaving: escape),
        Step("browse", .shows("/ filter"), leaving: escape),
        Step("notices", .shows("Notices and errors"), .shows("older, newer"), leaving: escape),
        Step("info", .shows("Container"), leaving: escape), Step("inspector", .shows("EBML"), leaving: escape),
        // The same words twice in a row would show nothing new.
        Step("channels", .refuses("list of channels is open")), Step("next-title", .shows("There is only one title")),
        Step("guide", .refuses("list of channels is open")), Step("next-video", .shows("There is only one video track")),
        Step("channel 1", .refuses("list of channels is open")), Step("save-playlist", .shows("playlist.m3u8")),
        Step("channel -1", .refuses("list of channels is open")), Step("record", .changes("recording")),
        Step("last-channel", .refuses("list of channels is open")), Step("progress", .shows("/ 0:04:00")),
        // Ends the recording, or begins another one where the end of the file has ended that.
        Step("record-from-here", .shows("ecord")),
        Step("favourite", .refuses("list of channels is open")),
        Step("keep", .shows("No downloads"), leaving: escape), Step("mosaic", .refuses("list of channels is open")),
        Step("downloads", .shows("No downloads"), leaving: escape),
        Step("palette", .shows("Enter run"), leaving: escape), Step("theme", .shows("light"), leaving: escape),
    ]

    private static let picture =
        ["brightness", "contrast", "saturation", "gamma"].flatMap { control in
            let name = control.prefix(1).uppercased() + control.dropFirst()
            return [
                Step("\(control) 1", .shows("\(name) +1"), .repaints), Step("\(control) -1", .shows("\(name) 0"), .repaints),
            ]
        } + [
            Step("set vf vflip", .property("vf", .string("vflip")), .repaints),
            Step("set vf none", .property("vf", .string("none")), .repaints),
            Step("brightness 1", .repaints), Step("reset-colours", .shows("Reset picture"), .repaints),
            Step("tone-map", .shows("BT.2390 (this video is SDR)")), Step("tone-map", .shows("Hable")),
            Step("tone-map", .shows("cut at white")), Step("tone-map", .shows("as the source says")),
            Step("fit", .shows("The video fills the screen"), .repaints),
            Step("reset-view", .shows("Reset zoom"), .repaints),
            Step("aspect", .shows("Shape 16:9"), .repaints), Step("aspect", .shows("Shape 4:3"), .repaints),
            // The film itself is 4:3: back to its shape changes nothing from there.
            Step("aspect", .shows("Shape 2.35:1"), .repaints),
            Step("reset-view", .repaints), Step("zoom 1", .shows("Zoom 107 %"), .repaints),
            Step("zoom -1", .shows("Zoom 100 %"), .repaints), Step("fit", .repaints), Step("zoom 1", .repaints),
            Step("pan left", .shows("Pan left"), .repaints), Step("pan right", .shows("Pan right"), .repaints),
            Step("pan up", .shows("Pan up"), .repaints), Step("pan down", .shows("Pan down"), .repaints),
            Step("reset-view", .repaints),
        ]

    private static let display = [
        Step("still", .saves), Step("screen-still", .saves),
        Step("bar", .hides("0:04:00")), Step("bar", .shows("0:04:00")),
        Step("remaining", .shows("-0:02:40")), Step("remaining", .hides("-0:02:40")),
        Step("telemetry", .shows("drawn as")), Step("telemetry-page", .shows("p95")), Step("telemetry", .hides("p95")),
        Step("telemetry-glance", .shows("p95"), leaving: escape),
        Step("bar-stays", .shows("The bar stays")), Step("bar-stays", .shows("The bar hides by itself")),
        Step("help", .shows("Normal speed")), Step("help", .hides("Normal speed")),
    ]

    private static let leaving = [
        Step("file 1", .property("file", .number(2))), Step("file -1", .property("file", .number(1))),
        Step("end", .shows("End"), .near("percent", 100, within: 2)), Step("quit", .ends),
    ]
}
