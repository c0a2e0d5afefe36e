import AetherOptions

/// The folders of stills, by the environment. Pure.
enum FrameFolders {
    /// The folder of stills: the one that was asked for, else $XDG_PICTURES_DIR, else the present directory.
    static func stills(_ wanted: String?, _ environment: [String: String]) -> String {
        if let wanted, !wanted.isEmpty { return HomePath.expanded(wanted, environment) }
        if let pictures = environment["XDG_PICTURES_DIR"], pictures.hasPrefix("/") { return pictures }
        return "."
    }

    /// The folder of recordings: the one that was asked for, else $XDG_VIDEOS_DIR, else the present directory.
    static func recordings(_ wanted: String?, _ environment: [String: String]) -> String {
        if let wanted, !wanted.isEmpty { return HomePath.expanded(wanted, environment) }
        if let videos = environment["XDG_VIDEOS_DIR"], videos.hasPrefix("/") { return videos }
        return "."
    }

    /// The folder of what is kept of live sources.
    static func past(_ environment: [String: String]) -> String {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/aether-tui" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return "/var/tmp" }
        return home + "/.cache/aether-tui"
    }

    /// The folder of the strips of thumbnails; nil without a home.
    static func thumbnails(_ environment: [String: String]) -> String? {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/aether-tui/thumbnails" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.cache/aether-tui/thumbnails"
    }
}
