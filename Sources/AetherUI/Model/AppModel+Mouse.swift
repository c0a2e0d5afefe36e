import AetherCore
import AetherEngine
import AetherTerminal

/// The mouse.
extension AppModel {
    /// A report in cells. Clicks go to the layers, then to the bar; over the video the right button pauses and the wheel turns the
    /// volume.
    mutating func take(_ event: MouseEvent, now: HostTime) -> [AppEffect] {
        if let outcome = layers.mouse(event, in: scene, now: now) { return carryOut(outcome, now) }
        if let effects = pointAtDisc(event, now) { return effects }
        switch event.action {
        case .press: return press(event, now)
        case .drag:
            guard scrub?.hand == .drag, let fraction = TransportBar.fraction(atColumn: event.x, part: event.part, scene),
                let point = point(atFraction: fraction)
            else { return [] }
            return look(.drag, at: point, now)
        case .release: return scrub?.hand == .drag ? commitScrub(now) : []
        case .move:
            // A hand that takes the mouse looks for what it can click.
            touchBar(now)
            return hover(event, now)
        case .scrollUp: return scroll(1, event, now)
        case .scrollDown: return scroll(-1, event, now)
        case .scrollLeft: return perform(.seek(seconds: -5), now: now)
        case .scrollRight: return perform(.seek(seconds: 5), now: now)
        }
    }

    private mutating func press(_ event: MouseEvent, _ now: HostTime) -> [AppEffect] {
        let target = TransportBar.target(scene, column: event.x, row: event.y, part: event.part)
        touchBar(now)
        // Another button gives up what the first has begun.
        let given = event.button != .left && scrub?.hand == .drag ? endScrub(now) : []
        switch (event.button, target) {
        case (.left, .progress(let fraction)?):
            guard canSeek else { return refuseSeek(now) }
            return point(atFraction: fraction).map { look(.drag, at: $0, now) } ?? []
        case (.left, .action(let action)?):
            let effects = perform(action, now: now)
            menu?.anchor = event.x
            if awaitsDevices { awaitedAnchor = event.x }
            settle(Menu.self)
            return effects
        case (.right, _): return given + (given.isEmpty ? perform(.togglePause, now: now) : [])
        default: return given
        }
    }

    private mutating func scroll(_ direction: Int, _ event: MouseEvent, _ now: HostTime) -> [AppEffect] {
        if case .progress = TransportBar.target(scene, column: event.x, row: event.y) {
            return perform(.seek(seconds: Double(5 * direction)), now: now)
        }
        return perform(direction > 0 ? .volumeUp : .volumeDown, now: now)
    }
}
