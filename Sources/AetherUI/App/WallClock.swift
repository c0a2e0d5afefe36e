import AetherEngine
import Glibc

/// The clock on the wall, in the zone of the environment.
enum WallClock {
    /// The next moment at which it shows a time: today or tomorrow.
    static func next(_ time: ClockTime, after now: time_t) -> time_t {
        var now = now, parts = tm()
        localtime_r(&now, &parts)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(time.hour), Int32(time.minute), Int32(time.second))
        // Between two changes of the clock its own time holds.
        parts.tm_isdst = -1
        var moment = mktime(&parts)
        if moment <= now {
            parts.tm_mday += 1
            parts.tm_isdst = -1
            moment = mktime(&parts)
        }
        return moment
    }

    /// Blocks until the clock shows a time; also where it is set meanwhile. Signals end the process.
    static func wait(for time: ClockTime) {
        var moment = timespec(tv_sec: next(time, after: Glibc.time(nil)), tv_nsec: 0)
        while clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &moment, nil) == EINTR {}
    }

    /// "2026-11-24 20.15.03": a moment in the name of a file.
    static func fileText(_ moment: time_t) -> String {
        var moment = moment, parts = tm()
        localtime_r(&moment, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%Y-%m-%d %H.%M.%S", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
