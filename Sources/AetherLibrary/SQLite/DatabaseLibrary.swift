public import AetherCore
import CSQLite

/// The library behind the history. For reports.
public enum DatabaseLibrary {
    /// SQLite's version. Never blocks.
    public static var version: LibraryVersion { LibraryVersion("SQLite", String(cString: sqlite3_libversion())) }
}
