public import AetherCore
import Glibc

/// The player on the session bus, as MPRIS wants it: the desktop's keys, panels and `playerctl` find it there. A thread of its own
/// speaks with the bus; without a bus it ends at once and nothing is missed.
public final class MediaPlayerService: Sendable {
    private struct State {
        var status: PlayerStatus
        var requests: [DesktopRequest] = []
        var isStopping = false
    }

    private let state: Monitor<State>
    private let ownWake: WakeHandle

    /// More requests than that unread are forgotten: a program floods a player that hangs.
    private static let requestLimit = 256

    /// Whether there is a session bus at all.
    public static func isPossible(_ environment: [String: String]) -> Bool {
        environment["DBUS_SESSION_BUS_ADDRESS"].map { !$0.isEmpty } ?? false
    }

    /// Starts the thread. `wake` is signalled with each request. `refusal` says why an address cannot be played, nil where it can or that is not
    /// known soon; it is asked on the thread of the bus, and what it refuses is no request.
    public convenience init(
        _ status: PlayerStatus, wake: WakeHandle, refusal: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.init(status, wake: wake, bus: .session, refusal: refusal)
    }

    init(
        _ status: PlayerStatus, wake: WakeHandle, bus: BusConnection.Kind,
        refusal: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        let state = Monitor(State(status: status)), ownWake = WakeHandle()
        self.state = state
        self.ownWake = ownWake
        _ = WorkerThread(name: "mpris") {
            do throws(BusError) {
                try MediaPlayerService.serve(state, ownWake, bus, refusal) { request in
                    state.update { if $0.requests.count < MediaPlayerService.requestLimit { $0.requests.append(request) } }
                    wake.wake()
                }
            } catch {
                Log.module("mpris").info("not on the session bus: \(error)")
            }
        }
    }

    deinit { stop() }

    /// Tells what has changed. Any thread; never blocks.
    public func publish(_ status: PlayerStatus) {
        state.update { $0.status = status }
        ownWake.wake()
    }

    /// The desktop's requests since the last call, in order.
    public func takeRequests() -> [DesktopRequest] {
        state.update { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// Leaves the bus soon; does not wait for it.
    public func stop() {
        state.update { $0.isStopping = true }
        ownWake.wake()
    }

    private static func serve(
        _ state: Monitor<State>, _ wake: WakeHandle, _ bus: BusConnection.Kind, _ refusal: @escaping (String) -> String?,
        _ request: @escaping (DesktopRequest) -> Void
    ) throws(BusError) {
        var connection = try BusConnection(bus)
        try connection.serve(MediaPlayerObject.path) { call in
            let object = MediaPlayerObject(status: state.read { $0.status }, now: SystemTime().now())
            let outcome = object.answer(to: call)
            if case .open(let address)? = outcome.request, let reason = refusal(address) {
                return .failure("org.freedesktop.DBus.Error.Failed", reason)
            }
            if let wanted = outcome.request { request(wanted) }
            return outcome.answer
        }
        var told = state.read { $0.status }
        try connection.requestName("org.mpris.MediaPlayer2.aethertui.instance\(getpid())")
        while true {
            try connection.process()
            let (status, isStopping) = state.read { ($0.status, $0.isStopping) }
            if isStopping { return }
            if status != told {
                let object = MediaPlayerObject(status: status, now: SystemTime().now())
                let changes = object.changes(since: told)
                if !changes.isEmpty {
                    try connection.emit(
                        MediaPlayerObject.path, MediaPlayerObject.properties, "PropertiesChanged",
                        [.string(MediaPlayerObject.player), .dictionary(changes), .strings([])])
                }
                if let position = object.seeked(since: told) {
                    try connection.emit(
                        MediaPlayerObject.path, MediaPlayerObject.player, "Seeked",
                        [.integer(MediaPlayerObject.microseconds(position))])
                }
                told = status
                continue
            }
            try connection.wait(for: wake)
        }
    }
}
