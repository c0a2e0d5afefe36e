import AetherCore
import Glibc

/// The program that speaks with the server, and what has come from it so far. One thread uses it.
struct ShareLink {
    let peer: ChildPeer
    private var frames = ShareFrames()
    private var outgoing: ArraySlice<UInt8> = []
    private var room = [UInt8](repeating: 0, count: 256 << 10)
    /// The program is gone, or said what it never says.
    private(set) var hasEnded = false

    /// The end of a wait.
    enum Waiting {
        case answer(ShareAnswer)
        /// The handle was woken, or the time is over.
        case woken
        case late
        /// `hasEnded`.
        case ended
    }

    /// Starts the program and asks it for a file or a folder.
    init?(_ request: ShareRequest, program: String) {
        guard let peer = ChildPeer(path: program, variables: ShareProgram.variables), peer.socket >= 0 else { return nil }
        self.peer = peer
        send(request)
    }

    /// Sends a request, as soon as there is room for it.
    mutating func send(_ request: ShareRequest) { outgoing += request.frame }

    /// Blocks until there is an answer, the handle is woken, or a time.
    mutating func wait(_ wake: WakeHandle, until deadline: HostTime, now: () -> HostTime) -> Waiting {
        let waiting = next(wake, until: deadline, now: now)
        if case .ended = waiting { hasEnded = true }
        return waiting
    }

    private mutating func next(_ wake: WakeHandle, until deadline: HostTime, now: () -> HostTime) -> Waiting {
        while true {
            do {
                if let frame = try frames.next() { return ShareAnswer(frame).map { .answer($0) } ?? .ended }
            } catch { return .ended }
            let events = Int16(POLLIN) | (outgoing.isEmpty ? 0 : Int16(POLLOUT))
            var polled = [
                pollfd(fd: peer.socket, events: events, revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let left = (deadline - now()).nanoseconds / 1_000_000 + 1
            if left <= 0 { return .late }
            guard poll(&polled, 2, Int32(clamping: left)) >= 0 || errno == EINTR else { return .ended }
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
