import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

@testable import AetherDesktop

/// On a bus of our own, named by its address: the environment is the whole process's.
@Suite(.enabled(if: PrivateBus.missing == nil, "\(PrivateBus.missing ?? "")"))
struct BusTests {
    private let bus: PrivateBus
    private var soon: HostTime { SystemTime().now() + .seconds(60) }

    init() throws {
        bus = try PrivateBus()
    }

    /// Serves an object on a thread until the test lets go.
    private final class Other: Sendable {
        private let thread: WorkerThread
        private let wake = WakeHandle()
        private let isStopping = Monitor(false)
        let isReady = Monitor(false)
        let calls = Monitor<[String]>([])

        init(
            _ name: String, _ path: String, on bus: PrivateBus,
            answer: @escaping @Sendable (BusConnection.Call) -> BusConnection.Answer
        ) {
            let (wake, isStopping, isReady, calls) = (self.wake, self.isStopping, self.isReady, self.calls)
            let address = bus.address
            thread = WorkerThread(name: "other") {
                do throws(BusError) {
                    var connection = try BusConnection(.address(address))
                    try connection.serve(path) { call in
                        calls.update { $0.append(call.member) }
                        return answer(call)
                    }
                    try connection.requestName(name)
                    isReady.update { $0 = true }
                    while !isStopping.read({ $0 }) {
                        try connection.process()
                        if !isStopping.read({ $0 }) { try connection.wait(for: wake) }
                    }
                } catch {
                    isReady.update { $0 = true }
                }
            }
            _ = isReady.wait { $0 ? true : nil }
        }

        func stop() {
            isStopping.update { $0 = true }
            wake.wake()
            thread.join()
        }
    }

    @Test func valuesOfEveryKindGoToAndFro() throws {
        let sent: [BusValue] = [
            .string("a\u{E4}"), .path("/a/b"), .integer(.min), .double(1.5), .bool(true), .strings(["x", ""]),
            .dictionary([.init("k", .integer(7)), .init("l", .strings([]))]), .variant(.string("v")),
        ]
        let other = Other("org.example.Echo", "/", on: bus) { .values($0.arguments) }
        defer { other.stop() }
        let connection = try BusConnection(.address(bus.address))
        let received = try connection.call("org.example.Echo", "/", "org.example", "Echo", sent, patience: .seconds(60))
        #expect(received == sent)
    }

    /// Anybody on the bus may send them, and nobody here would close them.
    @Test func descriptorsThatStrangersSendAreNotKept() throws {
        let arguments = Monitor<[[BusValue]]>([])
        let other = Other("org.example.Taker", "/", on: bus) { call in
            arguments.update { $0.append(call.arguments) }
            return .values([])
        }
        defer { other.stop() }
        let connection = try BusConnection(.address(bus.address))
        _ = try connection.call(
            "org.example.Taker", "/", "org.example", "Take", [.descriptor(STDOUT_FILENO), .integer(7)], patience: .seconds(60))
        #expect(arguments.read { $0 } == [[.other, .integer(7)]])
    }

    @Test func theLockIsHeldWhilePlayingAndGivenBack() throws {
        var ends: [Int32] = [-1, -1]
        // Closed in children: the other tests start programs, which would hold the lock too.
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let lock = ends[1]
        let logind = Other("org.freedesktop.login1", "/org/freedesktop/login1", on: bus) { _ in .values([.descriptor(lock)]) }
        defer { logind.stop() }
        let inhibitor = SleepInhibitor(bus: .address(bus.address), patience: .seconds(60))
        inhibitor.set(true)
        #expect(inhibitor.waitUntil(held: true, until: soon))
        close(lock)
        var one = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        #expect(poll(&one, 1, 0) == 0, "the player holds the other end")
        inhibitor.set(false)
        #expect(inhibitor.waitUntil(held: false, until: soon))
        #expect(poll(&one, 1, 60_000) == 1 && one.revents & Int16(POLLHUP) != 0)
        close(ends[0])
        #expect(logind.calls.read { $0 } == ["Inhibit"])
    }

    @Test func withoutLogindTheInhibitorDoesNothing() {
        let inhibitor = SleepInhibitor(bus: .address(bus.address))
        inhibitor.set(true)
        inhibitor.set(false)
        #expect(inhibitor.waitUntil(held: false, until: soon))
    }

    @Test func thePlayerIsFoundToldAndAsked() throws {
        let wake = WakeHandle()
        var status = PlayerStatus()
        (status.transport, status.title, status.canSeek) = (.playing, "The Demo", true)
        status.duration = .seconds(100)
        let service = MediaPlayerService(status, wake: wake, bus: .address(bus.address))
        defer { service.stop() }
        let connection = try BusConnection(.address(bus.address))
        let name = "org.mpris.MediaPlayer2.aethertui.instance\(getpid())"
        func get(_ property: String) throws -> BusValue? {
            try connection.call(
                name, MediaPlayerObject.path, MediaPlayerObject.properties, "Get",
                [.string(MediaPlayerObject.player), .string(property)], patience: .seconds(60)
            ).first?.content
        }
        try waitForName(name, connection)
        #expect(try get("PlaybackStatus") == .string("Playing"))
        status.transport = .paused
        service.publish(status)
        #expect(try get("PlaybackStatus") == .string("Paused"))
        _ = try connection.call(
            name, MediaPlayerObject.path, MediaPlayerObject.player, "Seek", [.integer(5_000_000)], patience: .seconds(60))
        var one = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&one, 1, 60_000) == 1)
        #expect(service.takeRequests() == [.seek(by: .seconds(5))])
    }

    /// The bus answers when the name has come: it says who owns it, or that nobody does.
    private func waitForName(_ name: String, _ connection: borrowing BusConnection) throws {
        let deadline = soon
        while SystemTime().now() < deadline {
            let owner = try connection.call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner", [.string(name)],
                patience: .seconds(60))
            if owner.first == .bool(true) { return }
        }
        Issue.record("the name never came")
    }
}
