import AetherCore
import AetherTerminal
import Glibc

/// The system's own words, and lines on standard error.
enum SystemText {
    /// The meaning of an errno value.
    static func error(_ number: Int32) -> String { String(cString: strerror(number)) }

    /// The present directory; the root where that is gone.
    static var workingDirectory: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard getcwd(&buffer, buffer.count) != nil else { return "/" }
        return PathText.text(cString: buffer)
    }

    /// Seconds since midnight where the person is.
    static var secondOfDay: Int {
        var now = time(nil), parts = tm()
        guard localtime_r(&now, &parts) != nil else { return 0 }
        return Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + min(59, Int(parts.tm_sec))
    }

    /// Seconds since 1970, and seconds east of Greenwich where the person is.
    static var wallClock: (unix: Int64, east: Int64) {
        var now = time(nil), parts = tm()
        guard localtime_r(&now, &parts) != nil else { return (Int64(now), 0) }
        return (Int64(now), Int64(parts.tm_gmtoff))
    }

    /// "13:22:07": a moment in nanoseconds since 1970 as a time of day where the person is.
    static func timeOfDay(_ moment: Int64) -> String {
        var seconds = time_t(moment / 1_000_000_000), parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }

    /// "2024-05-01 13:22:07 +0200": the date and time of now where the person is.
    static var date: String {
        var now = time(nil), parts = tm()
        localtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S %z", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// "Linux 6.1.0-40-amd64 x86_64": the kernel that runs.
    static var kernel: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "Linux" }
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
    }

    /// One line on standard error, safe to be seen and kept.
    static func complain(_ text: String) { writeError("aether-tui: \(text)\n") }

    /// Text on standard error as it is, but without what a terminal would obey and without the secrets of URLs.
    static func writeError(_ text: String) {
        write(DisplayText.printable(Redaction.text(text)), to: StrayOutput.standardError)
    }

    /// Writes all of a text; what cannot be written is lost.
    static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                done += count
            }
        }
    }
}
