import AetherCore
import AetherEngine

/// The ends of a run's files: the worst of them is the status of the program. A file that could not be opened weighs more than one that
/// broke off, for less of it was played. A value.
struct PlayTally: Sendable, Equatable {
    private(set) var status = ExitStatus.played
    /// The first failure of that status.
    private(set) var failure: MediaError?

    /// Takes in a turn of the playing.
    mutating func note(_ turn: PlaybackNews.Turn) {
        switch turn {
        case .began, .ended(nil): break
        case .ended(let error?): note(error, .playbackFailed)
        case .failed(let error, let midway): note(error, midway ? .playbackFailed : .cannotOpen)
        }
    }

    private mutating func note(_ error: MediaError, _ grade: ExitStatus) {
        guard grade.rawValue > status.rawValue else { return }
        (status, failure) = (grade, error)
    }
}
