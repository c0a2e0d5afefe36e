import AetherCore
import AetherEngine
import AetherTerminal
import Testing

@testable import AetherUI

/// One key pressed in one state.
struct KeyCase: Sendable, CustomTestStringConvertible {
    let name: String
    var key: KeyStroke
    var given: @Sendable (inout EngineSnapshot) -> Void = { _ in }
    let effects: [AppEffect]
    let says: String?

    var testDescription: String { name }
}

private let english = TrackID(.container, 1), german = TrackID(.container, 2)
private let englishText = TrackID(.container, 3), signs = TrackID(.container, 4)

@Suite struct AppUpdateTests {
    static let cases: [KeyCase] = [
        KeyCase(name: "space pauses", key: KeyStroke(" "), effects: [.send(.pause)], says: "Paused"),
        KeyCase(
            name: "p goes on", key: KeyStroke("p"),
            given: {
                $0.wantsToPlay = false; $0.phase = .paused
            }, effects: [.send(.play)],
            says: "Playing"),
        KeyCase(name: "right", key: KeyStroke(.right), effects: [.send(.skip(by: .seconds(5), .refined))], says: "+5 s 0:30:05"),
        KeyCase(name: "left", key: KeyStroke(.left), effects: [.send(.skip(by: .seconds(-5), .refined))], says: "-5 s 0:29:55"),
        KeyCase(name: "up", key: KeyStroke(.up), effects: [.send(.skip(by: .seconds(60), .refined))], says: "+1 min 0:31:00"),
        KeyCase(
            name: "down", key: KeyStroke(.down), effects: [.send(.skip(by: .seconds(-60), .refined))], says: "-1 min 0:29:00"),
        KeyCase(
            name: "shift right", key: KeyStroke(.right, .shift), effects: [.send(.skip(by: .seconds(1), .exact))],
            says: "+1 s 0:30:01"),
        KeyCase(
            name: "a seek is counted from a pending one", key: KeyStroke(.right), given: { $0.seekTarget = .seconds(70) },
            effects: [.send(.skip(by: .seconds(5), .refined))], says: "+5 s 0:01:05"),
        KeyCase(
            name: "left at the start", key: KeyStroke(.left), given: { $0.position = .seconds(11) },
            effects: [.send(.skip(by: .seconds(-5), .refined))], says: "-5 s 0:00:00"),
        KeyCase(
            name: "up at the end", key: KeyStroke(.up), given: { $0.position = .seconds(5400) },
            effects: [.send(.skip(by: .seconds(60), .refined))], says: "+1 min 1:30:00"),
        KeyCase(name: "3", key: KeyStroke("3"), effects: [.send(.seekToFraction(0.3))], says: "30 % 0:27:00"),
        KeyCase(
            name: "3 without a duration", key: KeyStroke("3"), given: { $0.duration = nil }, effects: [],
            says: "The duration is unknown"),
        KeyCase(
            name: "3 while loading", key: KeyStroke("3"),
            given: {
                $0 = EngineSnapshot(); $0.phase = .loading
            },
            effects: [.send(.seekToFraction(0.3))], says: "30 %"),
        KeyCase(name: "home", key: KeyStroke(.home), effects: [.send(.seekToFraction(0))], says: "Start"),
        KeyCase(name: "end", key: KeyStroke(.end), effects: [.send(.seekToFraction(1))], says: "End"),
        KeyCase(
            name: "right where one cannot seek", key: KeyStroke(.right), given: { $0.isSeekable = false }, effects: [],
            says: "This source cannot seek"),
        KeyCase(name: ".", key: KeyStroke("."), effects: [.send(.stepFrame(1))], says: "Frame forward"),
        KeyCase(name: ",", key: KeyStroke(","), effects: [.send(.stepFrame(-1))], says: "Frame back"),
        KeyCase(name: "]", key: KeyStroke("]"), effects: [.send(.set(.rate(1.1)))], says: "Speed 1.10×"),
        KeyCase(name: "] at the top", key: KeyStroke("]"), given: { $0.rate = 4 }, effects: [], says: "Speed 4.00×"),
        KeyCase(
            name: "[ at the bottom", key: KeyStroke("["), given: { $0.rate = 0.26 }, effects: [.send(.set(.rate(0.25)))],
            says: "Speed 0.25×"),
        KeyCase(
            name: "backspace", key: KeyStroke(.backspace), given: { $0.rate = 2 }, effects: [.send(.set(.rate(1)))],
            says: "Speed 1.00×"),
        KeyCase(name: "-", key: KeyStroke("-"), effects: [.send(.set(.volume(0.95)))], says: "Volume 95 %"),
        KeyCase(name: "=", key: KeyStroke("="), effects: [.send(.set(.volume(1.05)))], says: "Volume 105 %"),
        KeyCase(name: "+ at the top", key: KeyStroke("+"), given: { $0.volume = 1.5 }, effects: [], says: "Volume 150 %"),
        KeyCase(name: "- at the bottom", key: KeyStroke("-"), given: { $0.volume = 0 }, effects: [], says: "Volume 0 %"),
        KeyCase(
            name: "+ while muted", key: KeyStroke("+"),
            given: {
                $0.isMuted = true; $0.volume = 0.5
            },
            effects: [.send(.set(.volume(0.55)))], says: "Volume 55 % (muted)"),
        KeyCase(name: "m", key: KeyStroke("m"), effects: [.send(.set(.muted(true)))], says: "Muted"),
        KeyCase(
            name: "m again", key: KeyStroke("m"), given: { $0.isMuted = true }, effects: [.send(.set(.muted(false)))],
            says: "Volume 100 %"),
        KeyCase(name: "#", key: KeyStroke("#"), effects: [.send(.selectAudioTrack(german))], says: "Audio 2/2: German, AC-3 5.1"),
        KeyCase(
            name: "# at the last", key: KeyStroke("#"), given: { $0.activeAudioTrack = german },
            effects: [.send(.selectAudioTrack(english))], says: "Audio 1/2: English, AAC stereo"),
        KeyCase(
            name: "# with one track", key: KeyStroke("#"), given: { $0.audioTracks.removeLast() }, effects: [],
            says: "Audio 1/1: English, AAC stereo"),
        KeyCase(
            name: "# without tracks", key: KeyStroke("#"), given: { $0.audioTracks = [] }, effects: [], says: "No audio track"),
        KeyCase(
            name: "j", key: KeyStroke("j"), effects: [.send(.selectSubtitleTrack(englishText))],
            says: "Subtitles 1/2: English, SRT"),
        KeyCase(
            name: "j at the last", key: KeyStroke("j"), given: { $0.activeSubtitleTrack = signs },
            effects: [.send(.selectSubtitleTrack(nil))], says: "Subtitles off"),
        KeyCase(
            name: "J", key: KeyStroke("J"), effects: [.send(.selectSubtitleTrack(signs))],
            says: "Subtitles 2/2: German, Signs, forced, ASS"),
        KeyCase(
            name: "v", key: KeyStroke("v"), effects: [.send(.selectSubtitleTrack(englishText))],
            says: "Subtitles 1/2: English, SRT"),
        KeyCase(
            name: "v without tracks", key: KeyStroke("v"), given: { $0.subtitleTracks = [] }, effects: [], says: "No subtitles"),
        KeyCase(name: "page up", key: KeyStroke(.pageUp), effects: [.send(.stepChapter(1))], says: "Chapter 3/3"),
        KeyCase(
            name: "page up in the last chapter", key: KeyStroke(.pageUp), given: { $0.position = .seconds(4100) }, effects: [],
            says: "No further chapter"),
        KeyCase(
            name: "page down deep in a chapter", key: KeyStroke(.pageDown), effects: [.send(.stepChapter(-1))],
            says: "Chapter 2/3: Middle"),
        KeyCase(
            name: "page down just after a chapter's start", key: KeyStroke(.pageDown), given: { $0.position = .seconds(1362) },
            effects: [.send(.stepChapter(-1))], says: "Chapter 1/3: Start"),
        KeyCase(
            name: "page up without chapters", key: KeyStroke(.pageUp), given: { $0.chapters = [] }, effects: [],
            says: "No chapters"),
        KeyCase(name: "Alt+o", key: KeyStroke(.character("o"), .alt), effects: [], says: "Time: remaining"),
        KeyCase(name: "q", key: KeyStroke("q"), effects: [.quit], says: nil),
        KeyCase(name: "a key without a meaning", key: KeyStroke("Z"), effects: [], says: nil),
    ]

    @Test(arguments: cases)
    func aKeySendsItsCommandAndSaysWhatItDid(_ given: KeyCase) {
        var snapshot = film()
        given.given(&snapshot)
        var model = model(snapshot)
        #expect(model.update(.key(given.key), now: at(1)) == given.effects + [.redraw])
        #expect(model.message?.text == given.says)
    }

    @Test func tenStepsUpAndTenDownEndAtNormalSpeed() {
        var model = model()
        for key in Array(repeating: "]", count: 10) + Array(repeating: "[", count: 10) {
            _ = model.update(.key(KeyStroke(Character(key))), now: at(1))
        }
        #expect(model.snapshot.rate == 1)
    }

    @Test func quickStrokesAddUpAlthoughSnapshotsLagBehind() {
        var model = model()
        for step in 1...4 {
            let effects = model.update(.key(KeyStroke("-")), now: at(0.02 * Double(step)))
            #expect(effects == [.send(.set(.volume(1 - 0.05 * Double(step)))), .redraw])
            _ = model.update(.snapshot(film()), now: at(0.02 * Double(step) + 0.01))
            #expect(model.snapshot.volume == 1 - 0.05 * Double(step))
        }
        // An engine that never obeys is believed after half a second.
        _ = model.update(.snapshot(film()), now: at(0.7))
        #expect(model.snapshot.volume == 1)
    }

    @Test func aTargetIsShownUntilTheEngineHasLanded() {
        var model = model()
        _ = model.update(.key(KeyStroke(.right)), now: at(1))
        _ = model.update(.snapshot(film()), now: at(1.01))
        #expect(model.elapsed == .seconds(1805))
        var seeking = film(phase: .seeking)
        seeking.seekTarget = .seconds(1815)
        _ = model.update(.snapshot(seeking), now: at(1.02))
        var landed = film()
        landed.position = .seconds(1815.2)
        _ = model.update(.snapshot(landed), now: at(1.1))
        #expect(model.elapsed == .seconds(1805.2))
    }

    @Test func theFirstFrameIsBareAndASlowSourceBringsTheBar() {
        var model = AppModel(size: CellSize(columns: 80, rows: 24), now: at(0))
        #expect(!model.isBarVisible)
        #expect(model.nextWake(after: at(0)) == at(0.5))
        var quick = model
        _ = quick.update(.snapshot(film()), now: at(0.1))
        _ = quick.update(.tick, now: at(1))
        #expect(!quick.isBarVisible)
        #expect(model.update(.tick, now: at(0.5)) == [.redraw])
        #expect(model.isBarVisible)
        _ = model.update(.snapshot(film()), now: at(3))
        #expect(!model.isBarVisible)
    }

    @Test func theBarHidesAfterFourSecondsOfPlayingAndAKeyBringsItBack() {
        var model = model()
        #expect(model.isBarVisible)
        _ = model.update(.tick, now: at(3.9))
        #expect(model.isBarVisible)
        #expect(model.update(.tick, now: at(4)) == [.redraw])
        #expect(!model.isBarVisible)
        _ = model.update(.key(KeyStroke("Z")), now: at(10))
        #expect(model.isBarVisible)
        _ = model.update(.tick, now: at(14))
        #expect(!model.isBarVisible)
    }

    @Test func theBarStaysWhilePausedAndForFourSecondsAfter() {
        var model = model()
        _ = model.update(.tick, now: at(5))
        _ = model.update(.key(KeyStroke(" ")), now: at(6))
        _ = model.update(.snapshot(film(phase: .paused)), now: at(6.1))
        _ = model.update(.tick, now: at(100))
        #expect(model.isBarVisible)
        _ = model.update(.key(KeyStroke(" ")), now: at(101))
        _ = model.update(.snapshot(film()), now: at(101.1))
        _ = model.update(.tick, now: at(104))
        #expect(model.isBarVisible)
        _ = model.update(.tick, now: at(105.2))
        #expect(!model.isBarVisible)
    }

    @Test func aBarThatIsOffStaysOffAndActionsAnswerInALine() throws {
        var model = model()
        _ = model.update(.key(KeyStroke("o")), now: at(1))
        #expect(!model.isBarVisible)
        _ = model.update(.key(KeyStroke("-")), now: at(2))
        #expect(!model.isBarVisible)
        let answering = try rendered(model)
        // Three rows above the edge: the last rows of the picture stay free.
        #expect(answering[answering.count - 4].hasPrefix(" Volume 95 % ·"))
        _ = model.update(.tick, now: at(3.5))
        #expect(model.message == nil)
        let silent = try rendered(model)
        #expect(Set(silent.joined()) == ["·"])
        _ = model.update(.key(KeyStroke("o")), now: at(5))
        #expect(model.isBarVisible)
    }

    @Test func anAutomaticallyHiddenBarIsBroughtBackByItsKey() {
        var model = model()
        _ = model.update(.tick, now: at(5))
        _ = model.update(.key(KeyStroke("o")), now: at(6))
        #expect(model.isBarVisible && model.barMode == .automatic)
    }

    @Test func eachNoticeIsShownOnceAndBringsTheBarBack() {
        var model = model()
        _ = model.update(.tick, now: at(5))
        var snapshot = film()
        snapshot.notice = EngineSnapshot.Notice(number: 1, text: "skipped a damaged\u{1B}[2J part")
        #expect(model.update(.snapshot(snapshot), now: at(6)) == [.redraw])
        #expect(model.message?.text == "skipped a damaged[2J part" && model.message?.isNotice == true)
        #expect(model.isBarVisible)
        _ = model.update(.tick, now: at(11))
        #expect(model.message == nil)
        _ = model.update(.snapshot(snapshot), now: at(12))
        #expect(model.message == nil)
        snapshot.notice = EngineSnapshot.Notice(number: 2, text: "again")
        _ = model.update(.snapshot(snapshot), now: at(13))
        #expect(model.message?.text == "again")
    }

    @Test func silenceIsSaidWhenTheBarIsLookedAtAndCoversNoFrameBefore() {
        var model = AppModel(size: CellSize(columns: 80, rows: 24), now: at(0))
        var snapshot = film()
        snapshot.isSilent = true
        _ = model.update(.snapshot(snapshot), now: at(1))
        #expect(!model.isBarVisible && model.message == nil)
        _ = model.update(.key(KeyStroke("Z")), now: at(2))
        #expect(model.isBarVisible && model.message?.text == "No audio device: playing without audio")
    }

    @Test func silenceIsSaidOncePerFile() {
        var model = model()
        var snapshot = film()
        snapshot.isSilent = true
        _ = model.update(.snapshot(snapshot), now: at(1))
        #expect(model.message?.text == "No audio device: playing without audio")
        _ = model.update(.tick, now: at(7))
        _ = model.update(.snapshot(snapshot), now: at(8))
        #expect(model.message == nil)
        _ = model.update(.playlist(PlaylistPosition(index: 1, count: 2, name: "next.mkv")), now: at(9))
        _ = model.update(.snapshot(snapshot), now: at(10))
        #expect(model.message != nil)
    }

    @Test func theEndAndAFailureAreToldOnce() {
        var model = model()
        #expect(model.update(.snapshot(film(phase: .ended)), now: at(1)).contains(.fileEnded))
        #expect(!model.update(.snapshot(film(phase: .ended)), now: at(2)).contains(.fileEnded))
        let error = MediaError(.readFailed, "read packet", reason: "Input/output error")
        _ = model.update(.snapshot(film()), now: at(3))
        #expect(model.update(.snapshot(film(phase: .error(error))), now: at(4)).contains(.fileFailed(error)))
        #expect(!model.update(.snapshot(film(phase: .error(error))), now: at(5)).contains(.fileFailed(error)))
        #expect(model.message?.text == "cannot read packet: Input/output error")
    }

    @Test func subtitlesComeBackWithTheTrackThatWasOnLast() {
        var model = model()
        _ = model.update(.key(KeyStroke("J")), now: at(1))
        #expect(model.update(.key(KeyStroke("v")), now: at(2)).first == .send(.selectSubtitleTrack(nil)))
        #expect(model.update(.key(KeyStroke("v")), now: at(3)).first == .send(.selectSubtitleTrack(signs)))
    }

    @Test func aHiddenBarIsNotRedrawnForASnapshotThatChangesNothingVisible() {
        var model = model()
        _ = model.update(.tick, now: at(5))
        var snapshot = film()
        snapshot.position = .seconds(1900)
        #expect(model.update(.snapshot(snapshot), now: at(6)) == [])
        snapshot.visibleCues = [SubtitleCue(id: 1, track: signs, start: .zero, end: .zero, body: .text("Hello"))]
        #expect(model.update(.snapshot(snapshot), now: at(6)) == [.redraw])
        #expect(model.update(.snapshot(snapshot), now: at(6)) == [])
    }

    @Test func itWakesForItsDeadlinesAndNotOtherwise() {
        var model = model()
        // 1:30:00 on 80 columns: the line moves every 8.4 s, the clock every second.
        #expect(model.nextWake(after: at(0)) == at(1))
        _ = model.update(.tick, now: at(5))
        #expect(model.nextWake(after: at(5)) == nil)
        _ = model.update(.key(KeyStroke("o")), now: at(5))
        _ = model.update(.key(KeyStroke("o")), now: at(5.1))
        #expect(model.nextWake(after: at(5.1)) == at(6.6))
    }

    @Test(arguments: Keymap.standard.entries.flatMap(\.bindings).map(\.action).filter { $0 != .quit && !$0.opensMenu })
    func everyActionSaysItselfWhereTheBarIsHidden(_ action: PlayerAction) throws {
        for phase in [PlaybackPhase.playing, .paused, .loading, .seeking, .ended] {
            for snapshot in [film(phase: phase), EngineSnapshot()] {
                var model = model(snapshot)
                _ = model.update(.key(KeyStroke("o")), now: at(1))
                _ = model.update(.tick, now: at(9))
                #expect(!model.isBarVisible && model.message == nil)
                let effects = model.update(.action(action), now: at(10))
                // A pane says itself what it is, also one that waits for its list.
                if effects.contains(.listThemes) { continue }
                if !model.layers.order.isEmpty, model.message == nil { continue }
                let text = try #require(model.message?.text)
                #expect((3...60).contains(text.count))
            }
        }
    }

    @Test func afterATickItNeverWakesAtOnceAgain() {
        for phase in [PlaybackPhase.idle, .playing, .paused, .seeking, .rebuffering, .ended] {
            for key in Keymap.standard.entries.flatMap(\.bindings).flatMap(\.strokes) {
                for seconds in [0.0, 1.5, 3.99, 4, 5, 100] {
                    var model = model(film(phase: phase))
                    _ = model.update(.key(key), now: at(0))
                    _ = model.update(.tick, now: at(seconds))
                    if let wake = model.nextWake(after: at(seconds)) {
                        #expect(wake > at(seconds), "\(phase) \(key.label()) \(seconds)")
                    }
                }
            }
        }
    }

    @Test func theNextFileStartsAnewButKeepsVolumeAndSpeed() {
        var model = model()
        _ = model.update(.key(KeyStroke("-")), now: at(1))
        let error = MediaError(.notMedia, "open", subject: "a")
        var failed = film(phase: .error(error))
        failed.volume = 0.95
        _ = model.update(.snapshot(failed), now: at(2))
        _ = model.update(.playlist(PlaylistPosition(index: 1, count: 2, name: "b.mkv")), now: at(3))
        #expect(model.snapshot.volume == 0.95 && model.title == "b.mkv" && model.snapshot.duration == nil)
        #expect(model.update(.snapshot(failed), now: at(4)).contains(.fileFailed(error)))
    }

    @Test func aResizeToNothingIsAtLeastOneCell() {
        var model = model()
        #expect(model.update(.resize(CellSize(columns: 0, rows: -4)), now: at(1)) == [.redraw])
        #expect(model.size == CellSize(columns: 1, rows: 1))
    }

    /// A terminal that answers every frame wakes the player all the time: that puts nothing off.
    @Test func theBarIsDueWhateverElseHappens() throws {
        let model = model()
        let due = try #require(model.nextWake(after: at(0)))
        #expect(due > at(0) && due <= at(1))
        #expect(model.nextWake(after: at(0.04)) == due)
        #expect(model.nextWake(after: at(1.3)) == at(1.3))
    }

    /// The bar is hidden, and what was said is read at its time.
    @Test func aCueIsDueWhateverElseHappens() {
        var snapshot = film()
        snapshot.phase = .playing
        snapshot.nextCueChange = snapshot.position + .seconds(2)
        // No model has a bar before a key.
        var model = AppModel(size: CellSize(columns: 80, rows: 24), now: at(0))
        _ = model.update(.snapshot(snapshot), now: at(5))
        #expect(!model.isBarVisible)
        for later in [0, 0.04, 0.9, 1.99] { #expect(model.nextWake(after: at(5 + later)) == at(7), "\(later)") }
        #expect(model.nextWake(after: at(7.5)) == at(7.5))
        snapshot.rate = 2
        _ = model.update(.snapshot(snapshot), now: at(8))
        #expect(model.nextWake(after: at(8.4)) == at(9))
    }
}

extension PlayerAction {
    /// A menu says itself by being there.
    fileprivate var opensMenu: Bool {
        if case .showMenu = self { return true }
        return false
    }
}
