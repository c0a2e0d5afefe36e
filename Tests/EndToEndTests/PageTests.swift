import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// The address of a page, and a yt-dlp of our own on PATH.
@Suite(
    .enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"),
    .enabled(if: Network.isAvailable, "no python3 here"), .serialized)
struct PageTests {
    private let folder: TemporaryFolder
    private let server: Network.Server

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("web"), withIntermediateDirectories: false)
        try FileManager.default.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: false)
        try Data("<html><body>A page with a film.</body></html>".utf8).write(to: URL(filePath: folder.path("web/page.html")))
        try FileManager.default.copyItem(atPath: #require(Programs.demo), toPath: folder.path("web/film.mkv"))
        server = try Network.Server(folder: URL(filePath: folder.path("web")))
    }

    /// Puts a program of that name in front of whatever is installed.
    private func install(_ script: String) throws {
        try ProgramFile.write(script, to: folder.path("bin/yt-dlp"))
    }

    private func player(_ words: String..., path: String? = nil) throws -> Pty {
        try Pty(
            [#require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris"] + words,
            environment: [
                "XDG_STATE_HOME": folder.path("state"), "PATH": path ?? "\(folder.path("bin")):/usr/local/bin:/usr/bin:/bin",
            ])
    }

    @Test func thePagesVideoPlaysUnderItsTitleAndNoShellIsAsked() throws {
        // The arguments of the call go to a file, a word a line.
        try install("printf '%s\\n' \"$@\" > '\(folder.path("words"))'; printf 'A \\033[31mFilm\\n\(server.address)/film.mkv\\n'")
        let page = server.address + "/page.html?a=$(touch%20x)&b=;reboot"
        let player = try player(page)
        #expect(player.waitForText("yt-dlp is asked"))
        #expect(player.waitForText("  playing"), "\(player.text)")
        #expect(!player.text.contains("\u{1B}[31m"))
        player.send("q")
        #expect(player.waitForEnd() == .exited(0))
        let words = try String(contentsOfFile: folder.path("words"), encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(words.suffix(2) == ["--", page] && words.first == "--ignore-config")
    }

    /// As sites offer it: the best video without audio, and the audio of its own.
    @Test func videoAndAudioOfTwoAddressesPlayTogether() throws {
        for (options, name) in [(["-an", "-c:v", "copy"], "v.mkv"), (["-vn", "-map", "0:a:0", "-c:a", "flac"], "a.mka")] {
            let made = try Command(
                ["ffmpeg", "-v", "error", "-i", folder.path("web/film.mkv"), "-t", "3"] + options + [folder.path("web/" + name)])
            try #require(made.status == 0, "\(made.standardError)")
        }
        try install("printf 'A Film\\n\(server.address)/v.mkv\\n\(server.address)/a.mka\\n'")
        let player = try Pty(
            [#require(Programs.player), "--plain", "--no-config", "--no-mpris", "--audio-device", "no-such-device"]
                + [server.address + "/page.html"],
            environment: ["XDG_STATE_HOME": folder.path("state"), "PATH": "\(folder.path("bin")):/usr/local/bin:/usr/bin:/bin"])
        #expect(player.waitForText("FLAC"), "\(player.text)")
        #expect(player.waitForEnd() == .exited(0), "\(player.text)")
    }

    @Test func aPagePlaysOnAScreenToo() throws {
        try install("printf 'A Film\\n\(server.address)/film.mkv\\n'")
        let session = try Session(
            ["--no-audio", "--no-config", "--no-mpris", server.address + "/page.html"],
            environment: ["PATH": "\(folder.path("bin")):/usr/local/bin:/usr/bin:/bin"])
        #expect(session.waitForStill(), "\(session.rows) \(session.standardError)")
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0), "\(session.standardError)")
    }

    /// The qualities of the page are in the menu of video tracks; another one is another address, at the same place.
    @Test func aQualityIsChosenWhileItPlays() throws {
        let demo = try #require(Programs.demo)
        let origin = try TestOrigin([
            "/page": .bytes(Array("<html></html>".utf8)), "/large.mkv": .file(demo), "/small.mkv": .file(demo),
        ])
        func format(_ name: String, _ height: Int) -> String {
            """
            {"format_id": "\(name)", "url": "\(origin.address)/\(name).mkv", "protocol": "http", "width": 640, "height": \(height), \
            "vcodec": "avc1", "acodec": "mp4a"}
            """
        }
        let lines = [
            "A Film", "\(origin.address)/large.mkv", "{}", "{\"format_id\": \"large\"}",
            "[\(format("small", 240)),\(format("large", 480))]",
        ]
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: folder.path("answer")))
        try install("cat '\(folder.path("answer"))'")
        let session = try Session(
            ["--no-audio", "--no-config", "--no-mpris", origin.address + "/page"],
            environment: ["PATH": "\(folder.path("bin")):/usr/local/bin:/usr/bin:/bin"])
        #expect(session.waitForStill(), "\(session.rows) \(session.standardError)")
        session.pty.send("V")
        #expect(session.waitForRow { $0.contains("240p") }, "\(session.rows)")
        session.pty.send("\u{1B}[B\r")
        #expect(origin.wait { $0.contains { $0.target == "/small.mkv" } }, "\(session.rows)")
        #expect(session.waitForRow { $0.contains("A Film") }, "\(session.rows)")
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0), "\(session.standardError)")
    }

    @Test func escapeGivesUpAPageThatTakesTooLong() throws {
        try install("exec sleep 1000")
        let session = try Session(
            ["--no-audio", "--no-config", "--no-mpris", server.address + "/page.html"],
            environment: ["PATH": "\(folder.path("bin")):/usr/local/bin:/usr/bin:/bin"])
        #expect(session.waitForRow { $0.contains("Esc: cancel") }, "\(session.rows)")
        session.pty.send("\u{1B}")
        #expect(session.pty.waitForEnd() == .exited(2), "\(session.rows)")
        #expect(session.standardError.contains("was cancelled"), "\(session.standardError)")
    }

    @Test func aPageWithoutAVideoEndsWithASentence() throws {
        try install("echo 'ERROR: Unsupported URL' >&2; exit 1")
        let session = try Session(
            ["--no-audio", "--no-config", "--no-mpris", server.address + "/page.html"],
            environment: ["PATH": "\(folder.path("bin")):/usr/local/bin:/usr/bin:/bin"])
        #expect(session.pty.waitForEnd() == .exited(2), "\(session.rows)")
        #expect(session.standardError.contains("yt-dlp"), "\(session.standardError)")
    }

    @Test func whatIsMediaItselfIsNotAskedAbout() throws {
        try install("touch '\(folder.path("asked"))'")
        let player = try player(server.address + "/film.mkv")
        #expect(player.waitForText("  playing"))
        player.send("q")
        #expect(player.waitForEnd() == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: folder.path("asked")))
    }

    @Test func whoDoesNotWantItIsNotAsked() throws {
        try install("touch '\(folder.path("asked"))'")
        let player = try player("--no-ytdl", server.address + "/page.html")
        #expect(player.waitForEnd() == .exited(2))
        #expect(!FileManager.default.fileExists(atPath: folder.path("asked")) && !player.text.contains("yt-dlp"))
    }

    @Test func withoutItThePersonIsToldWhatIsMissing() throws {
        let player = try player(server.address + "/page.html", path: folder.path("bin"))
        #expect(player.waitForEnd() == .exited(2))
        #expect(player.text.contains("with yt-dlp installed"), "\(player.text)")
    }

    @Test func itsOwnComplaintIsShownStripped() throws {
        try install("echo 'ERROR: \u{1B}[2Jthe film is private' >&2; exit 1")
        let player = try player(server.address + "/page.html")
        #expect(player.waitForEnd() == .exited(2))
        #expect(player.text.contains("yt-dlp: ERROR: [2Jthe film is private"), "\(player.text)")
    }

    @Test func whoSaysTooMuchIsNotListenedTo() throws {
        try install("yes https://example.org/ | head -c 10000000")
        let player = try player(server.address + "/page.html")
        #expect(player.waitForEnd() == .exited(2))
        #expect(player.text.contains("yt-dlp"))
    }

    /// The number of the program that was asked. It has begun when its number is there, a whole line.
    private var asked: Int32? {
        let end = SystemTime().now() + .seconds(60)
        while SystemTime().now() < end {
            // No file: it has not begun.
            let text = try? String(contentsOfFile: folder.path("pid"), encoding: .utf8)
            if let text, text.hasSuffix("\n"), let number = Int32(text.dropLast()) { return number }
            sched_yield()
        }
        return nil
    }

    /// Whether a program has ended. It was told to, and does so when it gets its turn; whoever takes care of orphans may let it lie there dead.
    private func isGone(_ pid: Int32) -> Bool {
        let end = SystemTime().now() + .seconds(60)
        while SystemTime().now() < end {
            if kill(pid, 0) == -1 { return true }
            // No file: it went between the two looks.
            let state = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
            if state.isEmpty || state.contains(") Z ") || state.contains(") X ") { return true }
            sched_yield()
        }
        return false
    }

    /// The library that starts it has threads that block no signals: one of those may be the one that gets it.
    @Test func aSignalEndsTheProgramThatWasAskedAndRestoresTheTerminal() throws {
        try install("echo $$ > '\(folder.path("pid"))'; sleep 1000")
        let session = try Session(
            ["--no-audio", "--no-config", "--no-mpris", server.address + "/page.html"],
            environment: ["PATH": "\(folder.path("bin")):/usr/local/bin:/usr/bin:/bin"])
        #expect(session.waitForRow { $0.contains("Esc: cancel") }, "\(session.rows)")
        let pid = try #require(asked)
        session.pty.signal(SIGTERM)
        #expect(session.pty.waitForEnd() == .killed(SIGTERM))
        try session.expectRestored()
        #expect(isGone(pid), "it is still there")
    }

    @Test func aPageIsNotCalledNoMediaBeforeItWasAskedAbout() throws {
        try install("echo A film; echo \(server.address)/film.mkv")
        let player = try player(server.address + "/page.html")
        #expect(player.waitForText("  playing"))
        #expect(!player.text.contains("not media"), "\(player.text)")
        player.send("q")
        #expect(player.waitForEnd() == .exited(0))
    }

    @Test func quittingEndsTheProgramThatWasAsked() throws {
        try install("echo $$ > '\(folder.path("pid"))'; exec sleep 1000")
        let player = try player(server.address + "/page.html")
        #expect(player.waitForText("yt-dlp is asked"))
        let number = asked
        player.send("q")
        #expect(player.waitForEnd() == .exited(0))
        let pid = try #require(number)
        #expect(isGone(pid), "it is still there")
    }
}
