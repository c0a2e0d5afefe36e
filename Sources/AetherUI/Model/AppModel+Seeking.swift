import AetherCore
import AetherEngine

/// The way through the video: seconds, parts, frames, chapters, the loop.
extension AppModel {
    var canSeek: Bool { scene.canSeek }

    mutating func refuseSeek(_ now: HostTime) -> [AppEffect] {
        say(translated("This source cannot seek"), now)
        return []
    }

    mutating func expectSeek(to target: MediaTime, _ now: HostTime) {
        leavePlace()
        snapshot.seekTarget = target
        intents.seekTarget = .init(value: target, until: now + Intents.life)
    }

    mutating func seek(by seconds: Double, _ precision: SeekPrecision, _ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        let target = scene.clamped(shownPosition + .seconds(seconds))
        expectSeek(to: target, now)
        let amount =
            abs(seconds).truncatingRemainder(dividingBy: 60) == 0
            ? ActionName.plain(abs(seconds) / 60) + " min" : ActionName.plain(abs(seconds)) + " s"
        say("\(seconds < 0 ? "-" : "+")\(amount) \(Timecode.text(target - snapshot.startTime))", now)
        let skip = [AppEffect.send(.skip(by: .seconds(seconds), precision))]
        return seconds < 0 ? skip + showAfterSkipBack(to: target, now) : skip
    }

    mutating func seek(percent: Double, _ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        var text = ActionName.plain(percent) + " %"
        if let duration = snapshot.duration {
            let offset = duration.scaled(by: percent / 100)
            expectSeek(to: scene.clamped(snapshot.startTime + offset), now)
            text += " \(Timecode.text(offset))"
        } else if snapshot.isSeekable {
            say(translated("The duration is unknown"), now)
            return []
        }
        say(text, now)
        return [.send(.seekToFraction(percent / 100))]
    }

    mutating func seekToStart(_ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        expectSeek(to: snapshot.startTime, now)
        say(translated("Start"), now)
        return [.send(.seekToFraction(0))]
    }

    mutating func seekToEnd(_ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        if let edge = snapshot.liveEdge, snapshot.isBroadcast {
            expectSeek(to: edge, now)
            say(translated("Live"), now)
            return [.send(.seekToLiveEdge)]
        }
        guard let duration = snapshot.duration else {
            say(translated("The duration is unknown"), now)
            return []
        }
        expectSeek(to: snapshot.startTime + duration, now)
        say(translated("End"), now)
        return [.send(.seekToFraction(1))]
    }

    mutating func stepFrame(_ count: Int, _ now: HostTime) -> [AppEffect] {
        if count < 0, !canSeek { return refuseSeek(now) }
        snapshot.wantsToPlay = false
        intents.wantsToPlay = .init(value: false, until: now + Intents.life)
        say(count < 0 ? translated("Frame back") : translated("Frame forward"), now)
        return [.send(.stepFrame(count))]
    }

    mutating func stepChapter(_ count: Int, _ now: HostTime) -> [AppEffect] {
        guard canSeek else { return refuseSeek(now) }
        guard let index = ChapterStep.destination(from: shownPosition, count: count, chapters: snapshot.chapters) else {
            say(snapshot.chapters.isEmpty ? translated("No chapters") : translated("No further chapter"), now)
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

    mutating func announceChapter(_ index: Int, _ now: HostTime) {
        let chapter = snapshot.chapters[index]
        expectSeek(to: chapter.start, now)
        let name = chapter.name.isEmpty ? "" : ": \(chapter.name)"
        say(translated("Chapter \(index + 1)/\(snapshot.chapters.count)\(name)"), now)
    }

    /// The engine keeps the marks; the line says what they will be.
    mutating func markLoop(_ now: HostTime) -> [AppEffect] {
        guard snapshot.isSeekable else { return refuseSeek(now) }
        let here = Timecode.text(shownPosition - snapshot.startTime)
        switch (snapshot.loopStart, snapshot.loopEnd) {
        case (nil, _): say(translated("Loop from \(here)"), now)
        case (let start?, nil): say(translated("Loop \(Timecode.text(start - snapshot.startTime)) to \(here)"), now)
        case (_?, _?): say(translated("Loop off"), now)
        }
        return [.send(.markLoop)]
    }
}
