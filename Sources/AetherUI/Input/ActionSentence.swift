import AetherCore

/// Actions as a person says them: a sentence for each, without its keys, and other words by which it is looked for. Pure.
enum ActionSentence {
    /// "10 s back", "Mute": capitalised, without a full stop.
    static func text(_ action: PlayerAction) -> String {
        if let words = plain[action] { return translated(words.sentence) }
        switch action {
        case .seek(let seconds): return place(seconds)
        case .seekExactly(let seconds): return translated("\(place(seconds)), exact")
        case .seekPercent(let percent): return translated("To \(ActionName.plain(percent)) %")
        case .stepFrame(let count): return count > 0 ? translated("Next frame") : translated("Previous frame")
        case .stepChapter(let count): return count > 0 ? translated("Next chapter") : translated("Previous chapter")
        case .stepFile(let count): return count > 0 ? translated("Next file") : translated("Previous file")
        case .stepChannel(let count): return count > 0 ? translated("Channel up") : translated("Channel down")
        case .stepCue(let count): return count > 0 ? translated("To the next subtitle") : translated("To the previous subtitle")
        case .delayAudio(let seconds): return translated("Audio \(delay(seconds))")
        case .delaySubtitles(let seconds): return translated("Subtitles \(delay(seconds))")
        case .liftSubtitles(let rows): return lift(rows)
        case .growSubtitles(let steps): return steps > 0 ? translated("Larger subtitles") : translated("Smaller subtitles")
        case .adjustVideo(let control, let amount): return (amount > 0 ? control.more : control.less) + by(amount)
        case .zoomVideo(let steps): return (steps > 0 ? translated("Zoom in") : translated("Zoom out")) + by(steps)
        case .panVideo(let direction): return direction.sentence
        case .discMenu(let step): return discMenu(step)
        case .showMenu(let kind): return menu(kind)
        case .set(let name, let value): return "\(capital(name)): \(value.isEmpty ? "none" : value)"
        case .add(let name, let amount): return "\(capital(name)) \(amount > 0 ? "+" : "")\(ActionName.plain(amount))"
        case .cycle(let name):
            return cycles[name].map { translated($0.sentence) } ?? translated("Next value of \(name.replacing("-", with: " "))")
        case .tellProgram(let name): return capital(DisplayText.singleLine(name, limit: 60))
        case .alignCue(let count):
            return count > 0 ? translated("Next subtitle now, by its delay") : translated("Previous subtitle now, by its delay")
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
        case .player: translated("Main menu")
        case .files: translated("Playlist")
        case .audio: translated("Menu of audio tracks")
        case .video: translated("Menu of video tracks")
        case .actions(let section): section.menuSentence
        case .subtitles: translated("Menu of subtitles")
        case .chapters: translated("Menu of chapters")
        case .titles: translated("Menu of titles")
        case .devices: translated("Menu of audio devices")
        case .renderers: translated("Menu of renderers")
        case .themes: translated("Menu of themes")
        }
    }

    private static func capital(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst().replacing("-", with: " ")
    }

    private static func discMenu(_ step: DiscMenuStep) -> String {
        switch step {
        case .open: translated("Disc menu, back to the title")
        case .parent: translated("Disc menu above")
        case .choose: translated("Disc menu: choose the button")
        case .up: translated("Disc menu: up")
        case .down: translated("Disc menu: down")
        case .left: translated("Disc menu: left")
        case .right: translated("Disc menu: right")
        }
    }

    private static let menus: [MenuKind: [String]] = [
        .audio: ["language", "dub", "sound"], .subtitles: ["captions", "cc", "language"],
        .video: ["quality", "resolution", "variant", "angle"], .chapters: ["scenes", "contents"],
        .files: ["queue", "list", "up next"], .titles: ["programme", "program", "edition"],
        .devices: ["output", "speaker", "headphones", "sound card", "alsa"], .renderers: ["sixel", "kitty", "blocks", "output"],
        .themes: ["colours", "colors", "dark", "light"], .player: ["menu", "options", "settings"],
    ]

    private static let cycles: [String: (sentence: Phrase, synonyms: [String])] = [
        "crossfeed": (phrase("Crossfeed on, off"), ["headphones", "sound"]),
        "rotate": (phrase("Rotate by a quarter"), ["turn", "portrait"]),
        "flip": (phrase("Mirror: next way"), ["mirror", "vertical", "horizontal"]),
        "deinterlace": (phrase("Next deinterlacing"), ["fields", "interlaced"]),
        "channels": (phrase("Next channel layout"), ["stereo", "surround", "5.1", "speaker"]),
        "downmix": (phrase("Next way of mixing down"), ["stereo", "loud", "night"]),
        "subtitle-override": (phrase("Look of ASS subtitles on, off"), ["style", "font"]),
    ]

    private static let plain: [PlayerAction: (sentence: Phrase, synonyms: [String])] = [
        .togglePause: (phrase("Play, pause"), ["resume", "stop", "halt"]),
        .seekToStart: (phrase("To the start"), ["beginning", "restart"]),
        .seekToEnd: (phrase("To the end, or live"), ["last", "live"]), .markLoop: (phrase("A-B loop"), ["repeat", "ab"]),
        .slower: (phrase("Slower by 10 %"), ["speed", "rate"]), .faster: (phrase("Faster by 10 %"), ["speed", "rate"]),
        .normalSpeed: (phrase("Normal speed"), ["reset", "rate"]), .halfSpeed: (phrase("Half speed"), ["slow motion", "rate"]),
        .doubleSpeed: (phrase("Double speed"), ["fast", "rate"]),
        .volumeDown: (phrase("Volume down by 5 %"), ["quieter", "softer", "sound"]),
        .volumeUp: (phrase("Volume up by 5 %"), ["louder", "sound"]),
        .toggleMute: (phrase("Mute"), ["silence", "quiet", "unmute", "sound"]),
        .nextAudioTrack: (phrase("Next audio track"), ["language", "dub", "sound"]),
        .nextSubtitleTrack: (phrase("Next subtitles"), ["captions", "language"]),
        .previousSubtitleTrack: (phrase("Previous subtitles"), ["captions", "language"]),
        .toggleSubtitles: (phrase("Subtitles on, off"), ["captions", "cc", "hide"]),
        .nextSecondSubtitleTrack: (phrase("Second subtitles, at the top"), ["dual", "captions"]),
        .toggleCueList: (phrase("Subtitle list"), ["transcript", "text", "dialogue"]),
        .searchSubtitles: (phrase("Search in subtitles"), ["find", "transcript"]),
        .toggleBar: (phrase("Transport bar on, off"), ["controls", "osd", "hide", "interface"]),
        .nextFit: (phrase("Fit, fill or stretch"), ["fullscreen", "full screen", "crop", "black bars", "panscan"]),
        .nextAspect: (phrase("Next aspect ratio"), ["shape", "16:9", "4:3"]),
        .resetColours: (phrase("Reset picture"), ["default", "colors"]),
        .resetView: (phrase("Reset zoom"), ["default", "pan"]), .nextToneMapping: (phrase("Next tone mapping"), ["hdr", "sdr"]),
        .toggleRemaining: (phrase("Remaining or total time"), ["clock", "left"]),
        .toggleTelemetry: (phrase("Telemetry on, off"), ["stats", "statistics", "debug"]),
        .nextTelemetryPage: (phrase("Next page of telemetry"), ["stats"]),
        .nextTheme: (phrase("Menu of themes"), ["colours", "colors", "dark"]),
        .toggleHelp: (phrase("Help on, off"), ["keys", "shortcuts", "bindings"]),
        .scrub: (phrase("Scrub with preview"), ["thumbnails", "seek"]),
        .saveStill: (phrase("Save a still"), ["screenshot", "snapshot", "picture", "frame"]),
        .saveScreen: (phrase("Save a screenshot"), ["snapshot", "still"]),
        .browse: (phrase("File browser"), ["open", "folder", "directory"]),
        .palette: (phrase("Command palette"), ["commands", "search"]),
        .toggleNotices: (phrase("Notices and errors"), ["log", "messages"]),
        .nextRepeat: (phrase("Repeat: list, file, off"), ["loop"]), .toggleShuffle: (phrase("Shuffle on, off"), ["random"]),
        .revertSeek: (phrase("Back to before the last seek"), ["undo", "return"]),
        .markPlace: (phrase("Mark a place to go back to"), ["bookmark"]),
        .sayProgress: (phrase("Say the position"), ["time", "osd"]),
        .keepBar: (phrase("The bar stays, hides"), ["osd level", "always"]),
        .glanceAtTelemetry: (phrase("Telemetry for a moment"), ["stats"]),
        .nextVideoTrack: (phrase("Next video track"), ["angle"]),
        .nextTitle: (phrase("Next title"), ["edition", "programme"]),
        .toggleSecondSubtitles: (phrase("Second subtitles on, off"), ["dual", "captions"]),
        .toggleRepeatFile: (phrase("Repeat this file on, off"), ["loop"]),
        .showInfo: (phrase("Information on the file"), ["tags", "metadata", "codec", "properties", "bitrate"]),
        .savePlaylist: (phrase("Save the playlist"), ["queue", "m3u", "export"]),
        .recordFromHere: (phrase("Record from the frame on screen"), ["save", "capture", "dvr", "past"]),
        .keepSource: (phrase("Download what plays"), ["save", "offline", "keep"]),
        .toggleDownloads: (phrase("Downloads"), ["offline", "progress", "pause", "packages"]),
        .toggleRecording: (phrase("Record, end the recording"), ["save", "capture", "dvr"]),
        .toggleInspector: (phrase("Inside the file"), ["debug", "boxes", "samples", "buffers", "inspect"]),
        .toggleChannels: (phrase("Channels"), ["television", "tv", "iptv", "zap"]),
        .toggleGuide: (phrase("Guide"), ["programmes", "epg", "television"]),
        .lastChannel: (phrase("Last channel"), ["back", "zap"]),
        .toggleMosaic: (phrase("Channels side by side"), ["mosaic", "multiview", "television", "tv"]),
        .toggleFavourite: (phrase("Favourite on, off"), ["bookmark", "channel"]),
        .toggleEqualizer: (phrase("Equaliser"), ["eq", "bass", "treble", "sound"]),
        .nextEqualizer: (phrase("Next preset of the equaliser"), ["eq", "bass", "night"]),
        .quit: (phrase("Quit"), ["exit", "close", "leave"]),
    ]

    /// "10 s back", "1 min forward".
    private static func place(_ seconds: Double) -> String {
        let whole = abs(seconds)
        let span =
            whole >= 60 && whole.truncatingRemainder(dividingBy: 60) == 0
            ? "\(ActionName.plain(whole / 60)) min" : "\(ActionName.plain(whole)) s"
        return seconds < 0 ? translated("\(span) back") : translated("\(span) forward")
    }

    private static func delay(_ seconds: Double) -> String {
        let amount = ActionName.plain(abs(seconds));
        return seconds < 0 ? translated("\(amount) s earlier") : translated("\(amount) s later")
    }

    private static func lift(_ rows: Int) -> String {
        rows > 0
            ? translated(one: "Subtitles up a row", other: "Subtitles up \(rows) rows", count: rows)
            : translated(one: "Subtitles down a row", other: "Subtitles down \(-rows) rows", count: -rows)
    }

    private static func by(_ amount: Int) -> String { abs(amount) == 1 ? "" : translated(" by \(abs(amount))") }
}
