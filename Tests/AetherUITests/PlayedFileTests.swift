import AetherCore
import AetherEngine
import AetherLibrary
import Testing

@testable import AetherUI

/// What is remembered of a file while it plays.
@Suite struct PlayedFileTests {
    @Test func theplaceIsKeptNowAndThenAndWhereItIsPaused() {
        var watch = PlayedFile(.file("a"))
        var snapshot = film()
        #expect(watch.progress == nil)
        #expect(watch.follow(snapshot, title: "A", now: at(0)) == nil)
        #expect(watch.nextWake == at(30))
        #expect(watch.follow(snapshot, title: "A", now: at(29)) == nil)
        do {
            let kept = watch.follow(snapshot, title: "A", now: at(30))
            #expect(kept?.position == .seconds(1800))
        }
        snapshot.phase = .paused
        snapshot.position = .seconds(1860)
        do {
            let kept = watch.follow(snapshot, title: "A", now: at(31))
            #expect(kept?.position == .seconds(1850))
        }
        #expect(watch.follow(snapshot, title: "A", now: at(300)) == nil)
        #expect(watch.nextWake == nil)
        snapshot.phase = .ended
        do {
            let kept = watch.follow(snapshot, title: "A", now: at(301))
            #expect(kept?.isFinished == true)
        }
    }

    @Test func theTimeOfTheSourceDoesNotCount() {
        var watch = PlayedFile(.file("a"))
        var snapshot = film()
        snapshot.startTime = .seconds(100)
        snapshot.position = .seconds(160)
        _ = watch.follow(snapshot, title: "A", now: at(0))
        #expect(watch.progress?.position == .seconds(60))
        snapshot.seekTarget = .seconds(50)
        _ = watch.follow(snapshot, title: "A", now: at(0))
        #expect(watch.progress?.position == .zero)
    }

    @Test func onlyWhatThePersonChoseIsAChoice() {
        var watch = PlayedFile(.file("a"))
        var snapshot = film()
        _ = watch.follow(snapshot, title: "A", now: at(0))
        #expect(watch.choices == HistoryChoices())
        snapshot.activeSubtitleTrack = nil
        snapshot.rate = 1.25
        snapshot.subtitleDelay = .seconds(0.5)
        _ = watch.follow(snapshot, title: "A", now: at(1))
        #expect(watch.choices.rate == 1.25 && watch.choices.subtitleDelay == .seconds(0.5))
        #expect(watch.choices.audioTrack == nil && watch.choices.audioDelay == nil)
    }

    @Test func whatWasChosenBeforeStays() {
        var prior = HistoryChoices()
        prior.rate = 1.5
        var watch = PlayedFile(.file("a"), prior: prior)
        var snapshot = film()
        snapshot.rate = 1.5
        _ = watch.follow(snapshot, title: "A", now: at(0))
        #expect(watch.choices == prior)
        snapshot.rate = 1
        _ = watch.follow(snapshot, title: "A", now: at(1))
        #expect(watch.choices.rate == 1)
    }

    @Test func choicesAreSaidToTheEngineWhereTheyDiffer() {
        let snapshot = film()
        var choices = HistoryChoices()
        #expect(choices.commands(for: snapshot) == [])
        choices.audioTrack = snapshot.audioTracks[1].id
        choices.subtitles = .track(TrackID(.container, 99))
        choices.subtitleDelay = .seconds(1)
        #expect(
            choices.commands(for: snapshot) == [.selectAudioTrack(snapshot.audioTracks[1].id), .setSubtitleDelay(.seconds(1))])
    }

    @Test func theNoticeNamesTheKeyThatGoesToTheStart() {
        let model = AppModel(size: CellSize(columns: 80, rows: 24), now: at(0))
        #expect(
            Memory.Notice.resumed(at: .seconds(754)).words(startKey: model.startKey)
                == "Resumed at 0:12:34 · Home: from the start")
        #expect(Memory.Notice.resumed(at: .seconds(754)).words(startKey: nil) == "Resumed at 0:12:34")
    }
}
