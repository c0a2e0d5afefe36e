import CLinux
import Glibc

/// A program that runs beside ours and is spoken with over a socket, which is its standard input and its standard output. It is ended with its
/// owner, on any thread and without a wait. The socket may be used by one thread that sends and one that receives.
public final class ChildPeer: Sendable {
    /// Our end; it does not block.
    public let socket: Int32
    private let process: Int32

    /// Starts the program at a path without arguments, with those variables of our environment that have one of the names; nil where that
    /// cannot be done. Blocks until it is loaded.
    public init?(path: String, variables: [String]) {
        guard let pair = ProgramPipe.toProgram() else { return nil }
        var words = [strdup(path), nil]
        var environment = variables.compactMap { name in getenv(name).map { strdup("\(name)=" + String(cString: $0)) } } + [nil]
        defer { for text in words + environment { free(text) } }
        let started = clinux_spawn(path, &words, &environment, pair.theirs.number, pair.theirs.number, -1)
        guard started > 0 else { return nil }
        process = started
        socket = fcntl(pair.ours.number, F_DUPFD_CLOEXEC, 3)
    }

    deinit {
        if socket >= 0 { close(socket) }
        kill(-process, SIGKILL)
        // The system may take its time to end it: the last owner may be a thread that must not wait.
        _ = WorkerThread(name: "child-end") { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }
}
