import CLinux
import Glibc
import Synchronization

/// A program that runs beside ours and is spoken with over a socket, which is its standard input and its standard output. It is ended with its
/// owner, on any thread and without a wait. The socket may be used by one thread that sends and one that receives.
public final class ChildPeer: Sendable {
    /// Our end; it does not block.
    public let socket: Int32
    private let process: Mutex<ChildProcess?>

    /// Starts the program at a path without arguments, with those variables of our environment that have one of the names; nil where that
    /// cannot be done. `output`: a descriptor, which stays the caller's, as its standard output in the place of the socket. Blocks until it is
    /// loaded.
    public init?(path: String, variables: [String], output: Int32? = nil) {
        guard let pair = ProgramPipe.toProgram() else { return nil }
        let environment = variables.compactMap { name in getenv(name).map { "\(name)=" + String(cString: $0) } }
        do throws(ChildProcess.Failure) {
            process = Mutex(
                try ChildProcess(
                    path: path, environment: environment, input: pair.theirs.number, output: output ?? pair.theirs.number))
        } catch {
            return nil
        }
        socket = fcntl(pair.ours.number, F_DUPFD_CLOEXEC, 3)
    }

    deinit {
        if socket >= 0 { close(socket) }
        // The last owner may be a thread that must not wait.
        process.withLock { $0.take()?.abandon() }
    }
}
