import AetherCore
import AetherDesktop
import AetherEngine

/// Settings by their names (`set speed 1.5`), and places that the person was at.
extension AppModel {
    mutating func change(_ action: PlayerAction, _ now: HostTime) -> [AppEffect] {
        switch action {
        case .set(let name, let value):
            guard let setting = RemoteSetting.named(name) else { return [] }
            if let fault = FilterText.fault(in: value, of: setting.setting, asksLibrary: true) {
                say("\(name): \(fault)", now)
                return []
            }
            guard let change = setting.change(to: .string(value), in: snapshot.settings) else {
                say(translated("\(name) takes \(setting.takes)"), now)
                return []
            }
            return put(change, named: name, now)
        case .add(let name, let amount):
            return put(RemoteSetting.named(name)?.step(by: amount, in: snapshot.settings), named: name, now)
        case .cycle(let name): return put(RemoteSetting.named(name)?.next(in: snapshot.settings), named: name, now)
        default: return []
        }
    }

    private mutating func put(_ change: SettingChange?, named name: String, _ now: HostTime) -> [AppEffect] {
        guard let change else { return [] }
        let effects = set(change, now)
        say(words(of: name, for: change), now)
        return effects
    }

    private func words(of name: String, for change: SettingChange) -> String {
        switch change {
        case .videoFilters(let graph), .audioFilters(let graph):
            let text = graph?.text ?? translated("none", context: "filters");
            return name == "vf" ? translated("Video filters: \(text)") : translated("Audio filters: \(text)")
        // Keys change these, too, and have words of their own for them.
        case .rate, .volume, .muted, .equalizer, .audioDelay, .subtitleDelay, .subtitleScale: return words(for: change)
        default:
            guard let value = RemoteSetting.named(name)?.value(in: snapshot.settings) else { return words(for: change) }
            let word =
                value.flag.map { $0 ? translated("on") : translated("off") } ?? value.number.map { ActionName.plain($0) } ?? value
                .text ?? "none"
            let label = name.replacing("-", with: " ")
            return "\(label.prefix(1).uppercased())\(label.dropFirst()): \(word)"
        }
    }

    // MARK: - Places

    /// Where the person was is kept, so that one can go back there.
    mutating func leavePlace() {
        guard snapshot.seekTarget == nil else { return }
        leftPlace = snapshot.position
    }

    /// Back to the place before the last seek, or to the marked one.
    mutating func revertSeek(_ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        guard let target = markedPlace ?? leftPlace else {
            say(translated("No place to go back to"), now)
            return []
        }
        leftPlace = shownPosition
        expectSeek(to: target, now)
        say(translated("Back to \(Timecode.text(target - snapshot.startTime))"), now)
        return [.send(.seek(to: target, .exact))]
    }

    mutating func markPlace(_ now: HostTime) {
        markedPlace = shownPosition
        say(translated("Marked \(Timecode.text(elapsed))"), now)
    }

    /// Position, duration and percent, in a line.
    mutating func sayProgress(_ now: HostTime) {
        guard let duration = snapshot.duration, duration > .zero else { return say(Timecode.text(elapsed), now) }
        let share = Int((elapsed.seconds / duration.seconds * 100).rounded())
        say("\(Timecode.text(elapsed)) / \(Timecode.text(duration))  \(share) %", stay: Self.pathStay, now)
    }

    /// The telemetry, for four seconds.
    mutating func glanceAtTelemetry(_ now: HostTime) {
        layers[TelemetryLayer.self] = TelemetryLayer(page: telemetryPage, until: now + BarState.stay)
    }

    // MARK: - Tracks

    mutating func nextVideoTrack(_ now: HostTime) -> [AppEffect] {
        let tracks = snapshot.videoTracks
        guard tracks.count > 1 else {
            say(tracks.isEmpty ? translated("No video track") : translated("There is only one video track"), now)
            return []
        }
        let present = tracks.firstIndex { $0.id == snapshot.activeVideoTrack }
        return selectVideo(tracks[present.map { ($0 + 1) % tracks.count } ?? 0].id, now)
    }

    mutating func nextTitle(_ now: HostTime) -> [AppEffect] {
        let titles = snapshot.titles
        guard titles.count > 1 else {
            say(MenuContent.absence(.titles), now)
            return []
        }
        let present = titles.firstIndex { $0.id == snapshot.activeTitle }
        return selectTitle(titles[present.map { ($0 + 1) % titles.count } ?? 0].id, now)
    }

    /// Hides the subtitles at the top, or shows those that were there last.
    mutating func toggleSecondSubtitles(_ now: HostTime) -> [AppEffect] {
        if let present = snapshot.activeSecondarySubtitleTrack {
            subtitles.lastSecond = present
            return selectSecondSubtitles(nil, now)
        }
        guard let last = subtitles.lastSecond, snapshot.subtitleTracks.contains(where: { $0.id == last }) else {
            return nextSecondSubtitles(now)
        }
        return selectSecondSubtitles(last, now)
    }

    /// The present file again at its end, or not.
    mutating func toggleRepeatFile(_ now: HostTime) -> [AppEffect] {
        let mode: RepeatMode = playlist.repeats == .file ? .off : .file
        playlist.repeats = mode
        say(mode == .file ? translated("Repeat file") : translated("Repeat off"), now)
        return [.setRepeats(mode)]
    }

    /// Moves subtitles in time so that the next of them, or the one before, is shown now.
    mutating func alignCue(in listing: CueListing, _ count: Int, _ now: HostTime) -> [AppEffect] {
        let place = shownPosition, delay = snapshot.subtitleDelay
        let starts = listing.cues.map(\.start)
        let present = starts.last { $0 + delay <= place + .milliseconds(1) }
        let target = count > 0 ? starts.first { $0 + delay > place + .milliseconds(1) } : starts.last { $0 < present ?? $0 }
        guard let target else {
            say(count > 0 ? translated("No later subtitle read so far") : translated("No earlier subtitle"), now)
            return []
        }
        let change = SettingChange.subtitleDelay(place - target)
        let effects = set(change, now)
        say(words(for: .subtitleDelay(snapshot.subtitleDelay)), now)
        return effects
    }
}
