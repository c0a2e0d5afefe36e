import AetherCore
import Glibc

/// The program `tesseract`, which reads text in bitmaps. Started once a bitmap, with one thread and lower priority; a bitmap goes in
/// through its standard input, the text comes out of its standard output. Lives on the thread `ocr`; blocks for `patience` at most.
final class Tesseract: Sendable {
    private struct Run {
        var process: pid_t?
        var isStopped = false
    }
    let path: String
    private let run = Monitor(Run())
    private let patience: TimeSpan
    private static let outputLimit = 16 << 10

    /// The program at a path. Two lines take it 0.2 … 0.5 s; what takes longer than `patience` is no text.
    init(path: String, patience: TimeSpan = .seconds(5)) { (self.path, self.patience) = (path, patience) }

    /// The program in the first of these folders ("/usr/local/bin:/usr/bin") that has it; nil for none. Blocks on the file system.
    static func find(in folders: String) -> Tesseract? {
        for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
            let path = String(folder) + "/tesseract"
            if access(path, X_OK) == 0 { return Tesseract(path: path) }
        }
        return nil
    }

    /// Breaks off what runs, and whatever is asked later. Any thread; never blocks.
    func stop() {
        run.update { run in
            run.isStopped = true
            if let process = run.process { kill(process, SIGKILL) }
        }
    }

    /// The text in a bitmap, in one block; "" for nothing. `language` is of ISO 639-2/T; where the program does not know it, its own
    /// default is taken.
    func text(in picture: GreyPicture, language: String?) -> String {
        let arguments = ["-", "-", "--psm", "6"]
        if let language, language.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) {
            let text = output(of: arguments + ["-l", language], input: picture.pgm)
            if !text.isEmpty { return text }
        }
        return output(of: arguments, input: picture.pgm)
    }

    private func output(of arguments: [String], input: [UInt8]) -> String {
        // Sockets and no pipes: writing to one whose reader has gone says so and raises no signal.
        guard let stdin = Self.pair() else { return "" }
        guard let stdout = Self.pair() else {
            close(stdin.ours)
            close(stdin.theirs)
            return ""
        }
        let process = start(arguments, input: stdin.theirs, output: stdout.theirs)
        close(stdin.theirs)
        close(stdout.theirs)
        defer { close(stdout.ours) }
        guard let process else {
            close(stdin.ours)
            return ""
        }
        let deadline = SystemTime().now() + patience
        Self.write(input, to: stdin.ours, until: deadline)
        close(stdin.ours)
        let bytes = Self.read(stdout.ours, until: deadline)
        run.update { run in
            // The process has said all, or is not waited for any longer.
            kill(process, SIGKILL)
            run.process = nil
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func pair() -> (ours: Int32, theirs: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
        return (ends[0], ends[1])
    }

    private func start(_ arguments: [String], input: Int32, output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t(), none = sigset_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Whatever the host has open stays its own; what is not open is no mistake.
        for descriptor in Int32(3)..<256 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        // Our threads take signals by a descriptor and have them blocked; a group of its own is not reached by the terminal's keys.
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        // More threads than one are slower for bitmaps of this size, and the others are the video's.
        let variables =
            ["OMP_THREAD_LIMIT=1", "LC_ALL=C.UTF-8"]
            + ["PATH", "HOME", "TESSDATA_PREFIX"].compactMap { name in
                getenv(name).map { name + "=" + String(cString: $0) }
            }
        var words = ([path] + arguments).map { strdup($0) } + [nil], environment = variables.map { strdup($0) } + [nil]
        defer { for text in words + environment { free(text) } }
        guard !run.read({ $0.isStopped }) else { return nil }
        // Waits until the program is loaded, from a slow disk for long: not under the lock, which `stop` takes.
        var process = pid_t()
        guard posix_spawn(&process, path, &actions, &attributes, &words, &environment) == 0 else { return nil }
        run.update { run in
            run.process = process
            if run.isStopped { kill(process, SIGKILL) }
        }
        return process
    }

    /// Whether a descriptor is ready for `events` before the deadline.
    private static func isReady(_ descriptor: Int32, for events: Int32, until deadline: HostTime) -> Bool {
        while true {
            let left = Int32(clamping: Int((deadline - SystemTime().now()).milliseconds))
            var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            guard left > 0 else { return false }
            let count = poll(&request, 1, left)
            if count < 0, errno == EINTR { continue }
            return count > 0
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, until deadline: HostTime) {
        var rest = bytes[...]
        while !rest.isEmpty, isReady(descriptor, for: POLLOUT, until: deadline) {
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func read(_ descriptor: Int32, until deadline: HostTime) -> [UInt8] {
        var bytes: [UInt8] = [], room = [UInt8](repeating: 0, count: 4096)
        while bytes.count < outputLimit {
            guard isReady(descriptor, for: POLLIN, until: deadline) else { return [] }
            let count = Glibc.read(descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += room[..<count]
        }
        return bytes
    }
}
