public import AetherCore
public import AetherEngine
import AetherRender
import AetherTerminal
import Glibc
import Synchronization

/// The one writer of the terminal: thread `present`. Frames come from the engine's `pace` thread, overlays and sizes from the main
/// thread, each into a slot of one where the newer replaces the older; the thread composes, encodes and writes what is newest,
/// and no caller ever waits.
public final class Presenter: VideoSink {
    /// A terminal that sends unasked answers without end must not fill the memory.
    private static let answerLimit = 256

    /// 16 KB: some titles.
    private static let asideLimit = 16 << 10

    private let inbox: Mutex<Inbox>
    private let word = Mutex(Word())
    private let report = Mutex(PresentReport())
    private let wake = WakeHandle()
    private let costs = PresentCosts()
    /// The colours that a theme follows.
    let mood = MoodWatch()
    private let thread = Mutex<WorkerThread?>(nil)
    private let parked = Monitor(false)
    private let time: any TimeSource
    /// Called when the terminal hung up; from the present thread.
    private let onHangup: @Sendable () -> Void

    /// A presenter that does not write yet.
    init(
        layout: FramePlacement, ground: UInt32 = 0xFF00_0000, time: any TimeSource = SystemTime(),
        onHangup: @escaping @Sendable () -> Void = {}
    ) {
        inbox = Mutex(Inbox(demand: layout.demand, ground: ground))
        self.time = time
        self.onHangup = onHangup
    }

    // MARK: - VideoSink

    /// The raster that the present renderer wants. Any thread; never blocks.
    public var demand: RasterDemand {
        inbox.withLock { inbox in
            var demand = inbox.demand
            demand.burning = inbox.burning
            demand.background = inbox.ground
            return demand
        }
    }
    /// The p95 of encoding and of beginning to write early, at most one frame and 50 ms. Any thread; never blocks.
    public var lead: TimeSpan { report.withLock { $0.lead } }
    /// The frame that was completed last. Any thread; never blocks.
    public var lastShown: ShownFrame? { report.withLock { $0.shown } }

    /// The costs so far. Any thread; never blocks.
    public var statistics: SinkStatistics {
        var statistics = report.withLock { $0.statistics }
        costs.fill(&statistics)
        return statistics
    }

    /// Puts a frame into the slot, where it replaces one that was not drawn yet. Any thread; never blocks.
    public func show(_ frame: VideoFrame) {
        mood.look(at: frame, now: time.now())
        let (isReplaced, isBlocked) = inbox.withLock { inbox -> (Bool, Bool) in
            guard frame.epoch >= inbox.epoch else { return (false, false) }
            let isReplaced = inbox.frame != nil && !inbox.isHidden
            inbox.frame = frame
            inbox.isCleared = false
            return (isReplaced, inbox.isBlocked)
        }
        if isReplaced { report.withLock { $0.noteReplaced(whileBlocked: isBlocked) } }
        wake.wake()
    }

    /// Empties the slot of frames before this epoch. Any thread; never blocks.
    public func flush(_ epoch: Epoch) {
        inbox.withLock {
            $0.epoch = epoch
            if let frame = $0.frame, frame.epoch < epoch { $0.frame = nil }
        }
    }

    /// Has the frame wiped from the screen. Any thread; never blocks.
    public func clear() {
        inbox.withLock {
            $0.frame = nil
            $0.isCleared = true
        }
        wake.wake()
    }

    // MARK: - The main thread's side

    /// Puts this over the video from the next frame on, or at once where none comes. Any thread; never blocks.
    public func show(_ overlay: CellOverlay) { show(overlay, inset: nil) }

    /// Puts an overlay with a small inset over the video.
    func show(_ overlay: CellOverlay, inset: ImageInset?) {
        inbox.withLock {
            $0.overlay = overlay
            $0.inset = inset
        }
        wake.wake()
    }

    /// Hands over the frame as the renderer was given it last, nil where there is none. `take` is called from the present thread and must
    /// not block. Any thread; never blocks.
    func capture(_ take: @escaping @Sendable (RasterImage?) -> Void) {
        inbox.withLock { if $0.captures.count < 16 { $0.captures.append(take) } }
        wake.wake()
    }

    /// Says something that concerns no cell, whole, between two frames. Any thread; never blocks. What a terminal that takes nothing has
    /// not heard of by then is forgotten.
    func say(_ bytes: [UInt8]) {
        inbox.withLock { if $0.aside.count + bytes.count <= Self.asideLimit { $0.aside += bytes } }
        wake.wake()
    }

    /// Another theme: what lies behind transparent parts of the frames that follow. Any thread; never blocks.
    func put(ground: UInt32) { inbox.withLock { $0.ground = ground } }

    /// The terminal has another size, or the frame another part of it. Any thread; never blocks.
    func resize(_ size: TerminalSize, _ layout: FramePlacement) {
        inbox.withLock {
            $0.size = size
            $0.area = layout.area
            $0.demand = layout.demand
            $0.isInvalid = true
        }
        wake.wake()
    }

    /// The terminal has answered: what concerns frames goes to the present thread. Any thread; never blocks.
    func take(_ reply: TerminalReply) {
        let now = time.now()
        let isOurs = word.withLock { word -> Bool in
            switch reply {
            case .status where word.answers.count < Self.answerLimit: word.answers.append(now)
            case .kittyGraphics(let id, let placement, let message) where word.kittyAnswers.count < Self.answerLimit:
                word.kittyAnswers.append(ImageAnswer(id: id, placement: placement, message: message))
            default: return false
            }
            return true
        }
        if isOurs { wake.wake() }
    }

    /// Another renderer draws from the next frame on; what the former left on the screen is wiped away. Images asked for from now on
    /// have its raster. Any thread; never blocks.
    func change(to outputs: RendererRange.Outputs, layout: FramePlacement, maximumRate: Int?) {
        report.withLock { $0.statistics.renderer = outputs.full.name }
        inbox.withLock {
            $0.change = Change(outputs: outputs, maximumRate: maximumRate)
            $0.demand = layout.demand
            $0.burning = outputs.full.isPixels ? .styled : .images
        }
        wake.wake()
    }

    /// Begins writing to the port. Once.
    func start(
        _ outputs: RendererRange.Outputs, depth: ColourDepth, size: TerminalSize, port: any TerminalPort, link: LinkTraits
    ) {
        let output = outputs.full
        report.withLock { $0.statistics.renderer = output.name }
        // The terminal has said the shape of its cells meanwhile.
        inbox.withLock {
            $0.demand = FramePlacement(size: size, pixelsPerCell: output.pixelsPerCell(cellPixels: size.cellPixels)).demand
            $0.burning = output.isPixels ? .styled : .images
        }
        thread.withLock {
            $0 = WorkerThread(name: "present", urgency: .deadline) { [self] in
                var loop = PresentLoop(self, outputs, depth: depth, size: size, port: port, link: link, time: time)
                loop.run()
            }
        }
    }

    /// The pane is hidden, or visible again: meanwhile the slots keep what is newest, and nothing is drawn; then the whole screen is.
    /// Any thread; never blocks.
    func hide(_ isHidden: Bool) {
        let changed = word.withLock { word in
            defer { word.isHidden = isHidden }
            return word.isHidden != isHidden
        }
        guard changed else { return }
        inbox.withLock {
            $0.isHidden = isHidden
            // What a multiplexer kept of the screen is its own affair: it is written anew.
            $0.isInvalid = $0.isInvalid || !isHidden
        }
        wake.wake()
    }

    /// The whole screen is drawn anew: a terminal may have lost what it had. Any thread; never blocks.
    func redraw() {
        inbox.withLock { $0.isInvalid = true }
        wake.wake()
    }

    /// Stops writing at a place where the terminal's parser is at rest, and blocks until that is so (150 ms at most). `resume` goes on
    /// with a whole frame.
    public func pause() {
        guard thread.withLock({ $0 != nil }) else { return }
        word.withLock { $0.isPaused = true }
        wake.wake()
        _ = parked.wait { $0 ? true : nil }
    }

    /// Goes on after `pause`; the terminal has forgotten everything.
    public func resume() {
        // Before the thread may go on: the next pause must not take this one's word for its own.
        parked.update { $0 = false }
        inbox.withLock { $0.isInvalid = true }
        word.withLock { $0.isPaused = false }
        wake.wake()
    }

    /// Ends the thread; what is half written is brought to a safe end. Blocks for 150 ms at most.
    public func stop() {
        word.withLock { $0.isStopped = true }
        wake.wake()
        thread.withLock { $0 }?.join()
    }

    // MARK: - The present thread's side

    var wakeDescriptor: Int32 { wake.descriptor }

    /// The messages that must be known first; answers are forgotten here.
    func takeWord() -> Word {
        wake.drain()
        return word.withLock { word in
            let taken = word
            if !word.answers.isEmpty { word.answers = [] }
            if !word.kittyAnswers.isEmpty { word.kittyAnswers = [] }
            return taken
        }
    }

    /// The contents of the slots, which are empty afterwards.
    func takeNews() -> Inbox { inbox.withLock { $0.take() } }

    /// The messages since `takeNews`, as far as they concern a frame whose end is held back. Overlays wait for it.
    var news: FramePace.News { inbox.withLock { $0.news } }

    /// Another renderer draws now.
    func noteRenderer(_ name: String) { report.withLock { $0.statistics.renderer = name } }

    /// The engine is asked for a raster of another size.
    func noteDemand(_ demand: RasterDemand) { inbox.withLock { $0.demand = demand } }

    /// Takes the findings of the link's meter and governor.
    func noteLink(_ meter: LinkMeter, _ rung: DetailLadder.Rung) {
        report.withLock { $0.note(meter, rung) }
    }

    /// A frame was left out because the link does not carry so many.
    func noteLeftOut() { report.withLock { $0.statistics.droppedSlowTerminal += 1 } }

    /// The number of questions behind frames that the terminal has not answered yet.
    var questionsOpen: Int { max(0, report.withLock { $0.questionsOpen } - word.withLock { $0.answers.count }) }

    func noteBlocked(_ isBlocked: Bool) { inbox.withLock { $0.isBlocked = isBlocked } }

    func noteParked() { parked.update { $0 = true } }

    /// Drawing a frame took that long, and its bytes begin so early; frames come every `interval`.
    func noteEncoded(in span: TimeSpan, early: TimeSpan, interval: TimeSpan) {
        if let lead = costs.noteEncoded(in: span, early: early, interval: interval) { report.withLock { $0.lead = lead } }
    }

    /// Everything submitted is out; `frame` is on screen with it, if one was.
    func noteWritten(_ frame: VideoFrame?, hasBytes: Bool, _ statistics: WriterStatistics) {
        let now = time.now()
        if frame != nil, hasBytes, let span = statistics.lastFrameTime { costs.noteWritten(in: span) }
        report.withLock { $0.noteWritten(frame, bytes: Int(statistics.bytesWritten), at: now) }
    }

    func noteHangup() { onHangup() }
}
