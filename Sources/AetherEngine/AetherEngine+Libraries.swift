public import AetherCore
import AetherMedia
import AetherSources

extension AetherEngine {
    /// Sends messages of libraries to the log, or nowhere, from now on (`LibraryMessages.divert`). Call once, before any other
    /// thread starts. Never blocks.
    public static func divertLibraryMessages() { LibraryMessages.divert() }

    /// The libraries that the engine stands on, by the versions that run. Never blocks.
    public static var libraryVersions: [LibraryVersion] { MediaLibraries.versions + [WebLibrary.version] }

    /// Whether files on shares of SMB can be read: that part is optional. Blocks on the file system.
    public static var readsShares: Bool { ShareReader.isAvailable }

    /// Whether audio CDs and Video CDs in a drive can be read: that part is optional. Blocks on the file system.
    public static var readsDrives: Bool { DriveProgram.find() != nil }
}
