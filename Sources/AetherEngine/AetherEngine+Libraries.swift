public import AetherCore
import AetherMedia
import AetherSources

extension AetherEngine {
    /// Sends messages of libraries to the log, or nowhere, from now on (`LibraryMessages.divert`). Call once, before any other
    /// thread starts. Never blocks.
    public static func divertLibraryMessages() { LibraryMessages.divert() }

    /// The libraries that the engine stands on, by the versions that run. Never blocks.
    public static var libraryVersions: [LibraryVersion] { MediaLibraries.versions + [WebLibrary.version] }
}
