import AetherCore
import AetherEngine

extension AppModel {
    /// Carries an action out: the commands for the engine, and one short line that says what was done.
    mutating func perform(_ action: PlayerAction, now: HostTime) -> [AppEffect] {
        if action != .toggleBar { touchBar(now) }
        switch action {
        case .togglePause: return togglePause(now)
        case .seek(let seconds): return seek(by: seconds, .refined, now)
        case .seekExactly(let seconds): return seek(by: seconds, .exact, now)
        case .seekPercent(let percent): return seek(percent: percent, now)
        case .seekToStart: return seekToStart(now)
        case .seekToEnd: return seekToEnd(now)
        case .stepFrame(let count): return stepFrame(count, now)
        case .stepChapter(let count): return stepChapter(count, now)
        case .markLoop: return markLoop(now)
        case .stepCue(let count): return stepCue(count, now)
        case .halfSpeed, .doubleSpeed, .slower, .faster, .normalSpeed: return changeRate(action, now)
        case .volumeDown: return stepVolume(-1, now)
        case .volumeUp: return stepVolume(1, now)
        case .toggleMute: return toggleMute(now)
        case .delayAudio(let seconds): return delayAudio(seconds, now)
        case .nextAudioTrack: return nextAudioTrack(now)
        case .nextSubtitleTrack: return cycleSubtitles(1, now)
        case .previousSubtitleTrack: return cycleSubtitles(-1, now)
        case .toggleSubtitles: return toggleSubtitles(now)
        case .nextSecondSubtitleTrack: return nextSecondSubtitles(now)
        case .delaySubtitles(let seconds): return delaySubtitles(seconds, now)
        case .liftSubtitles(let rows): return liftSubtitles(rows, now)
        case .growSubtitles(let steps): return growSubtitles(steps, now)
        case .adjustVideo, .resetColours, .nextToneMapping, .nextFit, .nextAspect, .zoomVideo, .panVideo, .resetView:
            return changeVideo(action, now)
        case .toggleBar: toggleBar(now)
        case .toggleRemaining: toggleRemaining(now)
        case .toggleTelemetry: toggleTelemetry(now)
        case .nextTelemetryPage: nextTelemetryPage(now)
        case .nextTheme: return nextTheme(now)
        case .toggleHelp: toggleHelp(now)
        case .showMenu(.devices): return toggleDevices(now)
        case .showMenu(let kind): toggleMenu(kind, now)
        case .toggleCueList: toggleCueList(now)
        case .searchSubtitles: searchSubtitles(now)
        case .stepFile(let count): return stepFile(count, now)
        case .nextRepeat: return nextRepeat(now)
        case .toggleShuffle: return toggleShuffle(now)
        case .scrub: return toggleScrub(now)
        case .saveStill: return saveStill(now)
        case .toggleRecording: return toggleRecording(fromShown: false, now)
        case .recordFromHere: return toggleRecording(fromShown: true, now)
        case .keepSource: return keepSource(now)
        case .toggleDownloads: toggleDownloads(now)
        case .saveScreen: return saveScreen(now)
        case .browse: return toggleBrowser(now)
        case .palette: togglePalette(now)
        case .toggleNotices: toggleNotices(now)
        case .toggleInspector: return toggleInspector(now)
        case .toggleEqualizer: toggleEqualizer(now)
        case .nextEqualizer: return setEqualizer(snapshot.equalizer.next, now)
        case .toggleChannels, .toggleGuide, .stepChannel, .lastChannel, .toggleFavourite, .toggleMosaic:
            return perform(channel: action, now)
        case .set, .add, .cycle: return change(action, now)
        case .revertSeek: return revertSeek(now)
        case .markPlace: markPlace(now)
        case .sayProgress: sayProgress(now)
        case .keepBar: keepBar(now)
        case .glanceAtTelemetry: glanceAtTelemetry(now)
        case .discMenu(let step): return takeDiscStep(step, now)
        case .nextVideoTrack: return nextVideoTrack(now)
        case .nextTitle: return nextTitle(now)
        case .toggleSecondSubtitles: return toggleSecondSubtitles(now)
        case .toggleRepeatFile: return toggleRepeatFile(now)
        case .alignCue(let count): return alignCue(count, now)
        case .showInfo: toggleInfo(now)
        case .savePlaylist: return savePlaylist(now)
        case .tellProgram(let name): return [.tellBinding(name)]
        case .quit: return [.quit]
        }
        return []
    }

    private mutating func savePlaylist(_ now: HostTime) -> [AppEffect] {
        guard playlist.count > 0 else {
            say(translated("The playlist is empty"), now)
            return []
        }
        say(translated("Saving the playlist"), now)
        return [.savePlaylist]
    }

    private mutating func keepBar(_ now: HostTime) {
        scene.bar.switchOn(true)
        scene.bar.stays.toggle()
        touchBar(now)
        say(scene.bar.stays ? translated("The bar stays") : translated("The bar hides by itself"), now)
    }

    private mutating func togglePause(_ now: HostTime) -> [AppEffect] {
        let plays = !snapshot.wantsToPlay
        snapshot.wantsToPlay = plays
        intents.wantsToPlay = .init(value: plays, until: now + Intents.life)
        say(plays ? translated("Playing") : translated("Paused"), now)
        return [.send(plays ? .play : .pause)]
    }

    private mutating func saveStill(_ now: HostTime) -> [AppEffect] {
        guard snapshot.activeVideoTrack != nil else {
            say(translated("No frame to save"), now)
            return []
        }
        say(translated("Saving the still"), now)
        return [.saveStill]
    }

    private mutating func toggleRecording(fromShown: Bool, _ now: HostTime) -> [AppEffect] {
        if snapshot.recording?.isRunning ?? false {
            say(translated("Ending the recording"), now)
            return [.send(.stopRecording)]
        }
        let isBehind = snapshot.shiftedRange != nil && snapshot.liveEdge.map { $0 - snapshot.position > .seconds(5) } ?? false
        say(
            !isBehind
                ? translated("Recording")
                : fromShown ? translated("Recording from here on") : translated("Recording what is broadcast now"), now)
        return [.startRecording(fromShown: fromShown)]
    }

    private mutating func saveScreen(_ now: HostTime) -> [AppEffect] {
        say(translated("Saving the screenshot"), now)
        return [.saveScreen]
    }

    private mutating func stepFile(_ count: Int, _ now: HostTime) -> [AppEffect] {
        // The present file is one of a list of channels: the next one is the list's.
        if playlist.count == 1, playlist.channel != nil { return perform(channel: .stepChannel(count), now) }
        guard playlist.count > 1 else {
            say(translated("There is only one file"), now)
            return []
        }
        say(count > 0 ? translated("Next file") : translated("Previous file"), now)
        return [.stepFile(count)]
    }

    private mutating func changeVideo(_ action: PlayerAction, _ now: HostTime) -> [AppEffect] {
        switch action {
        case .adjustVideo(let control, let steps): adjustVideo(control, steps, now)
        case .resetColours: resetColours(now)
        case .nextToneMapping: nextToneMapping(now)
        case .nextFit: nextFit(now)
        case .nextAspect: nextAspect(now)
        case .zoomVideo(let steps): zoomVideo(steps, now)
        case .panVideo(let direction): panVideo(direction, now)
        case .resetView: resetView(now)
        default: []
        }
    }

    // MARK: What is shown

    /// Total, remaining, and the time of day where the source states it; a broadcast has no remaining time.
    private mutating func toggleRemaining(_ now: HostTime) {
        let hasClock = scene.snapshot.programTime != nil, isBroadcast = scene.snapshot.isBroadcast
        scene.bar.hasChosenTime = true
        if hasClock, !isBroadcast, scene.bar.showsRemaining, !scene.bar.showsTimeOfDay {
            scene.bar.showsTimeOfDay = true
        } else {
            scene.bar.showsTimeOfDay = false
            scene.bar.showsRemaining.toggle()
        }
        let isTimeOfDay = hasClock && (isBroadcast || scene.bar.showsTimeOfDay)
        say(
            !showsRemaining
                ? translated("Time: total") : isTimeOfDay ? translated("Time: of day") : translated("Time: remaining"), now)
    }

    private mutating func toggleBar(_ now: HostTime) {
        scene.bar.switchOn(!isBarVisible)
        touchBar(now)
        say(barMode == .off ? translated("Bar off") : translated("Bar on"), now)
    }

    // MARK: Speed and audio

    private mutating func changeRate(_ action: PlayerAction, _ now: HostTime) -> [AppEffect] {
        switch action {
        case .halfSpeed: setRate(snapshot.rate / 2, now)
        case .doubleSpeed: setRate(snapshot.rate * 2, now)
        case .slower: setRate(snapshot.rate / 1.1, now)
        case .faster: setRate(snapshot.rate * 1.1, now)
        default: setRate(1, now)
        }
    }

    private mutating func setRate(_ wanted: Double, _ now: HostTime) -> [AppEffect] {
        var rate = wanted.isFinite ? min(max(wanted, 0.25), 4) : 1
        // Ten steps up and ten down end at 1 again, not at 1.0000000000000002.
        if abs(rate - 1) < 0.005 { rate = 1 }
        say(words(for: .rate(rate)), now)
        return rate != snapshot.rate ? set(.rate(rate), now) : []
    }

    private mutating func stepVolume(_ steps: Int, _ now: HostTime) -> [AppEffect] {
        // To the next multiple of 5 %.
        let level = snapshot.volume.isFinite ? snapshot.volume : 1
        let present = Int((min(max(level, 0), 1.5) * 20).rounded())
        let volume = Double(min(max(present + steps, 0), 30)) / 20
        say(words(for: .volume(volume)), now)
        return volume != snapshot.volume ? set(.volume(volume), now) : []
    }

    private mutating func toggleMute(_ now: HostTime) -> [AppEffect] {
        say(words(for: .muted(!snapshot.isMuted)), now)
        return set(.muted(!snapshot.isMuted), now)
    }

    private mutating func delayAudio(_ seconds: Double, _ now: HostTime) -> [AppEffect] {
        let delay = DelayStep(seconds: seconds, limit: 10).from(snapshot.audioDelay)
        say(words(for: .audioDelay(delay)), now)
        return set(.audioDelay(delay), now)
    }
}
