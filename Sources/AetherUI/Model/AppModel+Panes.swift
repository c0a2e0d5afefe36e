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

    mutating func toggleInfo(_ now: HostTime) {
        guard toggle(InfoLayer()) else { return say("Information: off", now) }
        (menu, cueList) = (nil, nil)
    }

    /// The present curve is that of all files from now on; a flat one is none.
    mutating func keepEqualizer(_ now: HostTime) {
        keptEqualizer = snapshot.equalizer.description
        say("Equaliser for all files: \(snapshot.equalizer.description)", now)
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

    mutating func toggleHelp(_ now: HostTime) {
        if !toggle(HelpLayer()) { say("Help off", now) }
    }
}
