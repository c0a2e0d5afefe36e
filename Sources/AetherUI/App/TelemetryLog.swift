import AetherCore
import AetherEngine
import Glibc

/// Measurements as lines of JSON, one a second (`--telemetry FILE`): what the pane shows, for a program to read. Of one thread; never
/// blocks: what a full pipe does not take is left out.
struct TelemetryLog: ~Copyable {
    private let descriptor: Int32
    private var last: Int?
    /// The last line was not taken to its end.
    private var isCut = false

    /// Writes to a descriptor that does not block (`OutputFile`), and owns it.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Writes the measurement of a snapshot, unless it is the last one again.
    mutating func record(_ snapshot: EngineSnapshot) {
        guard let live = snapshot.telemetry, live.sequence != last else { return }
        last = live.sequence
        var members: [JSON.Members.Member] = [
            // Seconds since 1970.
            ("time", .number(Self.present)), ("source", .string(snapshot.source)), ("phase", .string(Self.word(snapshot.phase))),
            // Seconds from the start of the source.
            ("position", .number((snapshot.position - snapshot.startTime).seconds)), ("telemetry", live.json),
        ]
        if let duration = snapshot.duration { members.append(("duration", .number(duration.seconds))) }
        // Half a line, where a reader did not keep up, is no part of this one.
        let text = (isCut ? "\n" : "") + JSON.object(JSON.Members(members)).line + "\n"
        let taken = write(descriptor, text, text.utf8.count)
        if taken < 0 {
            Log.module("telemetry").warning("a line was not taken: \(SystemText.error(errno))")
        } else {
            isCut = taken < text.utf8.count
        }
    }

    private static var present: Double {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    private static func word(_ phase: PlaybackPhase) -> String {
        switch phase {
        case .idle: "idle"
        case .loading: "loading"
        case .playing: "playing"
        case .paused: "paused"
        case .seeking: "seeking"
        case .rebuffering: "rebuffering"
        case .stalled: "reconnecting"
        case .ended: "ended"
        case .error: "error"
        }
    }
}
