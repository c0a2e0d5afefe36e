import AetherCore

/// Keys that mean something only together, one after the other.
struct Chord: Sendable, Equatable {
    /// The keys that were pressed.
    private(set) var strokes: [KeyStroke] = []
    /// The time at which they are given up.
    private var until: HostTime?

    /// 1 s for the next key of a chord.
    private static let pause = TimeSpan.seconds(1)

    /// The keys that were begun and go on with the next one; forgets them.
    mutating func take(at now: HostTime) -> [KeyStroke] {
        defer { self = Chord() }
        return until.map { now < $0 } == true ? strokes : []
    }

    /// Waits for the next key behind these.
    mutating func begin(_ strokes: [KeyStroke], at now: HostTime) { (self.strokes, until) = (strokes, now + Self.pause) }
}
