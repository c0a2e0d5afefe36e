public import AetherCore
import CLinux
import Glibc

/// A port of the loopback address before a server's: what goes either way arrives a while later, in its order, as over a long link. Ends with its
/// last user.
public final class LateRelay: Sendable {
    /// No port could be had.
    public struct Failure: Error {}

    /// Where it listens.
    public let port: UInt16
    private let listener: Int32
    private let stopping = WakeHandle()
    private let accepting: WorkerThread

    private struct Piece {
        let due: HostTime
        /// None: the end.
        let bytes: [UInt8]
    }
    private static let time = SystemTime()

    /// Listens at once. `span`: what each direction is late by.
    public init(to target: UInt16, by span: TimeSpan) throws {
        guard let (socket, port) = FileServer.listener() else { throw Failure() }
        (listener, self.port) = (socket, port)
        let stopping = stopping
        accepting = WorkerThread(name: "test-late") {
            var ways: [WorkerThread] = [], ends: [Int32] = []
            while FileServer.waits(socket, POLLIN, stopping) {
                let client = clinux_accept(socket), server = Self.connection(to: target)
                guard client >= 0, server >= 0 else {
                    for end in [client, server] where end >= 0 { close(end) }
                    continue
                }
                ends += [client, server]
                ways += Self.way(client, server, span, stopping) + Self.way(server, client, span, stopping)
            }
            for way in ways { way.join() }
            for end in ends { close(end) }
        }
    }

    deinit {
        stopping.wake()
        accepting.join()
        close(listener)
    }

    private static func connection(to port: UInt16) -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status == 0 { return socket }
        close(socket)
        return -1
    }

    private static func way(_ from: Int32, _ to: Int32, _ span: TimeSpan, _ stopping: WakeHandle) -> [WorkerThread] {
        let pieces = Monitor<[Piece]>([])
        return [
            WorkerThread(name: "test-late-in") {
                var room = [UInt8](repeating: 0, count: 256 << 10)
                while true {
                    let isGoing = FileServer.waits(from, POLLIN, stopping)
                    let count = isGoing ? recv(from, &room, room.count, Int32(MSG_DONTWAIT)) : 0
                    if count < 0, errno == EAGAIN || errno == EINTR { continue }
                    let piece = Piece(due: time.now() + span, bytes: Array(room.prefix(max(0, count))))
                    // A sender that is faster than the other end waits.
                    _ = pieces.wait { pieces in pieces.count < 256 || count <= 0 ? pieces.append(piece) : nil }
                    if count <= 0 { return }
                }
            },
            WorkerThread(name: "test-late-out") {
                while let piece = pieces.wait({ $0.isEmpty ? nil : $0.removeFirst() }) {
                    while time.now() < piece.due, !stopping.wait(until: piece.due, now: time.now) {}
                    if piece.bytes.isEmpty { break }
                    guard !send(piece.bytes, to, stopping) else { continue }
                    // Nobody takes it: whoever still reads hears of that, and holds nothing more.
                    shutdown(from, Int32(SHUT_RD))
                    while let left = pieces.wait({ $0.isEmpty ? nil : $0.removeFirst() }), !left.bytes.isEmpty {}
                    break
                }
                shutdown(to, Int32(SHUT_WR))
            },
        ]
    }

    /// Sends all of it; false: nobody takes it.
    private static func send(_ bytes: [UInt8], _ to: Int32, _ stopping: WakeHandle) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard FileServer.waits(to, POLLOUT, stopping) else { return false }
            let count = rest.withUnsafeBytes {
                Glibc.send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
