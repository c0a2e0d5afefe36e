import AetherCore
import AetherEngine

/// The actions that open the layers that need nothing but the scene. A pane says itself what it is: the bar says nothing of it.
extension AppModel {
    mutating func togglePalette(_ now: HostTime) {
        _ = toggle(Palette(keymap, unicode: capabilities.isUnicode))
    }

    mutating func toggleNotices(_ now: HostTime) {
        guard toggle(NoticeList()) else { return say("Notices and errors: off", now) }
        (menu, cueList, message) = (nil, nil, nil)
    }

    mutating func toggleEqualizer(_ now: HostTime) {
        let opened = EqualizerLayer()
        if layers[EqualizerLayer.self] == nil, opened.rect(in: scene) == nil { return say("No room for the equaliser", now) }
        guard toggle(opened) else { return say("Equaliser closed", now) }
        (menu, cueList) = (nil, nil)
    }

    mutating func setEqualizer(_ curve: EqualizerCurve, _ now: HostTime) -> [AppEffect] {
        say(words(for: .equalizer(curve)), now)
        return set(.equalizer(curve), now)
    }

    mutating func toggleTelemetry(_ now: HostTime) {
        if !toggle(TelemetryLayer(page: telemetryPage)) { say("Telemetry off", now) }
    }

    mutating func nextTelemetryPage(_ now: HostTime) {
        // The first press opens the pane where it was left.
        if showsTelemetry { telemetryPage = telemetryPage.next }
        layers[TelemetryLayer.self] = TelemetryLayer(page: telemetryPage)
    }

    /// Opens the help, goes on to its next page, and closes it behind the last.
    mutating func leafHelp(_ now: HostTime) {
        if change(HelpLayer.self, { $0.turn(in: $1) }) == true { return }
        if !toggle(HelpLayer()) { say("Help off", now) }
    }
}
