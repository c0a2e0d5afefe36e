import AetherCore
import AetherEngine
import Testing

@testable import AetherUI

@Suite struct PlainKeysTests {
    @Test func onlyKeysThatMeanSomethingWithoutAScreenAreTold() {
        let lines = PlainKeys.lines(.standard, unicode: true)
        for line in ["Space p: Play, pause", "o: Say the position", "E Alt+e: Equaliser; its presets"] {
            #expect(lines.contains(line), "\(line)")
        }
        for word in ["Browse", "Themes", "Search in subtitles", "Transport bar", "renderers", "Save picture"] {
            #expect(!lines.contains { $0.contains(word) }, "\(word)")
        }
    }
}

@Suite struct PlainReporterTests {
    private let first = PlaylistPosition(index: 0, count: 2, name: "demo.mkv")

    @Test func anotherOrderOfTheListIsNoOtherFileAndTheSameFileAgainIsSaid() {
        var reporter = PlainReporter(countsFrames: false), snapshot = film(), list = first
        snapshot.telemetry = LiveTelemetry()
        snapshot.telemetry?.framesShown = 120
        #expect(reporter.lines(for: snapshot, playlist: list, now: at(1)).last == "0:30:00 / 1:30:00  playing")
        (list.index, list.count, list.repeats, list.isShuffled) = (3, 5, .file, true)
        #expect(reporter.lines(for: snapshot, playlist: list, now: at(2)) == [])
        (snapshot.phase, snapshot.starts) = (.loading, 1)
        #expect(reporter.lines(for: snapshot, playlist: list, now: at(3)) == [])
        snapshot.phase = .playing
        #expect(reporter.lines(for: snapshot, playlist: list, now: at(4)).first == "Playing: The Demo (4 of 5)")
        // Between two looks it has ended and begun again.
        snapshot.starts = 2
        #expect(reporter.lines(for: snapshot, playlist: list, now: at(5)).first == "Playing: The Demo (4 of 5)")
        #expect(reporter.lines(for: snapshot, playlist: list, now: at(6)) == [])
    }

    @Test func tracksThatAreFoundLaterAreTold() {
        var reporter = PlainReporter(countsFrames: false), snapshot = film()
        let all = snapshot.subtitleTracks
        snapshot.subtitleTracks = Array(all.prefix(1))
        let lines = reporter.lines(for: snapshot, playlist: first, now: at(1))
        #expect(lines.contains("  Subtitles 1: English, SRT") && !lines.contains { $0.contains("Subtitles 2") })
        snapshot.subtitleTracks = all
        let more = reporter.lines(for: snapshot, playlist: first, now: at(2))
        #expect(more == ["  Subtitles 2: German, Signs, forced, ASS"])
        #expect(reporter.lines(for: snapshot, playlist: first, now: at(3)) == [])
    }

    @Test func aVideoIsIntroducedFollowedAndEnded() {
        var reporter = PlainReporter()
        var snapshot = EngineSnapshot()
        snapshot.phase = .loading
        #expect(reporter.lines(for: snapshot, playlist: first, now: at(0)) == [])
        snapshot = film()
        #expect(
            reporter.lines(for: snapshot, playlist: first, now: at(1)) == [
                "Playing: The Demo (1 of 2)", "  Video 1: H.264, 1280x720 (selected)",
                "  Audio 1: English, AAC stereo (selected)", "  Audio 2: German, AC-3 5.1",
                "  Subtitles 1: English, SRT", "  Subtitles 2: German, Signs, forced, ASS", "0:30:00 / 1:30:00  playing",
            ])
        #expect(reporter.nextWake == at(61))
        #expect(reporter.lines(for: snapshot, playlist: first, now: at(60.9)) == [])
        snapshot.position = .seconds(1815)
        snapshot.telemetry = LiveTelemetry()
        snapshot.telemetry?.framesShown = 120
        snapshot.telemetry?.droppedLateDecode = 2
        snapshot.rate = 1.1
        #expect(
            reporter.lines(for: snapshot, playlist: first, now: at(61)) == [
                "0:30:05 / 1:30:00  playing  speed 1.10×  120 frames  2 dropped"
            ])
        snapshot.phase = .ended
        #expect(
            reporter.lines(for: snapshot, playlist: first, now: at(62)) == [
                "0:30:05 / 1:30:00  ended  speed 1.10×  120 frames  2 dropped"
            ])
        #expect(reporter.nextWake == nil)
        #expect(reporter.lines(for: snapshot, playlist: first, now: at(100)) == [])
    }

    @Test func whatTheListCallsItGoesBeforeTheFilesOwnTitle() {
        var reporter = PlainReporter()
        let track = PlaylistPosition(index: 1, count: 2, name: "album.flac", title: "Second Song")
        #expect(reporter.lines(for: film(), playlist: track, now: at(0)).first == "Playing: Second Song (2 of 2)")
    }

    /// Two come before the file is introduced, and between two looks; another file does not say them again.
    @Test func noSentenceIsLostOrSaidTwice() {
        var reporter = PlainReporter()
        var snapshot = film(phase: .loading)
        snapshot.notices = [.init(number: 1, text: "the source broke off"), .init(number: 2, text: "audio cannot be decoded")]
        #expect(
            reporter.lines(for: snapshot, playlist: first, now: at(0)) == ["the source broke off", "audio cannot be decoded"])
        snapshot.phase = .playing
        let lines = reporter.lines(for: snapshot, playlist: first, now: at(1))
        #expect(lines.first?.hasPrefix("Playing: ") == true && !lines.contains("the source broke off"))
        snapshot.phase = .loading
        #expect(reporter.lines(for: snapshot, playlist: PlaylistPosition(index: 1, count: 2, name: "b"), now: at(2)) == [])
    }

    @Test func troubleIsSaidOnceAndWithoutControlCharacters() {
        var reporter = PlainReporter(isUnicode: false)
        var snapshot = film()
        snapshot.metadata = MediaMetadata(title: "Käse\u{1B}]0;x\u{7}\nüber alles…")
        snapshot.isSilent = true
        snapshot.notice = EngineSnapshot.Notice(number: 3, text: "skipped\r\u{9B}2J a part")
        let lines = reporter.lines(for: snapshot, playlist: first, now: at(0))
        #expect(lines.first == "Playing: Kase]0;x uber alles... (1 of 2)")
        #expect(lines.contains("No audio device: playing without audio") && lines.contains("skipped 2J a part"))
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } })
        #expect(reporter.lines(for: snapshot, playlist: first, now: at(1)) == [])
        snapshot.phase = .error(MediaError(.readFailed, "read packet", subject: "demo.mkv"))
        #expect(reporter.lines(for: snapshot, playlist: first, now: at(2)) == ["failed: cannot read packet 'demo.mkv'"])
    }
}
