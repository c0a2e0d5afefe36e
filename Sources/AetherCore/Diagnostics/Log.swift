import Glibc
import Synchronization

/// The severity of a log line.
public enum LogLevel: Int, Sendable, Comparable {
    case verbose, info, warning, error

    /// Lower is less serious.
    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }

    /// One letter for the log file.
    public var letter: Character {
        switch self {
        case .verbose: "V"
        case .info: "I"
        case .warning: "W"
        case .error: "E"
        }
    }
}

/// One line of the log.
public struct LogLine: Sendable {
    /// The time of the line, by the monotonic clock.
    public let host: HostTime
    /// The severity.
    public let level: LogLevel
    /// The part of the program that wrote it, such as "demux".
    public let module: String
    /// The sentence, as the caller wrote it.
    public let text: String
}

/// The log: a ring of the last 1000 lines in memory, and a file if one was opened. Nothing is ever printed to the terminal.
public final class Log: Sendable {
    /// The process's log. Libraries with a C callback for messages (FFmpeg, ALSA) can only reach something global.
    public static let shared = Log()

    /// Closed with its last user: a line that is being written keeps its number from being given to another file.
    private final class File: Sendable {
        let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }

        /// Writes a line; one that a full disk does not take is lost.
        func write(_ line: String) {
            var rest = Array(line.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    private struct State {
        var ring: [LogLine] = []
        var next = 0
        var total = 0
        var file: File?
        var filter = LogFilter()
        var handler: (filter: LogFilter, body: @Sendable (LogLine) -> Void)?
        var start = SystemTime().now()
    }
    private static let capacity = 1000
    private let state = Mutex(State())

    /// An empty log without a file.
    public init() {}

    /// Writes lines of `level` and above to a file descriptor from now on; the log owns it. Pass -1 to stop.
    public func write(to descriptor: Int32, level: LogLevel) { write(to: descriptor, LogFilter(level)) }

    /// Writes the lines that the filter takes to a file descriptor from now on; the log owns it. Pass -1 to stop.
    public func write(to descriptor: Int32, _ filter: LogFilter) {
        let file = descriptor >= 0 ? File(descriptor) : nil
        state.withLock { ($0.file, $0.filter) = (file, filter) }
    }

    /// Hands the lines that the filter takes to a host from now on, one at a time from the thread that writes each of them; nil ends that. The
    /// handler must not block, and may write lines itself, which it is handed, too.
    public func hand(_ filter: LogFilter = LogFilter(), to handler: (@Sendable (LogLine) -> Void)?) {
        state.withLock { $0.handler = handler.map { (filter, $0) } }
    }

    /// Adds one line. Control characters are removed, and what opens a door in URLs (`Redaction`). Any thread; a file on a hanging disk
    /// can block it.
    public func add(_ level: LogLevel, _ module: String, _ text: String) {
        let text = DisplayText.singleLine(Redaction.text(text), limit: 2000)
        // The report of a crash gets the module's name alone: the text may quote a name of a file.
        if level >= .warning { CrashReport.note(level, of: module) }
        let line = LogLine(host: SystemTime().now(), level: level, module: module, text: text)
        let (written, handler): ((file: File, elapsed: TimeSpan)?, (@Sendable (LogLine) -> Void)?) = state.withLock {
            if $0.ring.count < Log.capacity { $0.ring.append(line) } else { $0.ring[$0.next] = line }
            $0.next = ($0.next + 1) % Log.capacity
            $0.total += 1
            let host = $0.handler.flatMap { $0.filter.takes(level, of: module) ? $0.body : nil }
            guard let file = $0.file, $0.filter.takes(level, of: module) else { return (nil, host) }
            return ((file, line.host - $0.start), host)
        }
        handler?(line)
        guard let written else { return }
        let milliseconds = written.elapsed.nanoseconds / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        written.file.write("\(milliseconds / 1000).\(fraction) \(level.letter) \(module): \(line.text)\n")
    }

    /// The lines in memory, oldest first.
    public var lines: [LogLine] {
        state.withLock {
            $0.ring.count < Log.capacity ? $0.ring : Array($0.ring[$0.next...] + $0.ring[..<$0.next])
        }
    }

    /// The number of lines that were ever added.
    public var total: Int { state.withLock { $0.total } }

    /// A voice for one module.
    public static func module(_ name: String) -> ModuleLog { ModuleLog(name: name) }
}

/// The log under one module's name.
public struct ModuleLog: Sendable {
    let name: String

    /// Detail for a developer.
    public func verbose(_ text: @autoclosure () -> String) { Log.shared.add(.verbose, name, text()) }
    /// An event, once.
    public func info(_ text: @autoclosure () -> String) { Log.shared.add(.info, name, text()) }
    /// Trouble that was dealt with.
    public func warning(_ text: @autoclosure () -> String) { Log.shared.add(.warning, name, text()) }
    /// Trouble that the user feels.
    public func error(_ text: @autoclosure () -> String) { Log.shared.add(.error, name, text()) }
}
