import CLinux
import Glibc

/// A program that runs beside ours and is spoken with over a socket, which is its standard input and its standard output. It is ended with its
/// owner. The socket may be used by one thread that sends and one that receives.
public final class ChildPeer: Sendable {
    /// Our end; it does not block.
    public let socket: Int32
    private let process: Int32

    /// Starts the program at a path with our environment and no arguments; nil where that cannot be done. Blocks until it is loaded.
    public init?(path: String) {
        guard let pair = ProgramPipe.toProgram() else { return nil }
        var words = [strdup(path), nil]
        defer { free(words[0]) }
        let started = clinux_spawn(path, &words, environ, pair.theirs.number, pair.theirs.number, -1)
        guard started > 0 else { return nil }
        process = started
        socket = fcntl(pair.ours.number, F_DUPFD_CLOEXEC, 3)
    }

    deinit {
        if socket >= 0 { close(socket) }
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
