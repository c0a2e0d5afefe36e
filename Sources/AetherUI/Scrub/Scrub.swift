public import AetherCore

/// Looking for a place along the bar while the video plays on.
public struct Scrub: Sendable, Equatable {
    /// The hand that moves the place.
    public enum Hand: Sendable, Equatable {
        /// The pointer, with no button down: it looks only.
        case hover
        /// The pointer with the left button down: letting go is going there.
        case drag
        /// Keys, from Enter until Enter or Escape.
        case keys
    }

    /// The way in which the place is moved.
    public internal(set) var hand: Hand
    /// The place, on the source axis.
    public internal(set) var target: MediaTime
    /// The still of the place; that of the place before until it comes.
    public internal(set) var still: ScrubStill?
    /// The time at which a pointer that rests is no longer taken for looking.
    var until: HostTime?
    var pace = ScrubPace()

    /// 4 s, as long as the bar stays.
    static let hoverStay = TimeSpan.seconds(4)

    init(_ hand: Hand, at target: MediaTime) {
        self.hand = hand
        self.target = target
    }

    /// Looks at a place inside the video; false where that is the one it looks at.
    mutating func look(_ hand: Hand, at target: MediaTime, now: HostTime) -> Bool {
        self.hand = hand
        until = hand == .hover ? now + Self.hoverStay : nil
        guard target != self.target else { return false }
        self.target = target
        return true
    }
}

/// The way that a stroke of a held key goes: further and further. Pure; time is an argument.
struct ScrubPace: Sendable, Equatable {
    private var direction = 0
    private var streak = 0
    private var last: HostTime?

    /// Keys repeat every 20 to 60 ms, after a first pause of up to 0.5 s; strokes of a finger are as far apart.
    private static let hold = TimeSpan.milliseconds(250)
    /// Seconds by strokes in a row: one step is a step, and after a second of holding a video of two hours is crossed in ten.
    private static let steps: [(from: Int, seconds: Double)] = [(0, 5), (6, 10), (12, 20), (20, 40), (30, 60), (45, 120)]

    /// The way of the next stroke to the right (1) or left (-1) in a video of that length.
    mutating func step(_ direction: Int, in duration: TimeSpan, at now: HostTime) -> TimeSpan {
        let goesOn = direction == self.direction && (last.map { now - $0 <= Self.hold } ?? false)
        streak = goesOn ? streak + 1 : 0
        (self.direction, last) = (direction, now)
        let seconds = Self.steps.last { $0.from <= streak }?.seconds ?? 5
        // Never more than a fiftieth of the video, nor less than a second.
        return .seconds(Double(direction) * max(1, min(seconds, duration.seconds / 50)))
    }
}
