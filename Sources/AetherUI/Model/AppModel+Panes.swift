import AetherCore
import AetherEngine

/// The actions that open the layers that need nothing but the scene.
extension AppModel {
    mutating func togglePalette(_ now: HostTime) {
        if toggle(Palette(keymap, unicode: capabilities.isUnicode)) { say("Command palette", now) }
    }

    mutating func toggleNotices(_ now: HostTime) {
        guard toggle(NoticeList()) else { return say("Notices and errors: off", now) }
        (menu, cueList) = (nil, nil)
        say("Notices and errors", now)
    }

    mutating func toggleEqualizer(_ now: HostTime) {
        let opened = EqualizerLayer()
        if layers[EqualizerLayer.self] == nil, opened.rect(in: scene) == nil { return say("No room for the equaliser", now) }
        guard toggle(opened) else { return say("Equaliser closed", now) }
        (menu, cueList) = (nil, nil)
        say("Equaliser", now)
    }

    mutating func setEqualizer(_ curve: EqualizerCurve, _ now: HostTime) -> [AppEffect] {
        say(words(for: .equalizer(curve)), now)
        return set(.equalizer(curve), now)
    }

    mutating func toggleTelemetry(_ now: HostTime) {
        say(toggle(TelemetryLayer(page: telemetryPage)) ? "Telemetry on" : "Telemetry off", now)
    }

    mutating func nextTelemetryPage(_ now: HostTime) {
        // The first press opens the pane where it was left.
        if showsTelemetry { telemetryPage = telemetryPage.next }
        layers[TelemetryLayer.self] = TelemetryLayer(page: telemetryPage)
        say(telemetryPage.title, now)
    }

    /// Opens the help, goes on to its next page, and closes it behind the last.
    mutating func leafHelp(_ now: HostTime) {
        if change(HelpLayer.self, { $0.turn(in: $1) }) == true { return }
        say(toggle(HelpLayer()) ? "Help on" : "Help off", now)
    }
}
