/// A request about downloads.
public enum DownloadRequest: Sendable, Equatable {
    /// Download the source that plays.
    case keep
    /// Stop a download for a while, or go on with it; by its number.
    case turn(Int)
    /// Stop a download and remove its files; by its number.
    case remove(Int)
}
