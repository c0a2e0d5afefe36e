import AetherCore
import CFFmpeg
import Glibc

/// The refusals of libavformat's own protocols, in the words of our readers. Pure.
enum ProtocolFault {
    /// Protocols that nobody answers to: packets come in, or none do.
    private static let silent: Set<String> = ["udp", "rtp", "srtp", "rist"]
    /// Protocols that begin with a conversation: who ends it before a stream is described has hung up.
    private static let conversations: Set<String> = [
        "rtmp", "rtmpe", "rtmps", "rtmpt", "rtmpte", "rtmpts", "rtsp", "rtsps", "srt", "mmsh", "mmst", "tcp", "tls",
    ]

    /// The fault behind libavformat's number; nil where it is another thing than a server. `complaints`: the errors that were logged on the
    /// way, for many different faults are one and the same "Input/output error".
    static func fault(_ status: Int32, of url: String, complaints: String) -> NetworkFault? {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard silent.contains(scheme) || conversations.contains(scheme) || scheme.hasPrefix("http") else { return nil }
        switch status {
        case aether_averror(ECONNREFUSED): return NetworkFault(.refused)
        case aether_averror(EHOSTUNREACH), aether_averror(ENETUNREACH), aether_averror(ENETDOWN), aether_averror(EHOSTDOWN):
            return NetworkFault(.unreachable)
        case aether_averror(ETIMEDOUT): return NetworkFault(.timedOut)
        case aether_averror(ECONNRESET), aether_averror(EPIPE): return NetworkFault(.hungUp)
        case aether_averror_eof() where conversations.contains(scheme): return NetworkFault(.hungUp)
        case aether_averror(EIO): return unnamed(scheme, complaints)
        default: return answered.first { $0.code == status }.map { NetworkFault(.status($0.status)) }
        }
    }

    /// Input/output error.
    private static func unnamed(_ scheme: String, _ complaints: String) -> NetworkFault? {
        if complaints.contains("Failed to resolve hostname") || complaints.contains("getaddrinfo(") {
            return NetworkFault(.noSuchHost)
        }
        if complaints.contains("certificate") { return NetworkFault(.certificate) }
        if silent.contains(scheme) { return NetworkFault(.timedOut, detail: "nothing comes in") }
        // libsrt tells a listener that refuses from one that is not there no more than this.
        if scheme == "srt" { return NetworkFault(.unreachable, detail: "no SRT connection; address, port and passphrase count") }
        return nil
    }

    /// FFERRTAG(0xF8, '4', '0', '1') and its like: answers of RTSP and HTTP.
    private static let answered: [(code: Int32, status: Int)] = [400, 401, 403, 404].map { status in
        let digits = [0xF8] + String(status).utf8.map { Int32($0) }
        return (-(digits[0] | digits[1] << 8 | digits[2] << 16 | digits[3] << 24), status)
    }
}
