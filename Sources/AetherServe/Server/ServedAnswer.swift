/// An answer of HTTP/1.1. Pure.
struct ServedAnswer {
    let status: Int
    let kind: String
    let body: [UInt8]

    init(_ status: Int, _ kind: String, _ body: [UInt8]) { (self.status, self.kind, self.body) = (status, kind, body) }

    init(_ kind: String, text: String) { self.init(200, kind, Array(text.utf8)) }

    /// An answer that is only a status, in a sentence.
    init(status: Int) { self.init(status, "text/plain; charset=utf-8", Array((Self.reason(status) + "\n").utf8)) }

    /// Nothing is kept: the next video at the same port has the same addresses. No field lets pages of others read it: there is no
    /// Access-Control-Allow-Origin. The page may load nothing from elsewhere.
    func head(keepsAlive: Bool) -> [UInt8] {
        var lines = [
            "HTTP/1.1 \(status) \(Self.reason(status))", "Content-Type: \(kind)", "Content-Length: \(body.count)",
            "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
            "Cross-Origin-Resource-Policy: same-origin", "Referrer-Policy: no-referrer",
            "Content-Security-Policy: default-src 'self'; media-src 'self' blob:; frame-ancestors 'none'",
            "Connection: \(keepsAlive ? "keep-alive" : "close")",
        ]
        if status == 405 { lines.append("Allow: GET, HEAD") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 413: "Content Too Large"
        case 421: "Misdirected Request"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Error"
        }
    }
}
