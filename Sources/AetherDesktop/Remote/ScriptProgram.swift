import AetherCore
import Glibc

/// A person's program that steers the player: it says requests on its standard output and reads answers and events on its standard input, as a
/// client of the remote control does. It runs without a shell, in a process group of its own, and ends with its owner. Lives on one thread.
public final class ScriptProgram {
    private let process: ChildProcess

    /// Starts a program, as a client of a server. Throws where it cannot be started; blocks until it is loaded.
    public init(path: String, server: RemoteServer) throws(RemoteError) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw RemoteError(phrase("cannot start the script \(path)"), errno)
        }
        defer { close(ends[1]) }
        // The server never waits for one client.
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        do throws(ChildProcess.Failure) {
            process = try ChildProcess(path: path, input: ends[1], output: ends[1])
        } catch {
            close(ends[0])
            throw RemoteError(phrase("cannot start the script \(path)"), error.number)
        }
        server.admit(ends[0])
    }
}
