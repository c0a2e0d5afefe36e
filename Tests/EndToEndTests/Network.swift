import AetherTestSupport
import Foundation

/// A web server on this machine: Python's own, on a free port of the loopback address.
enum Network {
    static let isAvailable = ["/usr/bin/python3", "/usr/local/bin/python3"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The server did not start.
    struct Failure: Error { let description: String }

    /// Serves a folder until it is let go.
    struct Server {
        let address: String
        private let pty: Pty

        init(folder: URL) throws {
            pty = try Pty([
                "sh", "-c",
                "PATH=/usr/bin:/usr/local/bin:$PATH exec python3 -u -m http.server --bind 127.0.0.1 --directory \"$0\" 0",
                folder.path,
            ])
            guard pty.waitForText("(http://"), pty.waitForText(") ..."),
                let found = pty.text.firstMatch(of: /\((?<address>http:\/\/[0-9.:]+)\/\)/)
            else { throw Failure(description: "no web server: \(pty.text)") }
            address = String(found.output.address)
        }
    }
}
