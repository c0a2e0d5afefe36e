import AetherEngine
import Glibc

/// Stills of one source over HTTP, on this machine alone: `GET /` is a page, `GET /12.5` the still at 12.5 seconds as JPEG.
///
///     FrameServer FILE|URL [PORT] [COUNT]     ends after COUNT answers, where that is given
@main struct FrameServer {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let words = CommandLine.arguments.dropFirst()
        guard let name = words.first else { return print("usage: FrameServer FILE|URL [PORT] [COUNT]") }
        let port = words.dropFirst().first.flatMap { UInt16($0) } ?? 8080
        let count = words.dropFirst(2).first.flatMap { Int($0) } ?? .max
        let extractor = FrameExtractor(.location(.parse(name)))
        defer { extractor.shutDown() }
        do {
            let outline = try extractor.waitUntilOpened()
            guard let listener = listen(on: port) else { return print("FrameServer: cannot listen on port \(port)") }
            print("http://127.0.0.1:\(listener.port)/")
            fflush(nil)
            for _ in 0..<count {
                let client = accept(listener.socket, nil, nil)
                guard client >= 0 else { continue }
                answer(request(of: client), to: client, extractor, outline)
                close(client)
            }
        } catch {
            print("FrameServer: \(error)")
        }
    }

    /// A socket of the loopback; port 0 takes a free one.
    private static func listen(on port: UInt16) -> (socket: Int32, port: UInt16)? {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var yes: Int32 = 1, address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafeMutablePointer(to: &address) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        return isBound ? (listener, UInt16(bigEndian: address.sin_port)) : nil
    }

    /// The path that is asked for; nil for anything but a GET of usual length.
    private static func request(of client: Int32) -> Substring? {
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: 8192), filled = 0
        while filled < bytes.count, !bytes[..<filled].contains(UInt8(ascii: "\n")) {
            let more = bytes.withUnsafeMutableBytes { recv(client, $0.baseAddress! + filled, $0.count - filled, 0) }
            guard more > 0 else { return nil }
            filled += more
        }
        let words = String(decoding: bytes[..<filled], as: UTF8.self).split(separator: "\r\n").first?.split(separator: " ") ?? []
        return words.count >= 2 && words[0] == "GET" ? words[1].dropFirst() : nil
    }

    private static func answer(_ path: Substring?, to client: Int32, _ extractor: FrameExtractor, _ outline: SourceOutline) {
        guard let path else { return send("400 Bad Request", "text/plain", Array("GET only\n".utf8), to: client) }
        guard !path.isEmpty else { return send("200 OK", "text/html", Array(page(of: outline).utf8), to: client) }
        guard let seconds = Double(path), (0...86_400).contains(seconds) else {
            return send("404 Not Found", "text/plain", Array("a time in seconds, as /12.5\n".utf8), to: client)
        }
        do {
            let still = try extractor.waitForStill(at: outline.startTime + .seconds(seconds), isExact: true, width: 640)
            send("200 OK", "image/jpeg", try JPEGPicture.bytes(still.image), to: client)
        } catch {
            send("404 Not Found", "text/plain", Array("\(error)\n".utf8), to: client)
        }
    }

    /// Nine stills, a tenth of the source apart.
    private static func page(of outline: SourceOutline) -> String {
        let duration = outline.duration?.seconds ?? 0
        return "<!doctype html><title>Stills</title>"
            + (1...9).map { "<img width=320 src=/\(duration * Double($0) / 10)>" }.joined()
    }

    private static func send(_ status: String, _ type: String, _ body: [UInt8], to client: Int32) {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        let bytes = Array(head.utf8) + body
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.send(client, $0.baseAddress! + sent, $0.count - sent, 0) }
            guard count > 0 else { return }
            sent += count
        }
    }
}
