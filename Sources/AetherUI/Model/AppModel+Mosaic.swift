import AetherCore
import AetherEngine

/// Channels side by side.
extension AppModel {
    mutating func toggleMosaic(_ television: Television, _ now: HostTime) -> [AppEffect] {
        if layers[Mosaic.self] != nil { return closeMosaic(now) }
        let channels = television.sideBySide(MosaicLayout.largest)
        guard let mosaic = Mosaic(channels, isMuted: snapshot.isMuted), television.present != nil else {
            say(television.present == nil ? translated("No channel plays") : translated("There is only one channel"), now)
            return []
        }
        layers[Channels.self] = nil
        layers[GuideList.self] = nil
        layers[Mosaic.self] = mosaic
        say(translated("Arrows sound, Enter open, Esc close"), now)
        return [.television(.playBeside(Array(mosaic.channels.dropFirst())))]
    }

    /// The player's own channel has the screen and its sound again. The app sees that the layer has gone.
    mutating func closeMosaic(_ now: HostTime) -> [AppEffect] {
        guard let mosaic = layers[Mosaic.self] else { return [] }
        layers[Mosaic.self] = nil
        return snapshot.isMuted == mosaic.isMuted ? [] : set(.muted(mosaic.isMuted), now)
    }

    /// Another tile sounds, or none.
    mutating func hearTile(_ now: HostTime) -> [AppEffect] {
        guard let mosaic = layers[Mosaic.self], let television = scene.television else { return [] }
        say(mosaic.isMuted ? translated("Muted") : television.label(mosaic.channels[mosaic.chosen]), now)
        let isSilent = mosaic.isMuted || mosaic.chosen != 0
        let own = snapshot.isMuted == isSilent ? [] : set(.muted(isSilent), now)
        return own + [.television(.hear(mosaic.chosen, isMuted: mosaic.isMuted))]
    }

    /// Closes the mosaic; another channel than the player's own is opened.
    mutating func leaveMosaic(opening channel: Int?, _ now: HostTime) -> [AppEffect] {
        let own = layers[Mosaic.self]?.channels.first, effects = closeMosaic(now)
        guard let channel, channel != own else { return effects }
        return effects + zap(to: channel, now)
    }
}
