import AetherCore
import CFFmpeg
import Synchronization

/// FFmpeg's messages on their way into the log under the module name "ffmpeg". Nothing of them is ever printed.
enum FFmpegLog {
    /// Puts the callback in; later calls do nothing. Any thread.
    static func install() { _ = once }

    /// A damaged file says the same thing thousands of times: only the first of a row is kept, and the number of the others.
    private struct Repeats {
        var last = ""
        var count = 0
    }
    private static let repeats = Mutex(Repeats())

    /// The number of demuxer errors in this process. It tells damage that they step over without a word to the
    /// caller: a hole in the middle, a file that was cut off.
    static var demuxerErrorCount: Int { demuxerErrors.load(ordering: .relaxed) }
    private static let demuxerErrors = Atomic(0)

    private static let once: Void = {
        av_log_set_level(AV_LOG_INFO)
        av_log_set_callback { object, level, format, arguments in
            guard level <= AV_LOG_INFO, let format, let arguments else { return }
            if level <= AV_LOG_ERROR, aether_log_is_demuxer(object) != 0 { demuxerErrors.wrappingAdd(1, ordering: .relaxed) }
            var line = [CChar](repeating: 0, count: 1024)
            aether_format_log(object, level, format, arguments, &line, Int32(line.count))
            FFmpegLog.add(level, String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
    }()

    /// One message of an FFmpeg level.
    static func add(_ level: Int32, _ text: String) {
        let line = DisplayText.singleLine(text)
        guard !line.isEmpty else { return }
        let repeated: Int? = repeats.withLock { state in
            if state.last == line {
                state.count += 1
                return nil
            }
            defer { state = Repeats(last: line, count: 0) }
            return state.count
        }
        guard let repeated else { return }
        if repeated > 0 { Log.shared.add(.verbose, "ffmpeg", "the last message came \(repeated) more times") }
        // FFmpeg calls a damaged packet an error, and playing goes on; what ends the playing is thrown to the caller.
        let grade: LogLevel =
            level <= AV_LOG_FATAL ? .error : level <= AV_LOG_ERROR ? .warning : level <= AV_LOG_WARNING ? .info : .verbose
        Log.shared.add(grade, "ffmpeg", line)
    }
}
