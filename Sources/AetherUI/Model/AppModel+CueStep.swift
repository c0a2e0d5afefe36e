import AetherCore
import AetherEngine

/// From one subtitle to the next, or to the one before.
extension AppModel {
    /// Back goes to the beginning of the present subtitle as long as that is longer ago than a second key comes.
    private static let backGrace = TimeSpan.milliseconds(500)
    /// A seek lands on the frame that shows a cue, not on its first nanosecond.
    private static let landing = TimeSpan.milliseconds(50)

    /// Asks what the selected track says.
    mutating func stepCue(_ count: Int, _ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        guard let track = snapshot.activeSubtitleTrack ?? subtitles.readingBack?.track ?? snapshot.activeSecondarySubtitleTrack
        else {
            say(translated("No subtitles are selected"), now)
            return []
        }
        return [.stepCue(track, count)]
    }

    /// Asks what the selected track says, to move it in time.
    mutating func alignCue(_ count: Int, _ now: HostTime) -> [AppEffect] {
        guard let track = snapshot.activeSubtitleTrack else {
            say(translated("No subtitles are selected"), now)
            return []
        }
        return [.alignCue(track, count)]
    }

    /// Goes to the next subtitle, or to the one before.
    mutating func stepCue(in listing: CueListing, _ count: Int, _ now: HostTime) -> [AppEffect] {
        let place = shownPosition, delay = snapshot.subtitleDelay
        let starts = listing.cues.lazy.map { $0.start + delay }
        let target =
            count > 0 ? starts.first { $0 > place + Self.landing } : starts.last { $0 + Self.backGrace < place }
        guard let target else {
            say(count > 0 ? translated("No later subtitle read so far") : translated("No earlier subtitle"), now)
            return []
        }
        expectSeek(to: target, now)
        say(Timecode.text(target - snapshot.startTime), now)
        return [.send(.seek(to: target, .exact))]
    }
}
