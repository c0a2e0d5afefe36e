import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// The main job: a film plays to its end, in time, with sound.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct PlayingTests {
    /// How far a film's time may be off: 1 s, for the player's own threads have no turns that could be watched, and what the machine held up
    /// those that show its beginning and its end.
    private let punctuality = Punctuality()
    private var slack: Double { 1 + 4 * punctuality.worst.seconds }

    /// From the first picture to the end of the program.
    private func playedSeconds(_ session: Session, limit: TimeSpan) throws -> Double {
        #expect(session.pty.waitForEnd(within: limit) == .exited(0), "\(session.standardError)")
        let first = session.pty.chunks.first { Screen.showsFrame($0.bytes) }
        let last = try #require(session.pty.chunks.last)
        return (last.time - (try #require(first, "no picture")).time).seconds
    }

    @Test(.enabled(if: NullSink.isAvailable, "\(NullSink.missing)"))
    func playsTheDemoToItsEndInItsOwnTime() throws {
        let demo = try #require(Programs.demo)
        var seconds = 0.0
        let capture = try NullSink.shared.get().capture {
            let session = try Session([demo], sound: true)
            seconds = try playedSeconds(session, limit: .seconds(120))
            try session.expectRestored()
        }
        #expect(abs(seconds - 30) < slack, "30 s of film took \(seconds) s")
        // Half a second at each end fades in or out under the threshold.
        let sounding = capture.heardSeconds(above: 0.005)
        // Not shorter; longer where another test plays into the same sink before or after. The time itself is checked above.
        #expect(sounding > 29.3, "30 s of sound were heard for \(sounding) s")
    }

    @Test(.enabled(if: NullSink.isAvailable, "\(NullSink.missing)"))
    func aSlowTerminalDoesNotHoldTheVideo() throws {
        let demo = try #require(Programs.demo)
        var seconds = 0.0
        let capture = try NullSink.shared.get().capture {
            let session = try Session(
                ["--start", "20", demo], size: Pty.Size(160, 45), sound: true, bytesPerSecond: 250_000)
            seconds = try playedSeconds(session, limit: .seconds(120))
            try session.expectRestored()
        }
        #expect(abs(seconds - 10) < slack, "10 s of film took \(seconds) s")
        #expect(capture.heardSeconds(above: 0.005) > 9.2)
    }

    /// A name in Latin-1, as an argument and in a directory.
    @Test func aNameThatIsNoTextIsPlayed() throws {
        let folder = try TemporaryFolder()
        let script = """
            name=$(printf 'caf\\351.mkv'); cp "$1" "$2/$name"; cd "$2"
            for what in "$name" .; do "$0" --plain --no-audio --no-config --no-history --no-mpris --end 0.2 "$what" || exit; done
            """
        let result = try Command([
            "sh", "-c", script, #require(Programs.player), #require(Programs.demo), folder.url.path,
        ])
        #expect(result.status == 0, "\(result.standardError)")
        #expect(result.standardOutput.ranges(of: "ended").count == 2, "\(result.standardOutput)")
    }

    @Test func playsSilentlyWhereNoDeviceOpensAndSaysSoInTheBar() throws {
        let session = try Session(["--audio-device", "no-such-device", "--start", "26", try #require(Programs.demo)])
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        session.pty.send("x")
        #expect(session.waitForRow { $0.localizedCaseInsensitiveContains("no audio") }, "\(session.rows)")
        let seconds = try playedSeconds(session, limit: .seconds(120))
        #expect(abs(seconds - 4) < slack, "4 s of film took \(seconds) s")
        try session.expectRestored()
    }

    /// The standard library's server knows no ranges: the film is read from start to end.
    @Test(.enabled(if: Network.isAvailable, "no python3 here"))
    func playsFromAWebServer() throws {
        let server = try Network.Server(folder: URL(filePath: #require(Programs.demo)).deletingLastPathComponent())
        let session = try Session(["--no-audio", "--end", "2", "\(server.address)/demo.mkv"])
        let seconds = try playedSeconds(session, limit: .seconds(120))
        #expect(abs(seconds - 2) < slack, "2 s of film took \(seconds) s")
        let missing = try Session(["--no-audio", "\(server.address)/none.mkv"])
        #expect(missing.pty.waitForEnd() == .exited(2))
        #expect(missing.standardError.split(separator: "\n").count == 1, "\(missing.standardError)")
    }

    @Test func escapesInTheTextOfAFileNeverReachTheTerminal() throws {
        let folder = try TemporaryFolder()
        let evil = "\u{1B}]0;evil\u{7}\u{1B}[31mred\u{9B}2J\u{1B}P1;2qx\u{1B}\\"
        try Data("1\n00:00:00,000 --> 00:00:29,000\nsub\(evil)title\n".utf8).write(to: folder.url.appending(path: "in.srt"))
        try Data(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=29\ntitle=chap\(evil)ter\n".utf8)
            .write(to: folder.url.appending(path: "in.txt"))
        let made = try Command([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=24:d=30", "-i", folder.path("in.srt"), "-i",
            folder.path("in.txt"), "-map", "0", "-map", "1", "-map_metadata", "2", "-map_chapters", "2", "-metadata",
            "title=name\(evil)of it", "-c:s", "srt", folder.path("evil.mkv"),
        ])
        try #require(made.status == 0, "\(made.standardError)")
        let session = try Session(["--no-audio", folder.path("evil.mkv")])
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        session.pty.send("j ")
        #expect(session.waitForRow { $0.contains("sub") && $0.contains("title") }, "\(session.rows)")
        session.pty.send("\u{1B}[6~")
        #expect(session.waitForRow { $0.contains("Chapter 1/1") }, "\(session.rows)")
        #expect(session.waitForRow { $0.contains("name") && $0.contains("of it") }, "\(session.rows)")
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        // The player's own questions and its title are the only strings: what a file says is text in the title, and rings no bell.
        let screen = session.screen
        let others = screen.strings.filter { !$0.hasPrefix("]2;") }
        #expect(!others.contains { $0.contains("evil") || $0.contains("1;2q") }, "\(screen.strings)")
        #expect(!session.pty.output.contains(7))
        #expect(!session.pty.text.unicodeScalars.contains("\u{9B}"))
    }

    @Test func playsSeveralFilesOneAfterAnother() throws {
        let demo = try #require(Programs.demo)
        let session = try Session(["--no-audio", "--start", "28", "--end", "29", demo, demo])
        let seconds = try playedSeconds(session, limit: .seconds(120))
        #expect(seconds > 1.8 && seconds < 4 + 4 * slack, "2 x 1 s took \(seconds) s")
    }

    @Test func audioFromAPipePlaysInItsTimeWhereNoDeviceOpens() throws {
        let folder = try TemporaryFolder()
        let made = try Command([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=2", "-c:a", "libvorbis", folder.path("tone.ogg"),
        ])
        try #require(made.status == 0, "\(made.standardError)")
        let began = SystemTime().now()
        let played = try Command([
            "sh", "-c", "cat \"$1\" | ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf \"$0\" --plain --audio-device nonsense -",
            #require(Programs.player), folder.path("tone.ogg"),
        ])
        let seconds = (SystemTime().now() - began).seconds
        #expect(played.status == 0, "\(played.standardOutput)\(played.standardError)")
        #expect(seconds > 1.9 && seconds < 4 + 4 * slack, "2 s of sound took \(seconds) s")
        let lines = played.standardOutput.split(separator: "\n")
        #expect(lines.count { $0.localizedCaseInsensitiveContains("no audio") } == 1, "\(lines)")
    }

    @Test func readsStandardInputAndTakesKeysFromTheTerminal() throws {
        let pty = try Pty(
            ["sh", "-c", "\"$0\" --no-audio - < \"$1\"", #require(Programs.player), #require(Programs.demo)],
            environment: ["COLORTERM": "truecolor"])
        try #require(pty.waitForOutput(Screen.showsFrame), "no picture")
        pty.send("q")
        #expect(pty.waitForEnd(within: .seconds(60)) == .exited(0))
    }

    @Test func aDumbTerminalGetsPlainLines() throws {
        let session = try Session(["--no-audio", "--start", "28", try #require(Programs.demo)], environment: ["TERM": "dumb"])
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        #expect(!session.pty.output.contains(0x1B))
        #expect(session.pty.text.contains("0:2"), "no position in: \(session.pty.text)")
    }

    @Test func aPipeGetsPlainLines() throws {
        let result = try Command([#require(Programs.player), "--no-audio", "--start", "28", #require(Programs.demo)])
        #expect(result.status == 0)
        #expect(!result.standardOutput.utf8.contains(0x1B))
        #expect(result.standardOutput.split(separator: "\n").count >= 2, "\(result.standardOutput)")
    }
}
