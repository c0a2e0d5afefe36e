import AetherCore
import AetherEngine
import AetherFormats

/// The orders of the layers, carried out.
extension AppModel {
    mutating func carryOut(_ outcome: LayerOutcome, _ now: HostTime) -> [AppEffect] {
        outcome.orders.flatMap { carryOut($0, now) }
    }

    private mutating func carryOut(_ order: LayerOrder, _ now: HostTime) -> [AppEffect] {
        switch order {
        case .effect(let effect): return [effect]
        case .say(let text): say(text, now)
        case .touchBar: touchBar(now)
        case .perform(let action): return perform(action, now: now)
        case .choose(let choice): return choose(choice, now)
        case .setEqualizer(let curve): return setEqualizer(curve, now)
        case .keepEqualizer: keepEqualizer(now)
        case .seek(let target, let precision, let words):
            expectSeek(to: target, now)
            say(words, now)
            return [.send(.seek(to: target, precision))]
        case .refuseSeek: return refuseSeek(now)
        case .tryTheme(let name): return tryTheme(name)
        case .leaveThemes: return leaveThemes()
        case .zap(let channel): return zap(to: channel, now)
        case .playPast(let channel, let programme):
            say(programme.title, now)
            return [.television(.playPast(channel, programme))]
        case .openGuide(let channel): openGuide(channel)
        case .toggleFavourite(let channel): return toggleFavourite(channel, now)
        case .hearTile: return hearTile(now)
        case .leaveMosaic(let channel): return leaveMosaic(opening: channel, now)
        }
        return []
    }

    /// Changes an open layer by what it reads of the scene; nil: it is closed.
    mutating func change<Kind: Layer, Result>(_ kind: Kind.Type, _ body: (inout Kind, Scene) -> Result) -> Result? {
        guard var layer = layers[kind] else { return nil }
        let result = body(&layer, scene)
        layers[kind] = layer
        return result
    }

    /// The part of a layer that is seen follows its selection and the screen.
    mutating func settle<Kind: Layer>(_ kind: Kind.Type) { _ = change(kind) { $0.settle(in: $1) } }

    /// Opens or closes a layer that needs nothing else; returns whether it is open then.
    mutating func toggle<Kind: Layer>(_ layer: Kind) -> Bool {
        let isOpen = layers[Kind.self] != nil
        layers[Kind.self] = isOpen ? nil : layer
        return !isOpen
    }
}
