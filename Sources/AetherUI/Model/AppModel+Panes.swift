import AetherCore
import AetherEngine

/// The actions that open the layers that need nothing but the scene. A pane says itself what it is: the bar says nothing of it.
extension AppModel {
    mutating func togglePalette(_ now: HostTime) {
        _ = toggle(Palette(keymap, unicode: capabilities.isUnicode))
    }

    mutating func toggleNotices(_ now: HostTime) {
        guard toggle(NoticeList()) else { return say(translated("Notices and errors: off"), now) }
        message = nil
    }

    /// Opens the Debug face, which asks for what it shows, or closes it.
    mutating func toggleInspector(_ now: HostTime) -> [AppEffect] {
        guard playlist.count > 0 else {
            say(translated("No file to inspect"), now)
            return []
        }
        guard toggle(Inspector()) else { return [.inspect(.close)] }
        message = nil
        return [.inspect(.open)]
    }

    /// Takes what was found in the file that plays; nothing where the face is closed.
    mutating func take(_ find: InspectorFind, _ now: HostTime) -> [AppEffect] {
        guard layers[Inspector.self] != nil else { return [] }
        let outcome = change(Inspector.self) { inspector, scene -> LayerOutcome in
            inspector.take(find, position: scene.shownPosition, at: now)
            inspector.settle(in: scene)
            return inspector.moved
        }
        switch find {
        // A demuxer may know the samples of what the inspector takes no part of, such as a manifest.
        case .parts(_, _, nil, _), .failed: return effects(of: outcome) + [.inspect(.samples), .redraw]
        default: return effects(of: outcome) + [.redraw]
        }
    }

    /// The frame that the open tab is about is asked for where it is another one now; nothing of it while no such tab is open.
    mutating func followInspector(_ now: HostTime) -> [AppEffect] {
        guard let inspector = layers[Inspector.self], inspector.tab == .decode || inspector.tab == .video,
            let request = change(Inspector.self, { $0.nextFrame(in: $1, now) }) ?? nil
        else { return [] }
        return [.inspect(.frame(request))]
    }

    /// The audio is metered: the Audio tab is open.
    var isMetered: Bool { layers[Inspector.self]?.tab == .audio }

    /// The requests to servers are shown: the Buffers tab is open.
    var showsRequests: Bool { layers[Inspector.self]?.tab == .buffers }

    /// The time at which the meters are to be read next; nil: not at all.
    func metersDue(after now: HostTime) -> HostTime? {
        guard let inspector = layers[Inspector.self], inspector.tab == .audio, snapshot.phase == .playing else { return nil }
        return inspector.audio.due(after: now)
    }

    private func effects(of outcome: LayerOutcome?) -> [AppEffect] {
        (outcome?.orders ?? []).compactMap { if case .effect(let effect) = $0 { effect } else { nil } }
    }

    mutating func toggleInfo(_ now: HostTime) {
        guard toggle(InfoLayer()) else { return say(translated("Information: off"), now) }
    }

    /// The present curve is that of all files from now on; a flat one is none.
    mutating func keepEqualizer(_ now: HostTime) {
        keptEqualizer = snapshot.equalizer.description
        say(translated("Equaliser for all files: \(snapshot.equalizer.description)"), now)
    }

    mutating func toggleEqualizer(_ now: HostTime) {
        let opened = EqualizerLayer()
        if layers[EqualizerLayer.self] == nil, opened.rect(in: scene) == nil {
            return say(translated("No room for the equaliser"), now)
        }
        guard toggle(opened) else { return say(translated("Equaliser closed"), now) }
    }

    mutating func setEqualizer(_ curve: EqualizerCurve, _ now: HostTime) -> [AppEffect] {
        say(words(for: .equalizer(curve)), now)
        return set(.equalizer(curve), now)
    }

    mutating func toggleTelemetry(_ now: HostTime) {
        if !toggle(TelemetryLayer(page: telemetryPage)) { say(translated("Telemetry off"), now) }
    }

    mutating func nextTelemetryPage(_ now: HostTime) {
        // The first press opens the pane where it was left.
        if showsTelemetry { telemetryPage = telemetryPage.next }
        layers[TelemetryLayer.self] = TelemetryLayer(page: telemetryPage)
    }

    mutating func toggleHelp(_ now: HostTime) {
        if !toggle(HelpLayer()) { say(translated("Help off"), now) }
    }
}
