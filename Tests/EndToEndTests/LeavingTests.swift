import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// However the player ends, the terminal is as it was.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct LeavingTests {
    private func playing(
        size: Pty.Size = Pty.Size(80, 24), underJobControl: Bool = false, bytesPerSecond: Int? = nil
    ) throws -> Session {
        let session = try Session(
            ["--no-audio", #require(Programs.demo)], size: size, underJobControl: underJobControl, bytesPerSecond: bytesPerSecond)
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        return session
    }

    @Test func quitsWithStatus0AtQ() throws {
        let session = try playing()
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        try session.expectRestored()
    }

    @Test func quitsWithin150MillisecondsOnASlowLink() throws {
        var spans: [Double] = []
        // A busy machine may be late once or twice, a player that waits for the link is late every time.
        let punctuality = Punctuality()
        var bound: Double { 150 + 20 * punctuality.worst.milliseconds }
        for _ in 0..<4 where spans.allSatisfy({ $0 > bound }) {
            let session = try playing(size: Pty.Size(160, 45), bytesPerSecond: 250_000)
            let asked = SystemTime().now()
            session.pty.send("q")
            #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
            spans.append((try #require(session.pty.ended) - asked).milliseconds)
            try session.expectRestored()
        }
        #expect(spans.contains { $0 <= bound }, "took \(spans) ms")
    }

    /// A terminal answers when it has read so far, and that may be after the key: the shell's prompt is no place for it. The player waits for
    /// 100 ms; of five times one is enough, for a machine may be late, and a player that does not wait is early each time.
    @Test(arguments: ["q", "\u{1A}"]) func whatTheTerminalStillAnswersDoesNotLandAtThePrompt(_ key: String) throws {
        var isHeard = false
        for _ in 0..<5 where !isHeard { isHeard = try isEveryAnswerHeard(leavingBy: key) }
        #expect(isHeard, "an answer was left for the shell")
    }

    private func isEveryAnswerHeard(leavingBy key: String) throws -> Bool {
        let session = try Session(["--no-audio", #require(Programs.demo)], underJobControl: true)
        let terminal = AnsweringTerminal(session.pty)
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        try #require(terminal.waitForAnswers(10))
        terminal.holdBack()
        session.pty.send(key)
        try #require(session.pty.waitForText("[status "))
        terminal.stop()
        try session.expectRestored()
        return !session.pty.text.contains("^[[0n")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func restoresTheTerminalAndDiesOfTheSignal(_ number: Int32) throws {
        let session = try playing()
        session.pty.signal(number)
        #expect(session.pty.waitForEnd() == .killed(number))
        try session.expectRestored()
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP])
    func restoresTheTerminalWhenItCrashes(_ number: Int32) throws {
        let session = try playing()
        session.pty.signal(number)
        // Swift's backtracer would hold it for 30 s.
        #expect(session.pty.waitForEnd() == .killed(number))
        try session.expectRestored()
        // Nothing of a frame that another thread had under way lands behind it.
        let leaving = try #require(session.pty.text.components(separatedBy: "\u{1B}[?1049l").last)
        // The title from before is taken back, too.
        #expect(leaving == "\u{1B}[23;2t\u{1B}[0m", "\(leaving.debugDescription)")
        #expect(session.standardError.isEmpty, "\(session.standardError)")
    }

    /// Where kitty's keyboard protocol is on, Ctrl-Z and Ctrl-C are sequences of bytes: the rest of the job hears of them, too.
    @Test func aKeyStopsTheWholeJob() throws {
        let session = try Session(
            ["--no-audio", #require(Programs.demo)], underJobControl: true, through: ["sh", "-c", "\"$@\"; true", "job"])
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        session.pty.send("\u{1B}[122;5u")
        #expect(session.pty.waitForText("[status 148]"), "the job goes on")
        try session.expectRestored()
    }

    @Test func aKeyInterruptsTheWholeJob() throws {
        let session = try Session(
            ["--no-audio", #require(Programs.demo)], through: ["sh", "-c", "\"$@\"; true", "job"])
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        session.pty.send("\u{1B}[99;5u")
        #expect(session.pty.waitForEnd() == .killed(SIGINT))
        try session.expectRestored()
    }

    @Test func quitsAtTheEndOfTheFile() throws {
        let session = try Session(["--no-audio", "--start", "29", #require(Programs.demo)])
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        try session.expectRestored()
    }

    @Test func leavesNothingBehindWhenTheLastFileCannotBePlayed() throws {
        let session = try Session(["--no-audio", "--start", "29.5", #require(Programs.demo), "/no/such/file.mkv"])
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(2))
        #expect(session.standardError.split(separator: "\n").count == 1, "\(session.standardError)")
        try session.expectRestored()
    }

    @Test func givesTheTerminalBackWhileItIsStoppedAndTakesItAgain() throws {
        let session = try playing(underJobControl: true)
        let before = try Session.settingsBefore()
        #expect(session.pty.termios() != before)
        session.pty.send("\u{1A}")
        // 148 = 128 + SIGTSTP: the shell saw the job stop, not end.
        try #require(session.pty.waitForText("[status 148]"), "not stopped")
        try session.expectRestored()

        let resumed = session.pty.output.count
        session.pty.send("\n")
        try #require(session.waitForStill(from: resumed), "no picture after fg")
        #expect(session.pty.termios() != before)
        session.pty.send("q")
        #expect(session.pty.waitForText("[status 0]", from: resumed, within: .seconds(60)))
        _ = session.pty.waitForEnd()
        try session.expectRestored()
    }
}
