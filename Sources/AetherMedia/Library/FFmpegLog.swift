import AetherCore
import CFFmpeg
import Glibc
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

    /// The errors of one call.
    struct Complaints {
        /// Those of demuxers.
        fileprivate(set) var count = 0
        /// The lines of all others, up to 4 KB: of the protocols, whose numbers say little. The innermost one says most, and comes first.
        fileprivate(set) var lines = ""
    }

    /// Runs one call of libavformat and says besides what was complained of in it. The number of demuxers' errors tells damage that they step over
    /// without a word to the caller: a hole in the middle, a file that was cut off. By the thread, and not by the context of which the
    /// message is: a playlist's demuxer reads with contexts of its own, which no other code knows, while other sources are read elsewhere.
    static func complaints<Result>(in call: () -> Result) -> (result: Result, complaints: Complaints) {
        var complaints = Complaints()
        let result = withUnsafeMutablePointer(to: &complaints) { tally in
            // Read inside of another one's reading, each has its own.
            let outer = pthread_getspecific(tallyKey)
            pthread_setspecific(tallyKey, tally)
            defer { pthread_setspecific(tallyKey, outer) }
            return call()
        }
        return (result, complaints)
    }

    /// The key of the tally of this thread's complaints; it has none outside of `complaints`.
    private static let tallyKey: pthread_key_t = {
        var key = pthread_key_t()
        // Fails only where a process has a thousand of them.
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "no key of a thread is left")
        return key
    }()

    private static let once: Void = {
        av_log_set_level(AV_LOG_INFO)
        av_log_set_callback { object, level, format, arguments in
            guard level <= AV_LOG_INFO, let format, let arguments else { return }
            var line = [CChar](repeating: 0, count: 1024)
            aether_format_log(object, level, format, arguments, &line, Int32(line.count))
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if level <= AV_LOG_ERROR {
                let tally = pthread_getspecific(tallyKey)?.assumingMemoryBound(to: Complaints.self)
                if aether_log_is_demuxer(object) != 0 {
                    tally?.pointee.count += 1
                } else if let tally, tally.pointee.lines.utf8.count < 4096 {
                    tally.pointee.lines += text
                }
            }
            FFmpegLog.add(level, text)
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
