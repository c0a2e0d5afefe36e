import AetherCore
import AetherMedia
import AetherSources

/// Whether a source has no end: by what the host says, or else by its nature. Pure.
enum LiveKind {
    /// Protocols of broadcasts, which libavformat reads.
    private static let schemes: Set<String> = [
        "udp", "rtp", "srt", "rist", "rtmp", "rtmps", "rtsp", "rtsps", "mmsh", "mmst", "http", "https",
    ]

    /// libavformat's names of what is no file: a session description, and a session with a server.
    private static let sessions: Set<String> = ["sdp", "rtsp", "rtp"]

    private static func isSession(_ location: MediaLocation) -> Bool {
        guard case .url(let url) = location else { return false }
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return schemes.contains(scheme) && !scheme.hasPrefix("http")
    }

    /// `stated`: the host's word. What has neither a length nor a way back is taken for endless where it comes over a network; out of a pipe, where
    /// it has the form of a broadcast.
    static func isLive(_ stated: Bool?, source: MediaSource, _ description: SourceDescription) -> Bool {
        let info = description.info
        guard !description.window.isLive, case .location(let location) = source else {
            return !info.isSeekable && !description.window.isLive && stated ?? false
        }
        // libavformat takes a channel by RTMP or RTSP for one that can be gone to, as a film there can. Only that has a length.
        let isSession = sessions.contains(info.container) || isSession(location)
        guard !info.isSeekable || (isSession && info.duration == nil) else { return false }
        if let stated { return stated }
        guard info.duration == nil else { return false }
        switch location {
        case .file where isSession: return true
        case .standardInput: return info.timesMayLeap
        // A server that knows no parts may know the length of its file all the same.
        case .url where description.traits.hasKnownEnd: return false
        case .url(let url): return schemes.contains(url.prefix { $0 != ":" }.lowercased())
        case .file: return info.timesMayLeap && description.traits.mayStall
        }
    }
}
