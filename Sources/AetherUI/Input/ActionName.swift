import AetherCore

/// Actions as they are written in a file of keys: a word, or a word and a value.
enum ActionName {
    /// The words that stand alone.
    private static let plain: [(name: String, action: PlayerAction)] = [
        ("pause", .togglePause), ("start", .seekToStart), ("end", .seekToEnd), ("loop", .markLoop), ("slower", .slower),
        ("faster", .faster), ("normal-speed", .normalSpeed), ("half-speed", .halfSpeed), ("double-speed", .doubleSpeed),
        ("volume-down", .volumeDown), ("volume-up", .volumeUp),
        ("mute", .toggleMute), ("next-audio", .nextAudioTrack), ("next-subtitles", .nextSubtitleTrack),
        ("previous-subtitles", .previousSubtitleTrack), ("subtitles", .toggleSubtitles),
        ("next-second-subtitles", .nextSecondSubtitleTrack), ("subtitle-list", .toggleCueList),
        ("subtitle-search", .searchSubtitles), ("bar", .toggleBar),
        ("fit", .nextFit), ("aspect", .nextAspect), ("reset-colours", .resetColours), ("reset-view", .resetView),
        ("tone-map", .nextToneMapping),
        ("remaining", .toggleRemaining), ("telemetry", .toggleTelemetry), ("telemetry-page", .nextTelemetryPage),
        ("theme", .nextTheme), ("help", .toggleHelp), ("scrub", .scrub), ("record", .toggleRecording),
        ("record-from-here", .recordFromHere), ("keep", .keepSource), ("downloads", .toggleDownloads), ("still", .saveStill),
        ("screen-still", .saveScreen), ("browse", .browse), ("palette", .palette), ("notices", .toggleNotices),
        ("inspector", .toggleInspector),
        ("repeat", .nextRepeat), ("shuffle", .toggleShuffle), ("equalizer", .toggleEqualizer), ("next-equalizer", .nextEqualizer),
        ("channels", .toggleChannels), ("guide", .toggleGuide), ("mosaic", .toggleMosaic),
        ("last-channel", .lastChannel), ("favourite", .toggleFavourite),
        ("revert-seek", .revertSeek), ("mark-place", .markPlace), ("progress", .sayProgress), ("bar-stays", .keepBar),
        ("telemetry-glance", .glanceAtTelemetry), ("next-video", .nextVideoTrack), ("next-title", .nextTitle),
        ("second-subtitles", .toggleSecondSubtitles), ("repeat-file", .toggleRepeatFile), ("info", .showInfo),
        ("save-playlist", .savePlaylist), ("quit", .quit),
    ]

    private static let menus: [(name: String, kind: MenuKind)] =
        [
            ("audio", .audio), ("subtitles", .subtitles), ("video", .video), ("chapters", .chapters), ("files", .files),
            ("titles", .titles), ("devices", .devices), ("renderers", .renderers), ("player", .player),
        ] + Keymap.Section.allCases.map { ("all-" + $0.rawValue.lowercased(), .actions($0)) }

    /// Words that take a value, with what that is.
    private static let valued: [String: Phrase] = [
        "seek": phrase("seconds, such as 5 or -2.5"), "seek-exactly": phrase("seconds, such as 1 or -0.5"),
        "seek-percent": phrase("0 to 100, such as 33.3"), "frame": phrase("1 or -1"), "subtitle-step": phrase("1 or -1"),
        "chapter": phrase("1 or -1"),
        "file": phrase("1 or -1"), "channel": phrase("1 or -1"),
        "audio-delay": phrase("seconds, such as 0.1 or -0.1"), "subtitle-delay": phrase("seconds, such as 0.1 or -0.1"),
        "subtitle-lift": phrase("rows, such as 1 or -1"), "subtitle-size": phrase("1 or -1"),
        "brightness": phrase("-100 to 100"), "contrast": phrase("-100 to 100"), "saturation": phrase("-100 to 100"),
        "gamma": phrase("-100 to 100"),
        "set": phrase("a setting and its value, such as speed 1.5"), "add": phrase("a setting and an amount, such as volume -2"),
        "cycle": phrase("a setting that has a list of values, such as deinterlace"), "subtitle-align": phrase("1 or -1"),
        "zoom": phrase("steps, such as 1 or -1"), "pan": phrase("left, right, up or down"),
        "disc-menu": phrase("open, parent, up, down, left, right or choose"),
        "menu": phrase("audio, subtitles, video, chapters, files, titles, devices, renderers, player, or all actions: all-video"),
    ]

    /// Names of earlier versions, which stand in people's keys.
    private static let formerly = ["sound-delay": "audio-delay"]

    /// The words that take a value, with what that is, in alphabetical order.
    static var valuedWords: [(word: String, advice: String)] {
        valued.sorted { $0.key < $1.key }.map { (word: $0.key, advice: translated($0.value)) }
    }

    private static func advice(_ word: String) -> String { valued[word].map { translated($0) } ?? "" }

    /// The actions that need no value, and settings with a few values whose next one is chosen.
    static let listed =
        plain.map(\.action)
        + ["crossfeed", "channels", "downmix", "subtitle-override", "rotate", "flip", "deinterlace"].map(PlayerAction.cycle)

    /// Every word.
    static let words = plain.map(\.name) + valued.keys.sorted()

    /// A fault in reading one.
    struct Problem: Error {
        let reason: String
        /// There is no such action.
        var isUnknown = false
    }

    /// Reads "seek -5"; nil for "none".
    static func action(_ text: String) throws(Problem) -> PlayerAction? {
        var parts = text.split(separator: " ").map(String.init)
        if let now = parts.first.flatMap({ formerly[$0] }) { parts[0] = now }
        if let setting = try setting(parts, text) { return setting }
        guard let word = parts.first else { throw Problem(reason: translated("names an action, or \"none\"")) }
        if parts.count == 1 {
            if word == "none" { return nil }
            if let found = plain.first(where: { $0.name == word }) { return found.action }
        }
        guard let advice = valued[word] else {
            if parts.count > 1, plain.contains(where: { $0.name == word }) {
                throw Problem(reason: translated("\(word) takes no value"))
            }
            let near = ConfigError.suggestion(for: word, among: words + ["none"])
            throw Problem(reason: translated("is not an action") + near, isUnknown: true)
        }
        guard parts.count == 2, let action = action(word, value: parts[1]) else {
            let choices =
                switch word {
                case "menu": menus.map(\.name)
                case "pan": PanDirection.allCases.map(\.rawValue)
                case "disc-menu": DiscMenuStep.allCases.map(\.rawValue)
                default: [String]()
                }
            let near = parts.count == 2 ? ConfigError.suggestion(for: parts[1], among: choices) : ""
            throw Problem(reason: translated("\(word) takes \(translated(advice))") + near)
        }
        return action
    }

    /// "set speed 1.5" and its like; nil for another word.
    private static func setting(_ parts: [String], _ text: String) throws(Problem) -> PlayerAction? {
        guard let word = parts.first, ["set", "add", "cycle"].contains(word), parts.count > 1 else { return nil }
        guard let setting = RemoteSetting.named(parts[1]) else {
            let names = RemoteSetting.all.filter { word == "set" || (word == "add" ? $0.isNumber : !$0.choices.isEmpty) }
            let near = ConfigError.suggestion(for: parts[1], among: names.map(\.name))
            throw Problem(reason: translated("\(word): unknown setting \"\(parts[1])\"") + near)
        }
        let value = parts.dropFirst(2).joined(separator: " ")
        switch word {
        case "set":
            if let fault = FilterText.fault(in: value, of: setting.setting, asksLibrary: false) {
                throw Problem(reason: "\(parts[1]): \(fault)")
            }
            guard setting.change(to: .string(value)) != nil else {
                throw Problem(reason: translated("\(parts[1]) takes \(setting.takes)"))
            }
            return .set(parts[1], value)
        case "add":
            guard setting.isNumber, let amount = Double(value), amount.isFinite, amount != 0, abs(amount) <= 3600 else {
                throw Problem(reason: translated("\(word) takes \(advice(word))"))
            }
            return .add(parts[1], amount)
        default:
            guard !setting.choices.isEmpty, value.isEmpty else {
                throw Problem(reason: translated("\(word) takes \(advice(word))"))
            }
            return .cycle(parts[1])
        }
    }

    private static func action(_ word: String, value: String) -> PlayerAction? {
        // A day is more than any video; -0 and the like move nothing.
        let whole = Int(value).flatMap { (-86_400...86_400).contains($0) && $0 != 0 ? $0 : nil }
        switch word {
        case "seek": return seconds(value).map { .seek(seconds: $0) }
        case "seek-exactly": return seconds(value).map { .seekExactly(seconds: $0) }
        case "seek-percent": return Double(value).flatMap { (0...100).contains($0) ? .seekPercent($0) : nil }
        case "frame": return whole.flatMap { abs($0) == 1 ? .stepFrame($0) : nil }
        case "subtitle-step": return whole.flatMap { abs($0) == 1 ? .stepCue($0) : nil }
        case "subtitle-align": return whole.flatMap { abs($0) == 1 ? .alignCue($0) : nil }
        case "file": return whole.flatMap { abs($0) == 1 ? .stepFile($0) : nil }
        case "channel": return whole.flatMap { abs($0) == 1 ? .stepChannel($0) : nil }
        case "chapter": return whole.flatMap { abs($0) == 1 ? .stepChapter($0) : nil }
        case "audio-delay":
            return Double(value).flatMap { (0.001...10).contains(abs($0)) ? .delayAudio(seconds: $0) : nil }
        case "subtitle-delay":
            return Double(value).flatMap { (0.001...10).contains(abs($0)) ? .delaySubtitles(seconds: $0) : nil }
        case "subtitle-lift": return whole.flatMap { abs($0) <= 100 ? .liftSubtitles(rows: $0) : nil }
        case "subtitle-size": return whole.flatMap { abs($0) == 1 ? .growSubtitles($0) : nil }
        case "brightness", "contrast", "saturation", "gamma":
            return ColourControl(rawValue: word).flatMap { control in
                whole.flatMap { abs($0) <= 100 ? .adjustVideo(control, $0) : nil }
            }
        case "zoom": return whole.flatMap { abs($0) <= 50 ? .zoomVideo($0) : nil }
        case "pan": return PanDirection(rawValue: value).map { .panVideo($0) }
        case "disc-menu": return DiscMenuStep(rawValue: value).map { .discMenu($0) }
        case "menu": return menus.first { $0.name == value }.map { .showMenu($0.kind) }
        default: return nil
        }
    }

    /// A millisecond, which no video's frames are shorter than, to a day.
    private static func seconds(_ value: String) -> Double? {
        Double(value).flatMap { (0.001...86_400).contains(abs($0)) ? $0 : nil }
    }

    /// A number as a person writes it: 5 and 2.5, and not 5.0.
    static func plain(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

    /// The words for an action: what `action` reads.
    static func text(_ action: PlayerAction) -> String {
        if let found = plain.first(where: { $0.action == action }) { return found.name }
        switch action {
        case .seek(let seconds): return "seek " + plain(seconds)
        case .seekExactly(let seconds): return "seek-exactly " + plain(seconds)
        case .seekPercent(let percent): return "seek-percent " + plain(percent)
        case .stepFrame(let count): return "frame \(count)"
        case .stepCue(let count): return "subtitle-step \(count)"
        case .stepFile(let count): return "file \(count)"
        case .stepChannel(let count): return "channel \(count)"
        case .stepChapter(let count): return "chapter \(count)"
        case .delayAudio(let seconds): return "audio-delay \(seconds)"
        case .delaySubtitles(let seconds): return "subtitle-delay \(seconds)"
        case .liftSubtitles(let rows): return "subtitle-lift \(rows)"
        case .growSubtitles(let steps): return "subtitle-size \(steps)"
        case .adjustVideo(let control, let amount): return "\(control.rawValue) \(amount)"
        case .zoomVideo(let steps): return "zoom \(steps)"
        case .panVideo(let direction): return "pan \(direction.rawValue)"
        case .discMenu(let step): return "disc-menu \(step.rawValue)"
        case .showMenu(let kind): return "menu " + (menus.first { $0.kind == kind }?.name ?? "")
        case .set(let name, let value): return "set \(name) \(value)"
        case .add(let name, let amount): return "add \(name) \(plain(amount))"
        case .cycle(let name): return "cycle \(name)"
        case .alignCue(let count): return "subtitle-align \(count)"
        case .tellProgram(let name): return DisplayText.singleLine(name, limit: 60)
        case .togglePause, .seekToStart, .seekToEnd, .markLoop, .slower, .faster, .normalSpeed, .halfSpeed, .doubleSpeed,
            .volumeDown,
            .volumeUp, .toggleMute, .nextAudioTrack, .nextSubtitleTrack, .previousSubtitleTrack, .toggleSubtitles,
            .nextSecondSubtitleTrack, .toggleCueList, .searchSubtitles, .toggleBar, .toggleRemaining, .toggleTelemetry,
            .nextTelemetryPage, .nextTheme, .toggleHelp, .resetColours, .nextFit, .nextAspect, .resetView,
            .nextToneMapping, .scrub, .toggleRecording, .recordFromHere, .keepSource, .toggleDownloads, .saveStill,
            .saveScreen, .browse, .palette, .toggleNotices, .toggleInspector, .toggleEqualizer,
            .nextEqualizer, .nextRepeat, .toggleShuffle, .toggleChannels, .toggleGuide, .toggleMosaic, .lastChannel,
            .toggleFavourite,
            .revertSeek, .markPlace, .sayProgress, .keepBar, .glanceAtTelemetry,
            .nextVideoTrack, .nextTitle, .toggleSecondSubtitles, .toggleRepeatFile, .showInfo, .savePlaylist, .quit:
            return ""
        }
    }
}
