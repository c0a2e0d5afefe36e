import AetherCore
import AetherEngine
import AetherLibrary
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

/// The history that is kept of a file while it plays.
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

    /// Played up to an end that was asked for, a file is not seen, but for one near its own.
    @Test(arguments: [(200.0, false), (3599, true)]) func anEarlyEndIsAPlaceToComeBackTo(_ seconds: Double, _ isSeen: Bool) {
        var watch = PlayedFile(.file("a"), endsEarly: true)
        var snapshot = film()
        (snapshot.phase, snapshot.startTime, snapshot.duration) = (.ended, .zero, .seconds(3600))
        snapshot.position = .seconds(seconds)
        _ = watch.follow(snapshot, title: "A", now: at(0))
        #expect(watch.progress?.isFinished == isSeen && watch.progress?.position == .seconds(seconds))
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

    /// Left near its present end, a recording in progress is not seen; a broadcast has no place to come back to.
    @Test(arguments: [
        (HistorySource.file("a.ts"), 0, 445), (.file("a.ts"), 6, 0), (.url("http://h/live.m3u8"), 6, 0),
        (.url("http://h/radio"), 0, 0),
    ])
    func whatIsStillBeingMadeIsNotSeen(_ source: HistorySource, _ step: Double, _ kept: Double) {
        var watch = PlayedFile(source)
        var snapshot = film()
        (snapshot.position, snapshot.duration, snapshot.startTime) = (.seconds(465), .seconds(450), .seconds(20))
        (snapshot.liveEdge, snapshot.edgeStep) = (.seconds(470), .seconds(step))
        _ = watch.follow(snapshot, title: "A", now: at(0))
        #expect(watch.progress?.isFinished == false && watch.progress?.duration == nil)
        #expect(watch.progress?.position == .seconds(kept))
        // Complete, and read to its end.
        (snapshot.phase, snapshot.liveEdge) = (.ended, nil)
        _ = watch.follow(snapshot, title: "A", now: at(1))
        #expect(watch.progress?.isFinished == true && watch.progress?.position == .seconds(450))
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
        #expect(watch.choices.settings == [.rate: .rate(1.25), .subtitleDelay: .subtitleDelay(.seconds(0.5))])
        #expect(watch.choices.audioTrack == nil)
    }

    @Test func whatWasChosenBeforeStays() {
        var prior = HistoryChoices()
        prior.settings[.rate] = .rate(1.5)
        var watch = PlayedFile(.file("a"), prior: prior)
        var snapshot = film()
        snapshot.rate = 1.5
        _ = watch.follow(snapshot, title: "A", now: at(0))
        #expect(watch.choices == prior)
        snapshot.rate = 1
        _ = watch.follow(snapshot, title: "A", now: at(1))
        #expect(watch.choices.settings == [.rate: .rate(1)])
    }

    @Test func theShapeAndTheEqualiserAreChoicesOfTheFile() throws {
        var watch = PlayedFile(.file("a"))
        var snapshot = film()
        snapshot.videoLook.view.aspect = 16.0 / 9
        _ = watch.follow(snapshot, title: "A", now: at(0))
        snapshot.videoLook.view.aspect = nil
        snapshot.equalizer = try #require(EqualizerCurve("night"))
        _ = watch.follow(snapshot, title: "A", now: at(1))
        let choices = watch.choices
        #expect(choices.settings == [.aspect: .aspect(nil), .equalizer: .equalizer(snapshot.equalizer)])
        // Told where the history answered late; nothing where it is so already.
        #expect(choices.commands(for: snapshot) == [])
        snapshot.videoLook.view.aspect = 2
        snapshot.equalizer = EqualizerCurve()
        let night = try #require(EqualizerCurve("night"))
        #expect(choices.commands(for: snapshot) == [.set(.equalizer(night)), .set(.aspect(nil))])
    }

    /// A file of subtitles that is named is shown, also where they were off the last time.
    @Test func filesOfTheCommandLineCountMoreThanWhatWasChosen() {
        var choices = HistoryChoices()
        (choices.audioTrack, choices.subtitles, choices.title) = (TrackID(.container, 2), .off, 3)
        #expect(Memory.Wishes().of(choices) == choices)
        let wishes = Memory.Wishes(audio: false, subtitles: false)
        #expect(wishes.of(choices).audioTrack == nil && wishes.of(choices).subtitles == nil && wishes.of(choices).title == 3)
    }

    /// The settings at the end of one file are not those at the beginning of the next one.
    @Test func aChoiceOfOneFileIsNotCarriedToTheNext() throws {
        let folder = try TemporaryFolder(), path = folder.path("history.sqlite")
        for name in ["a", "b"] { try Data(name.utf8).write(to: URL(filePath: folder.path(name))) }
        func item(_ name: String) -> Playlist.Item { Playlist.Item(location: .file(folder.path(name))) }
        let night = try #require(EqualizerCurve("night"))
        var snapshot = film()
        do {
            let memory = Memory(path: path, wake: WakeHandle(), patience: .seconds(60))
            var loading = LoadOptions()
            memory.begin(item("a"), &loading, wishes: Memory.Wishes(), isFirst: true)
            _ = memory.follow(snapshot, title: "A", now: at(0))
            (snapshot.rate, snapshot.equalizer, snapshot.videoLook.view.aspect) = (1.5, night, 2)
            _ = memory.follow(snapshot, title: "A", now: at(1))
            memory.close()
        }
        let memory = Memory(path: path, wake: WakeHandle(), patience: .seconds(60))
        defer { memory.close() }
        var first = LoadOptions(), second = LoadOptions()
        memory.begin(item("a"), &first, wishes: Memory.Wishes(), isFirst: true)
        #expect(first.rate == 1.5)
        #expect(first.equalizer == night && first.videoLook.view.aspect == 2)
        // Carried over, as the player does; the volume is the person's own.
        (second.rate, second.equalizer, second.videoLook.view.aspect, second.volume) = (1.5, night, 2, 0.5)
        memory.begin(item("b"), &second, wishes: Memory.Wishes(), isFirst: false)
        #expect(second.rate == 1 && second.equalizer.isFlat && second.videoLook.view.aspect == nil && second.volume == 0.5)
        var third = LoadOptions()
        third.rate = 2
        memory.begin(item("a"), &third, wishes: Memory.Wishes(settings: [.aspect]), isFirst: false)
        #expect(third.rate == 2 && third.equalizer.isFlat && third.videoLook.view.aspect == 2)
    }

    /// By the server's name alone; a file has none.
    @Test func theRateOfAServersLinkIsWhatTheNextStreamOfItBeginsWith() throws {
        let folder = try TemporaryFolder(), path = folder.path("history.sqlite")
        func item(_ url: String) -> Playlist.Item { Playlist.Item(location: .url(url)) }
        var snapshot = film(), telemetry = LiveTelemetry()
        func expected(_ item: Playlist.Item, path: String?, wishes: Memory.Wishes = Memory.Wishes()) -> Double? {
            let memory = Memory(path: path, wake: WakeHandle(), patience: .seconds(60))
            defer { memory.close() }
            var loading = LoadOptions()
            memory.begin(item, &loading, wishes: wishes, isFirst: true)
            return loading.adaptation.expectedRate
        }
        do {
            let memory = Memory(path: path, wake: WakeHandle(), patience: .seconds(60))
            var loading = LoadOptions()
            memory.begin(
                item("https://me:pass@Films.example:8443/a.m3u8?token=1"), &loading, wishes: Memory.Wishes(), isFirst: true)
            #expect(loading.adaptation.expectedRate == nil)
            for rate in [3.5, 12.25] {
                telemetry.linkEstimateMbps = rate
                snapshot.telemetry = telemetry
                _ = memory.follow(snapshot, title: "A", now: at(0))
            }
            memory.close()
        }
        #expect(expected(item("http://films.example/b.mpd"), path: path) == 12_250_000)
        // Where a file begins anew the link is the same.
        #expect(expected(item("http://films.example/b.mpd"), path: path, wishes: Memory.Wishes(resumes: false)) == 12_250_000)
        #expect(expected(item("https://other.example/b.mpd"), path: path) == nil)
        #expect(expected(item("http://films.example/b.mpd"), path: nil) == nil)
        #expect(expected(Playlist.Item(location: .file("/films.example/a.m3u8")), path: path) == nil)
    }

    @Test func choicesAreSaidToTheEngineWhereTheyDiffer() {
        let snapshot = film()
        var choices = HistoryChoices()
        #expect(choices.commands(for: snapshot) == [])
        choices.audioTrack = snapshot.audioTracks[1].id
        choices.subtitles = .track(TrackID(.container, 99))
        choices.settings[.subtitleDelay] = .subtitleDelay(.seconds(1))
        #expect(
            choices.commands(for: snapshot) == [.selectAudioTrack(snapshot.audioTracks[1].id), .set(.subtitleDelay(.seconds(1)))])
    }

    @Test func theTitleOfADiscIsKeptWithItsTracks() {
        var watch = PlayedFile(.file("a"))
        var snapshot = film()
        snapshot.titles = [1, 2].map {
            TitleInfo(id: $0, kind: .disc, name: "", startTime: .zero, duration: .seconds(60), tracks: [])
        }
        snapshot.activeTitle = 1
        _ = watch.follow(snapshot, title: "A", now: at(0))
        snapshot.activeAudioTrack = snapshot.audioTracks[1].id
        _ = watch.follow(snapshot, title: "A", now: at(1))
        #expect(watch.choices.title == 1 && watch.choices.audioTrack == snapshot.audioTracks[1].id)
        snapshot.activeTitle = 2
        _ = watch.follow(snapshot, title: "A", now: at(2))
        #expect(watch.choices.title == 2 && watch.choices.audioTrack == nil)
        var choices = HistoryChoices()
        choices.title = 1
        choices.audioTrack = snapshot.audioTracks[0].id
        #expect(choices.commands(for: snapshot) == [.selectTitle(1)])
    }

    @Test func theNoticeNamesTheKeyThatGoesToTheStart() {
        let model = AppModel(size: CellSize(columns: 80, rows: 24), now: at(0))
        #expect(
            Memory.Notice.resumed(at: .seconds(754)).words(startKey: model.startKey)
                == "Resumed at 0:12:34 · Home: start")
        #expect(Memory.Notice.resumed(at: .seconds(754)).words(startKey: nil) == "Resumed at 0:12:34")
    }
}
