extension PlayerAction {
    /// The section of the help and of the menus in which it stands, whether it has a key or not.
    var section: Keymap.Section {
        if let section = Self.sections[self] { return section }
        switch self {
        case .seek, .seekExactly, .seekPercent, .stepChapter, .revertSeek, .markPlace: return .seeking
        case .delayAudio: return .audio
        case .stepCue, .alignCue, .delaySubtitles, .liftSubtitles, .growSubtitles, .toggleSecondSubtitles: return .subtitles
        case .adjustVideo, .zoomVideo, .panVideo, .nextVideoTrack: return .video
        case .sayProgress, .keepBar, .glanceAtTelemetry, .showMenu, .discMenu: return .display
        case .set(let name, _), .add(let name, _), .cycle(let name): return Self.section(of: name)
        default: return .playback
        }
    }

    /// Those of actions that have a key.
    private static let sections: [PlayerAction: Keymap.Section] = Dictionary(
        Keymap.standard.entries.flatMap { entry in entry.bindings.map { ($0.action, entry.section) } }, uniquingKeysWith: { $1 })

    /// The section of a setting, by its name.
    private static func section(of setting: String) -> Keymap.Section {
        let words = setting.split(separator: "-").map(String.init)
        func has(_ names: Set<String>) -> Bool { !names.isDisjoint(with: words) }
        if has(["subtitle", "subtitles", "sub", "ass"]) { return .subtitles }
        if has(["volume", "muted", "audio", "af", "crossfeed", "equalizer", "channels", "downmix", "loudness"]) { return .audio }
        return has(["speed", "repeat", "shuffle", "paused", "loop", "title", "variant"]) ? .playback : .video
    }
}
