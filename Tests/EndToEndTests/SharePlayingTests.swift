import AetherTestSupport
import Foundation
import Testing

/// Shares of a real server, with the built player: in the browser, behind a password, by their addresses.
@Suite(
    .enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"),
    .enabled(if: ShareServer.isAvailable, "no smbd here, or we are not root: scripts/setup.sh test installs it"), .serialized)
struct SharePlayingTests {
    private let folder: TemporaryFolder
    private let server: ShareServer

    init() throws {
        (folder, server) = (try TemporaryFolder(), try ShareServer())
        let season = server.folder.appending(path: "Season 1")
        try FileManager.default.createDirectory(at: season, withIntermediateDirectories: true)
        for name in ["part #2", "part #10"] {
            let made = try Command([
                "ffmpeg", "-v", "error", "-ss", "28", "-i", #require(Programs.demo), "-map", "0:v", "-c", "copy", "-metadata",
                "title=\(name)", season.appending(path: "\(name).mkv").path,
            ])
            try #require(made.status == 0, "\(made.standardError)")
        }
        try Data("1\n00:00:29,000 --> 00:00:30,000\nWords beside it\n".utf8).write(to: season.appending(path: "part #2.en.srt"))
        try Data("#EXTM3U\n#EXTINF:3,The Last Part\npart #10.mkv\n../../etc/passwd\n".utf8).write(
            to: season.appending(path: "list.m3u"))
        try FileManager.default.createDirectory(atPath: folder.path("config/aether-tui"), withIntermediateDirectories: true)
        let shares = "[nas]\naddress = \"smb://127.0.0.1:\(server.port)/safe\"\nuser = \"root\"\n"
        try Data(shares.utf8).write(to: URL(filePath: folder.path("config/aether-tui/shares.toml")))
    }

    private func played(_ path: String, _ options: String...) throws -> Command {
        try Command(
            [
                #require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", "--no-ytdl",
                "smb://127.0.0.1:\(server.port)/" + path,
            ] + options, environment: ["XDG_STATE_HOME": folder.path("state")])
    }

    @Test(arguments: [
        ("guest/Season 1", ["Playing: part #2", "part #2.en.srt", "Playing: part #10"]),
        ("guest/Season 1/list.m3u", ["Playing: The Last Part"]),
        ("guest/Season%201/part #2.mkv", ["Playing: part #2", "part #2.en.srt"]),
    ])
    func foldersListsAndFilesPlayByTheirAddresses(_ path: String, _ words: [String]) throws {
        let command = try played(path)
        #expect(command.status == 0, "\(command.standardOutput) \(command.standardError)")
        let found = words.compactMap { command.standardOutput.range(of: $0)?.lowerBound }
        #expect(found.count == words.count && found == found.sorted(), "\(command.standardOutput)")
        #expect(!command.standardOutput.contains("passwd"))
    }

    @Test(.enabled(if: DVDFixture.isPossible, Comment(rawValue: DVDFixture.missing)))
    func foldersAndSheetsOfDiscsAreDiscs() throws {
        let disc = server.folder.appending(path: "My Disc")
        try FileManager.default.copyItem(atPath: DVDFixture.made().folder, toPath: disc.path)
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=352x288:r=25:d=2", "-f", "lavfi", "-i", "sine=r=44100:d=2", "-target", "pal-vcd"],
            ext: "mpg")
        let stream = Array(try Data(contentsOf: URL(filePath: clip)))
        let (image, sheet) = DiscImage.videoCD([stream], entries: [[0]], file: "clip.bin")
        try Data(image).write(to: server.folder.appending(path: "clip.bin"))
        try Data(sheet.utf8).write(to: server.folder.appending(path: "clip.cue"))
        let folder = try played("guest/My Disc", "--title", "2")
        #expect(
            folder.status == 0 && folder.standardOutput.contains("Playing: My Disc"),
            "\(folder.standardOutput) \(folder.standardError)")
        #expect(folder.standardOutput.contains("0:04"), "\(folder.standardOutput)")
        for path in ["guest/My Disc/VIDEO_TS/VIDEO_TS.IFO", "guest/clip.cue", "guest/clip.bin"] {
            let command = try played(path, "--end", "1")
            #expect(command.status == 0, "\(path): \(command.standardOutput) \(command.standardError)")
        }
    }

    /// A server, of which shares are all that there is: listed where there is a screen, named where there is none.
    @Test func aServerIsLookedAroundIn() throws {
        let command = try played("")
        #expect(command.status == 2)
        #expect(command.standardError.contains("no media files, but folders: "), "\(command.standardError)")
        let session = try Session(
            ["--no-audio", "--no-mpris", "--renderer", "halfblock", "--no-config", "smb://127.0.0.1:\(server.port)/"],
            environment: ["XDG_STATE_HOME": folder.path("state")])
        #expect(session.waitForRow { $0.contains("guest/") }, "\(session.rows)")
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0))
    }

    @Test func withoutAPersonAtTheTerminalARefusedLoginIsAnError() throws {
        let command = try played("safe/Season 1/part #2.mkv")
        #expect(command.status == 2 && command.standardError.contains("name and password"), "\(command.standardError)")
    }

    @Test func aSavedShareIsBrowsedItsPasswordTypedAndItsVideoPlayed() throws {
        let session = try Session(
            ["--no-audio", "--no-mpris", "--renderer", "halfblock"],
            environment: [
                "XDG_CONFIG_HOME": folder.path("config"), "HOME": folder.url.path,
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
            ])
        #expect(session.waitForRow { $0.contains("Shares/") })
        // Home: the first row.
        session.pty.send("\u{1B}[H\r")
        #expect(session.waitForRow { $0.contains("nas/") }, "\(session.rows)")
        session.pty.send("\r")
        #expect(session.waitForRow { $0.contains("Login to smb://127.0.0.1") }, "\(session.rows)")
        session.pty.send("wrong")
        #expect(session.waitForRow { $0.contains("Password") && $0.contains("•••••") }, "\(session.rows)")
        session.pty.send("\r")
        // It is asked again, in an empty field.
        #expect(session.waitForRow { $0.contains("Password") && !$0.contains("•") && $0.contains("_") }, "\(session.rows)")
        session.pty.send("se cret\r")
        #expect(session.waitForRow { $0.contains("Season 1/") }, "\(session.rows)")
        session.pty.send("\r")
        #expect(session.waitForRow { $0.contains("part #2.mkv") }, "\(session.rows)")
        session.pty.send("\r")
        #expect(session.waitForStill(), "\(session.rows)")
        #expect(!session.pty.text.contains("se cret") && !session.standardError.contains("cret"))
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0))
        try session.expectRestored()
    }
}
