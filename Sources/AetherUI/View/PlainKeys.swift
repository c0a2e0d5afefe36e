import AetherCore

/// Keys where nothing is drawn. Pure.
enum PlainKeys {
    /// Whether an action cannot be told in a line.
    static func needsScreen(_ action: PlayerAction) -> Bool {
        switch action {
        case .nextTheme, .toggleCueList, .searchSubtitles, .nextTelemetryPage, .scrub, .saveStill, .saveScreen, .toggleEqualizer,
            .browse, .palette, .toggleInspector, .toggleFavourite, .toggleMosaic, .showInfo, .savePlaylist, .keepBar,
            .glanceAtTelemetry,
            .showMenu(.player), .showMenu(.renderers):
            true
        default: false
        }
    }

    /// Whether an action toggles a display: instead of it, the position is told once.
    static func saysPosition(_ action: PlayerAction) -> Bool {
        switch action {
        case .toggleBar, .toggleRemaining, .toggleTelemetry, .sayProgress: true
        default: false
        }
    }

    /// The keys that mean something here, a line for each entry of the help.
    static func lines(_ keymap: Keymap, unicode: Bool) -> [String] {
        keymap.entries.compactMap { entry in
            let actions = entry.bindings.map(\.action)
            if actions.allSatisfy({ needsScreen($0) }) { return nil }
            let words = actions.allSatisfy { saysPosition($0) } ? translated("Say the position") : entry.words
            return "\(entry.keysLabel(unicode: unicode)): \(words)"
        }
    }
}
