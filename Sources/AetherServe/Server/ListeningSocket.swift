import AetherCore
import Glibc

/// Makes the socket that a server listens at.
enum ListeningSocket {
    /// 127.0.0.1 in the order of the network.
    static let loopback = UInt32(0x7F00_0001).bigEndian

    /// The socket and its port. Throws in the system's words.
    static func open(_ address: UInt32, port: Int) throws(LoopbackServer.Failure) -> (socket: Int32, port: Int) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_INET, kind, 0)
        guard socket >= 0 else { throw failure(port, errno) }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(clamping: port).bigEndian
        name.sin_addr.s_addr = address
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 64) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isOpen else {
            let number = errno
            close(socket)
            throw failure(port, number)
        }
        return (socket, Int(UInt16(bigEndian: name.sin_port)))
    }

    private static func failure(_ port: Int, _ number: Int32) -> LoopbackServer.Failure {
        let hint = number == EADDRINUSE ? translated("; choose another with --port") : ""
        return LoopbackServer.Failure(
            description: translated("cannot listen at port \(port): \(String(cString: strerror(number)))") + hint)
    }
}
