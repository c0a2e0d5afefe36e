import AetherCore
import Glibc

/// The other end of the socket: connects to a player, says lines and reads lines. Every call blocks. For programs of one thread.
public struct RemoteConnection: ~Copyable {
    /// 16 MB: a thousand channels with what is on and next, described at length, take two.
    static let lineLimit = 16 << 20

    private let descriptor: Int32
    private var input = LineBuffer(limit: RemoteConnection.lineLimit)

    /// Connects to the player that listens at a path.
    public init(path: String) throws(RemoteError) {
        guard let descriptor = try SocketAddress.connect(path, nonBlocking: false) else {
            throw RemoteError(phrase("cannot connect to \(path)"), errno)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Says a line.
    public func say(_ line: String) throws(RemoteError) {
        let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                send(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, SocketAddress.withoutSignal)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw RemoteError(translated("the player has gone")) }
            sent += count
        }
    }

    /// The next line; nil: the player has gone.
    public mutating func nextLine() throws(RemoteError) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            if let line = input.nextLine() { return line }
            if input.hasOverflowed { throw RemoteError(translated("the player says too much at once")) }
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            input.append(buffer[..<count])
        }
    }
}
