/// What is played again by itself.
public enum RepeatMode: String, Sendable, CaseIterable {
    /// Nothing: the list ends with its last file.
    case off
    /// The list, from its first file.
    case list
    /// The present file.
    case file
}
