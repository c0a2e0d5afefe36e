import AetherCore

/// The protocols of libavformat's that an address may name. Some of them read descriptors of ours (`pipe:`, which takes the keyboard's bytes),
/// talk to sockets of the machine or glue files together, and an address may come from a playlist or over the remote control.
enum URLScheme {
    /// The protocols that fetch from elsewhere, and files. ftp and sftp are read by our own reader, which knows whose hosts it may ask.
    static let allowed: Set<String> = [
        "file", "http", "https", "rtmp", "rtmpe", "rtmps", "rtmpt", "rtmpte", "rtmpts", "rtsp", "rtsps", "rtp",
        "srtp", "udp", "tcp", "tls", "srt", "rist", "mms", "mmsh", "mmst",
    ]

    /// Protocols over TLS whose certificates libavformat never checks: RTSP and RTMP through https open their connections without the
    /// options that they were given.
    private static let unverified: Set<String> = ["rtsps", "rtmpts"]

    /// The address with its scheme in small letters, as libavformat wants it. Throws `.cannotOpen` for one that is not allowed; without
    /// trust in anybody that is also one whose certificate would not be checked.
    static func checked(_ url: String, trust: CertificateTrust = .system) throws(MediaError) -> String {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard allowed.contains(scheme) else {
            throw MediaError(
                .cannotOpen, "open", subject: url,
                reason: translated(
                    "\(DisplayText.singleLine(scheme, limit: 20)): is not opened; http, https, rtmp, rtsp, udp, srt … are"))
        }
        guard trust == .anybody || !unverified.contains(scheme) else {
            throw MediaError(
                .cannotOpen, "open", subject: url,
                reason: translated(
                    "the certificate of \(scheme) cannot be checked: anyone may answer; --insecure opens it all the same"))
        }
        if scheme == "file", url.contains("%00") {
            throw MediaError(.cannotOpen, "open", subject: url, reason: "no file has %00 in its name")
        }
        return scheme + url.dropFirst(scheme.count)
    }

    /// The protocols that an input may open by itself, in libavformat's words (`protocol_whitelist`): playlists inside of it. Nil leaves it to
    /// libavformat, which has the same for `http:` and fewer for `file:`.
    static func nested(in input: MediaInput) -> String? {
        switch input {
        // All else goes through the opener.
        case .document: return "data"
        // Read by ourselves, libavformat knows of no protocol and would allow all. What a server sent names no files of this machine.
        case .reader(_, let name):
            let nested = "crypto,data,http,https,httpproxy,tls,tcp", name = name.lowercased()
            if name.hasPrefix("http://") || name.hasPrefix("https://") { return nested }
            // A session description of this machine names ports to listen at.
            return name.hasSuffix(".sdp") ? "rtp,udp" : "file," + nested
        case .url(let url, let trust):
            let scheme = url.prefix { $0 != ":" }.lowercased()
            if scheme.hasPrefix("http") || scheme == "file" { return nil }
            let named = allowed.subtracting(["file"]).subtracting(trust == .anybody ? [] : unverified)
            return (named.sorted() + ["crypto", "data", "httpproxy", "udplite"]).joined(separator: ",")
        }
    }
}
