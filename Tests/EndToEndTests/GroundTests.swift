import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// The background behind a transparent image.
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

    @Test func aStandingFrameHasTheNewThemesGroundAtOnce() throws {
        let folder = try TemporaryFolder(), themes = folder.url.appending(path: "aether-tui/themes")
        try FileManager.default.createDirectory(at: themes, withIntermediateDirectories: true)
        for (name, ground) in [("aa-day", "#eef2f6"), ("aa-night", "#101820")] {
            try Data("name = \"\(name)\"\n[colors]\nground = \"\(ground)\"\n".utf8)
                .write(to: themes.appending(path: "\(name).toml"))
        }
        let session = try Session(
            ["--no-audio", "--renderer", "halfblock", "--theme", "aa-day", Self.clip()],
            environment: ["XDG_CONFIG_HOME": folder.url.path])
        try #require(session.waitForStill(), "no picture: \(session.standardError)")
        session.pty.send(" ")
        #expect(session.waitForQuiet())
        let ground = session.screen[2, 10].background
        // The first opens the list, in which the other one follows: the themes of this checkout come later.
        session.pty.send("t")
        #expect(session.waitForRow { $0.contains("aa-night") })
        session.pty.send("t")
        let size = session.size
        #expect(ground == .rgb(0xEE, 0xF2, 0xF6))
        #expect(
            session.pty.waitForOutput(from: 0, within: .seconds(60)) {
                Screen.after(Array($0), size: size)[2, 10].background != ground
            }, "\(session.rows)")
        session.pty.send("\u{3}")
        _ = session.pty.waitForEnd()
    }
}
