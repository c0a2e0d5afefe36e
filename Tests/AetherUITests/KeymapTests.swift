import AetherTerminal
import AetherUI
import Testing

@Suite struct KeymapTests {
    /// The bindings as the manual promises them.
    private static let promised: [(KeyStroke, PlayerAction)] =
        [
            (KeyStroke(" "), .togglePause), (KeyStroke("p"), .togglePause),
            (KeyStroke(.left), .seek(seconds: -5)), (KeyStroke(.right), .seek(seconds: 5)),
            (KeyStroke(.up), .seek(seconds: 60)), (KeyStroke(.down), .seek(seconds: -60)),
            (KeyStroke(.left, .shift), .seekExactly(seconds: -1)), (KeyStroke(.right, .shift), .seekExactly(seconds: 1)),
            (KeyStroke(.home), .seekToStart), (KeyStroke(.end), .seekToEnd),
            (KeyStroke("."), .stepFrame(1)), (KeyStroke(","), .stepFrame(-1)),
            (KeyStroke("l"), .markLoop), (KeyStroke("["), .slower), (KeyStroke("]"), .faster),
            (KeyStroke(.backspace), .normalSpeed),
            (KeyStroke("-"), .volumeDown), (KeyStroke("+"), .volumeUp), (KeyStroke("="), .volumeUp),
            (KeyStroke("m"), .toggleMute),
            (KeyStroke("("), .delayAudio(seconds: -0.1)), (KeyStroke(")"), .delayAudio(seconds: 0.1)),
            (KeyStroke("#"), .nextAudioTrack), (KeyStroke("j"), .nextSubtitleTrack), (KeyStroke("J"), .previousSubtitleTrack),
            (KeyStroke("v"), .toggleSubtitles), (KeyStroke(.pageUp), .stepChapter(1)), (KeyStroke(.pageDown), .stepChapter(-1)),
            (KeyStroke("o"), .toggleBar), (KeyStroke("O"), .keepSource),
            (KeyStroke(.character("O"), .alt), .toggleDownloads), (KeyStroke(.character("o"), .alt), .toggleRemaining),
            (KeyStroke("i"), .toggleTelemetry),
            (KeyStroke("a"), .showMenu(.audio)), (KeyStroke("c"), .showMenu(.subtitles)), (KeyStroke("V"), .showMenu(.video)),
            (KeyStroke("T"), .showMenu(.chapters)), (KeyStroke("P"), .showMenu(.files)), (KeyStroke("<"), .stepFile(-1)),
            (KeyStroke(">"), .stepFile(1)),
            (KeyStroke("n"), .nextRepeat), (KeyStroke("X"), .toggleShuffle), (KeyStroke("{"), .halfSpeed),
            (KeyStroke("}"), .doubleSpeed), (KeyStroke(.left, .control), .stepCue(-1)),
            (KeyStroke(.right, .control), .stepCue(1)),
            (KeyStroke("C"), .nextSecondSubtitleTrack), (KeyStroke("z"), .delaySubtitles(seconds: -0.1)),
            (KeyStroke("x"), .delaySubtitles(seconds: 0.1)), (KeyStroke("r"), .liftSubtitles(rows: 1)),
            (KeyStroke(.character("r"), .alt), .liftSubtitles(rows: -1)), (KeyStroke("R"), .toggleRecording),
            (KeyStroke(.character("R"), .alt), .recordFromHere),
            (KeyStroke("F"), .growSubtitles(-1)), (KeyStroke("G"), .growSubtitles(1)),
            (KeyStroke("L"), .toggleCueList), (KeyStroke("/"), .searchSubtitles), (KeyStroke("?"), .toggleHelp),
            (KeyStroke("I"), .nextTelemetryPage), (KeyStroke("t"), .nextTheme), (KeyStroke("q"), .quit),
            (KeyStroke(.enter), .scrub), (KeyStroke("s"), .saveStill),
            (KeyStroke("S"), .saveScreen), (KeyStroke("f"), .browse), (KeyStroke(":"), .palette),
            (KeyStroke("e"), .toggleNotices), (KeyStroke(.tab), .toggleInspector), (KeyStroke("M"), .showMenu(.player)),
            (KeyStroke("E"), .toggleEqualizer), (KeyStroke(.character("e"), .alt), .nextEqualizer),
            (KeyStroke("b"), .adjustVideo(.brightness, -1)), (KeyStroke("B"), .adjustVideo(.brightness, 1)),
            (KeyStroke("k"), .adjustVideo(.contrast, -1)), (KeyStroke("K"), .adjustVideo(.contrast, 1)),
            (KeyStroke("u"), .adjustVideo(.saturation, -1)), (KeyStroke("U"), .adjustVideo(.saturation, 1)),
            (KeyStroke("y"), .adjustVideo(.gamma, -1)), (KeyStroke("Y"), .adjustVideo(.gamma, 1)),
            (KeyStroke("N"), .resetColours), (KeyStroke("h"), .nextToneMapping), (KeyStroke("w"), .nextFit),
            (KeyStroke("A"), .nextAspect),
            (KeyStroke("d"), .showMenu(.devices)), (KeyStroke("D"), .showMenu(.titles)),
            (KeyStroke(.character("d"), .alt), .discMenu(.open)), (KeyStroke(.character("u"), .alt), .discMenu(.parent)),
            (KeyStroke("W"), .showMenu(.renderers)),
            (KeyStroke(.character("-"), .alt), .zoomVideo(-1)), (KeyStroke(.character("+"), .alt), .zoomVideo(1)),
            (KeyStroke(.character("="), .alt), .zoomVideo(1)), (KeyStroke(.backspace, .alt), .resetView),
            (KeyStroke(.left, .alt), .panVideo(.left)), (KeyStroke(.right, .alt), .panVideo(.right)),
            (KeyStroke(.up, .alt), .panVideo(.up)), (KeyStroke(.down, .alt), .panVideo(.down)),
            (KeyStroke(.character("c"), .alt), .toggleChannels), (KeyStroke("g"), .toggleGuide),
            (KeyStroke(.pageUp, .shift), .stepChannel(1)), (KeyStroke(.pageDown, .shift), .stepChannel(-1)),
            (KeyStroke(.character("i"), .alt), .showInfo), (KeyStroke(.character("i"), .control), .showInfo),
            (KeyStroke("`"), .lastChannel), (KeyStroke("*"), .toggleFavourite), (KeyStroke(.character("m"), .alt), .toggleMosaic),
        ] + (0...9).map { (KeyStroke(Character(String($0))), .seekPercent(Double($0 * 10))) }

    @Test func everyPromisedKeyDoesWhatIsPromisedAndNoOtherKeyIsBound() {
        for (stroke, action) in Self.promised {
            #expect(Keymap.standard.action(for: stroke) == action, "\(stroke.label())")
        }
        let bound = Keymap.standard.entries.flatMap(\.bindings).flatMap(\.strokes)
        #expect(Set(bound) == Set(Self.promised.map(\.0)))
        #expect(bound.count == Set(bound).count, "a key is bound twice")
    }

    @Test func everyEntryIsDescribedInOneShortLine() {
        for entry in Keymap.standard.entries {
            #expect(!entry.description.isEmpty && entry.description.count <= 26 && !entry.description.hasSuffix("."))
            #expect(!entry.description.contains("\n") && !entry.bindings.isEmpty)
            #expect(entry.keysLabel(unicode: false).allSatisfy { $0.isASCII })
        }
        #expect(Set(Keymap.standard.entries.map(\.section)) == Set(Keymap.Section.allCases))
    }

    @Test func labelsReadAsOnTheKeyboard() {
        #expect(KeyStroke(" ").label() == "Space")
        #expect(KeyStroke(.left, .shift).label() == "Shift+←")
        #expect(KeyStroke(.left, [.control, .alt]).label(unicode: false) == "Ctrl+Alt+Left")
        #expect(KeyStroke(.character("J"), .shift) == KeyStroke("J"))
        #expect(KeyStroke(.function(5)).label() == "F5")
    }
}
