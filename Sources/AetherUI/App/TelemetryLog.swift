import AetherCore
import AetherEngine
import FoundationEssentials
import Glibc

/// Measurements as lines of JSON, one a second (`--telemetry FILE`): what the pane shows, for a program to read. Of one thread; never
/// blocks: what a full pipe does not take is left out.
struct TelemetryLog: ~Copyable {
    private struct Line: Encodable {
        /// Seconds since 1970.
        let time: Double
        let source, phase: String
        /// Seconds from the start of the source.
        let position: Double
        let duration: Double?
        let telemetry: LiveTelemetry
    }
    private let descriptor: Int32
    private var last: Int?
    /// The last line was not taken to its end.
    private var isCut = false
    private let encoder = JSONEncoder()

    /// Writes to a descriptor that does not block (`OutputFile`), and owns it.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }

    deinit { close(descriptor) }

    /// Writes the measurement of a snapshot, unless it is the last one again.
    mutating func record(_ snapshot: EngineSnapshot) {
        guard let live = snapshot.telemetry, live.sequence != last else { return }
        last = live.sequence
        let line = Line(
            time: Date().timeIntervalSince1970, source: snapshot.source, phase: Self.word(snapshot.phase),
            position: (snapshot.position - snapshot.startTime).seconds, duration: snapshot.duration?.seconds, telemetry: live)
        do {
            // Half a line, where a reader did not keep up, is no part of this one.
            let bytes = Data(isCut ? [0x0A] : []) + (try encoder.encode(line)) + [0x0A]
            let taken = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if taken < 0 {
                Log.module("telemetry").warning("a line was not taken: \(SystemText.error(errno))")
            } else {
                isCut = taken < bytes.count
            }
        } catch {
            Log.module("telemetry").warning("\(error)")
        }
    }

    private static func word(_ phase: PlaybackPhase) -> String {
        switch phase {
        case .idle: "idle"
        case .loading: "loading"
        case .playing: "playing"
        case .paused: "paused"
        case .seeking: "seeking"
        case .rebuffering: "rebuffering"
        case .ended: "ended"
        case .error: "error"
        }
    }
}
