import AetherCore
import AetherMedia

/// The state that the thread which reads a live source shares with those that read its past. Pure; the reader of the source is its one writer.
struct ShiftedPackets {
    var ring: PacketRing
    /// Events beside packets that were not taken yet.
    var events: [SourceEvent] = []
    /// Why the source has ended; nil: it has not.
    var ending: MediaError?
    var isStopped = false
    /// The streams to read; nil for all.
    var wanted: Set<StreamID>?
    /// As the packets are by now; nil until they are others than at the start.
    var description: SourceDescription?
    /// Recordings that were begun, and where those end that were closed.
    var recordings = 0
    var recordingEnds: [Int: PacketRing.Place] = [:]
    /// The decode time of what was taken last by who plays.
    var taken: MediaTime?
    /// Rises where waiting threads shall look again.
    var nudges = 0
    private var first: MediaTime?
    private(set) var front: MediaTime?
    /// How much more came at the start than time passed: what a server sends in a burst.
    private(set) var burst = TimeSpan.zero
    private var began: HostTime?
    /// The source came faster than time passes, and had to wait.
    var wasHeldBack = false

    init(_ ring: PacketRing) { self.ring = ring }

    /// Live sources come at the pace of time. Files in a pipe come as fast as they can: those are read so far ahead and no further.
    static let ahead = TimeSpan.seconds(30)
    /// The distance from the newest packet that playing keeps at least.
    static let leastCushion = TimeSpan.milliseconds(1500)
    private static let provingSpan = TimeSpan.seconds(10)
    private static let leastProof = TimeSpan.seconds(1)
    /// The most that live servers send at once: some seconds.
    private static let greatestBurst = TimeSpan.seconds(10)
    private static let settling = TimeSpan.seconds(3)

    /// When the source may be read on: now, or at a later moment if nothing is played meanwhile.
    func mayRead(at now: HostTime) -> HostTime? {
        guard let first, let front, let began else { return nil }
        if let taken, front - taken < Self.ahead { return nil }
        let due = began + (front - first - Self.ahead)
        return due <= now ? nil : due
    }

    /// The source has come at the pace of time for a while, as no file does: its end is none.
    func isPaced(at now: HostTime) -> Bool {
        guard let began, let first, let front, now - began >= Self.provingSpan else { return false }
        return !wasHeldBack && front - first - (now - began) < Self.ahead
    }

    /// Whether a source that ends before it has proven itself is worth one more request: it broke off, or it was read for some seconds and came at
    /// no more than the pace of time since its first burst. A film comes faster than that, or goes on.
    func mayBeLive(at now: HostTime, brokeOff: Bool) -> Bool {
        guard !wasHeldBack, let began, let first, let front else { return false }
        let span = now - began, lead = front - first - span
        return brokeOff ? lead <= Self.greatestBurst : span >= Self.settling + Self.leastProof && lead <= burst
    }

    /// It was asked for again: it proves itself anew.
    mutating func beginProof() { (first, began, burst) = (nil, nil, .zero) }

    mutating func note(_ time: MediaTime?, at now: HostTime) {
        guard let time else { return }
        if first == nil { (first, began) = (time, now) }
        front = max(front ?? time, time)
        guard let first, let front, let began, now - began < Self.settling else { return }
        burst = max(burst, front - first - (now - began))
    }

    /// Where playing at the edge is: so far behind the newest packet as the server lets it be from the start.
    var edge: MediaTime? { ring.newest.map { $0 - max(Self.leastCushion, min(burst, Self.ahead)) } }

    /// The part that can be gone to.
    var window: SourceWindow {
        guard let range = ring.range, let edge else { return SourceWindow() }
        let live = ending == nil
        var window = SourceWindow(seekable: range.lowerBound...(live ? max(range.lowerBound, edge) : range.upperBound))
        window.held = range
        if live {
            (window.liveEdge, window.step) = (max(range.lowerBound, edge), .milliseconds(500))
            // Music is played as well: 2 % is not heard.
            window.rates = 0.98...1.02
        }
        return window
    }
}
