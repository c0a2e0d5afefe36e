import CLinux
import Glibc

/// A report that a crash leaves behind: a file for the person at the machine, never sent anywhere. It holds the head that is given here,
/// the signal, the last events and the backtrace of the thread, and no name of a file that was played.
public enum CrashReport {
    /// The line by which a report says that the person knows of it.
    private static let mark = "The person was told.\n"

    /// `XDG_STATE_HOME/aether-tui/crash.txt`; nil where not even HOME is known.
    public static func path(_ environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/aether-tui/crash.txt" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/aether-tui/crash.txt"
    }

    /// From now on a crash is reported to `path`, after these words. Nothing is made before. Call once, before there are threads.
    public static func arm(path: String, head: String) {
        // The report is extra: a path that is too long has none.
        _ = clinux_crash_report_arm(PathText.cString(path), head)
    }

    /// Notes an event for the report: a literal, so that it can quote nothing, and a number where that says more. Any thread; never blocks.
    public static func note(_ event: StaticString, _ number: Int64? = nil) {
        event.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return }
                clinux_crash_note(start, text.count, number ?? Int64.min)
            }
        }
    }

    /// Notes that a module of ours had a warning or an error, and not which.
    static func note(_ level: LogLevel, of module: String) {
        let words = Array((level == .error ? "error of " : "warning of ").utf8) + module.utf8.prefix(16)
        words.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return }
                clinux_crash_note(start, text.count, Int64.min)
            }
        }
    }

    /// Whether a report lies at the path of which the person was not told; from then on it says that they were. Blocks on the file system.
    public static func isNew(at path: String) -> Bool {
        let descriptor = open(PathText.cString(path), O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return false }
        let mark = Array(Self.mark.utf8)
        var end = [UInt8](repeating: 0, count: mark.count)
        if Int(status.st_size) >= mark.count {
            let count = pread(descriptor, &end, end.count, off_t(Int(status.st_size) - mark.count))
            if count == mark.count, end == mark { return false }
        }
        // A crash report that cannot be marked would be told each time.
        return write(descriptor, mark, mark.count) == mark.count
    }
}
