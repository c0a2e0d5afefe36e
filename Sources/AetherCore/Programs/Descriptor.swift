import CLinux
import Glibc

/// A descriptor that is closed with its owner.
struct Descriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { if number >= 0 { close(number) } }
}

/// Both ends of a way between two processes, close-on-exec; ours does not block.
struct ProgramPipe: ~Copyable {
    let ours, theirs: Descriptor

    /// Bytes to the program. A socket and no pipe: writing to one whose reader has gone says so and raises no signal. nil where the process is
    /// out of descriptors, as below.
    static func toProgram() -> ProgramPipe? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
        return ProgramPipe(ours: ends[0], theirs: ends[1])
    }

    /// Bytes from the program.
    static func fromProgram() -> ProgramPipe? {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { return nil }
        return ProgramPipe(ours: ends[0], theirs: ends[1])
    }

    private init(ours: Int32, theirs: Int32) {
        _ = clinux_set_nonblocking(ours, 1)
        self.ours = Descriptor(ours)
        self.theirs = Descriptor(theirs)
    }

    /// The other end is the program's alone from now on.
    consuming func keepOurs() -> Descriptor { ours }
}
