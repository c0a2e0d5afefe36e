import AetherCore
import CLinux
import Glibc

/// A listening socket at a path. Owns both: the path is removed when it goes, if it is still this socket's.
final class RemoteListener: Sendable {
    let descriptor: Int32
    let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Takes the path. What lies there is refused, unless it is a socket without a listener: such a one is left behind by a
    /// player that was killed. Only the person who started the player may connect (mode 0600, from the first moment on).
    init(path: String) throws(RemoteError) {
        try RemoteListener.clear(path)
        let descriptor = SocketAddress.make(nonBlocking: true)
        guard descriptor >= 0 else { throw RemoteError(phrase("cannot make a socket at \(path)"), errno) }
        // The kernel gives the path the mode of the socket.
        fchmod(descriptor, 0o600)
        var number: Int32 = 0
        var status = stat()
        do throws(RemoteError) {
            if try SocketAddress.with(path, { bind(descriptor, $0, $1) }) != 0 || listen(descriptor, 8) != 0
                || lstat(path, &status) != 0
            {
                number = errno
            }
        } catch {
            close(descriptor)
            throw error
        }
        guard number == 0 else {
            close(descriptor)
            throw RemoteError(phrase("cannot listen at \(path)"), number)
        }
        (self.descriptor, self.path, device, inode) = (descriptor, path, status.st_dev, status.st_ino)
    }

    deinit {
        close(descriptor)
        removePath()
    }

    /// Removes the path.
    func removePath() {
        var status = stat()
        if lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode { unlink(path) }
    }

    private static func clear(_ path: String) throws(RemoteError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw RemoteError(translated("\(path) exists and is not a socket")) }
        if let connected = try SocketAddress.connect(path, nonBlocking: true) {
            close(connected)
            throw RemoteError(translated("another program listens at \(path)"))
        }
        // EAGAIN: alive, with its queue full.
        guard errno == ECONNREFUSED else { throw RemoteError(phrase("cannot replace \(path)"), errno) }
        guard unlink(path) == 0 else { throw RemoteError(phrase("cannot replace \(path)"), errno) }
    }

    /// The socket of the next client, or -errno: EAGAIN for none.
    func accept() -> Int32 { clinux_accept(descriptor) }
}
