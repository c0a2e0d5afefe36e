import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// Keys act, and the screen says so.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct KeysTests {
    private func playing(_ options: [String] = [], size: Pty.Size = Pty.Size(100, 30)) throws -> Session {
        let session = try Session(["--no-audio", "--loop"] + options + [#require(Programs.demo)], size: size)
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        return session
    }

    /// The picture above subtitles and bar: its pixels, for the same ones may be drawn by several glyphs.
    private func videoCells(_ session: Session) -> [UInt32] {
        let picture = session.screen.pixels()
        return Array(picture.pixels.prefix(picture.pixels.count * 20 / Int(session.size.rows)))
    }

    private func says(_ session: Session, _ text: String) -> Bool {
        session.waitToSee(text)
    }

    @Test func spacePauses() throws {
        let session = try playing()
        session.pty.send(" ")
        #expect(says(session, "pause"))
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
    }

    @Test func theNextFileStaysPaused() throws {
        let demo = try #require(Programs.demo)
        let session = try playing([demo])
        session.pty.send(" ")
        #expect(says(session, "Paused"))
        session.pty.send(">")
        #expect(session.waitForRow { $0.contains("2/2") })
        #expect(session.waitForRow { $0.contains("▍▍") && $0.contains("0:00:00") }, "\(session.rows)")
        session.pty.send(" ")
        #expect(session.waitForRow { $0.contains("▶") })
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
    }

    /// One film, one key after the other: each answers on the screen.
    @Test func everyKeySaysWhatItDid() throws {
        let session = try playing()
        for (key, words) in [
            ("m", "Muted"), ("m", "Volume 100"), ("-", "Volume 95"), ("+", "Volume 100"), ("+", "Volume 105"),
            ("]", "Speed 1.10×"), ("\u{7F}", "Speed 1.00×"), ("[", "Speed 0.91×"), ("\u{7F}", "Speed 1.00×"),
            ("j", "German"), ("j", "Subtitles off"), ("J", "German"), ("v", "Subtitles off"), ("v", "Subtitles 2"),
            ("#", "audio is switched off"),
            ("p", "Paused"), ("5", "50 % 0:00:15"), ("\u{1B}[C", "+5 s 0:00:"), ("\u{1B}[D", "-5 s 0:00:"),
            ("\u{1B}[1;2C", "+1 s 0:00:"),
            ("\u{1B}[1;2D", "-1 s 0:00:"), ("\u{1B}[A", "+1 min 0:00:30"), ("\u{1B}[B", "-1 min 0:00:00"),
            ("\u{1B}[5~", "Chapter 2/6: Mandelbrot"), ("\u{1B}[6~", "Chapter 1/6"), (".", "Frame forward"), (",", "Frame back"),
            ("\u{1B}[F", "End"), ("\u{1B}[H", "Start"), ("\u{1B}o", "Time: remaining"), ("\u{1B}o", "Time: total"),
            ("a", "1/3"), ("\u{1B}[B", "2/3"), ("\r", "audio is switched off"),
            ("c", "3/5"), ("\u{1B}[B", "4/5"), ("\u{1B}[A", "3/5"), ("\u{1B}[H", "1/5"), ("g", "g_"),
            ("\r", "Subtitles 2/2: German"),
            ("c", "Off"), ("\u{1B}[H", "1/5"), ("\r", "Subtitles off"), ("P", "only one file"), (">", "only one file"),
            ("<", "only one file"),
            ("T", "1/6"), ("\u{1B}[6~", "6/6"), ("\u{1B}[5~", "1/6"), ("\u{1B}[F", "6/6"), ("\u{1B}[H", "1/6"), ("ma", "ma_"),
            ("\u{7F}", "m_"), ("\r", "Chapter 2/6: Mandelbrot"),
            ("V", "1/1"), ("\r", "Video 1/1"), ("a", "English"), ("\u{1B}", "0:00:0"),
            ("o", "Bar off"), ("o", "Bar on"),
            ("i", "drawn as"), ("i", "Telemetry off"), ("?", "Normal speed"), (" ", "Playing"),
        ] {
            session.pty.send(key)
            let hasSaid = says(session, words)
            // Escape and the next key in one breath would be Alt and that key.
            if key == "\u{1B}" { _ = session.waitForQuiet() }
            try #require(
                hasSaid, "\(key.debugDescription) did not say \(words) but: \(session.rows.suffix(2).map { $0.prefix(60) })")
        }
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        try session.expectRestored()
    }

    @Test(.enabled(if: NullSink.isAvailable, "\(NullSink.missing)"))
    func theOtherAudioTrackPlaysOn() throws {
        let session = try Session(["--loop", #require(Programs.demo)], size: Pty.Size(100, 30), sound: true)
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        for words in ["Audio 2/2: German", "Audio 1/2: English"] {
            session.pty.send("#")
            #expect(says(session, words), "\(session.rows)")
            let place = "\(session.rows.last ?? "")"
            #expect(session.waitForRows { $0.last?.prefix(12) != place.prefix(12) }, "it stands: \(place)")
        }
    }

    @Test func anotherTrackWithoutADeviceDoesNotStopTheVideo() throws {
        let session = try Session(
            ["--audio-device", "no-such-device", "--start", "26", #require(Programs.demo)], size: Pty.Size(100, 30))
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        session.pty.send("#")
        #expect(says(session, "no audio"), "\(session.rows)")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
    }

    @Test func aSeekWhilePausedBringsTheFrameOfThere() throws {
        let session = try playing()
        session.pty.send(" ")
        try #require(says(session, "Paused") && session.waitForQuiet())
        let before = videoCells(session)
        session.pty.send("5")
        // Exactly, though there is a key frame only every two seconds.
        try #require(says(session, "0:00:15") && session.waitForQuiet())
        let there = videoCells(session)
        #expect(there != before)
        for (key, place) in [
            ("\u{1B}[1;2C", "0:00:16"), ("\u{1B}[1;2D", "0:00:15"), ("\u{1B}[C", "0:00:20"), ("\u{1B}[D", "0:00:15"),
        ] {
            session.pty.send(key)
            // Flash and bar may both name a time: the bar's is at the start of the last row.
            #expect(
                session.waitForRows { ($0.last ?? "").dropFirst(2).prefix(10).contains(place) },
                "\(key.debugDescription): \(session.rows.last ?? "")")
            try #require(session.waitForQuiet())
        }
    }

    @Test func theMouseIsHeardAndGivenBack() throws {
        let session = try playing()
        #expect(session.screen.modes[1002] == true && session.screen.modes[1006] == true)
        func click(_ column: Int, _ row: Int, _ button: Int = 0) {
            session.pty.send("\u{1B}[<\(button);\(column + 1);\(row + 1)M\u{1B}[<\(button);\(column + 1);\(row + 1)m")
        }
        click(50, 10, 2)
        try #require(says(session, "Paused") && session.waitForQuiet())
        // The middle of the progress line of 100 columns.
        click(51, 29)
        #expect(
            session.waitForRows { ($0.last ?? "").contains(" 0:00:14") || ($0.last ?? "").contains(" 0:00:15") },
            "\(session.rows.last ?? "")")
        for _ in 0..<2 { session.pty.send("\u{1B}[<65;50;10M") }
        #expect(says(session, "Volume 90"))
        session.pty.send("c")
        #expect(says(session, " Off "))
        let row = try #require(session.rows.firstIndex { $0.contains("German") }), column = 95
        click(column, row)
        #expect(says(session, "Subtitles 2/2"))
        session.pty.send("a")
        #expect(says(session, "1/3"))
        click(2, 2)
        #expect(session.waitForRows { !$0.contains { $0.contains("1/3") } })
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        try session.expectRestored()
    }

    @Test func theMouseIsLeftAloneWhenAsked() throws {
        let session = try playing(["--no-mouse"])
        #expect(session.screen.modes[1002] != true && session.screen.modes[1006] != true)
    }

    @Test func frameStepsGoThereAndBack() throws {
        let session = try playing(["--start", "6"])
        session.pty.send(" ")
        try #require(says(session, "Paused") && session.waitForQuiet())
        session.pty.send(",")
        try #require(says(session, "Frame back") && session.waitForQuiet())
        let first = videoCells(session)
        session.pty.send(".")
        try #require(says(session, "Frame forward") && session.waitForQuiet())
        let second = videoCells(session)
        #expect(first != second)
        session.pty.send(",")
        try #require(says(session, "Frame back") && session.waitForQuiet())
        #expect(videoCells(session) == first)
    }

    @Test func theFirstFrameIsBareAndTheBarOfAKeyGoesByItself() throws {
        // A film that takes more than half a second to open has a bar meanwhile: on a busy machine, now and then.
        func isBare(_ session: Session) -> Bool { !session.rows.contains { $0.contains("0:00:30") } }
        var session = try playing()
        for _ in 0..<4 where !isBare(session) { session = try playing() }
        #expect(isBare(session), "a bar over the first picture")
        session.pty.send("x")
        try #require(says(session, "0:00:30"), "a key brings the bar")
        // 4 s after the key.
        #expect(session.waitForRows(within: .seconds(60)) { !$0.contains { $0.contains("0:00:30") } }, "the bar stays")
    }

    @Test func followsAResizeWhilePaused() throws {
        // A scene without flat areas, which are drawn as spaces.
        let session = try playing(["--start", "15"], size: Pty.Size(80, 24))
        session.pty.send(" ")
        try #require(says(session, "Paused") && session.waitForQuiet())
        let before = session.pty.output.count
        let larger = Pty.Size(120, 40)
        session.pty.resize(larger)
        #expect(
            Screen.wait(on: session.pty, from: before, size: larger) { rows in
                // 120 columns of picture fill rows 3 to 36; the bar has moved to the last row.
                Screen.showsFrame(Array(rows[34].utf8)) && rows[39].contains("0:00:30")
            }, "\(Screen.rows(Array(session.pty.output.dropFirst(before)), size: larger).joined(separator: "\n"))")
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
    }

    @Test func followsAResizeUpToTheLastRow() throws {
        let session = try playing(["--start", "15"], size: Pty.Size(80, 24))
        let before = session.pty.output.count
        let larger = Pty.Size(120, 40)
        session.pty.resize(larger)
        // 16:9 on 120x40 cells of 8x16 fills the width: row 36 is inside the picture, and there was none before.
        #expect(
            Screen.wait(on: session.pty, from: before, size: larger) { rows in
                rows.count == 40 && Screen.showsFrame(Array(rows[35].utf8))
            })
    }

    @Test func takesAWindowOfNoSizeFor80x24() throws {
        let session = try Session(["--no-audio", #require(Programs.demo)], size: Pty.Size(0, 0))
        #expect(session.waitForStill())
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        let rows = Screen.rows(session.pty.output, size: Pty.Size(80, 24))
        #expect(rows.count == 24)
    }
}
