import AetherCore
import AetherEngine
import AetherTerminal

/// Scrubbing: a place is looked at before playback goes there.
extension AppModel {
    /// Enter: begins at the present place, and the second time goes to the place that is looked at.
    mutating func toggleScrub(_ now: HostTime) -> [AppEffect] {
        if scrub?.hand == .keys { return commitScrub(now) }
        guard canSeek else { return refuseSeek(now) }
        guard snapshot.duration != nil else {
            say(translated("The duration is unknown"), now)
            return []
        }
        say(translated("Scrub: Enter go there, Esc back"), now)
        return look(.keys, at: shownPosition, now)
    }

    /// Looks at a place.
    mutating func look(_ hand: Scrub.Hand, at point: MediaTime, _ now: HostTime) -> [AppEffect] {
        let target = scene.clamped(point), isFirst = scrub == nil
        touchBar(now)
        var looking = scrub ?? Scrub(hand, at: target)
        let isOther = looking.look(hand, at: target, now: now)
        scrub = looking
        return isFirst || isOther ? [.preview(target)] : []
    }

    /// The pointer is somewhere: on the progress line it looks, elsewhere it does not.
    mutating func hover(_ event: MouseEvent, _ now: HostTime) -> [AppEffect] {
        guard scrub.map({ $0.hand == .hover }) ?? true else { return [] }
        guard menu == nil, canSeek,
            case .progress(let fraction)? = TransportBar.target(scene, column: event.x, row: event.y, part: event.part),
            let point = point(atFraction: fraction)
        else { return scrub == nil ? [] : endScrub(now) }
        return look(.hover, at: point, now)
    }

    /// A place on the progress line; nil where the duration is unknown.
    func point(atFraction fraction: Double) -> MediaTime? {
        snapshot.duration.map { snapshot.startTime + $0.scaled(by: min(max(fraction, 0), 1)) }
    }

    /// Goes to the place that is looked at.
    mutating func commitScrub(_ now: HostTime) -> [AppEffect] {
        guard let scrub else { return [] }
        self.scrub = nil
        return carryOut(scrub.go(in: scene), now)
    }

    /// Back to the video.
    mutating func endScrub(_ now: HostTime) -> [AppEffect] {
        guard let scrub else { return [] }
        self.scrub = nil
        return carryOut(scrub.end, now)
    }

    /// A still has come.
    mutating func take(_ still: ScrubStill) {
        scrub?.still = still
    }

    /// Places of which there is a still, as fractions.
    mutating func note(ready times: [MediaTime]) {
        guard let duration = snapshot.duration, duration > .zero else { return }
        scene.scrubReady = times.prefix(2000).map { ($0 - snapshot.startTime).seconds / duration.seconds }
    }
}
