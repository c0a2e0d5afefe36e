import AetherCore
import AetherEngine
import AetherTerminal

/// Scrubbing: a place is looked at before one goes there.
extension AppModel {
    /// Enter: begins at the present place, and the second time goes where one has come to.
    mutating func toggleScrub(_ now: HostTime) -> [AppEffect] {
        if scrub?.hand == .keys { return commitScrub(now) }
        guard canSeek else { return refuseSeek(now) }
        guard snapshot.duration != nil else {
            say("The duration is unknown", now)
            return []
        }
        say("Scrubbing: Enter seeks there, Esc returns", now)
        return look(.keys, at: shownPosition, now)
    }

    /// What a key does while keys scrub; nil: it means what it always does.
    mutating func scrubKey(_ stroke: KeyStroke, now: HostTime) -> [AppEffect]? {
        if scrub != nil, stroke.key == .escape { return endScrub(now) }
        guard let scrub, scrub.hand == .keys, stroke.modifiers.isSubset(of: .shift), let duration = snapshot.duration else {
            return nil
        }
        switch stroke.key {
        case .left, .right:
            var pace = scrub.pace
            let step = pace.step(stroke.key == .left ? -1 : 1, in: duration, at: now)
            let exact = stroke.modifiers.contains(.shift) ? TimeSpan.seconds(stroke.key == .left ? -1 : 1) : step
            self.scrub?.pace = pace
            return look(.keys, at: scrub.target + exact, now)
        case .down, .up: return look(.keys, at: scrub.target + .seconds(stroke.key == .down ? -60 : 60), now)
        case .pageDown, .pageUp:
            let chapters = snapshot.chapters
            let count = stroke.key == .pageUp ? 1 : -1
            guard let index = ChapterStep.destination(from: scrub.target, count: count, chapters: chapters) else { return [] }
            return look(.keys, at: chapters[index].start, now)
        case .home: return look(.keys, at: snapshot.startTime, now)
        case .end: return look(.keys, at: snapshot.startTime + duration, now)
        case .enter: return commitScrub(now)
        default: return nil
        }
    }

    /// Looks at a place.
    mutating func look(_ hand: Scrub.Hand, at point: MediaTime, _ now: HostTime) -> [AppEffect] {
        let target = clamped(point)
        touchBar(now)
        let isSame = scrub?.target == target
        if scrub == nil { scrub = Scrub(hand, at: target) }
        scrub?.hand = hand
        scrub?.target = target
        scrub?.until = hand == .hover ? now + Scrub.hoverStay : nil
        return isSame ? [] : [.preview(target)]
    }

    /// The pointer is somewhere: on the progress line it looks, elsewhere it does not.
    mutating func hover(_ event: MouseEvent, _ now: HostTime) -> [AppEffect] {
        guard scrub.map({ $0.hand == .hover }) ?? true else { return [] }
        guard menu == nil, canSeek,
            case .progress(let fraction)? = TransportBar.target(self, column: event.x, row: event.y, part: event.part),
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
        let effects = endScrub(now)
        guard canSeek else { return effects + refuseSeek(now) }
        expectSeek(to: scrub.target, now)
        say(Timecode.text(scrub.target - snapshot.startTime), now)
        // What was shown comes first: the key frame at or before the place.
        return effects + [.send(.seek(to: scrub.target, .refined))]
    }

    /// Back to the film.
    mutating func endScrub(_ now: HostTime) -> [AppEffect] {
        scrub = nil
        touchBar(now)
        return [.endPreview]
    }

    /// A picture has come.
    mutating func take(_ picture: ScrubPicture) {
        scrub?.picture = picture
    }

    /// Places of which there is a picture, as fractions.
    mutating func note(ready times: [MediaTime]) {
        guard let duration = snapshot.duration, duration > .zero else { return }
        scrubReady = times.prefix(2000).map { ($0 - snapshot.startTime).seconds / duration.seconds }
    }
}
