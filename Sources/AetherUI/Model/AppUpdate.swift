public import AetherCore
import AetherEngine
import AetherTerminal

extension AppModel {
    /// Takes one message in and says what to do. Pure: the same model, message and time give the same result.
    public mutating func update(_ message: AppMessage, now: HostTime) -> [AppEffect] {
        // What nearly every message brings about.
        var effects: [AppEffect] = [.redraw]
        switch message {
        case .key(let stroke): effects = press(stroke, now) + [.redraw]
        case .mouse(let event): effects = take(event, now: now) + [.redraw]
        case .paste(let text): effects = take(paste: text, now) + [.redraw]
        case .action(let action): effects = perform(action, now: now) + [.redraw]
        case .command(let command): effects = carryOut(command, now: now) + [.redraw]
        case .cueStep(let listing, let count): effects = stepCue(in: listing, count, now) + [.redraw]
        case .noFile: effects = openFirst(now) + [.redraw]
        case .heard(let samples): hear(samples, now: now)
        case .lyrics(let lyrics): take(lyrics)
        case .cues(let listing): effects = take(listing) ? [.redraw] : []
        case .resize(let size): take(size)
        case .snapshot(let snapshot):
            snapshotAt = now
            effects = take(snapshot, now: now)
        case .tick:
            snapshotAt = now
            effects = (isBarVisible || isSoundOnly) && snapshot.phase == .playing ? [.redraw] : []
        case .preview(let picture): take(picture)
        case .previewsReady(let times):
            note(ready: times)
            effects = scrub == nil ? [] : [.redraw]
        case .answer(let text): say(text, limit: 400, stay: AppModel.pathStay, now)
        case .waiting(let text): wait(for: text, now)
        case .notice(let text): notify(text, now)
        case .files(let names):
            files = names.count > 1 ? names : []
            effects = refreshMenu() ? [.redraw] : []
        case .theme(let name, let isGiven):
            (themes.present, themes.isGiven) = (name, isGiven)
            effects = []
        case .screenChoices(let choices): return restore(choices)
        case .themes(let names): take(themes: names, now: now)
        case .recent(let files): take(recent: files)
        case .glance(let path, let picture): effects = glance.take(picture, of: path) ? [.redraw] : []
        case .directory(let answer): take(answer)
        case .playlist(let position): open(position, now: now)
        case .capabilities(let capabilities): self.capabilities = capabilities
        }
        if expire(now), !effects.contains(.redraw) { effects.append(.redraw) }
        effects += glanceAtSelection(after: message, now)
        return effects
    }

    private mutating func take(_ size: CellSize) {
        self.size = CellSize(columns: max(1, size.columns), rows: max(1, size.rows))
        settleMenu()
        settleCueList()
        settleBrowser()
        settlePalette()
    }

    private mutating func press(_ stroke: KeyStroke, _ now: HostTime) -> [AppEffect] {
        for layer in layers.listening {
            if let effects = key(stroke, of: layer, now) { return effects }
        }
        let earlier = begunUntil.map { now < $0 } == true ? begun : []
        (begun, begunUntil) = ([], nil)
        var meaning = keymap.meaning(of: earlier + [stroke])
        // What does not go on with the chord is a key of its own.
        if meaning == .nothing, !earlier.isEmpty { meaning = keymap.meaning(of: [stroke]) }
        switch meaning {
        case .action(let action): return perform(action, now: now)
        case .beginning:
            (begun, begunUntil) = (earlier + [stroke], now + AppModel.chordPause)
            say(Keymap.label(begun) + " \u{2026}", now)
        case .nothing:
            touchBar(now)
            // What is being waited for is given up.
            if stroke == KeyStroke(.escape), case .error = snapshot.phase { return [.giveUp] }
        }
        return []
    }

    /// Forgets the last file; settings, device and the wish to play outlive it.
    private mutating func open(_ position: PlaylistPosition, now: HostTime) {
        let last = snapshot
        snapshot = EngineSnapshot()
        (snapshot.settings, snapshot.audioDevice) = (last.settings.forNextFile, last.audioDevice)
        snapshot.wantsToPlay = last.wantsToPlay
        // The next file says its name; the first was named by the person.
        if position.index != playlist.index { touchBar(now) }
        quietUntil = now + AppModel.quietStart
        playlist = position
        (lastSubtitle, heldNotice, hasSaidSilent) = (nil, nil, false)
        intents = Intents()
        (menu, cueList, readingBack) = (nil, nil, nil)
        (scrub, scrubReady) = (nil, [])
        sound = SoundScene()
    }

    /// Lets go what is over. Returns whether something visible changed.
    private mutating func expire(_ now: HostTime) -> Bool {
        var changed = false
        if let message, now >= message.until {
            self.message = nil
            changed = true
        }
        // Where there is no picture the bar covers nothing.
        let isResting = isLoading ? now >= quietUntil : isSoundOnly || snapshot.phase != .playing || !snapshot.wantsToPlay
        if menu?.expire(now) == true { changed = true }
        if let until = scrub?.until, now >= until {
            scrub = nil
            changed = true
        }
        // No file was chosen yet: there is nothing to tell of it.
        let isIdle = browser != nil && playlist.count == 0 && message == nil
        let isVisible =
            barMode == .automatic && !isIdle && (isResting || now < barHidesAt || menu != nil || scrub != nil)
            || scrub?.hand == .keys
        if isVisible != isBarVisible {
            isBarVisible = isVisible
            settleMenu()
            changed = true
        }
        // What concerns the whole film and needs no hand is said in the bar when it is next looked at, and covers no picture.
        if isBarVisible, let held = heldNotice {
            heldNotice = nil
            notify(held, now)
            changed = true
        }
        return changed
    }

    /// Brings an automatic bar back for a while.
    mutating func touchBar(_ now: HostTime) {
        if barMode == .automatic { barHidesAt = now + AppModel.barStay }
    }

    /// The answer to an action.
    mutating func say(_ text: String, limit: Int = 200, stay: TimeSpan = AppModel.answerStay, _ now: HostTime) {
        message = FlashMessage(text: DisplayText.singleLine(text, limit: limit), until: now + stay, isNotice: false)
    }

    /// What is being waited for; nil: nothing any more.
    private mutating func wait(for text: String?, _ now: HostTime) {
        message = text.map {
            FlashMessage(text: DisplayText.singleLine($0, limit: 200), until: now + AppModel.longestWait, isNotice: true)
        }
    }

    /// What nobody asked for.
    mutating func notify(_ text: String, isError: Bool = false, _ now: HostTime) {
        let text = DisplayText.singleLine(text, limit: 200)
        guard !text.isEmpty else { return }
        notices.keep(text, isError: isError, at: now)
        message = FlashMessage(text: text, until: now + AppModel.noticeStay, isNotice: true)
        if barMode == .automatic { barHidesAt = max(barHidesAt, now + AppModel.noticeStay) }
    }

    private mutating func take(_ incoming: EngineSnapshot, now: HostTime) -> [AppEffect] {
        let previous = snapshot, formerPoint = cuePoint
        snapshot = incoming
        let isMeasured = tape.record(snapshot.telemetry)
        intents.apply(to: &snapshot, now: now)
        teach(now)
        var effects: [AppEffect] = []
        if snapshot.phase != previous.phase {
            // The bar of a film that goes on is read before it hides.
            if snapshot.phase == .playing, previous.phase != .idle, previous.phase != .loading { touchBar(now) }
            if snapshot.phase == .ended { effects.append(.fileEnded) }
            if case .error(let error) = snapshot.phase {
                notify(error.description, isError: true, now)
                effects.append(.fileFailed(error))
            }
        }
        if let active = snapshot.activeSubtitleTrack { lastSubtitle = active }
        if snapshot.isSilent, !hasSaidSilent {
            hasSaidSilent = true
            heldNotice = "No sound device: playing without sound"
        }
        for notice in snapshot.notices where notice.number > lastNotice {
            lastNotice = notice.number
            notify(notice.text, now)
            if !effects.contains(.redraw) { effects.append(.redraw) }
        }
        let changed =
            isBarVisible || snapshot.phase != previous.phase || snapshot.visibleCues != previous.visibleCues
            || snapshot.secondaryCues != previous.secondaryCues
            || (showsTelemetry && isMeasured)
        if followLyrics(), !effects.contains(.redraw) { effects.append(.redraw) }
        let taken = endReadingBack(now)
        if !taken.isEmpty { effects += taken + [.redraw] }
        let hasMoved = followCues(formerPoint)
        if openAwaitedDevices(now) || refreshMenu() || hasMoved || changed, !effects.contains(.redraw) { effects.append(.redraw) }
        return effects
    }
}
