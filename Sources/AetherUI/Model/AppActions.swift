import AetherCore
import AetherEngine

extension AppModel {
    /// Carries an action out: the commands for the engine, and one short line that says what was done.
    mutating func perform(_ action: PlayerAction, now: HostTime) -> [AppEffect] {
        if action != .toggleBar { touchBar(now) }
        switch action {
        case .togglePause: return togglePause(now)
        case .seek(let seconds): return seek(by: seconds, .keyframe, now)
        case .seekExactly(let seconds): return seek(by: seconds, .exact, now)
        case .seekPercent(let percent): return seek(percent: percent, now)
        case .seekToStart: return seekToStart(now)
        case .seekToEnd: return seekToEnd(now)
        case .stepFrame(let count): return stepFrame(count, now)
        case .stepChapter(let count): return stepChapter(count, now)
        case .markLoop: return markLoop(now)
        case .slower: return setRate(snapshot.rate / 1.1, now)
        case .faster: return setRate(snapshot.rate * 1.1, now)
        case .normalSpeed: return setRate(1, now)
        case .volumeDown: return stepVolume(-1, now)
        case .volumeUp: return stepVolume(1, now)
        case .toggleMute: return toggleMute(now)
        case .delaySound(let seconds): return delaySound(seconds, now)
        case .nextAudioTrack: return nextAudioTrack(now)
        case .nextSubtitleTrack: return cycleSubtitles(1, now)
        case .previousSubtitleTrack: return cycleSubtitles(-1, now)
        case .toggleSubtitles: return toggleSubtitles(now)
        case .nextSecondSubtitleTrack: return nextSecondSubtitles(now)
        case .delaySubtitles(let seconds): return delaySubtitles(seconds, now)
        case .liftSubtitles(let rows): return liftSubtitles(rows, now)
        case .growSubtitles(let steps): return growSubtitles(steps, now)
        case .adjustPicture(let control, let steps): return adjustPicture(control, steps, now)
        case .resetColours: return resetColours(now)
        case .nextFit: return nextFit(now)
        case .nextAspect: return nextAspect(now)
        case .zoomPicture(let steps): return zoomPicture(steps, now)
        case .panPicture(let direction): return panPicture(direction, now)
        case .resetView: return resetView(now)
        case .toggleBar: toggleBar(now)
        case .toggleRemaining:
            showsRemaining.toggle()
            say(showsRemaining ? "Time: remaining" : "Time: total", now)
        case .toggleTelemetry:
            showsTelemetry.toggle()
            say(showsTelemetry ? "Telemetry on" : "Telemetry off", now)
        case .nextTelemetryPage:
            // The first press opens the pane where it was left.
            if showsTelemetry { telemetryPage = telemetryPage.next }
            showsTelemetry = true
            say(telemetryPage.title, now)
        case .nextTheme: return nextTheme(now)
        case .toggleHelp:
            if showsHelp, helpPage + 1 < HelpPane.pageCount(self) {
                helpPage += 1
            } else {
                showsHelp.toggle()
                helpPage = 0
                say(showsHelp ? "Help on" : "Help off", now)
            }
        case .showMenu(.devices): return toggleDevices(now)
        case .showMenu(let kind): toggleMenu(kind, now)
        case .toggleCueList: toggleCueList(now)
        case .searchSubtitles: searchSubtitles(now)
        case .stepFile(let count):
            guard playlist.count > 1 else {
                say("There is only one file", now)
                return []
            }
            say(count > 0 ? "Next file" : "Previous file", now)
            return [.stepFile(count)]
        case .scrub: return toggleScrub(now)
        case .saveStill: return saveStill(now)
        case .saveScreen:
            say("Saving the screen", now)
            return [.saveScreen]
        case .browse: return toggleBrowser(now)
        case .palette: togglePalette(now)
        case .toggleNotices: toggleNotices(now)
        case .toggleEqualizer: toggleEqualizer(now)
        case .nextEqualizer: return setEqualizer(snapshot.equalizer.next, now)
        case .quit: return [.quit]
        }
        return []
    }

    private mutating func togglePause(_ now: HostTime) -> [AppEffect] {
        let plays = !snapshot.wantsToPlay
        snapshot.wantsToPlay = plays
        intents.wantsToPlay = .init(value: plays, until: now + Intents.life)
        say(plays ? "Playing" : "Paused", now)
        return [.send(plays ? .play : .pause)]
    }

    private mutating func saveStill(_ now: HostTime) -> [AppEffect] {
        guard snapshot.activeVideoTrack != nil else {
            say("There is no picture to save", now)
            return []
        }
        say("Saving the picture", now)
        return [.saveStill]
    }

    private mutating func toggleBar(_ now: HostTime) {
        if isBarVisible {
            barMode = .off
            isBarVisible = false
            say("Bar off", now)
        } else {
            barMode = .automatic
            touchBar(now)
            say("Bar on", now)
        }
    }

    // MARK: Seeking

    /// True when the source can be asked to seek; before it is open the engine keeps the wish.
    var canSeek: Bool {
        snapshot.isSeekable || snapshot.heldRange != nil || snapshot.phase == .idle || snapshot.phase == .loading
    }

    mutating func refuseSeek(_ now: HostTime) -> [AppEffect] {
        say("This source cannot seek", now)
        return []
    }

    mutating func expectSeek(to target: MediaTime, _ now: HostTime) {
        snapshot.seekTarget = target
        intents.seekTarget = .init(value: target, until: now + Intents.life)
    }

    func clamped(_ target: MediaTime) -> MediaTime {
        let start = snapshot.startTime
        guard let duration = snapshot.duration else { return max(start, target) }
        return min(max(start, target), start + max(.zero, duration))
    }

    private mutating func seek(by seconds: Int, _ precision: SeekPrecision, _ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        let target = clamped(shownPosition + .seconds(Double(seconds)))
        expectSeek(to: target, now)
        let amount = abs(seconds) % 60 == 0 ? "\(abs(seconds) / 60) min" : "\(abs(seconds)) s"
        say("\(seconds < 0 ? "-" : "+")\(amount) \(Timecode.text(target - snapshot.startTime))", now)
        let skip = [AppEffect.send(.skip(by: .seconds(Double(seconds)), precision))]
        return seconds < 0 ? skip + showAfterSkipBack(to: target, now) : skip
    }

    private mutating func seek(percent: Int, _ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        var text = "\(percent) %"
        if let duration = snapshot.duration {
            let offset = duration.scaled(by: Double(percent) / 100)
            expectSeek(to: clamped(snapshot.startTime + offset), now)
            text += " \(Timecode.text(offset))"
        } else if snapshot.isSeekable {
            say("The duration is unknown", now)
            return []
        }
        say(text, now)
        return [.send(.seekToFraction(Double(percent) / 100))]
    }

    private mutating func seekToStart(_ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        expectSeek(to: snapshot.startTime, now)
        say("Start", now)
        return [.send(.seekToFraction(0))]
    }

    private mutating func seekToEnd(_ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        guard let duration = snapshot.duration else {
            say("The duration is unknown", now)
            return []
        }
        expectSeek(to: snapshot.startTime + duration, now)
        say("End", now)
        return [.send(.seekToFraction(1))]
    }

    private mutating func stepFrame(_ count: Int, _ now: HostTime) -> [AppEffect] {
        if count < 0, !canSeek { return refuseSeek(now) }
        snapshot.wantsToPlay = false
        intents.wantsToPlay = .init(value: false, until: now + Intents.life)
        say(count < 0 ? "Frame back" : "Frame forward", now)
        return [.send(.stepFrame(count))]
    }

    private mutating func stepChapter(_ count: Int, _ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        guard let index = ChapterStep.destination(from: shownPosition, count: count, chapters: snapshot.chapters) else {
            say(snapshot.chapters.isEmpty ? "No chapters" : "No further chapter", now)
            return []
        }
        announceChapter(index, now)
        return [.send(.stepChapter(count))]
    }

    /// To the start of a chapter of the list.
    mutating func goToChapter(_ index: Int, _ now: HostTime) -> [AppEffect] {
        guard snapshot.chapters.indices.contains(index) else { return [] }
        guard canSeek else { return refuseSeek(now) }
        announceChapter(index, now)
        return [.send(.seek(to: snapshot.chapters[index].start, .exact))]
    }

    private mutating func announceChapter(_ index: Int, _ now: HostTime) {
        let chapter = snapshot.chapters[index]
        expectSeek(to: chapter.start, now)
        let name = chapter.name.isEmpty ? "" : ": \(chapter.name)"
        say("Chapter \(index + 1)/\(snapshot.chapters.count)\(name)", now)
    }

    /// The engine keeps the marks; the line says what they will be.
    private mutating func markLoop(_ now: HostTime) -> [AppEffect] {
        guard snapshot.isSeekable else { return refuseSeek(now) }
        let here = Timecode.text(shownPosition - snapshot.startTime)
        switch (snapshot.loopStart, snapshot.loopEnd) {
        case (nil, _): say("Loop from \(here)", now)
        case (let start?, nil): say("Loop \(Timecode.text(start - snapshot.startTime)) to \(here)", now)
        case (_?, _?): say("Loop off", now)
        }
        return [.send(.markLoop)]
    }

    // MARK: Speed and sound

    private mutating func setRate(_ wanted: Double, _ now: HostTime) -> [AppEffect] {
        var rate = wanted.isFinite ? min(max(wanted, 0.25), 4) : 1
        // Ten steps up and ten down end at 1 again, not at 1.0000000000000002.
        if abs(rate - 1) < 0.005 { rate = 1 }
        let changed = rate != snapshot.rate
        snapshot.rate = rate
        if changed { intents.rate = .init(value: rate, until: now + Intents.life) }
        say("Speed \(Figures.decimal(rate, places: 2))×", now)
        return changed ? [.send(.setRate(rate))] : []
    }

    private mutating func stepVolume(_ steps: Int, _ now: HostTime) -> [AppEffect] {
        // To the next multiple of 5 %.
        let level = snapshot.volume.isFinite ? snapshot.volume : 1
        let present = Int((min(max(level, 0), 1.5) * 20).rounded())
        let volume = Double(min(max(present + steps, 0), 30)) / 20
        let changed = volume != snapshot.volume
        snapshot.volume = volume
        if changed { intents.volume = .init(value: volume, until: now + Intents.life) }
        say("Volume \(Figures.percent(volume))\(snapshot.isMuted ? " (muted)" : "")", now)
        return changed ? [.send(.setVolume(volume))] : []
    }

    private mutating func toggleMute(_ now: HostTime) -> [AppEffect] {
        snapshot.isMuted.toggle()
        intents.isMuted = .init(value: snapshot.isMuted, until: now + Intents.life)
        say(snapshot.isMuted ? "Muted" : "Volume \(Figures.percent(snapshot.volume))", now)
        return [.send(.setMuted(snapshot.isMuted))]
    }

    private mutating func delaySound(_ seconds: Double, _ now: HostTime) -> [AppEffect] {
        let delay = DelayStep(seconds: seconds, limit: 10).from(snapshot.audioDelay)
        snapshot.audioDelay = delay
        intents.audioDelay = .init(value: delay, until: now + Intents.life)
        say("Sound \(DelayStep.text(delay))", now)
        return [.send(.setAudioDelay(delay))]
    }

    // MARK: Tracks

    private mutating func nextAudioTrack(_ now: HostTime) -> [AppEffect] {
        let tracks = snapshot.audioTracks
        guard !tracks.isEmpty else {
            say("No audio track", now)
            return []
        }
        let present = tracks.firstIndex { $0.id == snapshot.activeAudioTrack }
        return selectAudio(tracks[present.map { ($0 + 1) % tracks.count } ?? 0].id, now)
    }

    mutating func selectAudio(_ id: TrackID, _ now: HostTime) -> [AppEffect] {
        let tracks = snapshot.audioTracks
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { return [] }
        say("Audio \(index + 1)/\(tracks.count): \(TrackLabel.full(tracks[index]))", now)
        guard id != snapshot.activeAudioTrack else { return [] }
        snapshot.activeAudioTrack = id
        intents.audioTrack = .init(value: id, until: now + Intents.life)
        return [.send(.selectAudioTrack(id))]
    }

    mutating func selectVideo(_ id: TrackID, _ now: HostTime) -> [AppEffect] {
        let tracks = snapshot.videoTracks
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { return [] }
        say("Video \(index + 1)/\(tracks.count): \(TrackLabel.full(tracks[index]))", now)
        guard id != snapshot.activeVideoTrack else { return [] }
        snapshot.activeVideoTrack = id
        intents.videoTrack = .init(value: id, until: now + Intents.life)
        return [.send(.selectVideoTrack(id))]
    }

    /// Off is one of the stations: off, 1, 2 … n, off.
    private mutating func cycleSubtitles(_ step: Int, _ now: HostTime) -> [AppEffect] {
        let tracks = snapshot.subtitleTracks
        guard !tracks.isEmpty else {
            say("No subtitles", now)
            return []
        }
        let present = tracks.firstIndex { $0.id == snapshot.activeSubtitleTrack } ?? -1
        let stations = tracks.count + 1
        let station = (present + 1 + step + stations) % stations
        return selectSubtitles(station == 0 ? nil : tracks[station - 1].id, now)
    }

    private mutating func toggleSubtitles(_ now: HostTime) -> [AppEffect] {
        guard let first = snapshot.subtitleTracks.first else {
            say("No subtitles", now)
            return []
        }
        if snapshot.activeSubtitleTrack != nil { return selectSubtitles(nil, now) }
        let last = snapshot.subtitleTracks.first { $0.id == lastSubtitle }
        return selectSubtitles((last ?? first).id, now)
    }

    mutating func selectSubtitles(_ id: TrackID?, _ now: HostTime) -> [AppEffect] {
        readingBack = nil
        snapshot.activeSubtitleTrack = id
        intents.subtitleTrack = .init(value: id, until: now + Intents.life)
        if let id, let track = snapshot.subtitleTracks.first(where: { $0.id == id }) {
            lastSubtitle = id
            let ordinal = TrackLabel.ordinal(of: id, in: snapshot.subtitleTracks) ?? ""
            say("Subtitles \(ordinal): \(TrackLabel.full(track))", now)
        } else {
            say("Subtitles off", now)
        }
        return [.send(.selectSubtitleTrack(id))]
    }
}
