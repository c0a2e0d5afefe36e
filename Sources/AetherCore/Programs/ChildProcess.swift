import CLinux
import Glibc

/// A program that was started by ours, without a shell: the one way in which another program is run. It has a process group of its own, no
/// descriptors but its standard ones, and ends with its owner, with everything that it has started.
public struct ChildProcess: ~Copyable, Sendable {
    /// A program that could not be started.
    public struct Failure: Error, Equatable {
        /// The reason, as in `errno`.
        public let number: Int32
    }

    /// The end of a process.
    public enum End: Sendable, Equatable {
        /// It ended by itself, with this status.
        case exited(Int32)
        /// A signal ended it.
        case killed
    }

    private let process: Int32
    /// Readable when the program has ended; -1 before Linux 5.3.
    private let watched: Descriptor
    private var isReaped = false
    /// 50 ms for cleaning up, then it is over.
    private static let grace: Int32 = 50

    /// Starts the program at a path. `environment`: "NAME=value", nil: as ours. `input`, `output` and `errors` are descriptors that stay the
    /// caller's; below 0: /dev/null. Blocks until the program is loaded, from a slow disk for long.
    public init(
        path: String, arguments: [String] = [], environment: [String]? = nil, input: Int32, output: Int32, errors: Int32 = -1
    ) throws(Failure) {
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var surroundings = (environment ?? []).map { strdup($0) } + [nil]
        defer { for text in words + surroundings { free(text) } }
        let started =
            environment == nil
            ? clinux_spawn(path, &words, environ, input, output, errors)
            : clinux_spawn(path, &words, &surroundings, input, output, errors)
        guard started > 0 else { throw Failure(number: -started) }
        process = started
        watched = Descriptor(clinux_pidfd(started))
    }

    /// Takes over a process that was started otherwise, the leader of a group of its own.
    public init(adopting process: Int32) {
        self.process = process
        watched = Descriptor(clinux_pidfd(process))
    }

    deinit {
        guard !isReaped else { return }
        kill(-process, SIGTERM)
        var ready = pollfd(fd: watched.number, events: Int16(POLLIN), revents: 0)
        _ = poll(&ready, 1, Self.grace)
        kill(-process, SIGKILL)
        Self.reap(process)
    }

    /// Readable when the program has ended; -1 before Linux 5.3.
    public var watch: Int32 { watched.number }

    /// Ends what is left of its group, and takes its status. Blocks until it has ended.
    public mutating func end() -> End {
        kill(-process, SIGKILL)
        isReaped = true
        return Self.reap(process)
    }

    /// Ends it without a grace. Its status is taken on a thread, for the system may take its time.
    public consuming func abandon() {
        kill(-process, SIGKILL)
        isReaped = true
        _ = WorkerThread(name: "child-end") { [process] in Self.reap(process) }
    }

    @discardableResult
    private static func reap(_ process: Int32) -> End {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed
    }
}
