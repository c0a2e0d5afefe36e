import AetherCore
import AetherTestSupport
import Glibc
import Testing

/// However the player ends, the terminal is as it was.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct LeavingTests {
    private func playing(underJobControl: Bool = false, bytesPerSecond: Int? = nil) throws -> Session {
        let session = try Session(
            ["--no-audio", #require(Programs.demo)], underJobControl: underJobControl, bytesPerSecond: bytesPerSecond)
        try #require(session.waitForPicture(), "no picture: \(session.standardError)")
        return session
    }

    @Test func quitsWithStatus0AtQ() throws {
        let session = try playing()
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(2)) == .exited(0))
        try session.expectRestored()
    }

    @Test func quitsWithinHalfASecondOnASlowLink() throws {
        let session = try playing(bytesPerSecond: 250_000)
        let asked = SystemTime().now()
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(5)) == .exited(0))
        let span = try #require(session.pty.ended) - asked
        // The aim is 150 ms; a busy test machine is given three times as much.
        #expect(span < .milliseconds(500), "took \(span.milliseconds) ms")
        try session.expectRestored()
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func restoresTheTerminalAndDiesOfTheSignal(_ number: Int32) throws {
        let session = try playing()
        session.pty.signal(number)
        #expect(session.pty.waitForEnd(within: .seconds(3)) == .killed(number))
        try session.expectRestored()
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGTRAP])
    func restoresTheTerminalWhenItCrashes(_ number: Int32) throws {
        let session = try playing()
        session.pty.signal(number)
        #expect(session.pty.waitForEnd(within: .seconds(10)) == .killed(number))
        try session.expectRestored()
    }

    @Test func givesTheTerminalBackWhileItIsStoppedAndTakesItAgain() throws {
        let session = try playing(underJobControl: true)
        let before = try Session.settingsBefore()
        #expect(session.pty.termios() != before)
        session.pty.send("\u{1A}")
        // 148 = 128 + SIGTSTP: the shell saw the job stop, not end.
        try #require(session.pty.waitForText("[status 148]", within: .seconds(3)), "not stopped")
        try session.expectRestored()

        let resumed = session.pty.output.count
        session.pty.send("\n")
        try #require(session.waitForPicture(from: resumed, within: .seconds(3)), "no picture after fg")
        #expect(session.pty.termios() != before)
        session.pty.send("q")
        #expect(session.pty.waitForText("[status 0]", from: resumed, within: .seconds(3)))
        _ = session.pty.waitForEnd()
        try session.expectRestored()
    }
}
