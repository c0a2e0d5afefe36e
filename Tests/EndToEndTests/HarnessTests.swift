import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// The harness itself, on programs that everybody has: a harness that cannot fail proves nothing.
struct HarnessTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["AETHER_BIN"] == nil, "AETHER_BIN names another folder"))
    func programsAreLookedForBesideTheTestBundle() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Programs.folder.path)
        #expect(names.contains { $0.hasSuffix(".xctest") })
    }

    @Test func collectsOutputAndExitStatus() throws {
        let pty = try Pty(["sh", "-c", "printf hello; exit 7"])
        #expect(pty.waitForEnd() == .exited(7))
        #expect(pty.text == "hello")
    }

    @Test func tellsASignalFromAnExit() throws {
        let pty = try Pty(["sh", "-c", "echo ready; read line"])
        try #require(pty.waitForText("ready"))
        pty.signal(SIGTERM)
        #expect(pty.waitForEnd() == .killed(SIGTERM))
    }

    @Test func typesKeysAndResizes() throws {
        let pty = try Pty(["bash", "--norc", "-c", "stty size; read line; echo got=$line; stty size"], size: Pty.Size(91, 33))
        try #require(pty.waitForText("33 91"))
        pty.resize(Pty.Size(120, 40))
        pty.send("keys\n")
        #expect(pty.waitForText("got=keys"))
        #expect(pty.waitForText("40 120"))
        #expect(pty.waitForEnd() == .exited(0))
    }

    @Test func seesSettingsThatWereNotPutBack() throws {
        let tidy = try Pty(["sh", "-c", "old=$(stty -g); stty raw -echo; stty $old"])
        let untidy = try Pty(["sh", "-c", "stty raw -echo"])
        _ = tidy.waitForEnd()
        _ = untidy.waitForEnd()
        let (good, bad) = (try #require(tidy.termios()), try #require(untidy.termios()))
        #expect(good.isCooked)
        #expect(!bad.isCooked)
        #expect(good != bad)
    }

    @Test func seesAProgramStopAndGoOn() throws {
        let pty = try Pty(["sh", "-c", "echo ready; kill -STOP $$; echo again; read line"])
        #expect(pty.waitForLife { $0 == .stopped(SIGSTOP) } != nil)
        #expect(!pty.text.contains("again"))
        pty.signal(SIGCONT)
        #expect(pty.waitForText("again"))
    }

    @Test func givesUpWhenTheTerminalIsClosedWithoutTheText() throws {
        let pty = try Pty(["true"])
        #expect(!pty.waitForText("never", within: .seconds(60)))
        #expect(pty.waitForEnd() == .exited(0))
    }

    @Test func aProgramThatIsNotThereEndsWith127() throws {
        #expect(try Pty(["/no/such/program"]).waitForEnd() == .exited(127))
    }

    @Test func aSlowLinkHoldsTheWriterBack() throws {
        let pty = try Pty(["sh", "-c", "head -c 100000 /dev/zero"], bytesPerSecond: 200_000)
        #expect(pty.waitForEnd(within: .seconds(60)) == .exited(0))
        #expect(pty.output.count == 100_000)
        let span = try #require(pty.chunks.last).time - (try #require(pty.chunks.first)).time
        // 0.5 s; the upper bound is generous, the lower one is what a slow link means.
        #expect(span > .milliseconds(400), "took \(span.milliseconds) ms")
    }

    @Test func whatIsLeftBehindOnTheScreenIsNamed() {
        let size = Pty.Size(80, 24)
        #expect(
            Screen.leftovers(Array("\u{1B}[?1049h\u{1B}[?25lpicture".utf8), size: size) == ["alternate screen", "hidden cursor"])
        #expect(Screen.leftovers(Array("\u{1B}[?1049h\u{1B}[?25lpicture\u{1B}[?25h\u{1B}[?1049l".utf8), size: size) == [])
    }

    @Test func aCommandsStreamsAreKeptApart() throws {
        let result = try Command(["sh", "-c", "cat; echo bad >&2; exit 3"], input: Data("in".utf8))
        #expect(result.status == 3)
        #expect(result.standardOutput == "in")
        #expect(result.errorLines == ["bad"])
    }

    @Test(.enabled(if: NullSink.isAvailable, "\(NullSink.missing)"))
    func theNullSinkPacesInRealTimeAndIsHeard() throws {
        let sink = try NullSink.shared.get()
        let started = SystemTime().now()
        let capture = try sink.capture {
            let player = try Pty(
                ["sh", "-c", "ffmpeg -v error -nostdin -f lavfi -i sine=f=440:d=2:r=48000 -f wav - | paplay"],
                environment: sink.environment.mapValues { $0 })
            #expect(player.waitForEnd(within: .seconds(60)) == .exited(0), "\(player.text)")
        }
        #expect(SystemTime().now() - started > .seconds(1.8))
        let heard = capture.heardSeconds(above: 0.05)
        // Longer where another test plays into the same sink.
        #expect(heard > 1.8, "2 s of tone were heard for \(heard) s")
    }
}
