import AetherCore
import CCurl
import Glibc

/// libcurl's results as faults. Pure.
enum CurlFault {
    /// `tunnel`: the status that a proxy gave to the wish for a connection through it, 0 where it was not asked.
    /// `isAnswered`: the head of an answer had come.
    static func fault(
        _ code: CURLcode, errno: Int32, detail: String, tunnel: Int = 0, isProxied: Bool = false, isAnswered: Bool = true
    ) -> NetworkFault {
        switch code {
        case _ where tunnel == 401 || tunnel == 407: NetworkFault(.status(407))
        case _ where tunnel >= 400: NetworkFault(.proxy, detail: "it says \(tunnel)")
        case CURLE_URL_MALFORMAT: NetworkFault(.invalidAddress)
        // Bytes without a head: the rest of another answer, where the connection was used before.
        case CURLE_UNSUPPORTED_PROTOCOL where detail.contains("HTTP/0.9"): NetworkFault(.badAnswer, detail: detail)
        case CURLE_UNSUPPORTED_PROTOCOL: NetworkFault(.invalidAddress, detail: detail)
        case CURLE_REMOTE_FILE_NOT_FOUND, CURLE_FTP_COULDNT_RETR_FILE: NetworkFault(.missing)
        case CURLE_LOGIN_DENIED, CURLE_REMOTE_ACCESS_DENIED: NetworkFault(.denied)
        case CURLE_COULDNT_RESOLVE_HOST: NetworkFault(.noSuchHost)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: NetworkFault(.proxy, detail: detail)
        // With one before the server it is the proxy's.
        case CURLE_COULDNT_CONNECT:
            NetworkFault(errno == ECONNREFUSED ? .refused : .unreachable, detail: isProxied ? "the proxy" : "")
        case CURLE_OPERATION_TIMEDOUT: NetworkFault(.timedOut)
        // libcurl has one number for both. Of a certificate it always says what is wrong, of a key of ssh mostly nothing.
        case CURLE_PEER_FAILED_VERIFICATION where Self.isOfShell(detail): NetworkFault(.hostKey)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            NetworkFault(.certificate, detail: detail)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_NOTFOUND:
            NetworkFault(.handshake, detail: detail)
        case CURLE_GOT_NOTHING: NetworkFault(.hungUp)
        case CURLE_RECV_ERROR where !isAnswered, CURLE_SEND_ERROR where !isAnswered: NetworkFault(.hungUp)
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            NetworkFault(.brokeOff)
        case CURLE_FTP_COULDNT_USE_REST, CURLE_BAD_DOWNLOAD_RESUME: NetworkFault(.badAnswer, detail: "it sends no parts of files")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: NetworkFault(.badAnswer, detail: detail)
        default: NetworkFault(.other, detail: detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
        }
    }

    private static func isOfShell(_ detail: String) -> Bool {
        detail.isEmpty || ["SSH remote key", "known_hosts", "host key", "hostkey"].contains { detail.contains($0) }
    }
}
