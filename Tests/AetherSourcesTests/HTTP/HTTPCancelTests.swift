import AetherCore
import AetherTestSupport
import Glibc
import Synchronization
import Testing

@testable import AetherSources

/// A read that waits for a server is cancelled from another thread, at whatever step its request stands; nothing of it is left, and the
/// thread `net` goes on for all others.
@Suite struct HTTPCancelTests {
    /// The steps that a request has reached. The thread `net` stands still at one of them until it is let go.
    private final class Steps: Sendable {
        private struct State {
            var reached: [ConnectionStep] = []
            var isOpen = false
        }
        private let state = Monitor(State())
        private let gate: ConnectionStep?

        init(gate: ConnectionStep?) { self.gate = gate }

        func take(_ news: NetworkMeter.News) {
            guard case .step(let step) = news else { return }
            state.update { $0.reached.append(step) }
            if step == gate { _ = state.wait { $0.isOpen ? true : nil } }
        }

        func open() { state.update { $0.isOpen = true } }

        /// Blocks until the request has come so far, half a minute at most.
        func waits(for step: ConnectionStep) -> Bool {
            state.wait(until: SystemTime().now() + .seconds(30)) { $0.reached.contains(step) ? true : nil } ?? false
        }
    }

    /// Reads on a thread of its own, waits until the request stands at the step, cancels from here; the outcome of the read.
    private func cancelled(_ address: String, at step: ConnectionStep, _ steps: Steps, _ web: Web) throws -> IOReaderError? {
        let reader = try HTTPReader(
            address, options: Web.options, loop: web.loop, meter: NetworkMeter { steps.take($0) }, jitter: { 0 })
        let outcome = Mutex<IOReaderError?>(nil)
        let thread = WorkerThread(name: "web read") {
            while true {
                if let error = readError(reader) { return outcome.withLock { $0 = error } }
            }
        }
        #expect(steps.waits(for: step))
        reader.cancel()
        // It comes back although the thread `net` may stand still.
        thread.join()
        reader.close()
        return outcome.withLock { $0 }
    }

    /// Another reader of the same loop has all its bytes.
    private func expectOthersGoOn(_ web: Web) throws { #expect(try readAll(web.opened("/small")) == Array("small".utf8)) }

    @Test(arguments: [ConnectionStep.resolving, .connecting, .waiting])
    func theAnswerDoesNotWaitForTheThreadOfTheNetwork(_ step: ConnectionStep) throws {
        let web = try Web()
        let steps = Steps(gate: step)
        #expect(try cancelled(web.origin.address + "/~late/film", at: step, steps, web) == .cancelled)
        steps.open()
        try expectOthersGoOn(web)
        web.origin.release()
    }

    /// The queue of the server's connections is full: the system answers nothing to one more.
    @Test func aConnectionThatDoesNotComeAboutIsGivenUp() throws {
        let web = try Web(), server = try MuteServer(backlog: 0)
        server.fill()
        let address = "http://127.0.0.1:\(server.port)/film"
        #expect(try cancelled(address, at: .connecting, Steps(gate: nil), web) == .cancelled)
        try expectOthersGoOn(web)
    }

    /// The server takes the connection and never shakes hands.
    @Test func aHandshakeThatDoesNotComeAboutIsGivenUp() throws {
        let web = try Web(), server = try MuteServer(backlog: 8)
        let address = "https://127.0.0.1:\(server.port)/film"
        let taken = Monitor<Int?>(nil)
        let thread = WorkerThread(name: "mute") { taken.update { $0 = server.bytesUntilEnd() } }
        #expect(try cancelled(address, at: .connecting, Steps(gate: nil), web) == .cancelled)
        // The connection ends, with or without a greeting.
        #expect(taken.wait(until: SystemTime().now() + .seconds(30)) { $0 } != nil)
        thread.join()
        try expectOthersGoOn(web)
    }

    @Test func aBodyIsGivenUpInItsMidst() throws {
        let web = try Web()
        #expect(try cancelled(web.origin.address + "/~stall=1000/film", at: .waiting, Steps(gate: nil), web) == .cancelled)
        #expect(web.origin.waitForSilence())
        try expectOthersGoOn(web)
    }

    /// A reader that several threads cancel a hundred times stays cancelled, and goes on when that ends.
    @Test func manyThreadsCancelOneReader() throws {
        let web = try Web()
        let reader = try web.opened("/film")
        let threads = (0..<4).map { _ in WorkerThread(name: "cancel") { for _ in 0..<100 { reader.cancel() } } }
        for thread in threads { thread.join() }
        #expect(readError(reader) == .cancelled)
        reader.resume()
        #expect(try readAll(reader, piece: 100_000) == TestOrigin.pattern(0..<5_000_000))
    }
}

/// A socket that listens, takes connections when it is told to, and never says a word.
private final class MuteServer: Sendable {
    /// There are no sockets left.
    struct Failure: Error {}

    private let listener: Int32
    let port: UInt16
    private let filling = Mutex<[Int32]>([])

    init(backlog: Int32) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, backlog) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard listener >= 0, isBound else { throw Failure() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        filling.withLock { for socket in $0 { close(socket) } }
        close(listener)
    }

    /// Fills the queue of connections.
    func fill() {
        for _ in 0..<16 {
            let filler = socket(
                AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            filling.withLock { $0.append(filler) }
        }
    }

    /// Takes one connection and what comes over it, until it is closed; half a minute at most.
    func bytesUntilEnd() -> Int? {
        var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, 30_000) == 1 else { return nil }
        let socket = accept(listener, nil, nil)
        defer { close(socket) }
        var bytes = [UInt8](repeating: 0, count: 4096), total = 0
        while true {
            var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 30_000) == 1 else { return nil }
            let count = recv(socket, &bytes, bytes.count, 0)
            if count <= 0 { return total }
            total += count
        }
    }
}
