import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// Keys act, and the screen says so.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct KeysTests {
    private func playing(size: Pty.Size = Pty.Size(100, 30)) throws -> Session {
        let session = try Session(["--no-audio", "--loop", #require(Programs.demo)], size: size)
        try #require(session.waitForPicture(), "no picture: \(session.standardError)")
        return session
    }

    private func says(_ session: Session, _ text: String) -> Bool {
        session.waitForRow { $0.localizedCaseInsensitiveContains(text) }
    }

    @Test func spacePauses() throws {
        let session = try playing()
        session.pty.send(" ")
        #expect(says(session, "pause"))
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(2)) == .exited(0))
    }

    @Test func digitsJumpToTheirPercentage() throws {
        let session = try playing()
        session.pty.send(" 5")
        // Half of 30 s.
        #expect(says(session, "0:15"), "\(session.rows)")
    }

    @Test(arguments: [
        ("m", "mute"), ("-", "95"), ("]", "1.1"), ("\u{1B}[6~", "Mandelbrot"), ("#", "deu"), ("?", "quit"), ("i", "ms"),
    ])
    func aKeySaysWhatItDid(_ key: String, _ words: String) throws {
        let session = try playing()
        session.pty.send(key)
        #expect(says(session, words), "\(session.rows.joined(separator: "\n"))")
    }

    @Test func arrowsMoveByFiveSeconds() throws {
        let session = try playing()
        session.pty.send(" 5")
        try #require(says(session, "0:15"))
        session.pty.send("\u{1B}[C")
        #expect(says(session, "0:20"), "\(session.rows)")
        session.pty.send("\u{1B}[D\u{1B}[D")
        #expect(says(session, "0:10"), "\(session.rows)")
    }

    @Test func followsAResizeUpToTheLastRow() throws {
        let session = try playing(size: Pty.Size(80, 24))
        let before = session.pty.output.count
        let larger = Pty.Size(120, 40)
        session.pty.resize(larger)
        // 16:9 on 120x40 cells of 8x16 fills the width: row 36 is inside the picture, and there was none before.
        #expect(
            Screen.wait(on: session.pty, from: before, size: larger, within: .seconds(2)) { rows in
                rows.count == 40 && Screen.showsPicture(Array(rows[35].utf8))
            })
    }

    @Test func takesAWindowOfNoSizeFor80x24() throws {
        let session = try Session(["--no-audio", #require(Programs.demo)], size: Pty.Size(0, 0))
        #expect(session.waitForPicture())
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(2)) == .exited(0))
        let rows = Screen.rows(session.pty.output, size: Pty.Size(80, 24))
        #expect(rows.count == 24)
    }
}
