public import AetherCore
import Glibc

/// The remote control of a player: a Unix socket, a JSON object a line. A thread of its own speaks with the clients; what they ask is
/// taken by the main thread after a wake, which answers, publishes properties and tells events. Nothing here blocks that thread.
public final class RemoteServer: Sendable {
    /// A request and the client that made it.
    public struct Incoming: Sendable, Equatable {
        /// The number of the client, by which requests of one client are told from others'.
        public let client: Int
        /// The request, parsed.
        public let request: RemoteRequest
    }

    struct State {
        var inbox: [Incoming] = []
        /// nil instead of a client: all of them. Answers count, events do not.
        var outbox: [(client: Int?, line: String)] = []
        /// Observations that were refused, by their clients.
        var withdrawn: [(client: Int, name: String)] = []
        var properties: [String: JSON] = [:]
        var observed: Set<String> = []
        /// Connected clients that did not come by the socket.
        var admitted: [Int32] = []
        var isStopping = false
        var isStopped = false
    }

    let state = Monitor(State())
    let ownWake = WakeHandle()
    /// nil: clients are only admitted.
    private let listener: RemoteListener?

    /// More clients than that are sent away.
    static let clientLimit = 16

    /// Listens at a path from now on. `wake` is signalled with each request. Throws where the path is taken; blocks on the file system
    /// for as long as a `mkdir` would. Without a path there are only the clients that are admitted.
    public init(path: String?, greeting: JSON, wake: WakeHandle) throws(RemoteError) {
        let listener = try path.map { path throws(RemoteError) in try RemoteListener(path: path) }
        self.listener = listener
        let loop = RemoteLoop(state: state, ownWake: ownWake, wake: wake, greeting: greeting.line)
        _ = WorkerThread(name: "ipc") { loop.run(listener) }
    }

    deinit { stop(within: .zero) }

    /// Takes a connected, non-blocking socket as a client, and owns it from now on. Never blocks.
    public func admit(_ descriptor: Int32) {
        state.update { $0.admitted.append(descriptor) }
        ownWake.wake()
    }

    /// The requests since the last call, in order.
    public func takeRequests() -> [Incoming] {
        state.update { state in
            defer { state.inbox = [] }
            return state.inbox
        }
    }

    /// Answers a request. What is refused is not observed.
    public func answer(_ incoming: Incoming, _ answer: RemoteAnswer) {
        state.update {
            $0.outbox.append((incoming.client, answer.line(id: incoming.request.id)))
            if case .failure = answer, case .observe(let name, true) = incoming.request.verb {
                $0.withdrawn.append((incoming.client, name))
            }
        }
        ownWake.wake()
    }

    /// The properties that clients observe.
    public var observed: Set<String> { state.read { $0.observed } }

    /// Publishes the present values of the observed properties.
    public func publish(_ properties: [String: JSON]) {
        let hasChanged = state.update { state in
            guard state.properties != properties else { return false }
            state.properties = properties
            return true
        }
        if hasChanged { ownWake.wake() }
    }

    /// Tells all clients.
    public func tell(_ event: String, _ members: [String: JSON] = [:]) {
        let line = JSON.object(JSON.Members(members.merging(["event": .string(event)]) { $1 })).line
        state.update { $0.outbox.append((nil, line)) }
        ownWake.wake()
    }

    /// Says good-bye and removes the path; waits for that at most so long.
    public func stop(within span: TimeSpan) {
        state.update { $0.isStopping = true }
        ownWake.wake()
        let isStopped: Bool? = state.wait(until: SystemTime().now() + span) { $0.isStopped ? true : nil }
        if isStopped == nil { listener?.removePath() }
    }
}
