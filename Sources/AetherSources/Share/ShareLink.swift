import AetherCore
import Glibc

/// A program that speaks with the server, and what has come from it so far. One thread uses it.
struct ShareLink {
    private let peer: ChildPeer
    /// Where the bytes of a file come; nil: a folder is asked for.
    let memory: ShareMemory?
    private var frames = WireFrames()
    private var outgoing: ArraySlice<UInt8> = []
    private var room = [UInt8](repeating: 0, count: 64 << 10)

    /// The end of a look at what has come.
    enum News {
        case answer(ShareAnswer)
        /// The program is gone, or said what it never says.
        case ended
    }

    /// Starts the program and asks it for a file or a folder.
    init?(_ request: ShareRequest, program: String) {
        var output: Int32?
        var memory: ShareMemory?
        defer { if let output { close(output) } }
        if case .open = request {
            guard let made = ShareMemory.make() else { return nil }
            (memory, output) = (made.memory, made.descriptor)
        }
        guard let peer = ChildPeer(path: program, variables: ShareProgram.variables, output: output), peer.socket >= 0 else {
            return nil
        }
        (self.peer, self.memory) = (peer, memory)
        send(request)
    }

    /// Sends a request; what there is no room for goes with the next wait.
    mutating func send(_ request: ShareRequest) {
        outgoing += request.frame
        // An end is heard of by the next wait.
        _ = flush()
    }

    /// The next answer that has come, or the end; nil: neither yet.
    mutating func news() -> News? {
        do {
            guard let frame = try frames.next() else { return nil }
            return ShareAnswer(frame).map { .answer($0) } ?? .ended
        } catch { return .ended }
    }

    /// The socket, and the events on it that are waited for.
    var polled: pollfd {
        pollfd(fd: peer.socket, events: Int16(POLLIN) | (outgoing.isEmpty ? 0 : Int16(POLLOUT)), revents: 0)
    }

    /// Sends and receives what can be at once; false: the program is gone.
    mutating func exchange(_ events: Int16) -> Bool {
        if events & Int16(POLLOUT) != 0, !flush() { return false }
        return events & ~Int16(POLLOUT) == 0 || receive()
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
