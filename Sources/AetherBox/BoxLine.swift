public import AetherCore
import CBox
import Glibc

/// One end of the way between player and worker. For one thread at a time.
public struct BoxLine: ~Copyable, Sendable {
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
        let head = (message.kind.rawValue.littleEndian, UInt32(message.bytes.count).littleEndian)
        var sent = 0
        while sent < BoxMessage.headBytes + message.bytes.count {
            // Mostly there is room: it is waited for only where there is none.
            let count = withUnsafeBytes(of: head) { head in
                message.bytes.withUnsafeBytes { send(head, $0, behind: sent, descriptor, waits: deadline == nil) }
            }
            if count == -Int(EINTR) { continue }
            if count == -Int(EAGAIN) {
                try wait(POLLOUT, until: deadline)
                continue
            }
            guard count > 0 else { throw .ended }
            sent += count
        }
    }

    /// The next message, and a descriptor where one came and is wanted (else it is dropped). Blocks for at most as long as said. Throws `.ended`,
    /// `.hung` or `.nonsense`.
    public borrowing func receive(
        within patience: TimeSpan? = nil, limit: Int = BoxMessage.limit, descriptor: UnsafeMutablePointer<Int32>? = nil
    ) throws(BoxFault) -> BoxMessage {
        let deadline = patience.map { SystemTime().now() + $0 }
        descriptor?.pointee = -1
        // The other side works first: it is waited for at once.
        try wait(POLLIN, until: deadline)
        let head = try receive(BoxMessage.headBytes, descriptor, until: deadline)
        let (kind, count) = head.withUnsafeBytes {
            (UInt32(littleEndian: $0.load(as: UInt32.self)), UInt32(littleEndian: $0.load(fromByteOffset: 4, as: UInt32.self)))
        }
        guard let kind = BoxMessage.Kind(rawValue: kind), count <= limit else { throw .nonsense }
        return BoxMessage(kind, count == 0 ? [] : try receive(Int(count), nil, until: deadline))
    }

    // MARK: - Bytes

    /// Sends what follows behind the first `sent` bytes of both, the descriptor with the first of all. The count, or -errno.
    private borrowing func send(
        _ head: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer, behind sent: Int, _ descriptor: Int32, waits: Bool
    ) -> Int {
        guard let start = head.baseAddress else { return -Int(EINVAL) }
        let flags = waits ? 0 : Int32(MSG_DONTWAIT)
        if descriptor >= 0, sent == 0 { return Int(box_send(socket, start, head.count, descriptor, flags)) }
        let first = min(sent, head.count), second = sent - first
        return Int(
            box_send_both(
                socket, start + first, head.count - first, body.baseAddress.map { $0 + second }, body.count - second,
                flags))
    }

    private borrowing func receive(
        _ wanted: Int, _ descriptor: UnsafeMutablePointer<Int32>?, until deadline: HostTime?
    ) throws(BoxFault) -> [UInt8] {
        var failure: BoxFault?
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { room, filled in
            while filled < wanted {
                let start = room.baseAddress! + filled
                var came: Int
                if let descriptor, filled == 0 {
                    came = Int(box_receive(socket, start, wanted, descriptor))
                } else {
                    came = recv(socket, start, wanted - filled, deadline == nil ? 0 : Int32(MSG_DONTWAIT))
                    if came < 0 { came = -Int(errno) }
                }
                if came == -Int(EINTR) { continue }
                if came == -Int(EAGAIN) {
                    do throws(BoxFault) {
                        try wait(POLLIN, until: deadline)
                        continue
                    } catch {
                        failure = error
                        return
                    }
                }
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
