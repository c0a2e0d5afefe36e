import Glibc

/// One connected remote control, as the thread of the server has it. Owns its descriptor.
struct RemoteClient: ~Copyable {
    let number: Int
    let descriptor: Int32
    var input = LineBuffer()
    private var output: [UInt8] = []
    /// Requests that were passed on to the player, and those of them that it has answered.
    private var asked = 0, answered = 0
    /// Refusals of lines that came behind unanswered requests, each with the answers that go out before it.
    private var refusals: [(after: Int, line: String)] = []
    /// Properties that the client observes.
    var observations = RemoteObservations()
    /// The client sends no more; what is still to be said goes out first.
    var isAtEnd = false
    private(set) var isGone = false

    /// Bytes of the longest answer since all was read: so much may wait besides.
    private var longest = 0

    static let unansweredLimit = 32
    /// 256 KB unsent: a client that leaves that unread, and to whom there is more to say, is dropped, not waited for. One answer may be longer.
    static let outputLimit = 256 << 10

    init(number: Int, descriptor: Int32) {
        self.number = number
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    var wantsToWrite: Bool { !output.isEmpty }
    /// Lines without an answer. At 32 no more are read: a flood waits in its own socket.
    var unanswered: Int { asked - answered + refusals.count }
    var mayRead: Bool { !isAtEnd && unanswered < Self.unansweredLimit }
    var isDone: Bool { isGone || isAtEnd && unanswered == 0 && output.isEmpty }

    /// A request goes to the player.
    mutating func ask() { asked += 1 }

    /// The player's answer to the oldest of them.
    mutating func answer(_ line: String) {
        answered += 1
        longest = max(longest, line.utf8.count)
        say(line)
        while let first = refusals.first, first.after <= answered { say(refusals.removeFirst().line) }
    }

    /// An answer that is not the player's: it waits for those to earlier lines.
    mutating func refuse(_ line: String) {
        if asked == answered { say(line) } else { refusals.append((asked, line)) }
    }

    /// Says a line; what the socket does not take at once waits.
    mutating func say(_ line: String) {
        guard !isGone else { return }
        guard output.count <= Self.outputLimit + longest else {
            isGone = true
            return
        }
        output += Array(line.utf8) + [UInt8(ascii: "\n")]
        flush()
    }

    mutating func flush() {
        while !output.isEmpty, !isGone {
            let count = output.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, SocketAddress.withoutSignal) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else {
                isGone = true
                return
            }
            output.removeFirst(count)
        }
        if output.isEmpty { longest = 0 }
    }

    /// Reads what there is, once.
    mutating func receive(_ buffer: inout [UInt8]) {
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        if count < 0 { isGone = true }
        if count == 0 { isAtEnd = true }
        if count > 0 { input.append(buffer[..<count]) }
    }
}
