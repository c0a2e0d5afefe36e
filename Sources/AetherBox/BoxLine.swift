public import AetherCore
import CBox
import Glibc

/// One end of the way between player and worker. For one thread at a time.
public struct BoxLine: ~Copyable {
    private let socket: Int32
    private let isOwned: Bool

    /// Speaks over a socket; `closes`: closes it at the end.
    public init(socket: Int32, closes: Bool) { (self.socket, isOwned) = (socket, closes) }

    deinit { if isOwned { close(socket) } }

    /// Sends a message, and with it a descriptor where one is to go along, which stays the caller's. Blocks until the other side has taken it, for
    /// at most as long as said. Throws `.ended` or `.hung`.
    public borrowing func send(
        _ message: BoxMessage, descriptor: Int32 = -1, within patience: TimeSpan? = nil
    ) throws(BoxFault) {
        let deadline = patience.map { SystemTime().now() + $0 }
        var head: [UInt8] = []
        head.reserveCapacity(BoxMessage.headBytes)
        withUnsafeBytes(of: (message.kind.rawValue.littleEndian, UInt32(message.bytes.count).littleEndian)) { head += $0 }
        // Small ones go at once.
        if message.bytes.count <= 4096 {
            try send(head + message.bytes, descriptor, until: deadline)
        } else {
            try send(head, descriptor, until: deadline)
            try send(message.bytes, -1, until: deadline)
        }
    }

    /// The next message, and a descriptor where one came and is wanted (else it is dropped). Blocks for at most as long as said. Throws `.ended`,
    /// `.hung` or `.nonsense`.
    public borrowing func receive(
        within patience: TimeSpan? = nil, limit: Int = BoxMessage.limit, descriptor: UnsafeMutablePointer<Int32>? = nil
    ) throws(BoxFault) -> BoxMessage {
        let deadline = patience.map { SystemTime().now() + $0 }
        descriptor?.pointee = -1
        let head = try receive(BoxMessage.headBytes, descriptor, until: deadline)
        let (kind, count) = head.withUnsafeBytes {
            (UInt32(littleEndian: $0.load(as: UInt32.self)), UInt32(littleEndian: $0.load(fromByteOffset: 4, as: UInt32.self)))
        }
        guard let kind = BoxMessage.Kind(rawValue: kind), count <= limit else { throw .nonsense }
        return BoxMessage(kind, count == 0 ? [] : try receive(Int(count), nil, until: deadline))
    }

    // MARK: - Bytes

    private borrowing func send(_ bytes: [UInt8], _ descriptor: Int32, until deadline: HostTime?) throws(BoxFault) {
        var sent = 0
        while sent < bytes.count {
            try wait(POLLOUT, until: deadline)
            let flags = Int32(MSG_NOSIGNAL) | (deadline == nil ? 0 : Int32(MSG_DONTWAIT))
            let count = bytes.withUnsafeBytes { room -> Int in
                let start = room.baseAddress! + sent
                if descriptor >= 0, sent == 0 { return Int(box_send(socket, start, room.count, descriptor)) }
                let count = Glibc.send(socket, start, room.count - sent, flags)
                return count < 0 ? -Int(errno) : count
            }
            if count == -Int(EINTR) || count == -Int(EAGAIN) { continue }
            guard count > 0 else { throw .ended }
            sent += count
        }
    }

    private borrowing func receive(
        _ wanted: Int, _ descriptor: UnsafeMutablePointer<Int32>?, until deadline: HostTime?
    ) throws(BoxFault) -> [UInt8] {
        var failure: BoxFault?
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { room, filled in
            while filled < wanted {
                do throws(BoxFault) {
                    try wait(POLLIN, until: deadline)
                } catch {
                    failure = error
                    return
                }
                let start = room.baseAddress! + filled
                var came: Int
                if let descriptor, filled == 0 {
                    came = Int(box_receive(socket, start, wanted, descriptor))
                } else {
                    came = recv(socket, start, wanted - filled, 0)
                    if came < 0 { came = -Int(errno) }
                }
                if came == -Int(EINTR) || came == -Int(EAGAIN) { continue }
                guard came > 0 else {
                    failure = .ended
                    return
                }
                filled += came
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Until the socket is ready, where that has a bound; a worker waits in its call.
    private borrowing func wait(_ events: Int32, until deadline: HostTime?) throws(BoxFault) {
        guard let deadline else { return }
        while true {
            // Who was stopped himself past the deadline looks once more before he blames the other.
            let left = (deadline - SystemTime().now()).nanoseconds
            var request = pollfd(fd: socket, events: Int16(events), revents: 0)
            let count = poll(&request, 1, left > 0 ? Int32(clamping: left / 1_000_000 + 1) : 0)
            if count > 0 { return }
            if count == 0, left <= 0 { throw .hung }
            if count < 0, errno != EINTR { throw .ended }
        }
    }
}
