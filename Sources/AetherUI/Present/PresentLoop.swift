import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal
import Glibc

/// The work of the `present` thread: take the newest, compose, wait until the frame is due, write, and again. Owns the composer and
/// the writer.
struct PresentLoop: ~Copyable {
    private let presenter: Presenter
    private var composer: FrameComposer
    private var writer: TerminalWriter
    private var governor: LinkGovernor
    /// The renderer at the top of the ladder, and the one where cells stand in for pixels.
    private var outputs: RendererRange.Outputs
    private var drawsInNeed = false
    private let time: any TimeSource
    /// The frame whose bytes are under way.
    private var writing: VideoFrame?
    private var byteCount = 0
    private var pace = FramePace()
    /// The time at which the name of an image in shared memory went out that the terminal has not answered for.
    private var namedAt: HostTime?
    private var refineAt: HostTime?
    /// The frame that was left out last, until another is taken: see `LinkGovernor.standsAt`.
    private var leftOut: VideoFrame?
    private var hasHungUp = false
    /// A frame of the file is shown; a small image lies over it; black stands in for a video, so that the small image has something
    /// to lie in.
    private var hasFrame = false, hasInset = false, standsIn = false
    /// Bytes that concern no cell and still have to go out.
    private var aside: [UInt8] = []
    private static let log = Log.module("present")

    /// A still frame is sent exactly after this long without a new frame.
    private static let refineAfter = TimeSpan.milliseconds(120)
    /// A terminal that takes nothing is not waited for longer on the way out.
    private static let patience = TimeSpan.milliseconds(60)
    /// The time after which a terminal that owes answers for frames is looked at again, if nothing wakes us before.
    private static let lookAgain = TimeSpan.milliseconds(100)

    init(
        _ presenter: Presenter, _ outputs: RendererRange.Outputs, depth: ColourDepth, size: TerminalSize, port: any TerminalPort,
        link: LinkTraits, time: any TimeSource
    ) {
        self.presenter = presenter
        self.outputs = outputs
        self.time = time
        composer = FrameComposer(
            output: outputs.full, depth: depth, cells: size.cells, cellAspect: size.cellAspect, cellPixels: size.cellPixels)
        let meter = LinkMeter(asks: link.answersStatus, roundTrip: link.roundTrip)
        writer = TerminalWriter(port: port, synchronizedUpdates: link.synchronizedUpdates, meter: meter, time: time)
        governor = LinkGovernor(outputs.means, maximumRate: link.maximumRate)
    }

    /// Runs until the presenter is stopped.
    mutating func run() {
        while true {
            let word = presenter.takeWord()
            listen(word)
            if word.isStopped { break }
            if word.isPaused {
                park()
            } else if hasHungUp {
                sleep(until: nil)
            } else if !writer.isIdle {
                let heldUntil = writer.heldUntil
                if let heldUntil, releases(heldUntil) { writer.release() }
                pump()
                if let heldUntil = writer.heldUntil {
                    sleep(until: heldUntil)
                } else if !writer.isIdle {
                    sleep(until: nil, writable: writer.descriptor)
                }
            } else if word.isHidden {
                refineAt = nil
                sleep(until: nil)
            } else if let wait = reasonToWait() {
                // A frame that comes meanwhile replaces the waiting one in its slot.
                presenter.noteBlocked(true)
                sleep(until: wait.until)
                if writer.expireQuestions() { presenter.noteLink(writer.meter, governor.ladder.rung) }
            } else {
                presenter.noteBlocked(false)
                work(presenter.takeNews())
            }
        }
        _ = writer.abandonAndFinish(until: time.now() + Self.patience)
        presenter.noteLink(writer.meter, governor.ladder.rung)
    }

    /// Draws what is new; refines what stands; sleeps where there is neither.
    private mutating func work(_ news: Presenter.Inbox) {
        let (isNew, frame) = take(news)
        if isNew {
            draw(frame, exactly: false)
        } else if let frame = leftOut, let due = governor.standsAt, due <= time.now() {
            governor.settle()
            leftOut = nil
            composer.show(frame.image)
            (hasFrame, standsIn) = (true, false)
            draw(frame, exactly: false)
        } else if let due = refineAt, due <= time.now() {
            refineAt = nil
            draw(nil, exactly: true)
        } else {
            sleep(until: [refineAt, governor.standsAt].compactMap { $0 }.min())
        }
    }

    /// Takes in what the terminal has answered.
    private mutating func listen(_ word: Presenter.Word) {
        for moment in word.answers { writer.answered(at: moment) }
        for answer in word.kittyAnswers {
            composer.acknowledge(id: answer.id, placement: answer.placement, message: answer.message)
            if let named = namedAt { pace.read(in: time.now() - named) }
            namedAt = nil
        }
        if !word.answers.isEmpty { presenter.noteLink(writer.meter, governor.ladder.rung) }
    }

    private struct Wait {
        let until: HostTime?
    }

    /// The reason to draw nothing now: the link is full, or the terminal has not read the last frames.
    private mutating func reasonToWait() -> Wait? {
        let now = time.now()
        if !composer.isReady(at: now) { return Wait(until: now + Self.lookAgain) }
        guard case .wait(let until) = governor.permit(writer.meter, at: now) else { return nil }
        return Wait(until: until)
    }

    /// Brings what is half written to a safe end and stays off the terminal until told to go on.
    private mutating func park() {
        // A terminal that takes nothing keeps the rest of the frame: it is forgotten here, and what restores the terminal begins with
        // a cancel.
        if !writer.abandonAndFinish(until: time.now() + Self.patience) { writer.discard() }
        // A caller that gives the terminal away waits for what is still to be answered.
        presenter.noteLink(writer.meter, governor.ladder.rung)
        writer.forgetQuestions()
        writing = nil
        refineAt = nil
        presenter.noteBlocked(false)
        while true {
            let word = presenter.takeWord()
            if word.isStopped || !word.isPaused {
                // Open questions were waited for, or thrown away, while the terminal was given back.
                writer.forgetQuestions()
                presenter.noteLink(writer.meter, governor.ladder.rung)
                return
            }
            presenter.noteParked()
            sleep(until: nil)
        }
    }

    /// Hands news to the composer; returns whether anything is to be drawn, and the frame that is, if it is not left out.
    private mutating func take(_ news: Presenter.Inbox) -> (isNew: Bool, frame: VideoFrame?) {
        if let size = news.size {
            composer.resize(size.cells, cellAspect: size.cellAspect, cellPixels: size.cellPixels, area: news.area)
            if governor.ladder.position > 0 { askForDetail() }
        }
        if let change = news.change { turn(to: change) }
        if news.isInvalid { composer.invalidate() }
        if let overlay = news.overlay {
            composer.show(overlay)
            composer.show(news.inset)
            hasInset = news.inset != nil
        }
        for capture in news.captures { capture(composer.drawn) }
        if news.isCleared {
            leftOut = nil
            governor.settle()
            composer.show(nil as RasterImage?)
            (hasFrame, standsIn) = (false, false)
        }
        if news.frame == nil, standsIn != (hasInset && !hasFrame) {
            standsIn.toggle()
            composer.show(standsIn ? RasterImage(width: 2, height: 2) : nil)
        }
        aside += news.aside
        let isNew =
            !aside.isEmpty || news.change != nil || news.overlay != nil || news.size != nil || news.isInvalid || news.isCleared
        guard let frame = news.frame else { return (isNew, nil) }
        guard governor.takes(due: frame.due, at: time.now()) else {
            presenter.noteLeftOut()
            leftOut = frame
            return (isNew, nil)
        }
        leftOut = nil
        composer.show(frame.image)
        composer.setFrameTime(frame.duration.scaled(by: Double(governor.ladder.rung.stride)))
        (hasFrame, standsIn) = (true, false)
        return (true, frame)
    }

    private mutating func draw(_ frame: VideoFrame?, exactly: Bool) {
        let began = time.now()
        governor.weigh(fullBytes: composer.ordinaryBudget, writer.meter, at: began)
        composer.setAmple(governor.isAmple)
        let bytes = composer.compose(exactly: exactly, byteBudget: governor.budget(writer.meter, at: began))
        let encoded = time.now()
        if let frame {
            let early = pace.early(
                bytes: bytes.count, isNamed: composer.statistics.isNamed, isUpdate: writer.synchronizedUpdates,
                rate: writer.meter.drainRate, interval: governor.interval)
            presenter.noteEncoded(in: encoded - began, early: early, interval: governor.interval)
            waitUntil(frame.due - early)
        }
        refineAt = composer.isApproximate ? encoded + Self.refineAfter : nil
        writing = frame
        byteCount = bytes.count
        namedAt = frame != nil && composer.statistics.isNamed ? time.now() : nil
        do throws(TerminalError) {
            note(try aside.isEmpty ? writer.submit(bytes, due: frame?.due) : writer.submit(Array(bytes) + aside))
            aside = []
        } catch {
            hangUp()
        }
        if governor.sent(composer.statistics, pixels: composer.pixelCount, cost: encoded - began, at: encoded) { follow() }
    }

    /// The ladder has another rung.
    private mutating func follow() {
        if governor.ladder.rung.isCells != drawsInNeed {
            drawsInNeed.toggle()
            composer.change(to: drawsInNeed ? outputs.inNeed ?? outputs.full : outputs.full)
            refineAt = nil
            presenter.noteRenderer(composer.rendererName)
            Self.log.info(
                "\(composer.rendererName) from here on: the way to the terminal \(drawsInNeed ? "does not carry" : "carries") pixels"
            )
        }
        askForDetail()
    }

    /// Another renderer was asked for: it begins at the top of its own ladder.
    private mutating func turn(to change: Presenter.Change) {
        outputs = change.outputs
        governor = LinkGovernor(outputs.means, maximumRate: change.maximumRate)
        drawsInNeed = false
        composer.change(to: outputs.full)
        refineAt = nil
        presenter.noteRenderer(composer.rendererName)
        askForDetail()
    }

    private func askForDetail() {
        presenter.noteDemand(composer.layout.demand(scale: governor.ladder.rung.scale))
    }

    /// Whether the end of the frame under way goes out now. What comes meanwhile waits for it, a few milliseconds at most, unless it makes
    /// the frame out of date.
    private func releases(_ due: HostTime) -> Bool {
        FramePace.releases(epoch: writing?.epoch, due: due, news: presenter.news, at: time.now())
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
        if writing != nil, let span = writer.statistics.lastFrameTime { pace.took(span, bytes: byteCount) }
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

    /// Blocks until it is woken, the descriptor takes bytes, or the deadline; poll(2) knows milliseconds only.
    private func sleep(until deadline: HostTime?, writable descriptor: Int32 = -1) {
        var descriptors = [
            pollfd(fd: presenter.wakeDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
        ]
        let wait = deadline.map { Int32(max(0, min(60_000, ($0 - time.now()).milliseconds.rounded(.down)))) } ?? -1
        if poll(&descriptors, 2, wait) == 0, wait < 60_000, let deadline { waitUntil(deadline) }
    }
}
