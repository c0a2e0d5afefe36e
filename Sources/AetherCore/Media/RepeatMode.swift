/// The part of the playlist that repeats.
public enum RepeatMode: String, Sendable, CaseIterable {
    /// No repeat: the list ends with its last file.
    case off
    /// The list, from its first file.
    case list
    /// The present file.
    case file
}
