import AetherTestSupport
import Foundation

/// A web server that says how long a file is, and then closes before all of it was sent, or sends all but knows of no parts (`Range`).
struct PartialServer {
    let address: String
    private let pty: Pty

    /// `share`: how much of each file is sent, 0 … 1.
    init(folder: URL, share: Double) throws {
        let script = """
            import http.server, sys
            class Answer(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    with open(sys.argv[1] + self.path, 'rb') as file: data = file.read()
                    self.send_response(200)
                    self.send_header('Content-Length', str(len(data)))
                    self.end_headers()
                    try: self.wfile.write(data[:int(len(data) * \(share))])
                    except OSError: pass
                def log_message(self, *words): pass
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Answer)
            print('(http://127.0.0.1:%d/)' % server.server_port, flush=True)
            server.serve_forever()
            """
        pty = try Pty([
            "sh", "-c", "PATH=/usr/bin:/usr/local/bin:$PATH exec python3 -u -c \"$0\" \"$1\"", script, folder.path,
        ])
        guard pty.waitForText("/)"), let found = pty.text.firstMatch(of: /\((?<address>http:\/\/[0-9.:]+)\/\)/) else {
            throw Network.Failure(description: "no web server: \(pty.text)")
        }
        address = String(found.output.address)
    }
}
