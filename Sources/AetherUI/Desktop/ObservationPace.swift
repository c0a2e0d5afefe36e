import AetherCore
import AetherDesktop
import AetherEngine

/// The pace of telling observed properties. Most change by an action, and are told then; those that run by themselves would be
/// told at each turn of the player's loop: they are told once a second, and where they leap (a seek, a pause, another file) at once, but never
/// more than four times a second. A value; time is an argument.
struct ObservationPace: Sendable {
    /// The properties that change by themselves.
    static let running: Set<String> = ["position", "percent", "buffered", "behind-live", "program-time"]
    static let interval = TimeSpan.seconds(1)
    static let shortest = TimeSpan.milliseconds(250)

    /// The causes of a leap of a running value.
    private struct Course: Equatable {
        var epoch = Epoch()
        var target: MediaTime?
        var wantsToPlay = false
        var file = 0
    }
    private var course = Course()
    private var told: [String: JSON] = [:]
    private var toldAt: HostTime?
    private var hasLeapt = false
    private var runs = false

    /// A client begins to observe: running values are told anew.
    mutating func leap() { hasLeapt = true }

    /// The observed properties to publish now: of those that run the last values, as long as it is not time for others.
    mutating func values(of properties: RemoteProperties, _ observed: Set<String>, now: HostTime) -> [String: JSON] {
        let snapshot = properties.snapshot
        let present = Course(
            epoch: snapshot.epoch, target: snapshot.seekTarget, wantsToPlay: snapshot.wantsToPlay, file: properties.playlist.index
        )
        if present != course { (course, hasLeapt) = (present, true) }
        runs = snapshot.phase == .playing
        var values = properties.values(observed.subtracting(Self.running))
        let names = observed.intersection(Self.running)
        guard !names.isEmpty else { return values }
        if due.map({ now >= $0 }) ?? true {
            (told, toldAt, hasLeapt) = (properties.values(names), now, false)
        }
        for (name, value) in told where names.contains(name) { values[name] = value }
        return values
    }

    private var due: HostTime? { toldAt.map { $0 + (hasLeapt ? Self.shortest : Self.interval) } }

    /// The next time at which there are values to publish although nothing else happens; nil: not by themselves.
    func nextWake(_ observed: Set<String>, after now: HostTime) -> HostTime? {
        guard !observed.isDisjoint(with: Self.running), runs || hasLeapt else { return nil }
        return max(now, due ?? now)
    }
}
