import AetherCore
import Glibc

/// Keeps the machine awake while a video plays: a lock of logind against idling and sleeping, held as a file descriptor and given back by
/// closing it. A thread of its own asks for it; where there is no logind nothing happens.
public final class SleepInhibitor: Sendable {
    private struct State {
        var isWanted = false
        var isStopping = false
        var isHeld = false
    }

    private let state = Monitor(State())

    /// Starts the thread, which asks for nothing until a lock is wanted.
    public convenience init() { self.init(bus: .system) }

    /// `patience`: how long logind may take to answer. 2 s: it answers in milliseconds, unless it is being started.
    init(bus: BusConnection.Kind, patience: TimeSpan = .seconds(2)) {
        let state = state
        _ = WorkerThread(name: "inhibit") { SleepInhibitor.run(state, bus, patience) }
    }

    deinit { state.update { $0.isStopping = true } }

    /// Whether the machine is to stay awake. Any thread; never blocks.
    public func set(_ isWanted: Bool) {
        guard state.read({ $0.isWanted }) != isWanted else { return }
        state.update { $0.isWanted = isWanted }
    }

    /// Waits until the lock is held, or is not, at most until then.
    func waitUntil(held: Bool, until deadline: HostTime) -> Bool {
        state.wait(until: deadline) { $0.isHeld == held ? true : nil } ?? false
    }

    private static func run(_ state: Monitor<State>, _ bus: BusConnection.Kind, _ patience: TimeSpan) {
        var lock: Int32 = -1
        var hasFailed = false
        while true {
            let isHeld = lock >= 0
            let isDeaf = hasFailed
            let next: (isWanted: Bool, isStopping: Bool)? = state.wait { state -> (isWanted: Bool, isStopping: Bool)? in
                // A service that does not answer is not asked again at each pause.
                let isNew = state.isWanted != isHeld && !(isDeaf && state.isWanted)
                guard state.isStopping || isNew else { return nil }
                return (state.isWanted, state.isStopping)
            }
            guard let next else { return }
            if isHeld { close(lock) }
            lock = -1
            if next.isStopping { return }
            if next.isWanted {
                do throws(BusError) {
                    lock = try take(bus, patience)
                } catch {
                    hasFailed = true
                    Log.module("inhibit").info("the machine may fall asleep: \(error)")
                }
            }
            let isNowHeld = lock >= 0
            state.update { $0.isHeld = isNowHeld }
        }
    }

    private static func take(_ bus: BusConnection.Kind, _ patience: TimeSpan) throws(BusError) -> Int32 {
        let connection = try BusConnection(bus)
        return try connection.descriptor(
            from: "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "Inhibit",
            [.string("idle:sleep"), .string("aether-tui"), .string("Playing"), .string("block")], patience: patience)
    }
}
