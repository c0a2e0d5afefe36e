public import AetherCore

/// The person's choices for one file; nil where it is as the file and the command line have it.
public struct HistoryChoices: Sendable, Equatable {
    /// Subtitles that were chosen.
    public enum Subtitles: Sendable, Equatable {
        case off
        case track(TrackID)
    }

    public var audioTrack: TrackID?
    public var subtitles: Subtitles?
    /// Settings that were changed.
    public var settings: [Setting: SettingChange] = [:]

    /// Nothing was chosen.
    public init() {}
}

/// How far a file was played.
public struct HistoryProgress: Sendable, Equatable {
    /// As it is shown in a list; safe to display.
    public var title: String
    /// From the start of the file.
    public var position: TimeSpan
    /// nil where it is unknown.
    public var duration: TimeSpan?
    public var isFinished: Bool
    public var choices = HistoryChoices()

    /// A place in a file.
    public init(title: String, position: TimeSpan, duration: TimeSpan?, isFinished: Bool) {
        self.title = title
        self.position = position
        self.duration = duration
        self.isFinished = isFinished
    }
}

/// One file that was played.
public struct HistoryRecord: Sendable, Equatable {
    public var identity: FileIdentity
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
