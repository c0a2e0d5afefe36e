import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal
import Glibc

/// What the `present` thread does: take the newest, compose, wait until the frame is due, write, and again. Owns the composer and
/// the writer.
struct PresentLoop: ~Copyable {
    private let presenter: Presenter
    private var composer: FrameComposer
    private var writer: TerminalWriter
    private let time: any TimeSource
    /// The frame whose bytes are under way.
    private var writing: VideoFrame?
    private var byteCount = 0
    private var secondsPerByte = 0.0
    private var refineAt: HostTime?
    private var hasHungUp = false

    /// A still picture is sent exactly after this long without a new frame.
    private static let refineAfter = TimeSpan.milliseconds(120)
    /// A terminal that takes nothing is not waited for longer on the way out.
    private static let patience = TimeSpan.milliseconds(60)

    init(presenter: Presenter, composer: consuming FrameComposer, writer: consuming TerminalWriter, time: any TimeSource) {
        self.presenter = presenter
        self.composer = composer
        self.writer = writer
        self.time = time
    }

    /// Runs until the presenter is stopped.
    mutating func run() {
        while true {
            let news = presenter.takeNews()
            if news.isStopped { break }
            if news.isPaused {
                park()
            } else if hasHungUp {
                sleep(until: nil)
            } else if !writer.isIdle {
                pump()
                if !writer.isIdle { sleep(until: nil, writable: writer.descriptor) }
            } else if take(news) {
                draw(news.frame, exactly: false)
            } else if let due = refineAt, due <= time.now() {
                refineAt = nil
                draw(nil, exactly: true)
            } else {
                sleep(until: refineAt)
            }
        }
        _ = writer.abandonAndFinish(until: time.now() + Self.patience)
    }

    /// Brings what is half written to a safe end and stays off the terminal until told to go on.
    private mutating func park() {
        // A terminal that takes nothing keeps the rest of the frame: it is forgotten here, and what restores the terminal begins with
        // a cancel.
        if !writer.abandonAndFinish(until: time.now() + Self.patience) { writer.discard() }
        writing = nil
        refineAt = nil
        presenter.noteBlocked(false)
        while true {
            let news = presenter.takeNews()
            if news.isStopped { return }
            if !news.isPaused {
                if take(news) { draw(news.frame, exactly: false) }
                return
            }
            presenter.noteParked()
            sleep(until: nil)
        }
    }

    /// Hands news to the composer; returns whether anything is to be drawn.
    private mutating func take(_ news: Presenter.Inbox) -> Bool {
        if let size = news.size { composer.resize(size.cells, cellAspect: size.cellAspect) }
        if news.isInvalid { composer.invalidate() }
        if let overlay = news.overlay { composer.show(overlay) }
        if news.isCleared { composer.show(nil as RasterImage?) }
        if let frame = news.frame { composer.show(frame.image) }
        return news.frame != nil || news.overlay != nil || news.size != nil || news.isInvalid || news.isCleared
    }

    private mutating func draw(_ frame: VideoFrame?, exactly: Bool) {
        let began = time.now()
        let bytes = composer.compose(exactly: exactly)
        let encoded = time.now()
        if let frame {
            presenter.noteEncoded(in: encoded - began)
            waitUntil(frame.due - expectedWriteTime(bytes.count))
        }
        refineAt = !exactly && composer.isApproximate ? began + Self.refineAfter : nil
        writing = frame
        byteCount = bytes.count
        do throws(TerminalError) {
            note(try writer.submit(bytes))
        } catch {
            hangUp()
        }
    }

    /// A frame shall be complete when it is due, and the terminal takes its time for the bytes: 0.5 ms for a small one, 5 ms for a
    /// full screen. At most 8 ms: a link that is slower than that is late anyway.
    private func expectedWriteTime(_ byteCount: Int) -> TimeSpan {
        min(.milliseconds(8), .seconds(secondsPerByte * Double(byteCount)))
    }

    private mutating func pump() {
        do throws(TerminalError) {
            note(try writer.pump())
        } catch {
            hangUp()
        }
    }

    private mutating func note(_ progress: TerminalWriter.Progress) {
        presenter.noteBlocked(progress == .blocked)
        guard progress == .idle else { return }
        if writing != nil, byteCount > 4096, let span = writer.statistics.lastFrameTime {
            // An average over the last ten frames or so: one stalled write says little of the next.
            secondsPerByte += 0.1 * (min(span.seconds, 0.02) / Double(byteCount) - secondsPerByte)
        }
        presenter.noteWritten(writing, hasBytes: byteCount > 0, writer.statistics)
        writing = nil
    }

    private mutating func hangUp() {
        hasHungUp = true
        presenter.noteBlocked(false)
        presenter.noteHangup()
    }

    /// A few milliseconds at most: frames are handed over only by the lead ahead.
    private func waitUntil(_ due: HostTime) {
        let now = time.now()
        guard due > now else { return }
        let latest = min(due, now + .milliseconds(50))
        var ts = timespec(tv_sec: Int(latest.nanoseconds / 1_000_000_000), tv_nsec: Int(latest.nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, nil) == EINTR {}
    }

    /// Blocks until somebody wakes us, the descriptor takes bytes, or the deadline.
    private func sleep(until deadline: HostTime?, writable descriptor: Int32 = -1) {
        var descriptors = [
            pollfd(fd: presenter.wakeDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
        ]
        let wait = deadline.map { Int32(max(0, min(60_000, ($0 - time.now()).milliseconds.rounded(.up)))) } ?? -1
        _ = poll(&descriptors, 2, wait)
    }
}
