public import AetherCore

/// The person's choices for one file; nil where it is as the file and the command line have it.
public struct HistoryChoices: Sendable, Equatable {
    /// Subtitles that were chosen.
    public enum Subtitles: Sendable, Equatable {
        /// No subtitles.
        case off
        /// A subtitle track.
        case track(TrackID)
    }

    /// The audio track that was chosen; nil for the player's own choice.
    public var audioTrack: TrackID?
    /// The subtitles that were chosen; nil for the player's own choice.
    public var subtitles: Subtitles?
    /// The title of a disc that was played; nil for what is no disc.
    public var title: Int?
    /// Settings that were changed.
    public var settings: [Setting: SettingChange] = [:]

    /// Choices of which none was made.
    public init() {}
}

/// The position in a file, and the choices for it.
public struct HistoryProgress: Sendable, Equatable {
    /// The title in lists; safe to display.
    public var title: String
    /// The position from the start of the file.
    public var position: TimeSpan
    /// nil where it is unknown.
    public var duration: TimeSpan?
    /// The file was played to its end: next time it begins at its start.
    public var isFinished: Bool
    /// The tracks and settings that were chosen for the file.
    public var choices = HistoryChoices()

    /// A place in a file.
    public init(title: String, position: TimeSpan, duration: TimeSpan?, isFinished: Bool) {
        self.title = title
        self.position = position
        self.duration = duration
        self.isFinished = isFinished
    }
}

/// A file that was played.
public struct HistoryRecord: Sendable, Equatable {
    /// The file, by address and contents.
    public var identity: FileIdentity
    /// The position and the choices.
    public var progress: HistoryProgress
    /// Seconds since 1970.
    public var playedAt: Int64

    /// A record.
    public init(identity: FileIdentity, progress: HistoryProgress, playedAt: Int64) {
        self.identity = identity
        self.progress = progress
        self.playedAt = playedAt
    }
}

extension HistoryRecord {
    /// The addresses of the network among records, as shells complete them, each once. Those of which a name, a password or a query was left out
    /// open nothing, and are left out as a whole.
    public static func addresses(_ records: [HistoryRecord], limit: Int) -> [String] {
        var seen: Set<String> = []
        let addresses = records.map(\.identity.location).filter { address in
            address.contains("://") && !address.contains(Redaction.mark) && address.utf8.allSatisfy { 0x21...0x7E ~= $0 }
                && seen.insert(address).inserted
        }
        return Array(addresses.prefix(limit))
    }
}
