import Foundation
import Glibc

/// tinyproxy on the loopback address: a proxy that others made, which writes down whom it was asked for. Ends with its last user.
public final class ProxyServer {
    /// It did not start.
    public struct Failure: Error, CustomStringConvertible {
        /// Its own words.
        public let description: String
    }

    private static let program = ProcessInfo.processInfo.environment["AETHER_TINYPROXY"] ?? "/usr/bin/tinyproxy"

    /// Whether the program is there.
    public static let isAvailable = FileManager.default.isExecutableFile(atPath: program)

    /// "127.0.0.1:40123".
    public let place: String
    private let folder: TemporaryFolder
    private let pty: Pty

    /// A proxy for everybody on this machine, or for who knows the name and the password ("me:secret").
    public init(account: String? = nil) throws {
        folder = try TemporaryFolder()
        var words = ""
        // It takes no socket of ours: the port is free now, and where somebody else is faster, another one is tried.
        for _ in 0..<10 {
            guard let (socket, port) = FileServer.listener() else { continue }
            close(socket)
            let lines = [
                "Port \(port)", "Listen 127.0.0.1", "Allow 127.0.0.1", "Timeout 60", "MaxClients 50", "LogLevel Info",
                account.map { "BasicAuth \($0.replacing(":", with: " "))" } ?? "",
            ]
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.url.appending(path: "config"))
            let started = try Pty([Self.program, "-d", "-c", folder.path("config")])
            if started.waitForText("Accepting connections") {
                (pty, place) = (started, "127.0.0.1:\(port)")
                return
            }
            words = started.text
        }
        throw Failure(description: words)
    }

    /// Blocks until it was asked for somebody ("GET http://host/path", "CONNECT host:443"), a minute at most; says whether it was.
    public func wasAsked(for request: String) -> Bool { pty.waitForText("): \(request) HTTP/1.1") }
}
