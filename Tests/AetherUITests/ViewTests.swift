import AetherCore
import AetherEngine
import AetherTerminal
import AetherTestSupport
import Testing

@testable import AetherUI

/// The film with a subtitle track selected, a little fast.
private func busyFilm() -> EngineSnapshot {
    var snapshot = film()
    snapshot.activeSubtitleTrack = TrackID(.container, 4)
    snapshot.rate = 1.1
    return snapshot
}

/// The rows that are not picture only.
private func covered(_ model: AppModel) throws -> [String] {
    try rendered(model).filter { row in row.contains { $0 != "·" } }
}

/// The model after a key.
private func pressed(_ key: String, _ model: AppModel) -> AppModel {
    var model = model
    _ = model.update(.key(KeyStroke(Character(key))), now: at(1))
    return model
}

@Suite struct TransportBarTests {
    struct Golden: Sendable, CustomTestStringConvertible {
        let columns, rows: Int
        var isUnicode = true, hasColor = true
        let expected: [String]
        var testDescription: String { "\(columns)x\(rows)\(isUnicode ? "" : " ASCII")\(hasColor ? "" : " mono")" }
    }

    @Test(arguments: [
        Golden(
            columns: 120, rows: 24,
            expected: [
                " The Demo  Middle                                                   1.10×  Audio 1/2 English  Sub 2/2 German  Vol 100 % ",
                " ▶  0:30:00 ████████████████████████│████████████████████████▌████████████████████████│████████████████████████ 1:30:00 ",
            ]),
        Golden(
            columns: 80, rows: 24,
            expected: [
                " The Demo  Middle           1.10×  Audio 1/2 English  Sub 2/2 German  Vol 100 % ",
                " ▶  0:30:00 ██████████████│████▋█████████▌██████████████│██████████████ 1:30:00 ",
            ]),
        Golden(
            columns: 80, rows: 24, isUnicode: false,
            expected: [
                " The Demo  Middle           1.10x  Audio 1/2 English  Sub 2/2 German  Vol 100 % ",
                " >  0:30:00 ==============|====>----------..............|.............. 1:30:00 ",
            ]),
        Golden(
            columns: 80, rows: 24, hasColor: false,
            expected: [
                " The Demo  Middle           1.10×  Audio 1/2 English  Sub 2/2 German  Vol 100 % ",
                " ▶  0:30:00 ██████████████│█████▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░░░░░│░░░░░░░░░░░░░░ 1:30:00 ",
            ]),
        Golden(
            columns: 40, rows: 12,
            expected: [
                " The Demo  Middle      1.10×  Vol 100 % ", " ▶  0:30:00 ████│█▍██▌████│████ 1:30:00 ",
            ]),
        Golden(columns: 24, rows: 6, expected: [" The Demo     Vol 100 % ", " ▶  0:30:00     1:30:00 "]),
        Golden(columns: 16, rows: 4, expected: ["▶  0:30:00      "]),
        Golden(columns: 8, rows: 2, expected: ["▶  0:30:"]),
        Golden(columns: 1, rows: 1, expected: ["▶"]),
    ])
    func theBarFitsItsSize(_ golden: Golden) throws {
        let model = model(
            busyFilm(), columns: golden.columns, rows: golden.rows, isUnicode: golden.isUnicode, hasColor: golden.hasColor)
        let rows = try covered(model)
        #expect(rows == golden.expected)
    }

    @Test(arguments: [
        (PlaybackPhase.paused, false, "▍▍ 0:30:00 "), (.seeking, true, "»  0:30:00 "), (.rebuffering, true, "…  0:30:00 "),
        (.ended, false, "■  0:30:00 "), (.error(MediaError(.readFailed, "read")), false, "!  0:30:00 "),
        (.playing, false, "▍▍ 0:30:00 "),
        (.paused, true, "▶  0:30:00 "),
    ])
    func theStateHasItsSign(_ phase: PlaybackPhase, _ wantsToPlay: Bool, _ expected: String) throws {
        var snapshot = film(phase: phase)
        snapshot.wantsToPlay = wantsToPlay
        let row = try #require(try rendered(model(snapshot)).last)
        #expect(row.hasPrefix(" " + expected))
    }

    @Test func remainingTimeAndPositionAddUp() throws {
        var snapshot = film()
        snapshot.position = .seconds(1810.6)
        var model = model(snapshot)
        _ = model.update(.action(.toggleRemaining), now: at(1))
        let row = try #require(try rendered(model).last)
        #expect(row.hasPrefix(" ▶  0:30:00 ") && row.hasSuffix(" -1:00:00 "))
    }

    @Test func anUnknownDurationIsBlankAndTheLineStaysEmpty() throws {
        var snapshot = film()
        snapshot.duration = nil
        let model = model(snapshot, columns: 40)
        let row = try #require(try rendered(model).last)
        #expect(row == " ▶  0:30:00 " + String(repeating: "█", count: 27) + " ")
        let roles = TransportBar.pane(model.scene)?.runs.filter { $0.text.hasPrefix("█") }.map(\.role)
        #expect(roles == [ProgressRole.rest.chromeRole])
    }

    @Test func mutedAndSilentAreSaid() throws {
        var snapshot = film()
        snapshot.isMuted = true
        let muted = try covered(model(snapshot))
        #expect(muted[0].hasSuffix(" Muted "))
        snapshot.isSilent = true
        var model = model(snapshot)
        _ = model.update(.tick, now: at(6))
        _ = model.update(.key(KeyStroke("Z")), now: at(7))
        let silent = try covered(model)
        #expect(silent[0].hasSuffix(" No audio "))
    }

    @Test func aLongTitleIsCutAndAListIsCounted() throws {
        var snapshot = film()
        snapshot.metadata = MediaMetadata(title: String(repeating: "長い題名 ", count: 40))
        var model = model()
        _ = model.update(.playlist(PlaylistPosition(index: 1, count: 12, name: "a.mkv")), now: at(1))
        _ = model.update(.snapshot(snapshot), now: at(1))
        let row = try covered(model)[0]
        #expect(row.hasPrefix(" 2/12  長い題名 ") && row.contains("…") && row.hasSuffix("Vol 100 % "))
        #expect(ChromeText.columns(of: row) == 80)
    }

    @Test func aFileWithoutTagsIsShownByItsName() {
        var snapshot = film()
        snapshot.metadata = MediaMetadata()
        #expect(model(snapshot).title == "demo.mkv")
        snapshot.metadata = MediaMetadata(title: "Song", artist: "Singer")
        #expect(model(snapshot).title == "Song")
        (snapshot.videoTracks, snapshot.activeVideoTrack) = ([], nil)
        #expect(model(snapshot).title == "Singer – Song")
    }
}

@Suite struct ProgressLineTests {
    private func text(_ line: ProgressLine) -> String { line.runs(column: 0, row: 0).map(\.text).joined() }

    @Test(arguments: [
        (0.0, "████"), (0.03125, "▏███"), (0.5 / 4, "▌███"), (0.25, "████"), (0.9999, "████"), (1, "████"), (7, "████"),
        (-3, "████"),
        (.nan, "████"), (.infinity, "████"), (5.0 / 32, "▋███"),
    ])
    func theBorderIsAnEighthOfACellPrecise(_ played: Double, _ expected: String) {
        #expect(text(ProgressLine(width: 4, played: played, buffered: 0, ticks: [], look: .colors)) == expected)
    }

    @Test func advertisementsAndMissingPartsAreDrawnInTheLine() {
        for (look, expected) in [(ProgressLine.Look.colors, "██▂▂██╌█"), (.shades, "██▂▂░░╌░"), (.ascii, "==##>._.")] {
            let line = ProgressLine(
                width: 8, played: look == .ascii ? 0.5 : 0.25, buffered: 0, ticks: [], look: look,
                breaks: [0.25...0.49, 1.5...2],
                gaps: [0.75...0.8])
            #expect(text(line) == expected)
        }
    }

    @Test func stretchesHaveTheirColours() {
        let runs = ProgressLine(width: 8, played: 0.1875, buffered: 0.5625, ticks: [0.01, 0.4, 0.9, 0, 1, .nan], look: .colors)
            .runs(column: 5, row: 2)
        #expect(runs.map(\.text) == ["│", "▌", "█", "│", "▌", "██", "│"])
        #expect(runs.map(\.column) == [5, 6, 7, 8, 9, 10, 12] && runs.allSatisfy { $0.row == 2 })
        let roles: [ProgressRole] = [
            .tickOnPlayed, .playedOverBuffered, .buffered, .tickOnBuffered, .bufferedOverRest, .rest, .tickOnRest,
        ]
        #expect(runs.map(\.role) == roles.map(\.chromeRole))
    }

    @Test func inASCIITheHeadIsAlwaysThere() {
        for (played, expected) in [(0.0, ">---...."), (0.5, "====>..."), (1.0, "========")] {
            #expect(text(ProgressLine(width: 8, played: played, buffered: 0.5, ticks: [], look: .ascii)) == expected)
        }
        #expect(text(ProgressLine(width: 0, played: 0.5, buffered: 1, ticks: [0.5], look: .ascii)) == "")
    }
}

@Suite struct PaneTests {
    @Test func theHelpFillsAScreenOf80x24() throws {
        let rows = try rendered(pressed("?", model()))
        #expect(rows.allSatisfy { ChromeText.columns(of: $0) == 80 })
        expectGolden(text: rows.joined(separator: "\n"), "help-80x24")
    }

    @Test(arguments: [(40, 3), (24, 6), (20, 5), (40, 7)])
    func theHelpOfALowWindowCoversAllOfTheBar(_ columns: Int, _ rows: Int) throws {
        let rows = try rendered(pressed("?", model(columns: columns, rows: rows)))
        #expect(rows.contains { $0.contains("Playback") }, "\(rows)")
        #expect(!rows.contains { $0.contains("0:30") }, "no halves of the bar")
    }

    @Test func theHelpSaysWhatOneCanDo() throws {
        let rows = try rendered(pressed("?", model(columns: 40, rows: 12)))
        #expect(rows.contains { $0.contains("scroll") && $0.contains("/ filter") })
        expectGolden(text: rows.joined(separator: "\n"), "help-40x12")
    }

    @Test func theTelemetryPaneSaysWhoDecodesAndWhy() throws {
        var live = LiveTelemetry()
        (live.videoDecoder, live.videoDecoderReason) = ("vp9, VA-API", "VA-API decodes: 1.2 ms of CPU a frame")
        var snapshot = film()
        snapshot.telemetry = live
        let rows = try rendered(pressed("i", model(snapshot)))
        #expect(rows[2].hasPrefix(" Video       vp9, VA-API "))
        #expect(rows[5].hasPrefix(" Decoding    VA-API decodes: 1.2 ms of CPU a frame "))
    }

    @Test func theTelemetryPaneSaysWhatBecomesOfAtmosObjects() throws {
        func rows(_ kind: AudioOutputRoute.Kind) throws -> [String] {
            var snapshot = film()
            snapshot.audioTracks = [
                TrackInfo(id: TrackID(.container, 1), kind: .audio, codec: "eac3", channels: 6, isAtmos: true)
            ]
            snapshot.activeAudioTrack = TrackID(.container, 1)
            snapshot.audioOutputRoute = AudioOutputRoute(
                kind: kind, device: "hdmi", format: AudioFormat(sampleRate: 48000, channelCount: 2),
                sourceChannels: AudioChannel.usual(6))
            return try rendered(pressed("i", model(snapshot))).filter { $0.hasPrefix(" Atmos") }
        }
        #expect(try rows(.pcm).map { $0.prefix(48) } == [" Atmos       objects are mixed into the channels"])
        #expect(try rows(.passthrough(codec: "eac3")).map { $0.prefix(33) } == [" Atmos       objects pass through"])
    }

    @Test func theTelemetryPaneShowsWhatIsMeasuredIn80x24() throws {
        var live = LiveTelemetry()
        (live.observedFps, live.framesShown) = (23.976, 1440)
        (live.droppedLateDecode, live.droppedSlowEncode, live.droppedSlowTerminal) = (0, 1, 2)
        (live.avSyncGapMs, live.alsaDelayMs, live.alsaXruns, live.clockRatePPM) = (-3.24, 45.1, 0, 12.4)
        (live.terminalBytesPerSecond, live.forwardBufferSeconds, live.queuedBytes) = (4_812_345, 4.21, 3_120_000)
        (live.decodeMs, live.writeMs) = (Percentiles(p50: 2.134, p95: 13.5, p99: 20), Percentiles(p50: 0.1, p95: 0.2, p99: 1))
        (live.rssMb, live.cpuLoad) = (85, 0.34)
        (live.videoDecoder, live.renderer, live.audioDecoder, live.audioDevice) = ("h264", "halfblock", "aac", "def\u{1B}ault")
        var snapshot = film()
        snapshot.telemetry = live
        let rows = try rendered(pressed("i", model(snapshot)))
        #expect(
            rows.prefix(18).map { String($0.prefix(62)) } == [
                " Telemetry   I next page  Esc close" + String(repeating: " ", count: 27),
                " Source      matroska,webm  1280x720  23.976 fps              ",
                " Video       h264  drawn as halfblock                         ",
                " Audio       aac  on default                                  ",
                " Route       –                                                ",
                " Shown       23.98 fps  1440 frames                           ",
                " Dropped     3  late decode 0  slow encode 1  slow terminal 2 ",
                " Errors      –                                                ",
                " A/V gap     -3.2 ms                                          ",
                " Device      delay 45.1 ms  xruns 0  clock +12 ppm            ",
                " Terminal    4.81 MB/s                                        ",
                " Decode      p50   2.13  p95  13.50  p99  20.00 ms            ",
                " Scale       –                                                ",
                " Encode      –                                                ",
                " Write       p50   0.10  p95   0.20  p99   1.00 ms            ",
                " Buffers     4.2 s ahead  3.12 MB queued                      ",
                " Bitrate     –                                                ",
                " Process     85 MiB  CPU 34 %                                 ",
            ])
        #expect(!rows[18].contains("MiB"), "the edge of the pane")
        let warned = TelemetryPane.pane(.overview, pressed("i", model(snapshot)).scene)?.runs.filter {
            $0.role == ThemeRole.paneWarning.chromeRole
        }
        #expect(warned?.map(\.text) == ["3  late decode 0  slow encode 1  slow terminal 2"])
    }

    @Test func everyPageOfTelemetrySaysHowToTurnIt() throws {
        let (columns, rows) = (80, 24)
        var model = pressed("i", model(columns: columns, rows: rows))
        for page in TelemetryPage.allCases {
            let heading = try #require(try rendered(model).first)
            #expect(heading.contains("\(page.title)  ") && heading.contains("  I next page  Esc close  "), "\(heading)")
            model = pressed("I", model)
        }
    }

    @Test func whatIsUnknownIsBlankAndNeverZero() {
        for row in TelemetryPane.rows(EngineSnapshot(), LiveTelemetry()) {
            #expect(row.parts.allSatisfy { $0 == nil }, "\(row.label)")
            #expect(!row.isWarning)
        }
    }

    @Test(arguments: [(80, 24, true), (40, 12, true), (200, 60, true), (80, 24, false)])
    func thePagesOfTelemetryAreReadable(_ columns: Int, _ rows: Int, _ isUnicode: Bool) throws {
        var model = model(film(), columns: columns, rows: rows, isUnicode: isUnicode)
        for second in 0..<70 {
            var live = LiveTelemetry(), phase = Double(second % 12)
            live.sequence = second
            (live.observedFps, live.avSyncGapMs, live.clockRatePPM) = (24 - phase / 6, phase - 6, 30 + phase)
            (live.alsaDelayMs, live.alsaXruns, live.cpuLoad, live.rssMb) = (
                40 + phase, second / 30, 0.3 + phase / 60, 80 + second / 20
            )
            live.decodeMs = Percentiles(p50: 1.2, p95: 3 + phase, p99: 9)
            live.encodeMs = Percentiles(p50: 0.4, p95: 0.6, p99: 1)
            (live.terminalBytesPerSecond, live.linkBytesPerSecond) = (Int64(3_000_000 + 100_000 * phase), 9_000_000)
            (live.linkRoundTripMs, live.detail, live.renderer) = (1.5, 1, "halfblock")
            (live.droppedLateDecode, live.droppedSlowEncode, live.droppedSlowTerminal) = (0, 0, second / 20)
            (live.demuxerBytesFetched, live.forwardBufferSeconds) = (Int64(second * 600_000), 1 - phase / 20)
            (live.instantBitrateMbps, live.queuedBytes, live.cachedBytes) = (5 + phase / 4, 800_000, Int64(second * 500_000))
            phase = 0
            var snapshot = film()
            snapshot.telemetry = live
            _ = model.update(.snapshot(snapshot), now: at(Double(second)))
        }
        var screens: [String] = []
        for page in TelemetryPage.allCases {
            model = pressed("I", model)
            #expect(model.showsTelemetry && model.telemetryPage == page)
            screens += try rendered(model)
        }
        expectGolden(text: screens.joined(separator: "\n"), "telemetry-\(columns)x\(rows)\(isUnicode ? "" : "-ascii")")
        #expect(pressed("I", model).telemetryPage == .overview, "round again")
    }

    @Test func theTapeHoldsAMinuteAndBeginsAnewWithAnotherVideo() {
        var tape = TelemetryTape()
        func sample(_ number: Int, _ fps: Double?) -> LiveTelemetry {
            var live = LiveTelemetry()
            (live.sequence, live.observedFps, live.demuxerBytesFetched) = (number, fps, Int64(number * 10))
            return live
        }
        for second in 0..<200 {
            let isNew = tape.record(sample(second, Double(second)))
            #expect(isNew)
        }
        let isNew = tape.record(sample(199, 5))
        #expect(!isNew, "the same one again")
        #expect(tape.series(\.observedFps) == (140..<200).map { Double($0) })
        #expect(tape.marks(\.observedFps) == 140...199)
        #expect(tape.rises { $0.demuxerBytesFetched } == Array(repeating: 10, count: 59))
        _ = tape.record(sample(0, nil))
        #expect(tape.series(\.observedFps) == [nil] && tape.marks(\.observedFps) == nil)
    }

    @Test func aMinuteFitsIntoAnyWidthWithItsPeaks() {
        let minute: [Double?] = (0..<60).map { $0 == 31 ? 9 : $0 == 59 ? 5 : 1 }
        for width in [8, 23, 30, 59] {
            let fitted = Sparkline.fitted(minute, length: 60, into: width)
            #expect(fitted.count == width && fitted.compactMap { $0 }.filter { $0 == 9 }.count == 1 && fitted.last == 5)
        }
        #expect(Sparkline.fitted(minute, length: 60, into: 60) == minute)
        #expect(Sparkline.fitted([1, nil, 3], length: 60, into: 20) == [3])
        #expect(Sparkline.fitted(Array(repeating: nil, count: 60), length: 60, into: 20) == Array(repeating: nil, count: 20))
    }

    @Test func curvesShowWhatIsUnknownAsNothing() {
        func text(_ values: [Double?], _ width: Int, ceiling: Double = 0) -> String {
            Sparkline(values, width: width, ceiling: ceiling).text(isUnicode: true)
        }
        #expect(text([0, 1, 2, 3, 4, 5, 6, 7], 8) == "▁▂▃▄▅▆▇█")
        #expect(text([0, nil, 7, .nan, .infinity], 5) == "▁ █  ")
        #expect(text([7, 0, 7], 2) == "▁█", "the newest")
        #expect(text([1, 1], 2, ceiling: 7) == "▂▂", "noise stays low")
        #expect(text([0, 0], 2) == "▁▁" && text([], 4).isEmpty && text([1], -3).isEmpty)
        #expect(Sparkline([0, 7], width: 2).text(isUnicode: false) == "_#")
    }

    @Test func subtitlesStandCentredAboveTheBarEachOnItsOwnGround() throws {
        var snapshot = film()
        snapshot.visibleCues = [
            SubtitleCue(
                id: 1, track: TrackID(.container, 3), start: .zero, end: .zero, body: .text("Where are\nyou\u{1B}[2J?")),
            SubtitleCue(
                id: 2, track: TrackID(.container, 3), start: .zero, end: .zero, body: .text("(a long line that does not fit)")),
        ]
        var model = model(snapshot, columns: 30, rows: 10)
        let above = try rendered(model)
        #expect(
            Array(above[2..<8]) == [
                String(repeating: "·", count: 30), "········· Where are ··········", "·········· you[2J? ···········",
                "··· (a long line that does ···", "·········· not fit) ··········", String(repeating: "·", count: 30),
            ])
        _ = model.update(.tick, now: at(5))
        let without = try rendered(model)
        #expect(without[8] == "·········· not fit) ··········" && without[9] == String(repeating: "·", count: 30))
    }

    @Test func closedPanesLeaveTheFrameFree() throws {
        let sizes = try withScreen(columns: 80, rows: 24) { screen in
            var model = pressed("i", pressed("?", model()))
            ChromeView.draw(ChromeView.panes(model), into: &screen)
            let open = screen.readBack(Theme.standard.palette()).covered.count { $0 }
            while model.showsHelp { model = pressed("?", model) }
            model = pressed("o", pressed("i", model))
            _ = model.update(.tick, now: at(20))
            ChromeView.draw(ChromeView.panes(model), into: &screen)
            return [open, screen.readBack(Theme.standard.palette()).covered.count { $0 }]
        }
        #expect(sizes[0] > 1000 && sizes[1] == 0)
    }
}

@Suite struct HostileTests {
    private static let poison =
        "\u{1B}]0;x\u{7}\u{9B}31m\r\n\u{202E}\u{0}日本\u{301}\u{1F468}\u{200D}\u{1F469}🏳️‍🌈\u{FFFF}\t"
        + String(repeating: "W", count: 5000)

    private static func snapshot() -> EngineSnapshot {
        var snapshot = film()
        snapshot.metadata = MediaMetadata(title: poison, artist: poison)
        (snapshot.container, snapshot.source) = (poison, poison)
        snapshot.audioTracks = [
            TrackInfo(id: TrackID(.container, 1), kind: .audio, codec: poison, name: poison, language: poison, channels: .max)
        ]
        snapshot.subtitleTracks = [
            TrackInfo(id: TrackID(.container, 3), kind: .subtitle, codec: poison, name: poison, language: poison, isForced: true)
        ]
        snapshot.titles = [TitleInfo(id: 1, name: poison, startTime: .zero, duration: .seconds(1), tracks: [])]
        snapshot.notice = EngineSnapshot.Notice(number: 1, text: poison)
        snapshot.chapters = (0..<2000).map {
            ChapterInfo(
                id: $0, name: poison, start: MediaTime(nanoseconds: $0 % 2 == 0 ? .min : .max),
                duration: TimeSpan(nanoseconds: .min))
        }
        (snapshot.position, snapshot.startTime) = (MediaTime(nanoseconds: .max), MediaTime(nanoseconds: .min))
        (snapshot.duration, snapshot.bufferedPosition) = (TimeSpan(nanoseconds: .max), MediaTime(nanoseconds: .min))
        (snapshot.rate, snapshot.volume, snapshot.videoFrameRate) = (.nan, .nan, .infinity)
        snapshot.videoSize = PixelSize(width: .max, height: .min)
        var live = LiveTelemetry()
        (live.avSyncGapMs, live.observedFps, live.cpuLoad) = (.nan, .infinity, -.infinity)
        (live.cachedBytes, live.terminalBytesPerSecond, live.framesShown) = (.min, .max, .max)
        live.decodeMs = Percentiles(p50: .nan, p95: .infinity, p99: 1e300)
        snapshot.telemetry = live
        snapshot.visibleCues = (0..<50).map {
            SubtitleCue(id: $0, track: TrackID(.container, 3), start: .zero, end: .zero, body: .text(poison + "\n" + poison))
        }
        return snapshot
    }

    @Test(arguments: [(1, 1), (2, 3), (5, 2), (23, 6), (40, 5), (80, 24), (400, 100)])
    func hostileFilesNeitherBreakTheScreenNorTheProgram(_ columns: Int, _ rows: Int) throws {
        for isUnicode in [true, false] {
            var model = model(Self.snapshot(), columns: columns, rows: rows, isUnicode: isUnicode)
            for key in "iI?][=-m#jJv.,O0 9opIIII" { _ = model.update(.key(KeyStroke(Character(String(key)))), now: at(1)) }
            for key in [KeyStroke.Key.left, .right, .up, .down, .home, .end, .pageUp, .pageDown, .backspace] {
                _ = model.update(.key(KeyStroke(key)), now: at(1))
            }
            for bar in [true, false] {
                if bar != model.isBarVisible { _ = model.update(.key(KeyStroke("o")), now: at(2)) }
                _ = model.nextWake(after: at(2))
                let shown = try rendered(model)
                #expect(shown.count == rows)
                for row in shown {
                    #expect(ChromeText.columns(of: row) == columns)
                    #expect(!row.unicodeScalars.contains { $0 != "\u{FFFD}" && DisplayText.isUnsafe($0) || $0.value == 0x1B })
                    if !isUnicode { #expect(row.allSatisfy { $0.isASCII || $0 == "·" }) }
                }
            }
        }
    }
}
