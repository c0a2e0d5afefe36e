import AetherCore

/// Actions as a person says them: a sentence for each, without its keys, and other words by which it is looked for. Pure.
enum ActionSentence {
    /// "10 s back", "Mute": capitalised, without a full stop.
    static func text(_ action: PlayerAction) -> String {
        if let words = plain[action] { return words.sentence }
        switch action {
        case .seek(let seconds): return place(seconds)
        case .seekExactly(let seconds): return place(seconds) + ", exact"
        case .seekPercent(let percent): return "To \(ActionName.plain(percent)) %"
        case .stepFrame(let count): return count > 0 ? "Next frame" : "Previous frame"
        case .stepChapter(let count): return count > 0 ? "Next chapter" : "Previous chapter"
        case .stepFile(let count): return count > 0 ? "Next file" : "Previous file"
        case .stepChannel(let count): return count > 0 ? "Channel up" : "Channel down"
        case .stepCue(let count): return count > 0 ? "To the next subtitle" : "To the previous subtitle"
        case .delayAudio(let seconds): return "Audio \(delay(seconds))"
        case .delaySubtitles(let seconds): return "Subtitles \(delay(seconds))"
        case .liftSubtitles(let rows): return "Subtitles \(rows > 0 ? "up" : "down")" + times(rows, "row")
        case .growSubtitles(let steps): return steps > 0 ? "Larger subtitles" : "Smaller subtitles"
        case .adjustVideo(let control, let amount): return "\(amount > 0 ? "More" : "Less") \(control.rawValue)" + by(amount)
        case .zoomVideo(let steps): return (steps > 0 ? "Zoom in" : "Zoom out") + by(steps)
        case .panVideo(let direction): return "Pan \(direction.rawValue)"
        case .discMenu(let step): return discMenus[step] ?? "Disc menu: \(step.rawValue)"
        case .showMenu(let kind): return menu(kind)
        case .set(let name, let value): return "\(capital(name)): \(value.isEmpty ? "none" : value)"
        case .add(let name, let amount): return "\(capital(name)) \(amount > 0 ? "+" : "")\(ActionName.plain(amount))"
        case .cycle(let name): return cycles[name]?.sentence ?? "Next value of \(name.replacing("-", with: " "))"
        case .tellProgram(let name): return capital(DisplayText.singleLine(name, limit: 60))
        case .alignCue(let count): return "\(count > 0 ? "Next" : "Previous") subtitle now, by its delay"
        default:
            let name = ActionName.text(action)
            return name.prefix(1).uppercased() + name.dropFirst()
        }
    }

    /// Words that a person may look for it by, beside its name and its sentence.
    static func synonyms(_ action: PlayerAction) -> [String] {
        if let words = plain[action] { return words.synonyms }
        switch action {
        case .seek(let seconds), .seekExactly(let seconds):
            return seconds < 0 ? ["rewind", "skip back", "replay"] : ["forward", "skip", "jump"]
        case .seekPercent: return ["jump", "position"]
        case .stepFrame: return ["single frame", "step"]
        case .stepChapter: return ["scene", "skip"]
        case .stepFile: return ["track", "song", "episode", "playlist"]
        case .stepCue: return ["line", "dialogue"]
        case .delayAudio: return ["sync", "lip sync", "offset"]
        case .delaySubtitles: return ["sync", "offset", "captions"]
        case .liftSubtitles: return ["position", "captions"]
        case .growSubtitles: return ["font", "scale", "captions"]
        case .adjustVideo: return ["picture", "colour", "color"]
        case .zoomVideo: return ["scale", "crop", "enlarge"]
        case .panVideo: return ["move", "scroll"]
        case .discMenu: return ["dvd", "root", "buttons"]
        case .showMenu(let kind): return menus[kind] ?? []
        case .cycle(let name): return cycles[name]?.synonyms ?? []
        case .tellProgram: return ["script", "program"]
        default: return []
        }
    }

    private static func menu(_ kind: MenuKind) -> String {
        switch kind {
        case .player: "Main menu"
        case .files: "Playlist"
        case .audio: "Menu of audio tracks"
        case .video: "Menu of video tracks"
        case .actions(let section): "All actions: \(section.rawValue.lowercased())"
        default: "Menu of \(kind.title.prefix(1).lowercased())\(kind.title.dropFirst())"
        }
    }

    private static func capital(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst().replacing("-", with: " ")
    }

    private static let discMenus: [DiscMenuStep: String] = [
        .open: "Disc menu, back to the title", .parent: "Disc menu above", .choose: "Disc menu: choose the button",
    ]

    private static let menus: [MenuKind: [String]] = [
        .audio: ["language", "dub", "sound"], .subtitles: ["captions", "cc", "language"],
        .video: ["quality", "resolution", "variant", "angle"], .chapters: ["scenes", "contents"],
        .files: ["queue", "list", "up next"], .titles: ["programme", "program", "edition"],
        .devices: ["output", "speaker", "headphones", "sound card", "alsa"], .renderers: ["sixel", "kitty", "blocks", "output"],
        .themes: ["colours", "colors", "dark", "light"], .player: ["menu", "options", "settings"],
    ]

    private static let cycles: [String: (sentence: String, synonyms: [String])] = [
        "crossfeed": ("Crossfeed on, off", ["headphones", "sound"]), "rotate": ("Rotate by a quarter", ["turn", "portrait"]),
        "flip": ("Mirror: next way", ["mirror", "vertical", "horizontal"]),
        "deinterlace": ("Next deinterlacing", ["fields", "interlaced"]),
        "channels": ("Next channel layout", ["stereo", "surround", "5.1", "speaker"]),
        "downmix": ("Next way of mixing down", ["stereo", "loud", "night"]),
        "subtitle-override": ("Look of ASS subtitles on, off", ["style", "font"]),
    ]

    private static let plain: [PlayerAction: (sentence: String, synonyms: [String])] = [
        .togglePause: ("Play, pause", ["resume", "stop", "halt"]), .seekToStart: ("To the start", ["beginning", "restart"]),
        .seekToEnd: ("To the end, or live", ["last", "live"]), .markLoop: ("A-B loop", ["repeat", "ab"]),
        .slower: ("Slower by 10 %", ["speed", "rate"]), .faster: ("Faster by 10 %", ["speed", "rate"]),
        .normalSpeed: ("Normal speed", ["reset", "rate"]), .halfSpeed: ("Half speed", ["slow motion", "rate"]),
        .doubleSpeed: ("Double speed", ["fast", "rate"]), .volumeDown: ("Volume down by 5 %", ["quieter", "softer", "sound"]),
        .volumeUp: ("Volume up by 5 %", ["louder", "sound"]), .toggleMute: ("Mute", ["silence", "quiet", "unmute", "sound"]),
        .nextAudioTrack: ("Next audio track", ["language", "dub", "sound"]),
        .nextSubtitleTrack: ("Next subtitles", ["captions", "language"]),
        .previousSubtitleTrack: ("Previous subtitles", ["captions", "language"]),
        .toggleSubtitles: ("Subtitles on, off", ["captions", "cc", "hide"]),
        .nextSecondSubtitleTrack: ("Second subtitles, at the top", ["dual", "captions"]),
        .toggleCueList: ("Subtitle list", ["transcript", "text", "dialogue"]),
        .searchSubtitles: ("Search in subtitles", ["find", "transcript"]),
        .toggleBar: ("Transport bar on, off", ["controls", "osd", "hide", "interface"]),
        .nextFit: ("Fit, fill or stretch", ["fullscreen", "full screen", "crop", "black bars", "panscan"]),
        .nextAspect: ("Next aspect ratio", ["shape", "16:9", "4:3"]), .resetColours: ("Reset picture", ["default", "colors"]),
        .resetView: ("Reset zoom", ["default", "pan"]), .nextToneMapping: ("Next tone mapping", ["hdr", "sdr"]),
        .toggleRemaining: ("Remaining or total time", ["clock", "left"]),
        .toggleTelemetry: ("Telemetry on, off", ["stats", "statistics", "debug"]),
        .nextTelemetryPage: ("Next page of telemetry", ["stats"]), .nextTheme: ("Menu of themes", ["colours", "colors", "dark"]),
        .toggleHelp: ("Help on, off", ["keys", "shortcuts", "bindings"]), .scrub: ("Scrub with preview", ["thumbnails", "seek"]),
        .saveStill: ("Save a still", ["screenshot", "snapshot", "picture", "frame"]),
        .saveScreen: ("Save a screenshot", ["snapshot", "still"]), .browse: ("File browser", ["open", "folder", "directory"]),
        .palette: ("Command palette", ["commands", "search"]), .toggleNotices: ("Notices and errors", ["log", "messages"]),
        .nextRepeat: ("Repeat: list, file, off", ["loop"]), .toggleShuffle: ("Shuffle on, off", ["random"]),
        .revertSeek: ("Back to before the last seek", ["undo", "return"]),
        .markPlace: ("Mark a place to go back to", ["bookmark"]),
        .sayProgress: ("Say the position", ["time", "osd"]), .keepBar: ("The bar stays, hides", ["osd level", "always"]),
        .glanceAtTelemetry: ("Telemetry for a moment", ["stats"]), .nextVideoTrack: ("Next video track", ["angle"]),
        .nextTitle: ("Next title", ["edition", "programme"]),
        .toggleSecondSubtitles: ("Second subtitles on, off", ["dual", "captions"]),
        .toggleRepeatFile: ("Repeat this file on, off", ["loop"]),
        .showInfo: ("Information on the file", ["tags", "metadata", "codec", "properties", "bitrate"]),
        .savePlaylist: ("Save the playlist", ["queue", "m3u", "export"]),
        .recordFromHere: ("Record from the frame on screen", ["save", "capture", "dvr", "past"]),
        .keepSource: ("Download what plays", ["save", "offline", "keep"]),
        .toggleDownloads: ("Downloads", ["offline", "progress", "pause", "packages"]),
        .toggleRecording: ("Record, end the recording", ["save", "capture", "dvr"]),
        .toggleInspector: ("Inside the file", ["debug", "boxes", "samples", "buffers", "inspect"]),
        .toggleChannels: ("Channels", ["television", "tv", "iptv", "zap"]),
        .toggleGuide: ("Guide", ["programmes", "epg", "television"]), .lastChannel: ("Last channel", ["back", "zap"]),
        .toggleMosaic: ("Channels side by side", ["mosaic", "multiview", "television", "tv"]),
        .toggleFavourite: ("Favourite on, off", ["bookmark", "channel"]),
        .toggleEqualizer: ("Equaliser", ["eq", "bass", "treble", "sound"]),
        .nextEqualizer: ("Next preset of the equaliser", ["eq", "bass", "night"]), .quit: ("Quit", ["exit", "close", "leave"]),
    ]

    /// "10 s back", "1 min forward".
    private static func place(_ seconds: Double) -> String {
        let whole = abs(seconds)
        let span =
            whole >= 60 && whole.truncatingRemainder(dividingBy: 60) == 0
            ? "\(ActionName.plain(whole / 60)) min" : "\(ActionName.plain(whole)) s"
        return "\(span) \(seconds < 0 ? "back" : "forward")"
    }

    private static func delay(_ seconds: Double) -> String {
        "\(ActionName.plain(abs(seconds))) s \(seconds < 0 ? "earlier" : "later")"
    }

    private static func times(_ count: Int, _ word: String) -> String {
        abs(count) == 1 ? " a \(word)" : " \(abs(count)) \(word)s"
    }

    private static func by(_ amount: Int) -> String { abs(amount) == 1 ? "" : " by \(abs(amount))" }
}
