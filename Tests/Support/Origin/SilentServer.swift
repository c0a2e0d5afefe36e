import AetherCore
import CLinux
import Glibc

/// A port of the loopback address that takes connections and never says a word.
public final class SilentServer: Sendable {
    /// No port could be had.
    public struct Failure: Error {}

    /// Where it listens.
    public let port: UInt16
    private let listener: Int32
    private let clients = Monitor<[Int32]>([])

    /// Listens at once.
    public init() throws {
        guard let (socket, port) = FileServer.listener() else { throw Failure() }
        (listener, self.port) = (socket, port)
    }

    deinit {
        for client in clients.read({ $0 }) { close(client) }
        close(listener)
    }

    /// Blocks until a client has connected and said something.
    public func awaitClient() {
        var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        while true {
            guard poll(&polled, 1, -1) > 0 else { continue }
            let client = clinux_accept(listener)
            guard client >= 0 else { continue }
            clients.update { $0.append(client) }
            var spoken = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
            while poll(&spoken, 1, -1) < 0 {}
            return
        }
    }
}
