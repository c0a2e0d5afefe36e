import AetherCore
import AetherDesktop
import AetherTestSupport
import Foundation
import Testing

/// Somebody who names no file.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct FirstRunTests {
    /// `isNamed`: the directory, which holds a directory alone, is the source.
    @Test(arguments: [false, true]) func theFilesAreShownOnePlaysThreeKeysAreTaughtAndTheBrowserComesBack(isNamed: Bool) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("season 1"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: #require(Programs.demo), toPath: folder.path("season 1/film.mkv"))
        let session = try Session(
            ["--no-audio", "--no-config"] + (isNamed ? [folder.url.path] : []),
            through: isNamed ? [] : ["env", "-C", folder.url.path])
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

    @Test func aChosenFileThatCannotBePlayedGivesThePlaceBack() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: #require(Programs.demo), toPath: folder.path("film.mkv"))
        try Data(repeating: 0x55, count: 5000).write(to: folder.url.appending(path: "nothing.mkv"))
        let session = try Session(
            ["--no-audio", "--no-config", "--loop-file", "--ipc", folder.path("s"), folder.path("film.mkv")])
        #expect(session.waitForStill())
        var connection = try RemoteConnection(path: folder.path("s"))
        session.pty.send("f")
        #expect(session.waitForRow { $0.contains("nothing.mkv") })
        session.pty.send("nothing\r")
        var events: [String] = []
        while events.suffix(2) != ["error", "file"], let line = try connection.nextLine() {
            if case .object(let members) = try JSON(line), let event = members["event"]?.text { events.append(event) }
        }
        #expect(events.suffix(2) == ["error", "file"])
        // The film plays on, and the reason is said.
        #expect(session.waitForRow { $0.contains("nothing.mkv’") }, "\(session.rows)")
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
