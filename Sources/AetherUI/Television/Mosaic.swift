import AetherCore
import AetherTerminal

/// Channels side by side, with the sound of one. A value; the engines that play the others are `MosaicDesk`'s.
struct Mosaic: Layer, Equatable {
    /// From 0, as in the list. The first is the one that the player goes on with.
    let channels: [Int]
    /// The tile that sounds.
    private(set) var chosen = 0
    /// The person wants silence.
    private(set) var isMuted: Bool
    /// Of the tiles from the second on.
    private(set) var states: [TileState]

    /// Two channels at least. `isMuted`: as the player is.
    init?(_ channels: [Int], isMuted: Bool) {
        guard channels.count > 1 else { return nil }
        self.channels = Array(channels.prefix(MosaicLayout.largest))
        self.isMuted = isMuted
        states = Array(repeating: .opening, count: self.channels.count - 1)
    }

    /// The engines' word; that of another set of channels comes too late.
    mutating func take(_ states: [TileState]) { if states.count == self.states.count { self.states = states } }

    var layout: MosaicLayout { MosaicLayout(count: channels.count) }
    var level: LayerLevel { .page }

    /// Nothing of it lies in one pane: `MosaicPanes` draws it.
    func pane(in scene: Scene) -> Pane? { nil }

    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        if scene.keymap.action(for: stroke) == .toggleMute {
            isMuted.toggle()
            return LayerOutcome(.hearTile)
        }
        guard stroke.modifiers.isEmpty else { return nil }
        switch stroke.key {
        case .left: return choose(layout.neighbour(of: chosen, right: -1, down: 0))
        case .right: return choose(layout.neighbour(of: chosen, right: 1, down: 0))
        case .up: return choose(layout.neighbour(of: chosen, right: 0, down: -1))
        case .down: return choose(layout.neighbour(of: chosen, right: 0, down: 1))
        case .enter: return LayerOutcome(.leaveMosaic(opening: channels[chosen]))
        case .escape: return LayerOutcome(.leaveMosaic(opening: nil))
        default: return nil
        }
    }

    private mutating func choose(_ tile: Int) -> LayerOutcome {
        guard tile != chosen else { return LayerOutcome() }
        chosen = tile
        return LayerOutcome(.hearTile)
    }

    /// A click lets a channel sound, a second one opens it.
    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard event.action == .press, event.button == .left, scene.barRect?.contains(column: event.x, row: event.y) != true,
            let tile = layout.tile(column: event.x, row: event.y, on: scene.size)
        else { return nil }
        return tile == chosen ? LayerOutcome(.leaveMosaic(opening: channels[tile])) : choose(tile)
    }
}
