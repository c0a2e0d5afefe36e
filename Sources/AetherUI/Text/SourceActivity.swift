import AetherCore
import AetherEngine

/// The reason for waiting while a source does not come, in a few words. Pure.
enum SourceActivity {
    /// "reconnecting 2/5 …", "buffering 40 % · 3 s", "connecting …"; nil while nothing is waited for.
    static func text(_ snapshot: EngineSnapshot) -> String? {
        if let attempt = snapshot.reconnecting { return translated("reconnecting \(attempt.number)/\(attempt.limit) …") }
        if let fill = snapshot.bufferFill {
            // Up: "0 s" while it still fills would be a promise that is broken every second.
            let rest = fill.remaining.map { " · \(max(1, Int($0.seconds.rounded(.up)))) s" } ?? ""
            return translated("buffering \(Figures.percent(fill.fraction))\(rest)")
        }
        guard snapshot.phase == .loading else { return nil }
        return switch snapshot.startupProgress?.checkpoint {
        case .resolving: translated("looking up the server …")
        case .connecting: translated("connecting …")
        case .waiting: translated("waiting for the server …")
        case .sourceOpened: translated("reading the header …")
        case .dispatched, .containerOpened, .ready, .presenting, nil: nil
        }
    }
}

extension StartupCheckpoint {
    /// The name that remote programs see.
    var word: String {
        switch self {
        case .dispatched: "opening"
        case .resolving: "resolving"
        case .connecting: "connecting"
        case .waiting: "waiting"
        case .sourceOpened: "header"
        case .containerOpened: "decoding"
        case .ready: "ready"
        case .presenting: "presenting"
        }
    }
}
