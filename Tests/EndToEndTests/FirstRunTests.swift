import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// Somebody who names no file.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct FirstRunTests {
    @Test func theFilesAreShownOnePlaysThreeKeysAreTaughtAndTheBrowserComesBack() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("season 1"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: #require(Programs.demo), toPath: folder.path("season 1/film.mkv"))
        let session = try Session(["--no-audio", "--no-config"], through: ["env", "-C", folder.url.path])
        #expect(session.waitForRow { $0.contains("season 1/") })
        session.pty.send("\r")
        #expect(session.waitForRow { $0.contains("film.mkv") })
        session.pty.send("film\r")
        #expect(session.waitForRow { $0.contains("all keys") })
        session.pty.send(":")
        #expect(session.waitForRow { $0.contains("Command palette") || $0.contains(":_") })
        session.pty.send("seek-percent 100\r")
        #expect(session.waitForRow(within: .seconds(60)) { $0.contains("film.mkv") && $0.contains("MB") })
        // The last row of the pane, too, or its absence would say nothing, and Escape and q came as one key.
        #expect(session.waitForRow { $0.contains("/ filter") })
        session.pty.send("\u{1B}")
        #expect(session.waitForRows { rows in !rows.contains { $0.contains("/ filter") } })
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        try session.expectRestored()
    }

    @Test func withoutATerminalToReadFromAFileMustBeNamed() throws {
        let session = try Session(["--no-audio"], through: ["setsid", "--wait", "bash", "-c", "exec \"$@\" </dev/null", "-"])
        #expect(session.pty.waitForEnd() == .exited(64))
        #expect(session.standardError.contains("Name at least one file to play"))
    }
}
