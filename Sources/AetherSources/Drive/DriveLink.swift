import AetherCore
import Glibc

/// The program that reads the disc, and what has come from it so far. One thread uses it.
struct DriveLink {
    private let peer: ChildPeer
    private var frames = WireFrames()
    private var outgoing: ArraySlice<UInt8> = []
    private var room = [UInt8](repeating: 0, count: 256 << 10)

    /// The end of a wait.
    enum Waiting {
        case answer(DriveAnswer)
        /// The handle was woken.
        case woken
        /// The program is gone, or said what it never says.
        case ended
    }

    /// Starts the program and asks it for a disc; nil where it does not start.
    init?(_ path: String, program: String) {
        guard let peer = ChildPeer(path: program, variables: []), peer.socket >= 0 else { return nil }
        self.peer = peer
        send(.open(path))
    }

    /// Sends a request, as soon as there is room for it.
    mutating func send(_ request: DriveRequest) { outgoing += request.frame }

    /// Blocks until there is an answer or the handle is woken: a drive that struggles with its disc takes minutes.
    mutating func wait(_ wake: WakeHandle) -> Waiting {
        while true {
            do throws(WireFrames.Violation) {
                if let frame = try frames.next() { return DriveAnswer(frame).map { .answer($0) } ?? .ended }
            } catch { return .ended }
            let events = Int16(POLLIN) | (outgoing.isEmpty ? 0 : Int16(POLLOUT))
            var polled = [
                pollfd(fd: peer.socket, events: events, revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, -1) >= 0 || errno == EINTR else { return .ended }
            if polled[1].revents != 0 { return .woken }
            if polled[0].revents & Int16(POLLOUT) != 0, !flush() { return .ended }
            if polled[0].revents & ~Int16(POLLOUT) != 0, !receive() { return .ended }
        }
    }

    private mutating func flush() -> Bool {
        let count = outgoing.withUnsafeBytes { Glibc.send(peer.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        outgoing = outgoing.dropFirst(count)
        if outgoing.isEmpty { outgoing = [] }
        return true
    }

    private mutating func receive() -> Bool {
        let count = recv(peer.socket, &room, room.count, 0)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        room.withUnsafeBytes { frames.take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        return count > 0
    }
}
