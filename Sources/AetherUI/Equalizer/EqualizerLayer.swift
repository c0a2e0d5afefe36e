import AetherCore
import AetherEngine
import AetherTerminal

/// The open equaliser: which band keys change. `EqualizerPane` draws it.
struct EqualizerLayer: Layer {
    /// From the lowest, from 0.
    private(set) var band = 0

    private func layout(in scene: Scene) -> EqualizerPane? { EqualizerPane(band, scene) }
    func pane(in scene: Scene) -> Pane? { layout(in: scene)?.pane }
    func rect(in scene: Scene) -> CellRect? { layout(in: scene)?.rect }

    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        // An equaliser that cannot be seen takes no keys.
        guard stroke.modifiers.isEmpty, layout(in: scene) != nil else { return nil }
        let count = EqualizerCurve.frequencies.count
        switch stroke.key {
        case .up: band = (band + count - 1) % count
        case .down: band = (band + 1) % count
        case .home: band = 0
        case .end: band = count - 1
        case .left: return turn(by: -1, in: scene)
        case .right: return turn(by: 1, in: scene)
        case .tab: return LayerOutcome(.setEqualizer(scene.snapshot.equalizer.next))
        case .enter: return LayerOutcome(.keepEqualizer)
        case .backspace: return LayerOutcome(.setEqualizer(EqualizerCurve()))
        case .escape: return LayerOutcome(closes: true, .say(translated("Equaliser closed")))
        default: return nil
        }
        return LayerOutcome()
    }

    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard isInside, let open = layout(in: scene) else { return nil }
        let pointed = open.band(row: event.y)
        switch event.action {
        case .press, .drag:
            guard event.button == .left, let pointed else { return LayerOutcome() }
            band = pointed
            guard let gain = open.gain(column: event.x) else { return LayerOutcome() }
            var curve = scene.snapshot.equalizer
            curve[band] = gain
            return LayerOutcome(.setEqualizer(curve))
        case .scrollUp, .scrollDown:
            guard let pointed else { return LayerOutcome() }
            band = pointed
            return turn(by: event.action == .scrollUp ? 1 : -1, in: scene)
        default: return nil
        }
    }

    /// Makes the band louder, or softer, by so many dB.
    private func turn(by decibels: Double, in scene: Scene) -> LayerOutcome {
        var curve = scene.snapshot.equalizer
        curve[band] += decibels
        return LayerOutcome(.setEqualizer(curve))
    }
}
