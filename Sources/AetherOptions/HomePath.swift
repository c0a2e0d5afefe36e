import FoundationEssentials

/// Paths below the home directory as settings write them.
public enum HomePath {
    /// A path with its leading `~` replaced by the home directory: no shell does that for config.toml, nor behind `--option=`.
    public static func expanded(_ path: String) -> String { expanded(path, ProcessInfo.processInfo.environment) }

    /// The same by another environment than the process's.
    public static func expanded(_ path: String, _ environment: [String: String]) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
        return home + path.dropFirst()
    }
}
