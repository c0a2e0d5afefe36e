import CLinux
import Glibc

/// A person's program that steers the player: it says requests on its standard output and reads answers and events on its standard input, as a
/// client of the remote control does. It runs without a shell, in a process group of its own, and ends with its owner. Lives on one thread.
public final class ScriptProgram {
    private let process: Int32
    private let watch: Int32
    /// 50 ms for cleaning up, then it is over.
    private static let grace: Int32 = 50

    /// Starts a program, as a client of a server. Throws where it cannot be started; blocks until it is loaded.
    public init(path: String, server: RemoteServer) throws(RemoteError) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw RemoteError("start the script", path, errno)
        }
        defer { close(ends[1]) }
        // The server never waits for one client.
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        var words = [strdup(path), nil]
        defer { for word in words { free(word) } }
        let started = access(path, X_OK) == 0 ? clinux_spawn(path, &words, environ, ends[1], ends[1], -1) : -errno
        guard started > 0 else {
            close(ends[0])
            throw RemoteError("start the script", path, started < 0 ? -started : ENOENT)
        }
        process = started
        watch = clinux_pidfd(started)
        server.admit(ends[0])
    }

    deinit {
        kill(-process, SIGTERM)
        var ready = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        _ = poll(&ready, 1, Self.grace)
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if watch >= 0 { close(watch) }
    }
}
