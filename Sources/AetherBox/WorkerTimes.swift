import Glibc
import Synchronization

/// The CPU time of copies of a program, which are no children of ours: of those that run and those that have ended. Any thread.
final class WorkerTimes: Sendable {
    private let state = Mutex((ended: 0.0, live: Set<Int32>()))

    /// A process has begun, whose descriptor this is. Returns its number; nil where the system does not say it.
    func begin(_ descriptor: Int32) -> Int32? {
        let text = Self.text(of: "/proc/self/fdinfo/\(descriptor)")
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pid:") }),
            let number = line.split(separator: "\t").last.flatMap({ Int32($0) }), number > 0
        else { return nil }
        state.withLock { _ = $0.live.insert(number) }
        return number
    }

    /// It is about to be ended.
    func end(_ process: Int32) {
        let seconds = Self.seconds(of: process)
        state.withLock {
            $0.live.remove(process)
            $0.ended += seconds
        }
    }

    /// Seconds of all of them, in steps of 10 ms. Reads a small file for each that runs.
    var seconds: Double {
        let (ended, live) = state.withLock { $0 }
        return live.reduce(ended) { $0 + Self.seconds(of: $1) }
    }

    /// utime and stime, the 14th and 15th field of proc(5), counted behind the name in parentheses.
    private static func seconds(of process: Int32) -> Double {
        let fields = text(of: "/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    }

    private static func text(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
    }
}
