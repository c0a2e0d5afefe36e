import AetherCore
import AetherEngine
import AetherTerminal

/// The equaliser: what opens it, what keys and the mouse do in it.
extension AppModel {
    mutating func toggleEqualizer(_ now: HostTime) {
        equalizerBand = equalizerBand == nil ? 0 : nil
        if equalizerBand != nil, equalizer == nil {
            equalizerBand = nil
            return say("No room for the equaliser", now)
        }
        if equalizerBand != nil { (menu, cueList) = (nil, nil) }
        say(equalizerBand == nil ? "Equaliser closed" : "Equaliser", now)
    }

    /// Where it lies; nil while it is closed, and in a window that is too small for it.
    private var equalizer: EqualizerPane? { EqualizerPane(self, above: TransportBar.pane(self)) }

    mutating func setEqualizer(_ curve: EqualizerCurve, _ now: HostTime) -> [AppEffect] {
        say(words(for: .equalizer(curve)), now)
        return set(.equalizer(curve), now)
    }

    /// Makes the band louder, or softer, by so many dB.
    private mutating func turn(_ band: Int, by decibels: Double, _ now: HostTime) -> [AppEffect] {
        var curve = snapshot.equalizer
        curve[band] += decibels
        return setEqualizer(curve, now)
    }

    /// What a key does while the equaliser is open; nil: it is not the equaliser's, and means what it always does.
    mutating func equalizerKey(_ stroke: KeyStroke, now: HostTime) -> [AppEffect]? {
        // What is not seen takes no keys.
        guard let band = equalizerBand, stroke.modifiers.isEmpty, equalizer != nil else { return nil }
        let count = EqualizerCurve.frequencies.count
        switch stroke.key {
        case .up: equalizerBand = (band + count - 1) % count
        case .down: equalizerBand = (band + 1) % count
        case .home: equalizerBand = 0
        case .end: equalizerBand = count - 1
        case .left: return turn(band, by: -1, now)
        case .right: return turn(band, by: 1, now)
        case .tab: return setEqualizer(snapshot.equalizer.next, now)
        case .backspace: return setEqualizer(EqualizerCurve(), now)
        case .escape: toggleEqualizer(now)
        default: return nil
        }
        return []
    }

    /// A click or the wheel over the equaliser; nil: somewhere else.
    mutating func equalizerMouse(_ event: MouseEvent, now: HostTime) -> [AppEffect]? {
        guard let open = equalizer, open.contains(column: event.x, row: event.y)
        else { return nil }
        let band = open.band(row: event.y)
        switch event.action {
        case .press, .drag:
            guard event.button == .left, let band else { return [] }
            equalizerBand = band
            guard let gain = open.gain(column: event.x) else { return [] }
            var curve = snapshot.equalizer
            curve[band] = gain
            return setEqualizer(curve, now)
        case .scrollUp, .scrollDown:
            guard let band else { return [] }
            equalizerBand = band
            return turn(band, by: event.action == .scrollUp ? 1 : -1, now)
        default: return nil
        }
    }
}
