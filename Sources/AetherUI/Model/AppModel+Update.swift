public import AetherCore
import AetherEngine
import AetherTerminal

extension AppModel {
    /// Takes one message in and says what to do. Pure: the same model, message and time give the same result.
    public mutating func update(_ message: AppMessage, now: HostTime) -> [AppEffect] {
        // Nearly every message has this effect.
        var effects: [AppEffect] = [.redraw]
        switch message {
        case .key(let stroke): effects = press(stroke, now) + [.redraw]
        case .mouse(let event): effects = take(event, now: now) + [.redraw]
        case .paste(let text): effects = take(paste: text, now) + [.redraw]
        case .action(let action): effects = perform(action, now: now) + [.redraw]
        case .command(let command): effects = carryOut(command, now: now) + [.redraw]
        case .cueStep(let listing, let count): effects = stepCue(in: listing, count, now) + [.redraw]
        case .binding(let stroke, let name):
            scriptKeys.bind(stroke, to: name)
            scene.keymap = scriptKeys.keymap
        case .scriptText(let lines): layers[ScriptLayer.self] = lines.isEmpty ? nil : ScriptLayer(lines: lines)
        case .cueAlign(let listing, let count): effects = alignCue(in: listing, count, now) + [.redraw]
        case .noFile: effects = openFirst(now) + [.redraw]
        case .heard(let samples): hear(samples, now: now)
        case .metered(let view): _ = change(Inspector.self) { $0.take(view, in: $1, at: now) }
        case .requests(let requests):
            let isNew = change(Inspector.self) { inspector, _ in inspector.take(requests, at: now) } ?? false
            effects = isNew ? [.redraw] : []
        case .lyrics(let lyrics): take(lyrics)
        case .cues(let listing): effects = take(listing) ? [.redraw] : []
        case .resize(let size): take(size)
        case .snapshot(let snapshot):
            snapshotAt = now
            effects = take(snapshot, now: now)
        case .tick:
            snapshotAt = now
            effects = (isBarVisible || isAudioOnly) && snapshot.phase == .playing ? [.redraw] : []
        case .preview(let still): take(still)
        case .previewsReady(let times):
            note(ready: times)
            effects = scrub == nil ? [] : [.redraw]
        case .answer(let text): say(text, limit: 400, stay: AppModel.pathStay, now)
        case .waiting(let text): wait(for: text, now)
        case .notice(let text): notify(text, now)
        case .files(let names):
            scene.files = names.count > 1 ? names : []
            effects = refreshMenu() ? [.redraw] : []
        case .theme(let name, let isGiven):
            (themes.present, themes.isGiven) = (name, isGiven)
            effects = []
        case .screenChoices(let choices): return restore(choices, now)
        case .themes(let names): take(themes: names, now: now)
        case .recent(let files): take(recent: files)
        case .glance(let path, let still): effects = glance.take(still, of: path) ? [.redraw] : []
        case .directory(let answer): effects = take(answer) + [.redraw]
        case .loginAsked(let question, let user): ask(question, user: user, now)
        case .loginGiven(let question): effects = reread(question, now) + [.redraw]
        case .inspected(let find): effects = take(find, now)
        case .television(let news): take(news, now)
        case .downloads(let downloads): take(downloads)
        case .mosaic(let states): layers[Mosaic.self]?.take(states)
        case .channelNumber(let number): effects = zap(toNumber: number, now) + [.redraw]
        case .facts(let facts): take(facts: facts)
        case .playlist(let position): open(position, now: now)
        case .capabilities(let capabilities): scene.capabilities = capabilities
        }
        if expire(now), !effects.contains(.redraw) { effects.append(.redraw) }
        effects += finishNumber(now)
        effects += glanceAtSelection(after: message, now)
        effects += followInspector(now)
        return effects
    }

    private mutating func take(_ size: CellSize) {
        scene.size = CellSize(columns: max(1, size.columns), rows: max(1, size.rows))
        layers.settle(in: scene)
    }

    private mutating func press(_ stroke: KeyStroke, _ now: HostTime) -> [AppEffect] {
        // No letter of a password is a key, not even where its pane has no room.
        if layers[LoginPrompt.self] != nil, let outcome = layers.key(stroke, in: scene, now: now) {
            return carryOut(outcome, now)
        }
        if let effects = typeNumber(stroke, now) { return effects }
        if let outcome = layers.key(stroke, in: scene, now: now) { return carryOut(outcome, now) }
        if let wish = discWish(of: stroke) { return [.send(.menu(wish))] }
        if let name = scriptKeys.names[stroke] { return [.tellBinding(name)] }
        let earlier = chord.take(at: now)
        var meaning = keymap.meaning(of: earlier + [stroke])
        // A key that does not go on with the chord is a key of its own.
        if meaning == .nothing, !earlier.isEmpty { meaning = keymap.meaning(of: [stroke]) }
        switch meaning {
        case .action(let action): return perform(action, now: now)
        case .beginning:
            chord.begin(earlier + [stroke], at: now)
            say(Keymap.label(chord.strokes) + " \u{2026}", now)
        case .nothing:
            touchBar(now)
            // Escape gives up the source that is being waited for.
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
        scene.bar.quietUntil = now + BarState.quietStart
        // A file that repeats is the same inside: in a loop of a second nobody could read it.
        if position != playlist { layers[Inspector.self] = nil }
        playlist = position
        scene.television?.play(position.channel)
        (subtitles.last, subtitles.lastSecond, subtitles.readingBack) = (nil, nil, nil)
        (leftPlace, markedPlace) = (nil, nil)
        (engineNotices.held, engineNotices.hasSaidSilent) = (nil, false)
        intents = Intents()
        (menu, cueList, scrub) = (nil, nil, nil)
        (scene.scrubReady, scene.song) = ([], SongScene())
    }

    /// Lets go what is over. Returns whether something visible changed.
    private mutating func expire(_ now: HostTime) -> Bool {
        var changed = false
        if let message, now >= message.until {
            self.message = nil
            changed = true
        }
        if layers.expire(now) { changed = true }
        if followBar(now) { changed = true }
        // A notice about the whole file that needs no key is shown when the bar is next looked at: so it covers no video.
        if isBarVisible, let held = engineNotices.held {
            engineNotices.held = nil
            notify(held, now)
            changed = true
        }
        return changed
    }

    /// Shows or hides the bar; returns whether that is another state.
    private mutating func followBar(_ now: HostTime) -> Bool {
        let bar = scene.bar
        // Where there is no video the bar covers nothing.
        let isResting =
            scene.isLoading ? now >= bar.quietUntil : isAudioOnly || snapshot.phase != .playing || !snapshot.wantsToPlay
        // No file was chosen yet: there is nothing to tell of it.
        let isIdle = browser != nil && playlist.count == 0 && message == nil
        let isVisible =
            bar.mode == .automatic && !isIdle && (isResting || now < bar.hidesAt || bar.stays || layers.keepsBar)
            || scrub?.hand == .keys
        guard isVisible != bar.isVisible else { return false }
        scene.bar.isVisible = isVisible
        settle(Menu.self)
        return true
    }

    /// Brings an automatic bar back for a while.
    mutating func touchBar(_ now: HostTime) { scene.bar.touch(now) }

    /// The answer to an action.
    mutating func say(_ text: String, limit: Int = 200, stay: TimeSpan = AppModel.answerStay, _ now: HostTime) {
        message = FlashMessage(text: DisplayText.singleLine(text, limit: limit), until: now + stay, isNotice: false)
    }

    /// The program or page that the player waits for; nil: nothing any more.
    private mutating func wait(for text: String?, _ now: HostTime) {
        message = text.map {
            FlashMessage(text: DisplayText.singleLine($0, limit: 200), until: now + AppModel.longestWait, isNotice: true)
        }
    }

    /// A notice that no key asked for.
    mutating func notify(_ text: String, isError: Bool = false, _ now: HostTime) {
        let text = DisplayText.singleLine(Redaction.text(text), limit: 200)
        guard !text.isEmpty else { return }
        scene.notices.keep(text, isError: isError, at: now)
        message = FlashMessage(text: text, until: now + AppModel.noticeStay, isNotice: true)
        scene.bar.stay(until: now + AppModel.noticeStay)
    }

    private mutating func take(_ incoming: EngineSnapshot, now: HostTime) -> [AppEffect] {
        let previous = snapshot, formerPoint = scene.cuePoint
        snapshot = incoming
        let isMeasured = scene.tape.record(snapshot.telemetry)
        scene.tape.stalls.note(snapshot, at: now)
        intents.apply(to: &scene.snapshot, now: now)
        teach(now)
        var effects: [AppEffect] = []
        if snapshot.phase != previous.phase {
            // The bar of a video that goes on is read before it hides.
            if snapshot.phase == .playing, previous.phase != .idle, previous.phase != .loading { touchBar(now) }
            if snapshot.phase == .ended { effects.append(.fileEnded) }
            if case .error(let error) = snapshot.phase {
                notify(error.description, isError: true, now)
                effects.append(.fileFailed(error))
            }
        }
        if let active = snapshot.activeSubtitleTrack { subtitles.last = active }
        if snapshot.isSilent, !engineNotices.hasSaidSilent {
            engineNotices.hasSaidSilent = true
            engineNotices.held = translated("No audio device: playing without audio")
        }
        for notice in snapshot.notices where notice.number > engineNotices.last {
            engineNotices.last = notice.number
            notify(notice.text, now)
            if !effects.contains(.redraw) { effects.append(.redraw) }
        }
        let changed =
            isBarVisible || snapshot.menu != previous.menu || snapshot.phase != previous.phase
            || snapshot.visibleCues != previous.visibleCues
            || snapshot.secondaryCues != previous.secondaryCues
            || ((showsTelemetry || layers[Inspector.self] != nil) && isMeasured)
        if followLyrics(), !effects.contains(.redraw) { effects.append(.redraw) }
        let taken = endReadingBack(now)
        if !taken.isEmpty { effects += taken + [.redraw] }
        let hasMoved = followCues(formerPoint)
        if openAwaitedDevices(now) || refreshMenu() || hasMoved || changed, !effects.contains(.redraw) { effects.append(.redraw) }
        return effects
    }
}
