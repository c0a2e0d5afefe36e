import AetherCore
import AetherMedia

/// Thread `pace`: hands each queued frame to the surface when it is due, a little earlier by what the surface says it needs.
struct PaceStage {
    let pipeline: Pipeline
    let synchronizer: RenderSynchronizer
    let counters: SessionCounters
    let sink: any VideoSink
    let time: any TimeSource
    /// Shows every frame at once: for measuring and hashing.
    let isUntimed: Bool
    /// The buttons of a disc.
    var menu = MenuBoard()
    let report: @Sendable (StageEvent) -> Void
    /// Makes what puts subtitles into the frames, on this thread.
    var makeBlender: @Sendable () -> SubtitleBlender

    private enum Task: Sendable {
        case stop
        case flush(Epoch)
        /// Other subtitles belong into the frame that stands.
        case renew(revision: Int)
        case look(FrameStamp, isNewest: Bool, isStep: Bool, revision: Int)
        case ended(Epoch)
        /// Nothing is left to show or to decode, and the source has more.
        case dry(Epoch)
        /// After that: enough has come.
        case restored(Epoch)
    }

    func run() {
        var pacer = FramePacer()
        var epoch = Epoch()
        var lastEnd: MediaTime?
        var hasFinished = false
        var isDry = false
        var screen = Screen(blender: makeBlender())
        while true {
            switch nextTask(
                epoch: epoch, hasFinished: hasFinished, mayRunDry: lastEnd != nil && !isUntimed, isDry: isDry,
                skipsNewest: pacer.isSurfaceSlow, screen)
            {
            case .stop:
                return
            case .flush(let next):
                epoch = next
                lastEnd = nil
                (hasFinished, isDry) = (false, false)
                screen.standing = nil
                sink.flush(epoch)
            case .renew(let revision):
                screen.revision = revision
                let recoloured = screen.adjustment != pipeline.state.read { $0.intent.settings.videoLook.adjustment }
                if screen.standing?.stamp.epoch == epoch, recoloured || sink.demand.burning != .none || menu.facts != nil {
                    hand(due: time.now(), &screen)
                }
            case .look(let frame, let isNewest, let isStep, let revision):
                if isStep {
                    show(frame, due: time.now(), isStep: true, &screen)
                    lastEnd = frame.end
                } else if consider(frame, isNewest: isNewest, &pacer, revision: revision, &screen) {
                    lastEnd = frame.end
                }
            case .ended(let ended):
                if waitForEnd(of: ended, at: lastEnd, revision: screen.revision) {
                    hasFinished = true
                    report(.finished(.video, ended, at: lastEnd))
                }
            case .dry(let epoch):
                guard let end = lastEnd, waitUntilDry(epoch, at: end) else { continue }
                isDry = true
                report(.videoStarved(epoch, at: end))
            case .restored(let epoch):
                isDry = false
                report(.videoRestored(epoch))
            }
        }
    }

    /// The frame that stands, without subtitles, and what puts them in.
    private struct Screen: ~Copyable {
        var blender: SubtitleBlender
        var standing: StandingFrame?
        /// The colours that were asked for when it was shown, and their tables.
        var adjustment = ColourAdjustment() { didSet { if adjustment != oldValue { colours = AdjustmentTable(adjustment) } } }
        var colours = AdjustmentTable(ColourAdjustment())
        /// `PlaybackIntent.subtitleRevision` that the frame has.
        var revision = 0
    }

    private func nextTask(
        epoch: Epoch, hasFinished: Bool, mayRunDry: Bool, isDry: Bool, skipsNewest: Bool, _ screen: borrowing Screen
    ) -> Task {
        let (revision, hasFrame) = (screen.revision, screen.standing != nil)
        let parts: MonitorParts = isDry ? [.intent, .frames, .turns, .packets] : [.intent, .frames, .turns]
        let task: Task? = pipeline.state.wait(for: parts) { state in
            if state.intent.isStopped { return .stop }
            // Not even what the surface has of the source before may be forgotten.
            if state.intent.awaitsScreen { return nil }
            if state.intent.epoch != epoch { return .flush(state.intent.epoch) }
            if hasFrame, state.intent.subtitleRevision != revision { return .renew(revision: state.intent.subtitleRevision) }
            if isDry, state.intent.stepsWanted == 0 { return state.hasVideoReserve ? .restored(epoch) : nil }
            if mayRunDry, !isDry, state.isVideoDry { return .dry(epoch) }
            if let frame = state.frames.first {
                let isNewest = state.frames.count == 1 && !(skipsNewest && state.canDecodeVideo)
                return .look(
                    frame.stamp, isNewest: isNewest, isStep: state.intent.stepsWanted > 0, revision: state.revision)
            }
            return state.output.isDrained && !hasFinished ? .ended(epoch) : nil
        }
        return task ?? .stop
    }

    /// Asks the pacer about the head of the queue and carries out what it says; returns whether the frame was shown.
    private func consider(
        _ frame: FrameStamp, isNewest: Bool, _ pacer: inout FramePacer, revision: Int, _ screen: inout Screen
    ) -> Bool {
        let decision = pacer.decide(
            pts: frame.pts, end: frame.end, epoch: frame.epoch, isNewest: isNewest,
            clock: synchronizer.anchor(epoch: frame.epoch), lead: sink.lead, now: time.now(), untimed: isUntimed)
        switch decision {
        case .show(let due):
            show(frame, due: due, isStep: false, &screen)
            pacer.finished(at: time.now())
            return true
        case .drop:
            counters.droppedLateDecode.add()
            _ = pop(frame)
        case .wait(let until):
            waitForChange(since: revision, until: until)
        case .hold:
            waitForChange(since: revision, until: nil)
        }
        return false
    }

    /// Gives the standing frame to the surface, with the subtitles and the colours of the moment.
    private func hand(due: HostTime, _ screen: inout Screen) {
        guard let frame = screen.standing?.stamp, let size = screen.standing?.size else { return }
        let (choice, revision, adjustment) = pipeline.state.read {
            ($0.intent.subtitles, $0.intent.subtitleRevision, $0.intent.settings.videoLook.adjustment)
        }
        screen.revision = revision
        screen.adjustment = adjustment
        var layers = screen.blender.layers(at: frame.pts, on: size, choice, sink.demand, clock: time)
        if let layer = menuLayer(frame, size, &screen.blender) { layers.append(layer) }
        guard let image = screen.standing?.drawn(with: layers, in: screen.colours) else { return }
        sink.show(VideoFrame(pts: frame.pts, duration: frame.end - frame.pts, epoch: frame.epoch, due: due, image: image))
    }

    /// The buttons over a frame, at the moment of it, or of the clock where the frame stands longer.
    private func menuLayer(_ frame: FrameStamp, _ size: PixelSize, _ blender: inout SubtitleBlender) -> SubtitleLayer? {
        guard menu.facts != nil else { return nil }
        let point = max(frame.pts, synchronizer.time(at: time.now()) ?? frame.pts)
        for news in menu.reach(point) { report(.menu(news)) }
        return blender.layer(of: menu, at: point, on: size, sink.demand)
    }

    private func show(_ frame: FrameStamp, due: HostTime, isStep: Bool, _ screen: inout Screen) {
        // Out of the queue first: its pixels have one owner then, and are drawn into.
        guard let queued = pop(frame, isStep: isStep) else { return }
        let isFirst = counters.shownEpoch.current != Int(frame.epoch.number)
        counters.shownEpoch.set(Int(frame.epoch.number))
        counters.framesHandedOver.add()
        screen.standing = nil
        screen.standing = StandingFrame(queued)
        hand(due: due, &screen)
        if isFirst { report(.firstFrame(frame.epoch, frame.pts)) }
        if isStep { report(.stepped(frame.epoch, frame.pts)) }
    }

    /// The head of the queue; nil where another epoch has begun.
    private func pop(_ frame: FrameStamp, isStep: Bool = false) -> QueuedFrame? {
        pipeline.state.update { state in
            guard state.intent.epoch == frame.epoch else { return nil }
            if isStep { state.intent.stepsWanted = max(0, state.intent.stepsWanted - 1) }
            return state.popFrame()
        }
    }

    /// Sleeps until the deadline, or until the clock, the epoch or the wish for a step changes.
    private func waitForChange(since revision: Int, until deadline: HostTime?) {
        _ = pipeline.state.wait(for: .dueTimes, until: deadline) { state -> Bool? in state.revision != revision ? true : nil }
    }

    /// Sleeps until the last frame is over; returns whether nothing has come by then.
    private func waitUntilDry(_ epoch: Epoch, at end: MediaTime) -> Bool {
        while true {
            let revision = pipeline.state.read { $0.revision }
            let over = synchronizer.anchor(epoch: epoch).flatMap { $0.host(of: end) }
            let stillDry = pipeline.state.read { state in
                let intent = state.intent
                return !intent.isStopped && intent.epoch == epoch && state.isVideoDry && intent.stepsWanted == 0
            }
            guard stillDry else { return false }
            if let over, over <= time.now() { return true }
            let parts: MonitorParts = [.intent, .dueTimes, .frames, .videoPackets, .turns]
            _ = pipeline.state.wait(for: parts, until: over) { state -> Bool? in
                state.revision != revision || !state.isVideoDry ? true : nil
            }
        }
    }

    /// The last frame has a duration too, and of a disc's menus it stays longer. Returns false when something else came up first.
    private func waitForEnd(of epoch: Epoch, at end: MediaTime?, revision shown: Int) -> Bool {
        guard !isUntimed, let end else { return true }
        let facts = menu.facts
        let last: MediaTime? = if let facts { facts.stillTime.map { end + $0 } } else { end }
        while true {
            let (revision, isCurrent) = pipeline.state.read { state in
                let intent = state.intent, isSame = facts == nil || intent.subtitleRevision == shown
                return (state.revision, !intent.isStopped && intent.epoch == epoch && state.frames.isEmpty && isSame)
            }
            guard isCurrent else { return false }
            let anchor = synchronizer.anchor(epoch: epoch), now = time.now()
            let over = last.flatMap { anchor?.host(of: $0) }
            if let over, over <= now { return true }
            // Buttons may come while the frame stands.
            let change = facts == nil ? nil : anchor.flatMap { menu.nextChange(after: $0.time(at: now)) }
            let wake = [over, change.flatMap { anchor?.host(of: $0) }].compactMap { $0 }.min()
            waitForChange(since: revision, until: wake)
            if change != nil, let wake, wake != over, wake <= time.now() { pipeline.change { $0.subtitleRevision += 1 } }
        }
    }
}
