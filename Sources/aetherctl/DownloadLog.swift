import AetherCore
import AetherEngine
import AetherFormats
import Glibc
import Synchronization

/// Tells how far a download is: one line that changes on a terminal, lines of JSON otherwise. `take` is for any thread, the rest for the main one.
final class DownloadLog: Sendable {
    private struct State {
        var news: [AssetDownloadNews] = []
        var progress: AssetDownloadProgress?
        var muxing: AssetDownloadNews?
        var shownAt: HostTime?
        var folder = ""

        /// The last of what was fetched comes before the file that it goes into, whatever the pause between two lines.
        mutating func takeProgress() {
            if let progress { news.append(.progress(progress)) }
            progress = nil
        }
    }
    /// Readable when there is something to tell.
    let wake = WakeHandle()
    private let state = Mutex(State())
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private let time = SystemTime()

    func take(_ news: AssetDownloadNews) {
        state.withLock { state in
            switch news {
            case .progress(let progress): state.progress = progress
            case .muxing:
                state.takeProgress()
                state.muxing = news
            case .muxed:
                state.takeProgress()
                if let last = state.muxing { state.news.append(last) }
                state.muxing = nil
                state.news.append(news)
            default: state.news.append(news)
            }
        }
        wake.wake()
    }

    /// Tells what is new; how far it is, ten times a second at most, and as JSON once.
    func write(isLast: Bool) {
        let now = time.now(), pause = isTerminal ? TimeSpan.milliseconds(100) : .seconds(1)
        typealias Told = (news: [AssetDownloadNews], progress: AssetDownloadProgress?, muxing: AssetDownloadNews?)
        let (news, progress, muxing) = state.withLock { state -> Told in
            defer { state.news = [] }
            guard isLast || state.shownAt.map({ now - $0 >= pause }) ?? true else { return (state.news, nil, nil) }
            if state.progress != nil || state.muxing != nil { state.shownAt = now }
            defer { (state.progress, state.muxing) = (nil, nil) }
            return (state.news, state.progress, state.muxing)
        }
        if let progress { show(progress) }
        for item in news + (muxing.map { [$0] } ?? []) { tell(item) }
        StandardOutput.flush()
    }

    /// How a download ended, as its event is called.
    enum Ending: String {
        case finished, failed, stopped

        var words: String {
            switch self {
            case .finished: translated("finished", context: "download")
            case .failed: translated("failed", context: "download")
            case .stopped: translated("stopped", context: "download")
            }
        }
    }

    /// The last line.
    func end(_ ending: Ending, _ task: AssetDownloadTask, dryRun: Bool) {
        let folder = task.folder ?? "", progress = task.progress
        if isTerminal {
            let count = progress.missingSegments
            let missing =
                count == 0
                ? "" : translated(one: ", \(count) segment is missing", other: ", \(count) segments are missing", count: count)
            let place = folder.isEmpty ? "" : ": \(folder)"
            if !dryRun { printSafely(ending.words + missing + place) }
        } else {
            var members: [JSON.Members.Member] = [
                ("event", .string(ending.rawValue)), ("missing", .integer(Int64(progress.missingSegments))),
            ]
            if !folder.isEmpty { members.append(("folder", .string(folder))) }
            printSafely(JSON.object(JSON.Members(members)).line)
        }
        StandardOutput.flush()
    }

    private func tell(_ news: AssetDownloadNews) {
        switch news {
        case .progress(let progress): show(progress)
        case .ended: break
        case .opened(let folder, let finished):
            line(
                finished > 0
                    ? translated("into \(folder), \(finished) segments are there") : translated("into \(folder)"),
                [("event", .string("opened")), ("folder", .string(folder)), ("finished", .integer(Int64(finished)))])
        case .rendition(let rendition):
            let words = [rendition.kind, rendition.language, rendition.isPrimary ? nil : translated("(auxiliary)")].compactMap {
                $0
            }
            line(
                words.joined(separator: " "),
                [
                    ("event", .string("rendition")), ("id", .string(rendition.id)), ("kind", .string(rendition.kind)),
                    ("language", JSON(rendition.language)), ("isPrimary", .bool(rendition.isPrimary)),
                ])
        case .muxing(let file, let finished, let duration, let bytes):
            guard isTerminal else {
                return line(
                    "",
                    [
                        ("event", .string("muxing")), ("file", .string(file)), ("duration", .number(finished.seconds)),
                        ("totalDuration", JSON(duration?.seconds)), ("bytes", .integer(bytes)),
                    ])
            }
            let done = Self.clock(finished), size = Self.megabytes(bytes)
            let text =
                duration.map { translated("writing \(done) of \(Self.clock($0))  \(size) MB") }
                ?? translated("writing \(done)  \(size) MB")
            print("\r\u{1B}[K" + text, terminator: "")
        case .muxed(let file, let bytes):
            line(
                translated("written, \(Self.megabytes(bytes)) MB: \(file)"),
                [("event", .string("muxed")), ("file", .string(file)), ("bytes", .integer(bytes))])
        case .note(let text): line(text, [("event", .string("note")), ("text", .string(text))])
        }
    }

    private func line(_ text: String, _ members: [JSON.Members.Member]) {
        if isTerminal {
            print("\r\u{1B}[K", terminator: "")
            printSafely(text)
        } else {
            printSafely(JSON.object(JSON.Members(members)).line)
        }
    }

    private func show(_ progress: AssetDownloadProgress) {
        if isTerminal {
            print("\r\u{1B}[K\(Self.text(progress))", terminator: "")
            if progress.fraction == 1 { print("") }
        } else {
            printSafely(Self.json(progress).line)
        }
    }

    static func json(_ progress: AssetDownloadProgress) -> JSON {
        .object([
            ("event", .string("progress")), ("segments", .integer(Int64(progress.finishedSegments))),
            ("segmentCount", .integer(Int64(progress.segmentCount))), ("missing", .integer(Int64(progress.missingSegments))),
            ("duration", .number(progress.finishedDuration.seconds)), ("totalDuration", .number(progress.duration.seconds)),
            ("bytes", .integer(progress.finishedBytes)), ("expectedBytes", JSON(progress.expectedBytes)),
            ("fraction", JSON(progress.fraction)), ("rate", JSON(progress.rate)), ("timeLeft", JSON(progress.timeLeft?.seconds)),
            ("isLive", .bool(progress.isLive)),
        ])
    }

    /// "42 %  120 of 286 MB  3.1 MB/s  0:53 left".
    static func text(_ progress: AssetDownloadProgress) -> String {
        var words: [String] = []
        if let fraction = progress.fraction { words.append("\(Int(fraction * 100)) %") }
        if progress.isLive { words.append(translated("recording \(clock(progress.finishedDuration))")) }
        let all = progress.isLive ? nil : progress.expectedBytes
        let done = megabytes(progress.finishedBytes)
        words.append(all.map { translated("\(done) of \(megabytes($0)) MB") } ?? "\(done) MB")
        if let rate = progress.rate { words.append("\(megabytes(Int64(rate))) MB/s") }
        if let left = progress.timeLeft { words.append(translated("\(clock(left)) left")) }
        if progress.missingSegments > 0 { words.append(translated("\(progress.missingSegments) missing")) }
        return words.joined(separator: "  ")
    }

    private static func megabytes(_ bytes: Int64) -> String {
        let tenths = (bytes + 50_000) / 100_000
        return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
    }

    private static func clock(_ span: TimeSpan) -> String {
        let seconds = Int(span.seconds)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let rest = "\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        return seconds >= 3600 ? "\(seconds / 3600):\(rest)" : rest
    }
}
