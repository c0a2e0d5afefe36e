public import AetherCore
import CLinux
import Glibc

/// A web server that only gives, for the programs of this machine, or of its own network.
///
/// The server is ours and not a package's: FlyingFox imports full Foundation (DateFormatter, URLComponents, CharacterSet), which brings
/// ICU, 40 MB, into the program; SwiftNIO brings event loops, on which making a segment must not block, and further packages, for what
/// is one method, no bodies and eight connections. A thread for each connection blocks where a segment is made.
public final class LoopbackServer: Sendable {
    /// Why it cannot listen, in the system's words.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence.
        public let description: String
    }

    private struct State {
        var threads: [WorkerThread] = []
        var open = 0
        var isStopped = false
    }

    /// The port that it listens at.
    public let port: Int
    /// The first part of every address; nil on this machine alone.
    public let token: String?
    /// "http://127.0.0.1:8200/".
    public let address: String
    private let listener: Int32
    private let stopping = WakeHandle()
    private let state = Monitor(State())

    /// Connections at once: browsers open six, and four clients are to be served. More wait in the system's queue.
    static let connectionLimit = 64

    /// Serves a source. `port` 0: any that is free. `network`: an address of this machine in a private network, where others there may ask, too;
    /// addresses then begin with a token that cannot be guessed. Throws where the port is taken.
    public init(_ source: ServedSource, port: Int = 0, network: PrivateAddress? = nil, time: any TimeSource = SystemTime())
        throws(Failure)
    {
        let (socket, number) = try ListeningSocket.open(network?.bytes ?? ListeningSocket.loopback, port: port)
        let host = network?.text ?? "127.0.0.1"
        token = network == nil ? nil : Self.makeToken()
        (listener, self.port) = (socket, number)
        address = "http://\(host):\(number)/" + (token.map { $0 + "/" } ?? "")
        let names = network == nil ? ["127.0.0.1", "localhost"] : [host]
        let desk = ServedDesk(source: source, token: token, hosts: Self.hosts(names, port: number), time: time)
        let (state, stopping) = (state, stopping)
        let accepting = WorkerThread(name: "serve-accept") { Self.acceptAll(socket, desk, state, stopping) }
        state.update { $0.threads.append(accepting) }
    }

    /// The server's names in requests. Browsers leave out the port where it is that of http.
    static func hosts(_ names: [String], port: Int) -> Set<String> {
        Set(names.map { "\($0):\(port)" }).union(port == 80 ? names : [])
    }

    /// Ends all connections. Blocks until they are gone; the source has to be stopped first, or answers are waited for.
    public func stop() {
        let isFirst = state.update { state -> Bool in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        stopping.wake()
        while let thread = state.update({ $0.threads.isEmpty ? nil : $0.threads.removeFirst() }) { thread.join() }
        _ = state.wait(until: nil) { $0.open == 0 ? true : nil }
        if isFirst { close(listener) }
    }

    deinit { stop() }

    /// 128 bits of the system's randomness.
    private static func makeToken() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let text = String(random.next(), radix: 36)
            return String(repeating: "0", count: 13 - text.count) + text
        }.joined()
    }

    private static func acceptAll(_ socket: Int32, _ desk: ServedDesk, _ state: Monitor<State>, _ stopping: WakeHandle) {
        while true {
            let mayGoOn = state.wait(until: nil) { $0.isStopped ? false : $0.open < connectionLimit ? true : nil }
            guard mayGoOn ?? false, ServedConnection.wait(socket, POLLIN, stopping, seconds: -1) else { return }
            let client = clinux_accept(socket)
            guard client >= 0 else {
                // Gone before it was taken, or no descriptors are left: others will be.
                if client == -EMFILE || client == -ENFILE {
                    guard ServedConnection.wait(-1, 0, stopping, seconds: 1) || !state.read({ $0.isStopped }) else { return }
                }
                continue
            }
            state.update { $0.open += 1 }
            _ = WorkerThread(name: "serve-client") {
                ServedConnection(socket: client, stopping: stopping).serve(desk)
                close(client)
                state.update { $0.open -= 1 }
            }
        }
    }
}
