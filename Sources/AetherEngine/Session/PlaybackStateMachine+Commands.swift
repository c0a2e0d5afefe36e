import AetherCore

/// A person's commands.
extension PlaybackStateMachine {
    mutating func obey(
        _ command: PlayerCommand, position: MediaTime, shown: MediaTime?, held: Holdings
    ) -> [PlaybackEffect] {
        switch command {
        case .play: return setIntent(true)
        case .pause: return setIntent(false)
        case .togglePlayPause: return setIntent(!wantsToPlay || hasEnded)
        case .seek(to: let target, let precision): return seek(to: target, precision, from: position, held: held)
        case .skip(by: let span, let precision):
            return seek(
                to: (seeks.goal ?? steppedTo ?? position) + span, precision, from: position,
                held: held, by: .skip)
        case .seekToFraction(let fraction):
            guard !fraction.isNaN else { return [] }
            let share = min(max(fraction, 0), 1)
            guard isOpen else { return told(seeks.wait(for: .fraction(share), id: seeks.ask(.fraction))) }
            guard let target = shape.point(at: share) else {
                return [.notice(translated("the length of this source is unknown"))]
            }
            return seek(to: target, .refined, from: position, held: held, by: .fraction)
        case .seekToLiveEdge:
            return shape.liveEdge.map { seek(to: $0, .keyframe, from: position, held: held, by: .liveEdge) } ?? []
        // The frame of a seek that has landed is shown in a moment.
        case .stepFrame(let count): return step(count, shown: shown ?? landedFrame ?? position)
        case .stepChapter(let count):
            return stepChapter(count, position: seeks.goal ?? position, held: held)
        case .selectChapter(let id):
            guard let chapter = shape.chapters.first(where: { $0.id == id }) else { return [] }
            return seek(to: chapter.start, .exact, from: position, held: held, by: .chapter)
        case .markLoop: return markLoop(at: steppedTo ?? position)
        case .setRepeating(let wanted):
            repeats = wanted
            return []
        case .set(let change): return set(change, position: position, held: held)
        case .setAudioDevice(let name): return [.setAudioDevice(name)] + reopenAudio(position: position, held: held)
        case .selectAudioTrack(let id):
            return selectAudio(id, position: position, isHeld: id.stream.map { held.audio.contains($0) } ?? false)
        case .redrawCover: return isOpen && !shape.hasVideo ? [.redrawCover] : []
        case .selectVideoTrack(let id): return selectVideo(id, position: position)
        case .selectVariant(let id, let turn): return isOpen && error == nil ? [.selectVariant(id, turn)] : []
        case .selectTitle(let id): return selectTitle(id, position: position)
        case .menu(let wish): return isOpen && error == nil ? [.menu(wish)] : []
        case .selectSubtitleTrack(let id): return [.selectSubtitle(id)]
        case .selectSecondarySubtitleTrack(let id): return [.selectSecondarySubtitle(id)]
        case .addSubtitles(let track): return [.loadSubtitles(track)]
        case .removeSubtitles(let id): return id.origin == .external ? [.removeSubtitles(id)] : []
        case .setTeletextPage(let page):
            return page.map { (100...899).contains($0) } ?? true ? [.setTeletextPage(page)] : []
        case .startRecording(var order):
            guard isOpen, error == nil else { return [.notice(translated("there is nothing to record"))] }
            order.start = order.start ?? position
            return [.startRecording(order)]
        case .stopRecording: return [.stopRecording]
        case .addAudio(let track):
            return shape.canPlayAudio ? [.loadAudio(track)] : [.notice(translated("audio is switched off"))]
        }
    }

    /// A track whose packets are held joins the clock, which meanwhile goes on by itself; for another one everything begins anew at the
    /// position, or at the goal of the seek.
    private mutating func selectAudio(_ id: TrackID, position: MediaTime, isHeld: Bool) -> [PlaybackEffect] {
        guard isOpen, error == nil else { return [] }
        guard shape.canPlayAudio else { return [.notice(translated("audio is switched off"))] }
        if isHeld, shape.hasAudio, !audioIsLost, !hasEnded, seeks.inFlight == nil, steppedTo == nil {
            finished.remove(.audio)
            audioIsAbsent = true
            isStarved = false
            return (isRunning ? [.runMonotonic(from: nil, rate: rate)] : []) + [.switchAudio(id)]
        }
        audioIsLost = false
        shape.hasAudio = true
        let goal = seeks.takeGoal() ?? (SeekPlan(target: clamped(steppedTo ?? position), landing: .exact), nil)
        return [.selectAudio(id)] + begin(goal.plan, id: goal.id)
    }

    /// Audio begins anew on another device, or in another layout, at the point where it is: from memory where that holds it, else by a seek
    /// to here.
    mutating func reopenAudio(position: MediaTime, held: Holdings) -> [PlaybackEffect] {
        guard shape.canPlayAudio, let stream = held.activeAudio, !hasEnded else { return [] }
        return selectAudio(TrackID(stream), position: position, isHeld: held.audio.contains(stream))
    }

    /// Everything begins anew at the position, or at the goal of the seek: no packets are kept of a video that is not shown.
    private mutating func selectVideo(_ id: TrackID, position: MediaTime) -> [PlaybackEffect] {
        guard isOpen, error == nil, shape.hasVideo, let stream = id.stream, shape.videoStreams.contains(stream) else {
            return []
        }
        guard shape.isSeekable else { return [.notice(translated("this source cannot seek"))] }
        let goal = seeks.takeGoal() ?? (SeekPlan(target: clamped(steppedTo ?? position), landing: .exact), nil)
        return [.selectVideo(id)] + begin(goal.plan, id: goal.id)
    }

    /// Everything begins anew at the same point of the other program, or at the goal of the seek. Between editions that play all of the file
    /// nothing changes but the chapters.
    private mutating func selectTitle(_ id: Int, position: MediaTime) -> [PlaybackEffect] {
        guard isOpen, error == nil, id != shape.title, let title = shape.titles.first(where: { $0.id == id }) else { return [] }
        // Nothing of what is played now goes on.
        if title.kind == .disc { return [.selectTitle(id)] }
        guard shape.isSeekable else { return [.notice(translated("this source cannot seek"))] }
        if title.kind == .edition, shape.path.isWhole, title.stretches.isEmpty {
            _ = shape.enter(title, at: position)
            return [.selectTitle(id)]
        }
        let goal = seeks.takeGoal()
        let point = shape.enter(title, at: goal?.plan.target ?? steppedTo ?? position)
        (audioIsLost, loop) = (false, LoopMarks())
        return [.selectTitle(id)] + begin(SeekPlan(target: clamped(point), landing: .exact), id: goal?.id)
    }

    private mutating func setIntent(_ wants: Bool) -> [PlaybackEffect] {
        if wants && hasEnded {
            wantsToPlay = true
            let start = turnsBack ? loop.start ?? shape.firstPoint : shape.firstPoint
            if !turnsBack { shape.path.rewind() }
            return shape.isSeekable ? begin(SeekPlan(target: start, landing: .exact)) : []
        }
        guard wants != wantsToPlay else { return [] }
        wantsToPlay = wants
        if wants { seeks.setSteps(0) }
        guard isOpen, error == nil, seeks.inFlight == nil else { return [] }
        if wants, let point = steppedTo {
            if shape.isSeekable { return begin(SeekPlan(target: point, landing: .exact)) }
            // A pipe cannot go back for its audio: what lies before the frame is dropped on the way.
            steppedTo = nil
        }
        if wants, isOver { return endIfOver(at: nil) }
        return wants ? run(from: nil) : halt()
    }

    private mutating func seek(
        to target: MediaTime, _ precision: SeekPrecision, from position: MediaTime, held: Holdings,
        by origin: SeekEvent.Origin = .point
    ) -> [PlaybackEffect] {
        let target = clamped(target), isSkip = origin != .fraction && origin != .liveEdge
        let floor = isSkip && target > position ? position : nil, ceiling = isSkip && target < position ? position : nil
        var plan = SeekPlan(
            target: target,
            landing: precision == .exact
                ? .exact : .keyframe(tolerance: SeekPlan.keyframeTolerance, floor: floor, ceiling: ceiling))
        plan.isRefined = precision == .refined
        let id = seeks.ask(origin)
        guard error == nil else { return told(seeks.reject(id, target: target)) }
        guard isOpen else { return told(seeks.wait(for: .plan(plan), id: id)) }
        guard shape.isSeekable || held.range?.contains(target) ?? false else {
            let reason = held.range == nil ? "this source cannot seek" : "this source can only go to what is in memory"
            return [.notice(reason)] + told(seeks.reject(id, target: target))
        }
        seeks.setSteps(0)
        // The key frame of the seek in flight was shown: the new one need not wait.
        if isRefining { return begin(plan, id: id) }
        return seeks.inFlight != nil ? told(seeks.wait(for: .plan(plan), id: id)) : begin(plan, id: id)
    }

    /// From the second mark on playing goes round.
    private mutating func markLoop(at position: MediaTime) -> [PlaybackEffect] {
        guard isOpen, error == nil else { return [] }
        guard shape.isSeekable else { return [.notice(translated("this source cannot seek"))] }
        let former = loop
        guard loop.mark(position) else { return [.notice(translated("the loop would be too short"))] }
        if let start = loop.start, loop.end != nil { return begin(SeekPlan(target: start, landing: .exact)) }
        guard turnsBack, let end = former.end else { return [] }
        turnsBack = false
        // Close to the end what lies behind it was left out already: it is fetched by beginning here once more.
        let isNear = end - position < TimeSpan.seconds(2).scaled(by: max(1, settings.rate))
        guard isNear, !hasEnded, seeks.inFlight == nil else { return [.setEnd(shape.limit)] }
        return begin(SeekPlan(target: position, landing: .exact))
    }

    /// The source is given up for another one, or for none: what becomes of the seeks.
    mutating func abandonSeeks() -> [PlaybackEffect] { told(seeks.giveUp(.superseded)) }

    private mutating func step(_ count: Int, shown: MediaTime) -> [PlaybackEffect] {
        guard isOpen, shape.hasVideo, count != 0 else { return [] }
        if seeks.inFlight != nil {
            wantsToPlay = false
            seeks.addStep(count)
            return []
        }
        var effects: [PlaybackEffect] = []
        if wantsToPlay {
            wantsToPlay = false
            effects += halt()
        }
        return effects + stepOn(count.signum(), from: shown)
    }

    /// Steps on from the frame that is shown: forward by showing the frames that come, back by a seek for each.
    mutating func stepOn(_ count: Int, from shown: MediaTime) -> [PlaybackEffect] {
        if count == 0 || (count > 0 && (hasEnded || isOver)) { return [] }
        if count > 0 { return Array(repeating: .showNextFrame, count: count) }
        guard shape.isSeekable else { return [.notice(translated("this source cannot seek"))] }
        seeks.setSteps(count + 1)
        return begin(SeekPlan(target: shown, landing: .frameBefore))
    }

    private mutating func stepChapter(_ count: Int, position: MediaTime, held: Holdings) -> [PlaybackEffect] {
        guard !shape.chapters.isEmpty else { return [.notice(translated("no chapters"))] }
        if let index = ChapterStep.destination(from: position, count: count, chapters: shape.chapters) {
            return seek(to: shape.chapters[index].start, .exact, from: position, held: held, by: .chapter)
        }
        let first = shape.firstPoint
        return count > 0
            ? [.notice(translated("last chapter"))] : seek(to: first, .exact, from: position, held: held, by: .chapter)
    }
}
