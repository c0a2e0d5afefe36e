import AetherCore
import AetherMedia
import AetherSources

/// Whether a source has no end: by what the host says, or else by its nature. Pure.
enum LiveKind {
    /// Protocols of broadcasts, which libavformat reads.
    private static let schemes: Set<String> = [
        "udp", "rtp", "srt", "rist", "rtmp", "rtmps", "rtsp", "rtsps", "mmsh", "mmst", "http", "https",
    ]

    /// `stated`: the host's word. What has neither a length nor a way back is taken for endless where it comes over a network; out of a pipe, where
    /// it has the form of a broadcast.
    static func isLive(_ stated: Bool?, source: MediaSource, _ description: SourceDescription) -> Bool {
        let info = description.info
        guard !info.isSeekable, !description.window.isLive else { return false }
        if let stated { return stated }
        guard info.duration == nil else { return false }
        guard case .location(let location) = source else { return false }
        switch location {
        case .standardInput: return info.timesMayLeap
        case .url(let url): return schemes.contains(url.prefix { $0 != ":" }.lowercased())
        case .file: return info.timesMayLeap && description.traits.mayStall
        }
    }
}
