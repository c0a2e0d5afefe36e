import FoundationEssentials

/// Paths below the home directory as settings write them.
enum HomePath {
    /// A path with its leading `~` replaced by the home directory: no shell does that for config.toml, nor behind `--option=`.
    static func expanded(
        _ path: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
        return home + path.dropFirst()
    }
}
