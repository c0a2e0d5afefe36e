import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// Sources that cannot be played are refused in one line, before the screen is touched.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"))
struct RefusalTests {
    private func expectRefusal(
        _ arguments: [String], status: Int32, environment: [String: String?] = [:], through wrapper: [String] = [],
        says words: String = "", isAsked: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let punctuality = Punctuality()
        let session = try Session(["--no-audio"] + arguments, environment: environment, through: wrapper)
        #expect(session.pty.waitForEnd() == .exited(status), "\(session.standardError)", sourceLocation: sourceLocation)
        let lines = session.standardError.split(separator: "\n")
        #expect(status == 64 ? !lines.isEmpty : lines.count == 1, "\(session.standardError)", sourceLocation: sourceLocation)
        #expect(
            words.isEmpty || session.standardError.contains(words), "\(session.standardError)", sourceLocation: sourceLocation)
        #expect(!session.standardError.utf8.contains(0x1B), sourceLocation: sourceLocation)
        // A refusal for which the terminal must be asked blinks through the alternate screen, and so does one of a file that the machine
        // did not open in 150 ms.
        let mayBlink = isAsked || !punctuality.kept(.milliseconds(15))
        let leftovers = Screen.leftovers(session.pty.output, size: Pty.Size(80, 24))
        let traces = mayBlink ? !leftovers.isEmpty : !session.pty.output.isEmpty
        #expect(!traces, "the screen was touched: \(session.pty.text)", sourceLocation: sourceLocation)
    }

    @Test func aFileThatIsNotThere() throws { try expectRefusal(["/no/such/file.mkv"], status: 2) }

    @Test func aFileThatIsNotMedia() throws {
        let folder = try TemporaryFolder()
        try Data("just words, and not many\n".utf8).write(to: folder.url.appending(path: "words.mkv"))
        try expectRefusal([folder.path("words.mkv")], status: 2)
    }

    @Test(arguments: [0, 1, 40, 400])
    func aFileCutOffInItsHeader(_ length: Int) throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(filePath: #require(Programs.demo)))
        try whole.prefix(length).write(to: folder.url.appending(path: "cut.mkv"))
        try expectRefusal([folder.path("cut.mkv")], status: 2)
    }

    @Test func aFileWithNeitherFrameNorAudio() throws {
        let folder = try TemporaryFolder()
        try Data("1\n00:00:00,000 --> 00:00:01,000\nwords\n".utf8).write(to: folder.url.appending(path: "words.srt"))
        try expectRefusal([folder.path("words.srt")], status: 2)
    }

    @Test func aFolderWithoutMedia() throws {
        let folder = try TemporaryFolder()
        try expectRefusal([folder.url.path], status: 2)
    }

    @Test func aFileThatMayNotBeRead() throws {
        let folder = try TemporaryFolder()
        try Data("secret".utf8).write(to: folder.url.appending(path: "locked.mkv"))
        chmod(folder.path("locked.mkv"), 0)
        // Root may read every file: the player is started without that privilege.
        let lost = "-dac_override,-dac_read_search"
        let wrapper = geteuid() == 0 ? ["setpriv", "--bounding-set=\(lost)", "--inh-caps=\(lost)"] : []
        try expectRefusal([folder.path("locked.mkv")], status: 2, through: wrapper, says: "Permission denied")
    }

    @Test func aFolderThatIsNotThereInAUsualPlace() throws { try expectRefusal(["/no/such/folder/"], status: 2) }

    @Test func aTerminalWithoutCursorAddressingForAForcedRenderer() throws {
        try expectRefusal(["--renderer", "halfblock", try #require(Programs.demo)], status: 3, environment: ["TERM": "dumb"])
    }

    @Test func aRendererThatTheTerminalLacks() throws {
        try expectRefusal(
            ["--renderer", "sixel", try #require(Programs.demo)], status: 3, says: "cannot show sixel images", isAsked: true)
    }

    @Test(arguments: [
        ["--no-such-option", "x.mkv"], ["--plain"], ["--volume", "loud", "x.mkv"], ["--renderer", "oil", "x.mkv"],
    ])
    func aCommandLineThatIsWrong(_ arguments: [String]) throws { try expectRefusal(arguments, status: 64) }
}
