import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// The main job: a film plays to its end, in time, with sound.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct PlayingTests {
    /// From the first picture to the end of the program.
    private func playedSeconds(_ session: Session, limit: TimeSpan) throws -> Double {
        #expect(session.pty.waitForEnd(within: limit) == .exited(0), "\(session.standardError)")
        let first = session.pty.chunks.first { Screen.showsPicture($0.bytes) }
        let last = try #require(session.pty.chunks.last)
        return (last.time - (try #require(first, "no picture")).time).seconds
    }

    @Test(.enabled(if: NullSink.isAvailable, "\(NullSink.missing)"))
    func playsTheDemoToItsEndInItsOwnTime() throws {
        let demo = try #require(Programs.demo)
        var seconds = 0.0
        let capture = try NullSink.shared.get().capture {
            let session = try Session([demo], sound: true)
            seconds = try playedSeconds(session, limit: .seconds(45))
            try session.expectRestored()
        }
        #expect(abs(seconds - 30) < 0.3, "30 s of film took \(seconds) s")
        // Half a second at each end fades in or out under the threshold.
        let sounding = capture.soundingSeconds(above: 0.005)
        #expect(abs(sounding - 29.8) < 0.5, "30 s of sound were heard for \(sounding) s")
    }

    @Test(.enabled(if: NullSink.isAvailable, "\(NullSink.missing)"))
    func soundDoesNotWaitForASlowTerminal() throws {
        let session = try Session(
            ["--start", "20", try #require(Programs.demo)], size: Pty.Size(160, 45), sound: true, bytesPerSecond: 250_000)
        let seconds = try playedSeconds(session, limit: .seconds(25))
        // What is still on its way through the slow link comes on top.
        #expect(seconds > 8.5 && seconds < 11.5, "10 s of film took \(seconds) s")
    }

    @Test func playsSilentlyWhereNoDeviceOpensAndSaysSo() throws {
        let session = try Session(["--audio-device", "no-such-device", "--start", "26", try #require(Programs.demo)])
        #expect(
            session.waitForRow { $0.localizedCaseInsensitiveContains("no sound") || $0.localizedCaseInsensitiveContains("audio") }
        )
        let seconds = try playedSeconds(session, limit: .seconds(10))
        #expect(abs(seconds - 4) < 0.5, "4 s of film took \(seconds) s")
        try session.expectRestored()
    }

    @Test func playsSeveralFilesOneAfterAnother() throws {
        let demo = try #require(Programs.demo)
        let session = try Session(["--no-audio", "--start", "28", "--end", "29", demo, demo])
        let seconds = try playedSeconds(session, limit: .seconds(15))
        #expect(seconds > 1.8 && seconds < 4, "2 x 1 s took \(seconds) s")
    }

    @Test func readsStandardInputAndTakesKeysFromTheTerminal() throws {
        let pty = try Pty(
            ["sh", "-c", "\"$0\" --no-audio - < \"$1\"", #require(Programs.player), #require(Programs.demo)],
            environment: ["COLORTERM": "truecolor"])
        try #require(pty.waitForOutput(Screen.showsPicture), "no picture")
        pty.send("q")
        #expect(pty.waitForEnd(within: .seconds(3)) == .exited(0))
    }

    @Test func aDumbTerminalGetsPlainLines() throws {
        let session = try Session(["--no-audio", "--start", "28", try #require(Programs.demo)], environment: ["TERM": "dumb"])
        #expect(session.pty.waitForEnd(within: .seconds(10)) == .exited(0))
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
