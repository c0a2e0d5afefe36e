import AetherCore
import AetherTestSupport
import Glibc

@testable import AetherDesktop

/// A logind on a private bus that gives out locks, and sees when they are given back.
final class FakeLogind: Sendable {
    private struct State {
        var asked: [[String]] = []
        /// Our ends of the locks.
        var ends: [Int32] = []
        /// The others', until they have gone out with the answer.
        var lent: [Int32] = []
        var isReady = false
        var isStopping = false
    }

    private let state = Monitor(State())
    private let wake = WakeHandle()
    private let thread: WorkerThread

    init(on bus: PrivateBus) throws {
        let (state, wake, address) = (self.state, self.wake, bus.address)
        thread = WorkerThread(name: "logind") {
            do throws(BusError) {
                var connection = try BusConnection(.address(address))
                try connection.serve("/org/freedesktop/login1") { FakeLogind.answer($0, state) }
                try connection.requestName("org.freedesktop.login1")
                state.update { $0.isReady = true }
                while !state.read({ $0.isStopping }) {
                    try connection.process()
                    for end in FakeLogind.takeLent(state) { close(end) }
                    if !state.read({ $0.isStopping }) { try connection.wait(for: wake) }
                }
            } catch {
                state.update { $0.isReady = true }
            }
        }
        _ = state.wait { $0.isReady ? true : nil }
    }

    private static func takeLent(_ state: Monitor<State>) -> [Int32] {
        state.update { state in
            defer { state.lent = [] }
            return state.lent
        }
    }

    private static func answer(_ call: BusConnection.Call, _ state: Monitor<State>) -> BusConnection.Answer {
        var ends: [Int32] = [-1, -1]
        // Closed in children: other tests start programs, which would hold the lock too.
        guard call.member == "Inhibit", socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else { return .failure("org.example.Failed", "no lock") }
        let words = call.arguments.map { if case .string(let text) = $0 { text } else { "" } }
        let lent = ends[1]
        state.update { state in
            state.asked.append(words)
            state.ends.append(ends[0])
            state.lent.append(lent)
        }
        return .values([.descriptor(lent)])
    }

    /// The words of each request for a lock.
    var asked: [[String]] { state.read { $0.asked } }

    /// Waits until so many locks were asked for.
    func waitForLock(_ number: Int) -> Bool {
        state.wait(until: SystemTime().now() + .seconds(60)) { $0.ends.count >= number ? true : nil } ?? false
    }

    /// Whether a lock, from 1, is still held by somebody.
    func isHeld(_ number: Int) -> Bool { !isReleased(number, within: 0) }

    /// Waits until a lock was given back.
    func waitForRelease(of number: Int) -> Bool { isReleased(number, within: 60_000) }

    private func isReleased(_ number: Int, within milliseconds: Int32) -> Bool {
        let end = state.read { $0.ends.indices.contains(number - 1) ? $0.ends[number - 1] : -1 }
        var one = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        return end >= 0 && poll(&one, 1, milliseconds) == 1 && one.revents & Int16(POLLHUP) != 0
    }

    /// Leaves the bus.
    func stop() {
        state.update { $0.isStopping = true }
        wake.wake()
        thread.join()
        for end in state.read({ $0.ends }) { close(end) }
    }
}
