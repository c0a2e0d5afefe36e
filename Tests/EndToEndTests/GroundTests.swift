import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// What lies behind a picture that is transparent.
@Suite(.enabled(if: Programs.player != nil, "\(Programs.missing)"), .serialized)
struct GroundTests {
    /// The left half is transparent.
    private static func clip() throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=4", "-vf",
                "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='if(lt(X,160),0,255)'", "-c:v", "ffv1", "-pix_fmt", "bgra",
            ],
            ext: "mkv")
    }

    @Test func aStandingPictureHasTheNewThemesGroundAtOnce() throws {
        let session = try Session(["--no-audio", "--renderer", "halfblock", "--theme", "daylight", Self.clip()])
        try #require(session.waitForPicture(), "no picture: \(session.standardError)")
        session.pty.send(" ")
        #expect(session.waitForQuiet())
        let ground = session.screen[2, 10].background
        session.pty.send("t")
        #expect(
            session.pty.waitForOutput(from: session.pty.output.count, within: .seconds(5)) { _ in
                session.screen[2, 10].background != ground
            }, "\(ground)")
        session.pty.send("\u{1B}")
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0))
    }
}
