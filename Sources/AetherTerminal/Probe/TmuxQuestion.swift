import AetherCore
import CLinux
import Glibc

/// Asks tmux, by its own program, which terminal it is shown in: `client_termtype` is what that terminal answered to XTVERSION. Runs
/// beside the probe, takes 5 ms as a rule, and is ended when it takes too long. Lives on one thread.
struct TmuxQuestion: ~Copyable {
    private let process: pid_t
    private let output: Int32
    /// "kitty(0.26.5)": more than this is no name.
    private static let limit = 256
    static let command = ["tmux", "display-message", "-p", "#{client_termtype}"]

    /// Starts the program; nil when it cannot be started.
    init?(command: [String] = TmuxQuestion.command) {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { return nil }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        // Ours are blocked for the signal descriptor; the child is to die of them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        guard posix_spawnp(&child, command.first ?? "", &actions, &attributes, &arguments, environ) == 0 else {
            close(ends[0])
            return nil
        }
        (process, output) = (child, ends[0])
    }

    deinit {
        close(output)
        // The process has ended by itself as a rule, and then this does nothing.
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// The output of tmux, less the line's end; "" for none, or not until the deadline. Blocks till then at most.
    consuming func answer(until deadline: HostTime, time: any TimeSource) -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.limit)
        while text.count < Self.limit {
            guard Poll.wait(descriptor: output, events: Poll.readable, until: deadline, time: time) else { return "" }
            let count = read(output, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        return String(decoding: text.prefix(Self.limit).prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
