import AetherCore
import Glibc

/// A private file that the player writes about the person (`--log`, `--telemetry`): no other user may read it, and no link of
/// another user leads elsewhere. A regular file is made with mode 0600, or given that mode, and emptied unless it is to be kept; one that holds
/// something else than an earlier run's is refused. A FIFO with a reader, /dev/null and the names of open descriptors (/dev/stdout, /dev/stderr,
/// /dev/fd/N) are taken as they are; all else is refused.
struct OutputFile {
    /// The screen is going to be ours: a terminal is refused, for the lines would land on it.
    let hasScreen: Bool

    /// The kinds of content.
    enum Content {
        case log, telemetry

        /// Whether a file that begins so may be one of an earlier run: "12.345 I engine: …", or an object of JSON with telemetry in it.
        func holds(_ head: [UInt8]) -> Bool {
            let text = String(decoding: head, as: UTF8.self)
            switch self {
            case .log:
                let words = text.prefix(40).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
                return words.count == 3 && Double(words[0]) != nil && words[1].count == 1
            case .telemetry: return text.hasPrefix("{") && text.contains("\"telemetry\":{")
            }
        }
    }

    /// A descriptor that does not block, but where it is another program's socket. What a file holds already is kept where that is no more
    /// than so many bytes, and written on. Throws `.cannotOpen`.
    func open(
        _ path: String, _ operation: String, holding content: Content = .log, keeping limit: Int64 = 0
    ) throws(MediaError) -> Int32 {
        if let number = OutputFile.descriptorNumber(path) { return try again(number, path, operation) }
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = Glibc.open(PathText.cString(path), flags, 0o600)
        guard descriptor >= 0 else {
            let reason =
                switch errno {
                case ELOOP: translated("it is a symbolic link")
                case ENXIO: translated("no program reads it")
                case let number: SystemText.error(number)
                }
            throw OutputFile.refusal(path, operation, reason, number: errno)
        }
        var status = stat()
        fstat(descriptor, &status)
        switch status.st_mode & S_IFMT {
        case S_IFREG where status.st_size > 0 && !content.holds(OutputFile.head(path)):
            close(descriptor)
            throw OutputFile.refusal(
                path, operation, translated("it holds something else: name another file"), number: EEXIST)
        case S_IFREG:
            // Of another person's file the mode is not ours to change.
            if status.st_uid == geteuid() { fchmod(descriptor, 0o600) }
            if status.st_size <= limit || ftruncate(descriptor, 0) == 0 { return descriptor }
        case S_IFIFO: return descriptor
        case S_IFCHR where OutputFile.isNull(status): return descriptor
        default: errno = EINVAL
        }
        let number = errno
        close(descriptor)
        let reason = number == EINVAL ? translated("it is not a regular file") : SystemText.error(number)
        throw OutputFile.refusal(path, operation, reason, number: number)
    }

    /// The reason why no new file can be made at a path; nil where one can. For what is made later, perhaps in hours.
    static func obstacle(toMaking path: String) -> String? {
        if access(PathText.cString(path), F_OK) == 0 { return translated("there is such a file: name another one") }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = parts.isEmpty ? "." : parts.joined(separator: "/") + "/"
        return access(PathText.cString(folder), W_OK | X_OK) == 0 ? nil : SystemText.error(errno)
    }

    /// The first bytes of a file; empty where they cannot be read.
    private static func head(_ path: String) -> [UInt8] {
        let descriptor = Glibc.open(PathText.cString(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: 8192) { room, count in
            count = max(0, read(descriptor, room.baseAddress, room.count))
        }
    }

    /// A descriptor that is open already, with a description of its own where the system gives one: what is set on it then concerns
    /// no other program that has it open.
    private func again(_ number: Int32, _ path: String, _ operation: String) throws(MediaError) -> Int32 {
        var status = stat()
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, fstat(number, &status) == 0, flags & O_ACCMODE != O_RDONLY, status.st_mode & S_IFMT != 0 else {
            throw OutputFile.refusal(path, operation, SystemText.error(EBADF), number: EBADF)
        }
        if hasScreen, isatty(number) == 1 {
            throw OutputFile.refusal(path, operation, translated("the screen is there"), number: EBUSY)
        }
        let own = Glibc.open("/proc/self/fd/\(number)", O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        if own >= 0 { return own }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw OutputFile.refusal(path, operation, SystemText.error(errno), number: errno) }
        return copy
    }

    /// The number that a name of an open descriptor stands for.
    static func descriptorNumber(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            let folders = ["/dev/fd/", "/proc/self/fd/"]
            guard let folder = folders.first(where: path.hasPrefix) else { return nil }
            return Int32(path.dropFirst(folder.count)).flatMap { $0 >= 0 ? $0 : nil }
        }
    }

    /// /dev/null, device 1:3.
    private static func isNull(_ status: stat) -> Bool { status.st_rdev == 1 << 8 | 3 }

    private static func refusal(_ path: String, _ operation: String, _ reason: String, number: Int32) -> MediaError {
        MediaError(.cannotOpen, operation, subject: path, cause: -number, reason: reason)
    }
}
