import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

/// A machine and the few words that tests say to it.
struct Play {
    var machine: PlaybackStateMachine
    static let film = SourceShape(
        duration: .seconds(100), hasVideo: true, hasAudio: true,
        chapters: [0, 30, 60].enumerated().map {
            ChapterInfo(id: $0.offset, name: "", start: .seconds($0.element), duration: .seconds(30))
        })

    /// Opened and not yet landed.
    init(_ shape: SourceShape = Play.film, wantsToPlay: Bool = true) {
        machine = PlaybackStateMachine(wantsToPlay: wantsToPlay)
        _ = machine.handle(.opened(shape, start: nil))
    }

    /// Still loading.
    init(unopened: Void) { machine = PlaybackStateMachine() }

    /// Another source takes the place of this one.
    mutating func abandon() -> [PlaybackEffect] {
        machine.abandonSeeks().filter { effect in
            if case .seek(let event) = effect { news.append(event) } else { return true }
            return false
        }
    }

    /// Landed on the first frame and sample.
    static func landed(_ shape: SourceShape = Play.film, wantsToPlay: Bool = true) -> Play {
        var play = Play(shape, wantsToPlay: wantsToPlay)
        _ = play.land()
        return play
    }

    /// The news of seeks, apart from the effects.
    private(set) var news: [SeekEvent] = []

    mutating func say(_ command: PlayerCommand, at position: Double = 0, shown: Double? = nil) -> [PlaybackEffect] {
        handle(.command(command, position: .seconds(position), shown: shown.map { .seconds($0) }))
    }

    mutating func handle(_ event: PlaybackEvent) -> [PlaybackEffect] {
        machine.handle(event).filter { effect in
            if case .seek(let event) = effect { news.append(event) } else { return true }
            return false
        }
    }

    /// Every selected stream has its first output.
    mutating func land(pts: Double? = nil) -> [PlaybackEffect] {
        let at = pts.map { MediaTime.seconds($0) } ?? machine.seeks.inFlight?.target ?? .zero
        var effects: [PlaybackEffect] = []
        for stage in [StageKind.video, .audio] where machine.awaited.contains(stage) {
            effects += handle(.primed(stage, machine.epoch, at))
        }
        effects += handle(.firstFrame(machine.epoch, at))
        return effects
    }

    mutating func finish(_ stage: StageKind, at: Double? = nil) -> [PlaybackEffect] {
        handle(.finished(stage, machine.epoch, at: at.map { .seconds($0) }))
    }
}

private func exact(_ seconds: Double) -> SeekPlan { SeekPlan(target: .seconds(seconds), landing: .exact) }

/// Sound that has nothing while the reader can hold no more.
@Suite struct MissingSoundTests {
    @Test func audioThatEndsEarlyDoesNotStopTheFrame() {
        var play = Play.landed()
        // Dry first, then full; and the other way round.
        #expect(play.handle(.starved(play.machine.epoch)) == [])
        #expect(play.machine.phase == .rebuffering)
        #expect(play.handle(.blocked(play.machine.epoch)) == [.runMonotonic(from: nil, rate: 1)])
        #expect(play.machine.phase == .playing)
        var other = Play.landed()
        #expect(other.machine.handle(.blocked(other.machine.epoch)) == [])
        #expect(other.machine.handle(.starved(other.machine.epoch)) == [.runMonotonic(from: nil, rate: 1)])
    }

    @Test func aLostServerIsAStateOnlyWhenNothingIsLeftToPlay() {
        var play = Play.landed()
        let attempt = ReconnectAttempt(number: 2, limit: 5)
        _ = play.handle(.reconnecting(attempt))
        #expect(play.machine.phase == .playing && play.machine.reconnecting == attempt)
        _ = play.handle(.starved(play.machine.epoch))
        #expect(play.machine.phase == .stalled(reconnecting: attempt))
        _ = play.handle(.reconnecting(nil))
        #expect(play.machine.phase == .rebuffering)
        _ = play.say(.pause)
        _ = play.handle(.reconnecting(attempt))
        #expect(play.machine.phase == .paused)
    }

    @Test func withoutItPauseAndSpeedActOnTheMonotonicClock() {
        var play = Play.landed()
        _ = play.handle(.starved(play.machine.epoch))
        _ = play.handle(.blocked(play.machine.epoch))
        #expect(play.say(.set(.rate(2))) == [.set(.rate(2)), .runMonotonic(from: nil, rate: 2)])
        #expect(play.say(.pause) == [.holdMonotonic(at: nil)])
        #expect(play.say(.play) == [.runMonotonic(from: nil, rate: 2)])
    }

    @Test func audioThatComesBackDrivesTheClockAgain() {
        var play = Play.landed()
        _ = play.handle(.starved(play.machine.epoch))
        _ = play.handle(.blocked(play.machine.epoch))
        _ = play.handle(.primed(.audio, play.machine.epoch, .seconds(30)))
        #expect(play.say(.pause) == [.runAudio(false)])
    }
}

/// Pictures alone that have nothing because the source is slow.
@Suite struct DryPictureTests {
    private static let silent = SourceShape(duration: .seconds(100), hasVideo: true)

    @Test func theClockStandsAtTheLastFrameAndGoesOnWithAReserve() {
        var play = Play.landed(Self.silent)
        #expect(play.handle(.videoStarved(play.machine.epoch, at: .seconds(3))) == [.holdMonotonic(at: .seconds(3))])
        #expect(play.machine.phase == .rebuffering)
        #expect(play.handle(.videoRestored(play.machine.epoch)) == [.runMonotonic(from: nil, rate: 1)])
        #expect(play.machine.phase == .playing)
    }

    @Test func pausePlayAndSpeedDoNotStartItMeanwhile() {
        var play = Play.landed(Self.silent)
        _ = play.handle(.videoStarved(play.machine.epoch, at: .seconds(3)))
        _ = play.say(.pause)
        #expect(play.say(.play) == [])
        #expect(play.say(.set(.rate(2))) == [.set(.rate(2))])
        #expect(play.handle(.videoRestored(play.machine.epoch)) == [.runMonotonic(from: nil, rate: 2)])
        _ = play.handle(.videoStarved(play.machine.epoch, at: .seconds(4)))
        _ = play.say(.pause)
        #expect(play.handle(.videoRestored(play.machine.epoch)) == [])
        #expect(play.machine.phase == .paused)
    }

    @Test func whereAudioDrivesTheClockItIsNotAsked() {
        var play = Play.landed()
        #expect(play.handle(.videoStarved(play.machine.epoch, at: .seconds(3))) == [])
        #expect(play.machine.phase == .playing)
    }
}

/// Landing and intent.
@Suite struct LandingTests {
    @Test func theClockRunsWhenEveryStreamHasItsFirstOutput() {
        var play = Play()
        #expect(play.machine.phase == .loading)
        #expect(play.handle(.primed(.video, play.machine.epoch, .zero)) == [])
        // The clock has a time from the landing on; sound moves it when it is heard.
        #expect(play.handle(.primed(.audio, play.machine.epoch, .zero)) == [.holdMonotonic(at: .zero), .runAudio(true)])
        #expect(play.machine.phase == .playing)
    }

    @Test func pausedItStandsAtTheLanding() {
        var play = Play(wantsToPlay: false)
        #expect(play.land() == [.holdMonotonic(at: .zero)])
        #expect(play.machine.phase == .paused)
        #expect(play.say(.play) == [.runAudio(true)])
        #expect(play.say(.play) == [])
        #expect(play.say(.pause) == [.runAudio(false)])
        #expect(play.say(.togglePlayPause) == [.runAudio(true)])
    }

    @Test func withoutAudioTheMonotonicClockDrives() {
        var play = Play(SourceShape(duration: .seconds(10), hasVideo: true))
        #expect(play.land() == [.runMonotonic(from: .zero, rate: 1)])
        #expect(play.say(.pause) == [.holdMonotonic(at: nil)])
        #expect(play.say(.set(.rate(2))) == [.set(.rate(2))])
        #expect(play.say(.play) == [.runMonotonic(from: nil, rate: 2)])
        #expect(play.say(.set(.rate(4))) == [.set(.rate(4)), .runMonotonic(from: nil, rate: 4)])
    }

    @Test func withoutAFrameAudioLandsAlone() {
        var play = Play(SourceShape(duration: .seconds(10), hasAudio: true))
        #expect(play.land() == [.holdMonotonic(at: .zero), .runAudio(true)])
        #expect(play.say(.stepFrame(1)) == [])
    }

    @Test func aRateSetBeforeTheLoadIsKeptForTheClock() {
        var machine = PlaybackStateMachine()
        #expect(machine.handle(.command(.set(.rate(1.5)), position: .zero, shown: nil)) == [.set(.rate(1.5))])
        _ = machine.handle(.opened(SourceShape(hasVideo: true), start: nil))
        #expect(machine.handle(.primed(.video, machine.epoch, .zero)) == [.runMonotonic(from: .zero, rate: 1.5)])
    }

    @Test func amountsOutOfRangeAreBroughtInside() {
        var play = Play.landed()
        let rates: [(said: Double, rate: Double)] = [(0, 0.25), (-3, 0.25), (99, 4), (.infinity, 4), (1.25, 1.25), (.nan, 1.25)]
        for row in rates {
            _ = play.say(.set(.rate(row.said)))
            #expect(play.machine.settings.rate == row.rate)
        }
        let volumes: [(said: Double, volume: Double)] = [(-1, 0), (9, 1.5), (0.5, 0.5), (.nan, 0.5)]
        for row in volumes {
            _ = play.say(.set(.volume(row.said)))
            #expect(play.machine.settings.volume == row.volume)
        }
        #expect(play.say(.set(.muted(true))) == [.set(.muted(true))])
        #expect(play.say(.set(.volume(1))) == [.set(.volume(1))])
    }

    @Test func theClockIsArmedWhereALoneStreamTrulyBegins() {
        // A tuner's recording: asked for 0, samples lie hours later.
        var far = Play(SourceShape(hasVideo: true))
        #expect(far.land(pts: 95_443) == [.runMonotonic(from: .seconds(95_443), rate: 1)])
        // A lead-in is intended.
        var near = Play(SourceShape(hasVideo: true))
        #expect(near.land(pts: 1.5) == [.runMonotonic(from: .zero, rate: 1)])
    }

    @Test func aStartPositionIsTheFirstLanding() {
        var machine = PlaybackStateMachine()
        #expect(machine.handle(.opened(Play.film, start: .seconds(40))) == [.begin(Epoch(1), exact(40))])
        var beyond = PlaybackStateMachine()
        #expect(beyond.handle(.opened(Play.film, start: .seconds(400))) == [.begin(Epoch(1), exact(99.9))])
    }

    @Test func whatCannotBeOpenedIsAnError() {
        var machine = PlaybackStateMachine()
        let failure = MediaError(.notMedia, "open")
        #expect(machine.handle(.openFailed(failure)) == [])
        #expect(machine.phase == .error(failure))
    }
}

@Suite struct SeekDecisionTests {
    @Test func aBroadcastsWindowMovesAndLeadsToItsEdge() {
        var play = Play.landed()
        #expect(play.say(.seekToLiveEdge, at: 10).isEmpty, "a film has no live edge")
        let window = SourceWindow(seekable: .seconds(40) ... .seconds(90), liveEdge: .seconds(90), step: .seconds(2))
        _ = play.handle(.window(window, position: .seconds(88), now: HostTime(nanoseconds: 0)))
        #expect(play.machine.shape.startTime == .seconds(40) && play.machine.shape.duration == .seconds(50))
        _ = play.say(.seekToLiveEdge, at: 50)
        // The last 0.1 s of a source is nothing to begin with.
        #expect(play.machine.seeks.inFlight?.target == .seconds(89.9))
        _ = play.land()
        _ = play.say(.seekToFraction(0.5), at: 90)
        #expect(play.machine.seeks.goal == .seconds(65) || play.machine.seeks.inFlight?.target == .seconds(65))
    }

    @Test func pauseAndPlayDuringASeekWinAtTheLanding() {
        var play = Play.landed()
        #expect(play.say(.seek(to: .seconds(50), .exact)) == [.begin(Epoch(2), exact(50))])
        #expect(play.machine.phase == .seeking)
        #expect(play.say(.pause) == [])
        #expect(play.land() == [.holdMonotonic(at: .seconds(50))])
        #expect(play.machine.phase == .paused)
        _ = play.say(.seek(to: .seconds(10), .exact))
        #expect(play.say(.play) == [])
        #expect(play.say(.pause) == [])
        #expect(play.say(.play) == [])
        #expect(play.land() == [.holdMonotonic(at: .seconds(10)), .runAudio(true)])
    }

    @Test func aSeekDuringTheLoadIsKeptAndReplayed() {
        var play = Play(unopened: ())
        for target in [20.0, 70] { #expect(play.say(.seek(to: .seconds(target), .exact)) == []) }
        #expect(play.machine.seeks.pending?.target == .seconds(70))
        #expect(play.machine.phase == .loading)
        #expect(play.handle(.opened(Play.film, start: .seconds(3))) == [.begin(Epoch(1), exact(70))])
        #expect(play.machine.seeks.pending == nil)
    }

    @Test func aFractionSaidDuringTheLoadIsKeptToo() {
        var play = Play(unopened: ())
        #expect(play.say(.seekToFraction(0.5)) == [])
        #expect(play.handle(.opened(Play.film, start: nil)) == [.begin(Epoch(1), exact(50))])
        var later = Play(unopened: ())
        _ = later.say(.seekToFraction(0.5))
        _ = later.say(.seek(to: .seconds(20), .exact))
        #expect(later.handle(.opened(Play.film, start: nil)) == [.begin(Epoch(1), exact(20))])
    }

    @Test func theLatestOfABurstWinsWithOneInFlight() {
        var play = Play.landed()
        _ = play.say(.seek(to: .seconds(10), .exact))
        for target in [20.0, 30, 40] { #expect(play.say(.seek(to: .seconds(target), .exact)) == []) }
        #expect(play.machine.epoch == Epoch(2))
        #expect(play.land() == [.begin(Epoch(3), exact(40))])
        #expect(play.land() == [.holdMonotonic(at: .seconds(40)), .runAudio(true)])
        #expect(play.machine.phase == .playing)
    }

    @Test func skipsAddUpFromWhereOneIsGoing() {
        var play = Play.landed()
        _ = play.say(.skip(by: .seconds(5), .exact), at: 10)
        for _ in 0..<3 { _ = play.say(.skip(by: .seconds(5), .exact), at: 10) }
        #expect(play.machine.seeks.pending?.target == .seconds(30))
        _ = play.say(.skip(by: .seconds(-100), .exact), at: 10)
        #expect(play.machine.seeks.pending?.target == .zero)
    }

    @Test func aSkipForwardByKeyFramesDoesNotGoBack() {
        var play = Play.landed()
        let effects = play.say(.skip(by: .seconds(5), .keyframe), at: 10)
        let landing = SeekPlan.Landing.keyframe(tolerance: SeekPlan.keyframeTolerance, floor: .seconds(10), ceiling: nil)
        #expect(effects == [.begin(Epoch(2), SeekPlan(target: .seconds(15), landing: landing))])
        // Where the key frame lies is where the clock goes on.
        _ = play.handle(.landedOnKey(play.machine.epoch))
        #expect(play.land(pts: 14).contains(.holdMonotonic(at: .seconds(14))))
    }

    @Test func staleWordsAreIgnored() {
        var play = Play.landed()
        _ = play.say(.seek(to: .seconds(50), .exact))
        let old = Epoch(1)
        let failure = MediaError(.decodeFailed, "decode")
        let events: [PlaybackEvent] = [
            .primed(.video, old, .zero), .primed(.audio, old, .zero), .finished(.video, old, at: .zero),
            .finished(.audio, old, at: .zero),
            .blocked(old), .starved(old), .lost(.audio, old, failure), .lost(.video, old, failure), .stepped(old, .zero),
            .firstFrame(old, .zero),
        ]
        for event in events { #expect(play.handle(event) == [], "\(event)") }
        #expect(play.machine.phase == .seeking)
        #expect(play.machine.awaited == [.audio, .video])
        #expect(play.machine.shape == Play.film)
    }

    @Test func aSourceThatCannotSeekSaysSo() {
        var shape = Play.film
        shape.isSeekable = false
        var play = Play.landed(shape)
        #expect(play.say(.seek(to: .seconds(50), .exact)) == [.notice("this source cannot seek")])
        #expect(play.machine.phase == .playing)
        _ = play.finish(.video)
        _ = play.finish(.audio)
        #expect(play.say(.play) == [])
        #expect(play.machine.phase == .ended)
        shape.duration = nil
        var endless = Play.landed(shape)
        #expect(endless.say(.seekToFraction(0.5)) == [.notice("the length of this source is unknown")])
    }

    @Test func aChapterIsChosenByItsNumber() {
        var play = Play.landed()
        #expect(play.say(.selectChapter(2), at: 10) == [.begin(Epoch(2), exact(60))])
        #expect(play.say(.selectChapter(3), at: 10).isEmpty)
    }

    @Test func subtitlesOfOtherFilesAloneAreRemoved() {
        var play = Play.landed()
        #expect(play.say(.removeSubtitles(TrackID(.external, 2))) == [.removeSubtitles(TrackID(.external, 2))])
        #expect(play.say(.removeSubtitles(TrackID(.container, 2))).isEmpty)
    }

    @Test(arguments: [(100, true), (899, true), (99, false), (900, false), (nil, true)])
    func pagesOfTeletextHaveThreeDigits(_ page: Int?, _ isTaken: Bool) {
        var play = Play.landed()
        #expect(play.say(.setTeletextPage(page)) == (isTaken ? [.setTeletextPage(page)] : []))
    }

    @Test func chaptersGoToTheirStarts() {
        let table: [(count: Int, at: Double, target: Double?)] = [
            (1, 0, 30), (1, 45, 60), (1, 75, nil), (-1, 45, 30), (-1, 31, 0), (-1, 1, 0), (-1, 75, 60), (-2, 61, 0), (2, 1, 60),
            (-1, 34, 30),
        ]
        for row in table {
            var play = Play.landed()
            let effects = play.say(.stepChapter(row.count), at: row.at)
            #expect(effects == (row.target.map { [.begin(Epoch(2), exact($0))] } ?? [.notice("last chapter")]), "\(row)")
        }
        var plain = Play.landed(SourceShape(duration: .seconds(9), hasVideo: true))
        #expect(plain.say(.stepChapter(1)) == [.notice("no chapters")])
    }

    @Test func anotherAudioTrackBeginsWhereOneIs() {
        let track = TrackID(.container, 2)
        var play = Play.landed()
        #expect(play.say(.selectAudioTrack(track), at: 12) == [.selectAudio(track), .begin(Epoch(2), exact(12))])
    }

    @Test func anotherAudioTrackDuringASeekKeepsItsTarget() {
        let track = TrackID(.container, 2)
        var play = Play.landed()
        _ = play.say(.seek(to: .seconds(50), .exact), at: 12)
        // The clock has no time now.
        #expect(play.say(.selectAudioTrack(track), at: 0) == [.selectAudio(track), .begin(Epoch(3), exact(50))])
        _ = play.say(.seek(to: .seconds(70), .exact), at: 0)
        #expect(play.say(.selectAudioTrack(track), at: 0) == [.selectAudio(track), .begin(Epoch(4), exact(70))])
        #expect(play.land() == [.holdMonotonic(at: .seconds(70)), .runAudio(true)])
    }

    @Test func anotherFrameBeginsWhereOneIsOrIsGoing() {
        var shape = Play.film
        shape.videoStreams = [0, 3]
        let track = TrackID(.container, 3)
        var play = Play.landed(shape)
        #expect(play.say(.selectVideoTrack(track), at: 12) == [.selectVideo(track), .begin(Epoch(2), exact(12))])
        _ = play.land()
        _ = play.say(.seek(to: .seconds(50), .exact), at: 12)
        #expect(play.say(.selectVideoTrack(TrackID(.container, 0)), at: 0).last == .begin(Epoch(4), exact(50)))
    }

    @Test func aFrameThatIsNotThereOrCannotBeGoneToIsNotChosen() {
        var shape = Play.film
        shape.videoStreams = [0]
        var play = Play.landed(shape)
        #expect(play.say(.selectVideoTrack(TrackID(.container, 9)), at: 12) == [])
        #expect(play.say(.selectVideoTrack(TrackID(.external, 0)), at: 12) == [])
        shape.isSeekable = false
        play = Play.landed(shape)
        #expect(play.say(.selectVideoTrack(TrackID(.container, 0)), at: 12) == [.notice("this source cannot seek")])
    }

    @Test func whereAudioIsSwitchedOffNoTrackCanBeChosen() {
        var shape = Play.film
        shape.hasAudio = false
        shape.canPlayAudio = false
        var play = Play.landed(shape)
        #expect(play.say(.selectAudioTrack(TrackID(.container, 2)), at: 12) == [.notice("audio is switched off")])
        #expect(play.machine.phase == .playing)
    }
}

@Suite struct EndDecisionTests {
    @Test func theEndIsWhereEverySelectedStreamIsOver() {
        var play = Play.landed()
        #expect(play.finish(.video, at: 47) == [])
        #expect(play.machine.phase == .playing)
        #expect(play.finish(.audio, at: 100) == [.holdMonotonic(at: .seconds(100))])
        #expect(play.machine.phase == .ended)
    }

    /// A header may say more than the file has: the seek leads behind the last sample.
    @Test func aSeekBehindTheLastSampleStaysPaused() {
        var shape = Play.film
        shape.hasVideo = false
        var play = Play.landed(shape)
        _ = play.say(.pause)
        _ = play.say(.seek(to: .seconds(90), .exact))
        _ = play.finish(.audio)
        #expect(play.machine.phase == .paused)
        // There is nothing to play: now it has ended, and the next file is on.
        _ = play.say(.play)
        #expect(play.machine.phase == .ended)
    }

    @Test func aPauseBeforeTheLastEventIsNoEnd() {
        var play = Play.landed()
        _ = play.finish(.video, at: 90)
        _ = play.say(.pause)
        #expect(play.finish(.audio, at: 100) == [.holdMonotonic(at: .seconds(100))])
        #expect(play.machine.phase == .paused)
        #expect(play.say(.seek(to: .seconds(50), .exact)) == [.begin(Epoch(2), exact(50))])
    }

    @Test func framesAfterTheAudioGoOnByTheMonotonicClock() {
        var play = Play.landed()
        #expect(play.finish(.audio, at: 40) == [.runMonotonic(from: nil, rate: 1)])
        #expect(play.say(.pause) == [.holdMonotonic(at: nil)])
        #expect(play.say(.play) == [.runMonotonic(from: nil, rate: 1)])
        #expect(play.say(.set(.rate(2))) == [.set(.rate(2)), .runMonotonic(from: nil, rate: 2)])
        #expect(play.finish(.video, at: 100) == [.holdMonotonic(at: .seconds(100))])
    }

    @Test func audioThatEndsJustAfterThePauseLeavesTheClockStanding() {
        var play = Play.landed()
        _ = play.say(.pause)
        #expect(play.finish(.audio, at: 40) == [.holdMonotonic(at: nil)])
        #expect(play.machine.phase == .paused)
    }

    @Test func aSeekBehindTheAudioPlaysFramesOnly() {
        var play = Play.landed()
        _ = play.say(.seek(to: .seconds(90), .exact))
        _ = play.handle(.primed(.video, play.machine.epoch, .seconds(90)))
        let effects = play.finish(.audio)
        #expect(effects == [.runMonotonic(from: .seconds(90), rate: 1)])
        #expect(play.machine.phase == .playing)
    }

    @Test func playAfterTheEndRestarts() {
        var play = Play.landed()
        _ = play.finish(.video)
        _ = play.finish(.audio)
        #expect(play.say(.pause) == [.holdMonotonic(at: nil)])
        #expect(play.machine.phase == .ended)
        #expect(play.say(.play) == [.begin(Epoch(2), exact(0))])
        #expect(play.land() == [.holdMonotonic(at: .zero), .runAudio(true)])
        _ = play.finish(.video)
        _ = play.finish(.audio)
        #expect(play.say(.togglePlayPause) == [.begin(Epoch(3), exact(0))])
    }

    @Test func aSeekAfterTheEndGoesOn() {
        var play = Play.landed()
        _ = play.finish(.video)
        _ = play.finish(.audio)
        #expect(play.say(.seek(to: .seconds(10), .exact), at: 100) == [.begin(Epoch(2), exact(10))])
        #expect(play.machine.phase == .seeking)
        #expect(play.land().last == .runAudio(true))
    }

    @Test func anEmptyStreamIsAnErrorAndNoEnd() {
        var play = Play(SourceShape(duration: .seconds(1), hasVideo: true))
        _ = play.finish(.video)
        guard case .error(let error) = play.machine.phase else {
            Issue.record("\(play.machine.phase)")
            return
        }
        #expect(error.code == .decodeFailed)
    }

    @Test func steppingPausesAndPlayFindsTheAudioAgain() {
        var play = Play.landed()
        #expect(play.say(.stepFrame(1), at: 5, shown: 4.96) == [.runAudio(false), .showNextFrame])
        #expect(play.handle(.stepped(play.machine.epoch, .seconds(5))) == [.holdMonotonic(at: .seconds(5))])
        #expect(play.machine.phase == .paused)
        #expect(play.say(.stepFrame(1), at: 5, shown: 5) == [.showNextFrame])
        _ = play.handle(.stepped(play.machine.epoch, .seconds(5.04)))
        #expect(play.say(.play, at: 5.04) == [.begin(Epoch(2), exact(5.04))])
        #expect(play.land().last == .runAudio(true))
    }

    @Test func aStepBackIsASeekToTheFrameBefore() {
        var play = Play.landed(wantsToPlay: false)
        let plan = SeekPlan(target: .seconds(4.96), landing: .frameBefore)
        #expect(play.say(.stepFrame(-1), at: 5, shown: 4.96) == [.begin(Epoch(2), plan)])
        #expect(play.land(pts: 4.92) == [.holdMonotonic(at: .seconds(4.92))])
        #expect(play.say(.stepFrame(0)) == [])
    }

    @Test func stepsWhileOneIsOnItsWayFollowIt() {
        var play = Play.landed(wantsToPlay: false)
        func back(_ seconds: Double) -> SeekPlan { SeekPlan(target: .seconds(seconds), landing: .frameBefore) }
        _ = play.say(.stepFrame(-1), at: 5, shown: 4.96)
        for _ in 0..<2 { #expect(play.say(.stepFrame(-1)) == []) }
        #expect(play.land(pts: 4.92) == [.holdMonotonic(at: .seconds(4.92)), .begin(Epoch(3), back(4.92))])
        #expect(play.land(pts: 4.88) == [.holdMonotonic(at: .seconds(4.88)), .begin(Epoch(4), back(4.88))])
        // Two on while it goes back leave one on.
        for _ in 0..<2 { _ = play.say(.stepFrame(1)) }
        #expect(play.land(pts: 4.84) == [.holdMonotonic(at: .seconds(4.84)), .showNextFrame, .showNextFrame])
    }

    @Test func aHeldKeyQueuesNoMoreThanAFewSteps() {
        var play = Play.landed(wantsToPlay: false)
        for _ in 0..<200 { _ = play.say(.stepFrame(-1), at: 5, shown: 5) }
        #expect(play.machine.seeks.steps == -SeekQueue.longestStepQueue)
    }

    @Test func playOrAnotherSeekForgetsTheStepsThatWait() {
        for command in [PlayerCommand.play, .seek(to: .seconds(50), .exact)] {
            var play = Play.landed(wantsToPlay: false)
            for _ in 0..<3 { _ = play.say(.stepFrame(-1), at: 5, shown: 5) }
            _ = play.say(command)
            #expect(play.machine.seeks.steps == 0)
        }
    }

    @Test func aStepDuringASeekPausesWhereItLands() {
        var play = Play.landed()
        _ = play.say(.seek(to: .seconds(50), .exact))
        #expect(play.say(.stepFrame(1)) == [])
        #expect(play.land(pts: 50) == [.holdMonotonic(at: .seconds(50)), .showNextFrame])
        #expect(play.machine.phase == .paused)
    }

    @Test func aStepAtTheEndStaysThere() {
        var play = Play.landed()
        _ = play.finish(.video)
        _ = play.finish(.audio)
        #expect(!play.say(.stepFrame(1)).contains(.showNextFrame))
    }
}

@Suite struct TroubleDecisionTests {
    private let gone = MediaError(.unsupported, "play audio", reason: "that track does not exist")
    private let broken = MediaError(.decodeFailed, "decode")

    @Test func lostAudioLeavesTheClockRunningFromWhereItStands() {
        var play = Play.landed()
        let effects = play.handle(.lost(.audio, play.machine.epoch, gone))
        #expect(effects == [.dropAudio, .notice("audio cannot be decoded"), .runMonotonic(from: nil, rate: 1)])
        #expect(play.machine.phase == .playing)
        #expect(play.finish(.video, at: 100) == [.holdMonotonic(at: .seconds(100))])
        #expect(play.machine.phase == .ended)
    }

    @Test func lostAudioBeforeTheLandingIsNotWaitedFor() {
        var play = Play()
        _ = play.handle(.primed(.video, play.machine.epoch, .zero))
        let effects = play.handle(.lost(.audio, play.machine.epoch, gone))
        #expect(effects.last == .runMonotonic(from: .zero, rate: 1))
        #expect(play.machine.phase == .playing)
    }

    @Test func lostAudioWhilePausedStaysPaused() {
        var play = Play.landed(wantsToPlay: false)
        let effects = play.handle(.lost(.audio, play.machine.epoch, gone))
        #expect(effects == [.dropAudio, .notice("audio cannot be decoded")])
        #expect(play.say(.play) == [.runMonotonic(from: nil, rate: 1)])
    }

    @Test func lostAudioAfterTheLastFrameIsTheEnd() {
        var play = Play.landed()
        _ = play.finish(.video, at: 90)
        let effects = play.handle(.lost(.audio, play.machine.epoch, gone))
        #expect(effects.last == .holdMonotonic(at: nil))
        #expect(play.machine.phase == .ended)
    }

    @Test func lostFramesAfterTheLastAudioAreTheEnd() {
        var play = Play.landed()
        _ = play.finish(.audio, at: 90)
        _ = play.handle(.lost(.video, play.machine.epoch, broken))
        #expect(play.machine.phase == .ended)
    }

    @Test func lostFramesLeaveTheAudio() {
        var play = Play.landed()
        let effects = play.handle(.lost(.video, play.machine.epoch, broken))
        #expect(effects == [.dropVideo, .notice("video cannot be decoded")])
        #expect(play.machine.phase == .playing)
        #expect(play.finish(.audio, at: 100) == [.holdMonotonic(at: .seconds(100))])
    }

    @Test func withNothingLeftItIsAnError() {
        var play = Play.landed()
        _ = play.handle(.lost(.video, play.machine.epoch, broken))
        _ = play.handle(.lost(.audio, play.machine.epoch, gone))
        #expect(play.machine.phase == .error(gone))
        #expect(play.say(.play) == [])
    }

    @Test func aSeekWithoutAudioWaitsForTheFrameOnly() {
        var play = Play.landed()
        _ = play.handle(.lost(.audio, play.machine.epoch, gone))
        _ = play.say(.seek(to: .seconds(50), .exact))
        #expect(play.machine.awaited == [.video])
        #expect(play.land() == [.runMonotonic(from: .seconds(50), rate: 1)])
    }

    @Test func aBlockedSourceIsNotWaitedFor() {
        var play = Play()
        _ = play.handle(.primed(.video, play.machine.epoch, .zero))
        let effects = play.handle(.blocked(play.machine.epoch))
        #expect(effects.last == .runMonotonic(from: .zero, rate: 1))
        #expect(play.machine.phase == .playing)
        #expect(play.handle(.blocked(play.machine.epoch)) == [])
        var sound = Play()
        _ = sound.machine.handle(.primed(.audio, sound.machine.epoch, .zero))
        #expect(sound.machine.handle(.blocked(sound.machine.epoch)).last == .runAudio(true))
    }

    @Test func starvingIsRebufferingUntilThereIsAudioAgain() {
        var play = Play.landed()
        #expect(play.handle(.starved(play.machine.epoch)) == [])
        #expect(play.machine.phase == .rebuffering)
        #expect(play.machine.wantsToPlay)
        #expect(play.handle(.primed(.audio, play.machine.epoch, .seconds(5))) == [])
        #expect(play.machine.phase == .playing)
        _ = play.say(.pause)
        _ = play.handle(.starved(play.machine.epoch))
        #expect(play.machine.phase == .paused)
        _ = play.say(.play)
        #expect(play.machine.phase == .playing)
    }

    @Test func starvingEndsWithTheSound() {
        var play = Play.landed()
        _ = play.handle(.starved(play.machine.epoch))
        #expect(play.finish(.audio, at: 40) == [.runMonotonic(from: nil, rate: 1)])
        #expect(play.machine.phase == .playing)
    }
}
