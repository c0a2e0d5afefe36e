import Glibc
import Synchronization

/// How grave a log line is.
public enum LogLevel: Int, Sendable, Comparable {
    case verbose, info, warning, error

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
    public let host: HostTime
    public let level: LogLevel
    public let module: String
    public let text: String
}

/// The log: a ring of the last 1000 lines in memory, and a file if one was opened. Nothing is ever printed to the terminal.
public final class Log: Sendable {
    /// The process's log. Libraries with a C callback for messages (FFmpeg, ALSA) can only reach something global.
    public static let shared = Log()

    private struct State {
        var ring: [LogLine] = []
        var next = 0
        var total = 0
        var descriptor: Int32 = -1
        var level = LogLevel.info
        var start = SystemTime().now()
    }
    private static let capacity = 1000
    private let state = Mutex(State())

    /// An empty log without a file.
    public init() {}

    /// Writes lines of `level` and above to a file descriptor from now on; the log owns it. Pass -1 to stop.
    public func write(to descriptor: Int32, level: LogLevel) {
        state.withLock {
            if $0.descriptor >= 0 { close($0.descriptor) }
            $0.descriptor = descriptor
            $0.level = level
        }
    }

    /// Adds one line. Control characters are removed. Any thread; a file on a hanging disk can block it.
    public func add(_ level: LogLevel, _ module: String, _ text: String) {
        let line = LogLine(
            host: SystemTime().now(), level: level, module: module, text: DisplayText.singleLine(text, limit: 2000))
        let file: (descriptor: Int32, elapsed: TimeSpan)? = state.withLock {
            if $0.ring.count < Log.capacity { $0.ring.append(line) } else { $0.ring[$0.next] = line }
            $0.next = ($0.next + 1) % Log.capacity
            $0.total += 1
            return $0.descriptor >= 0 && level >= $0.level ? ($0.descriptor, line.host - $0.start) : nil
        }
        guard let file else { return }
        let milliseconds = file.elapsed.nanoseconds / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        var output = "\(milliseconds / 1000).\(fraction) \(level.letter) \(module): \(line.text)\n"
        output.withUTF8 { bytes in _ = Glibc.write(file.descriptor, bytes.baseAddress, bytes.count) }
    }

    /// The lines in memory, oldest first.
    public var lines: [LogLine] {
        state.withLock {
            $0.ring.count < Log.capacity ? $0.ring : Array($0.ring[$0.next...] + $0.ring[..<$0.next])
        }
    }

    /// How many lines were ever added.
    public var total: Int { state.withLock { $0.total } }

    /// A voice for one module.
    public static func module(_ name: String) -> ModuleLog { ModuleLog(name: name) }
}

/// The log under one module's name.
public struct ModuleLog: Sendable {
    let name: String

    /// Detail for a developer.
    public func verbose(_ text: @autoclosure () -> String) { Log.shared.add(.verbose, name, text()) }
    /// What happened, once per event.
    public func info(_ text: @autoclosure () -> String) { Log.shared.add(.info, name, text()) }
    /// Trouble that was dealt with.
    public func warning(_ text: @autoclosure () -> String) { Log.shared.add(.warning, name, text()) }
    /// Trouble that the user feels.
    public func error(_ text: @autoclosure () -> String) { Log.shared.add(.error, name, text()) }
}
