import AetherCore

/// The distance from the end of a broadcast.
extension PlaybackStateMachine {
    /// The rate at which media time passes: the person's, and what keeps the distance.
    var rate: Double { settings.rate * latency.rate }

    /// The window has moved; the clock stands at a point.
    mutating func take(_ window: SourceWindow, position: MediaTime, now: HostTime) -> [PlaybackEffect] {
        let former = shape.liveEdge
        shape.take(window)
        guard let edge = window.liveEdge, window.step > .zero, edge > former ?? edge else { return [] }
        return keepingDistance { machine in
            guard machine.isRunning, !machine.isStarved, machine.settings.rate == 1, machine.seeks.isEmpty else {
                return machine.latency.rest()
            }
            machine.latency.note(
                behind: edge - position, step: window.step, now: now, rates: window.rates ?? LatencyControl.rates)
        }
    }

    /// Carries out a change of the control, and says what comes of it.
    mutating func keepingDistance(_ change: (inout PlaybackStateMachine) -> Void) -> [PlaybackEffect] {
        let former = latency.rate
        change(&self)
        guard latency.rate != former else { return [] }
        let isOurs = isRunning && !audioDrivesClock && !isStarved
        return [.keepDistance(rate: latency.rate)] + (isOurs ? [.runMonotonic(from: nil, rate: rate)] : [])
    }
}
