import AetherMedia

extension AetherEngine {
    /// Sends messages of libraries to the log, or nowhere, from now on (`LibraryMessages.divert`). Call once, before any other
    /// thread starts. Never blocks.
    public static func divertLibraryMessages() { LibraryMessages.divert() }
}
