import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// Nothing that a stranger wrote into a document, a name or an address is ever obeyed by the terminal, whoever prints it.
@Suite(
    .enabled(if: Programs.player != nil && Programs.control != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct HostileOutputTests {
    /// A title, colours and a clearing, in both spellings; a bell, a deletion and a change of direction.
    private static let evil = "\u{1B}]0;EVIL\u{7}\u{1B}[31m\u{9B}2J\u{7F}\u{202E}"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let evil = Self.evil
        let texts = [
            "x.mpd": """
            <?xml version="1.0"?>
            <MPD type="static" a="\(evil)" profiles="urn:mpeg:dash:profile:isoff-live:2011"><Period a=\(evil)></Period></MPD>
            """,
            "x.m3u8": "#EXTM3U\n#EXT-X-VERSION:\(evil)\n#EXTINF:9,\(evil)\n\(evil)nowhere.ts\n",
            "x.m3u": "#EXTM3U\n#EXTINF:9,\(evil)\nnowhere\(evil).mkv\n",
            "x.cue": "FILE \"\(evil).wav\" WAVE\n  TITLE \"\(evil)\"\n",
            "x.pls": "[playlist]\nFile1=\(evil)\nTitle1=\(evil)\n", "x.ttml": "<tt a=\(evil)><body>\(evil)</bdy></tt>",
            "x.svg": "<svg width=\"\(evil)\" height=10 xmlns=\"http://www.w3.org/2000/svg\">\(evil)</svg>",
            "\(evil).mkv": "no film", "x.ass": "[Script Info]\nTitle: \(evil)\n[Events]\nDialogue: \(evil)\n",
        ]
        for (name, text) in texts { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
    }

    /// Names of tests are printed, too: in them a pair of braces stands for what is hostile.
    private static func filled(_ words: String) -> String { words.replacing("{}", with: evil) }

    /// The characters of a text that a terminal would obey, in words; lines and tabs are the programs' own.
    private static func danger(_ text: String) -> [String] {
        text.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && DisplayText.isUnsafe($0) }.map {
            "U+" + String($0.value, radix: 16)
        }
    }

    private func expectSafe(_ words: [String], outputToo: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let command = try Command(words)
        #expect(Self.danger(command.standardError) == [], "\(words)", sourceLocation: sourceLocation)
        if outputToo { #expect(Self.danger(command.standardOutput) == [], "\(words)", sourceLocation: sourceLocation) }
    }

    @Test(arguments: [
        "x.mpd", "x.m3u8", "x.m3u", "x.cue", "x.pls", "x.ttml", "x.svg", "x.ass", "{}.mkv", "not{}there.mkv",
    ])
    func aDocumentIsOnlyQuoted(_ name: String) throws {
        let path = folder.path(Self.filled(name)), control = try #require(Programs.control)
        try expectSafe([#require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", path])
        try expectSafe([#require(Programs.player), "--plain", "--no-audio", "--sub", path, "/nowhere.mkv"])
        for words in [
            ["probe"], ["probe", "--json"], ["swdecode"], ["swdecode", "--json"], ["packets"],
            ["play", "--untimed", "--audio", "none"], ["extract", "--at", "0", "--thumbnail", "-o", folder.path("o.png")],
        ] { try expectSafe([control] + words + [path]) }
        try expectSafe([control, "render", "--size", "20x10", path], outputToo: false)
    }

    @Test func tagsAreOnlyQuoted() throws {
        let clip = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=64x36:r=10:d=1", "-c:v", "mpeg4", "-metadata", "title=\(Self.evil)", "-metadata",
                "artist=\(Self.evil)", "-metadata", "\(Self.evil)=x", "-metadata:s:v", "title=\(Self.evil)",
            ], ext: "mkv")
        let control = try #require(Programs.control)
        for words in [["probe"], ["probe", "--json"], ["swdecode", "--json"], ["packets"]] {
            try expectSafe([control] + words + [clip])
        }
        try expectSafe([#require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", clip])
    }

    @Test(arguments: [
        ["--bad{}", "x.mkv"], ["--volume", "{}", "x.mkv"], ["--volume={}", "x.mkv"],
        ["--start", "{}", "x.mkv"], ["--renderer", "{}", "x.mkv"], ["--theme", "{}", "x.mkv"],
        ["--log", "/nowhere/{}", "x.mkv"], ["--telemetry", "/nowhere/{}", "x.mkv"], ["-{}"],
        ["--print-config", "--sub", "{}", "x.mkv"], ["--audio-language", "{}", "--print-config"],
    ])
    func theWordsOfTheCommandLineAreOnlyQuoted(_ words: [String]) throws {
        try expectSafe([#require(Programs.player)] + words.map(Self.filled))
    }

    @Test(arguments: [
        ["{}"], ["probe", "--{}", "x"], ["history", "--limit", "{}"], ["remote", "/nowhere/{}", "pause"],
        ["remote", "/nowhere", "{}"], ["render", "--size", "{}", "x"], ["extract", "--at", "{}", "x"],
        ["sheet", "--columns", "{}", "x"], ["play", "--sink", "{}", "x"], ["help", "{}"],
    ])
    func theWordsOfTheToolAreOnlyQuoted(_ words: [String]) throws {
        try expectSafe([#require(Programs.control)] + words.map(Self.filled))
    }

    @Test(.enabled(if: Network.isAvailable, "no python3 here")) func aDocumentFromElsewhereIsOnlyQuoted() throws {
        let server = try Network.Server(folder: folder.url)
        try expectSafe([#require(Programs.player), "--plain", "--no-audio", "--no-ytdl", server.address + "/x.mpd"])
        try expectSafe([#require(Programs.control), "probe", server.address + "/x.mpd"])
    }

    @Test(.enabled(if: Network.isAvailable, "no python3 here")) func aPlayerThatAnswersBadlyIsOnlyQuoted() throws {
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(1); print("ready", flush=True)
            c, _ = s.accept(); c.recv(4096)
            c.sendall(b'{"ok":true,"value":"\\\\u001b]0;EVIL\\\\u0007\\\\u009b31m\\\\u202e"}\\n')
            c.recv(1)
            """
        let python = try Pty(["python3", "-c", script, folder.path("socket")])
        try #require(python.waitForText("ready"), "\(python.text)")
        try expectSafe([#require(Programs.control), "remote", folder.path("socket"), "get", "title"])
    }

    // MARK: - Descriptor 2

    /// Writes as a library inside the player would.
    private func writeToStandardError(of pid: Int32, _ text: String) throws {
        let descriptor = open("/proc/\(pid)/fd/2", O_WRONLY | O_CLOEXEC | O_NOCTTY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var text = text
        let count = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
        #expect(count == text.utf8.count)
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool { String(decoding: bytes, as: UTF8.self).contains(text) }

    private func player(_ words: String...) throws -> Pty {
        try Pty(
            [#require(Programs.player), "--no-audio", "--no-config", "--no-mpris"] + words + [#require(Programs.demo)],
            environment: ["XDG_STATE_HOME": folder.path("state"), "COLORTERM": "truecolor"])
    }

    @Test func overAScreenLibrariesSpeakToTheLogAlone() throws {
        let pty = try player("--log", folder.path("log"))
        try #require(pty.waitForOutput { Screen.showsFrame($0) }, "\(pty.text)")
        try writeToStandardError(of: pty.pid, "a library: \(Self.evil)\n")
        pty.send("q")
        #expect(pty.waitForEnd() == .exited(0))
        #expect(!contains(pty.output, "EVIL"))
        let log = try String(contentsOfFile: folder.path("log"), encoding: .utf8)
        #expect(log.contains("stderr: a library: ]0;EVIL") && Self.danger(log) == [], "\(log)")
    }

    @Test func onPlainLinesLibrariesAreCleaned() throws {
        let pty = try player("--plain")
        try #require(pty.waitForText("playing"))
        try writeToStandardError(of: pty.pid, "a library: \(Self.evil)\n")
        #expect(pty.waitForText("a library: ]0;EVIL"), "\(pty.text)")
        pty.send("q")
        #expect(pty.waitForEnd() == .exited(0))
        #expect(!contains(pty.output, "\u{1B}]0;EVIL") && !contains(pty.output, "\u{9B}"))
    }

    /// Where standard error is a file, lines get there, cleaned, also over a screen; nothing is lost at the end.
    @Test(arguments: [true, false]) func intoAFileLibrariesAreCleanedToo(_ isPlain: Bool) throws {
        let session = try Session((isPlain ? ["--plain"] : []) + ["--no-audio", #require(Programs.demo)])
        try #require(isPlain ? session.pty.waitForText("playing") : session.waitForStill())
        try writeToStandardError(of: session.pty.pid, "a library: \(Self.evil)without an end")
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0))
        #expect(session.standardError.hasPrefix("a library: ]0;EVIL") && session.standardError.hasSuffix("without an end\n"))
        #expect(Self.danger(session.standardError) == [])
    }

    @Test func aClosedStandardErrorIsNoFileOfOurs() throws {
        let pty = try Pty(
            [
                "bash", "-c", "exec \"$@\" 2>&-", "x", #require(Programs.player), "--plain", "--no-audio", "--log",
                folder.path("log"),
                #require(Programs.demo),
            ], environment: ["XDG_STATE_HOME": folder.path("state")])
        try #require(pty.waitForText("playing"))
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pty.pid)/fd/2")
        #expect(target.hasPrefix("pipe:"), "\(target)")
        pty.send("q")
        #expect(pty.waitForEnd() == .exited(0))
    }
}
