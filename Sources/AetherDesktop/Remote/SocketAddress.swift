import AetherCore
import Glibc

/// An error of a socket of the file system.
public struct RemoteError: Error, Equatable, CustomStringConvertible {
    /// The error in one sentence.
    public let description: String

    init(_ description: String) { self.description = description }

    /// The deed that failed at a path, and the system's reason.
    init(_ deed: Phrase, _ number: Int32) { description = translated(deed) + ": " + String(cString: strerror(number)) }
}

/// Unix sockets by path.
enum SocketAddress {
    /// MSG_NOSIGNAL: a peer that has gone is an error and not SIGPIPE, which would end the program.
    static let withoutSignal = Int32(MSG_NOSIGNAL)

    /// Calls with the address of a path; throws where the kernel has no room for it (107 bytes).
    static func with<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) throws(RemoteError) -> Result
    {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
            throw RemoteError(translated("the path of a socket has 1 to 107 bytes: \(path)"))
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    static func make(nonBlocking: Bool) -> Int32 {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (nonBlocking ? SOCK_NONBLOCK.rawValue : 0)), 0)
    }

    /// Connects; nil with errno set where no process listens.
    static func connect(_ path: String, nonBlocking: Bool) throws(RemoteError) -> Int32? {
        let descriptor = make(nonBlocking: nonBlocking)
        guard descriptor >= 0 else { return nil }
        let status = try with(path) { Glibc.connect(descriptor, $0, $1) }
        guard status == 0 else {
            let number = errno
            close(descriptor)
            errno = number
            return nil
        }
        return descriptor
    }
}
