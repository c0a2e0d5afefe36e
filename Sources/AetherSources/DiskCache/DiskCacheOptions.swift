/// Where the files of web servers are kept between runs, and how much of them.
public struct DiskCacheOptions: Sendable, Equatable {
    /// The directory; made where it is missing.
    public let directory: String
    /// Bytes of all files together.
    public let limit: Int64

    /// A cache of so many bytes.
    public init(directory: String, limit: Int64) {
        (self.directory, self.limit) = (directory, limit)
    }

    /// The directory by the environment (`XDG_CACHE_HOME`, else `HOME`); nil without a home.
    public static func directory(_ environment: [String: String]) -> String? {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/aether-tui/web" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.cache/aether-tui/web"
    }

    /// The bytes that are written before the directory is looked through again: no player is further above the limit.
    var step: Int64 { max(1, min(4 << 20, limit / 8)) }
}
