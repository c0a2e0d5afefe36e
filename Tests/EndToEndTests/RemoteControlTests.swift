import AetherCore
import AetherDesktop
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// Events and refusals of aether-tui-ipc(5), of a player that plays a list.
@Suite(.enabled(if: Programs.player != nil, "\(Programs.missing)"))
struct RemoteControlTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func film(_ seconds: String) throws -> String {
        try Fixtures.clip(
            ["-f", "lavfi", "-i", "color=red:size=64x48:rate=5:duration=\(seconds)", "-c:v", "libx264"], ext: "mp4")
    }

    private func player(_ files: [String]) throws -> Pty {
        let pty = try Pty(
            [
                try #require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", "--no-history", "--no-ytdl",
                "--ipc", folder.path("s"),
            ] + files)
        #expect(pty.waitForText("  playing"), "\(pty.text)")
        return pty
    }

    private func next(_ connection: inout RemoteConnection) throws -> JSON.Members? {
        guard let line = try connection.nextLine(), case .object(let members) = try JSON(line) else { return nil }
        return members
    }

    /// The next answer; events in front of it are passed over.
    private func ask(_ connection: inout RemoteConnection, _ verb: RemoteRequest.Verb) throws -> JSON.Members {
        try connection.say(RemoteRequest(verb).line)
        while let line = try next(&connection) { if line["ok"] != nil { return line } }
        return [:]
    }

    @Test func everyFileOfAListHasItsEvents() throws {
        let short = try film("0.4"), cut = folder.path("cut.mp4"), missing = folder.path("missing.mkv")
        let whole = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=2", "-c:v", "libx264", "-movflags", "+faststart"], ext: "mp4")
        let data = try Data(contentsOf: URL(filePath: whole))
        try data.prefix(data.count / 2).write(to: URL(filePath: cut))
        let player = try player([try film("600"), short, missing, short, cut, short])
        var connection = try RemoteConnection(path: folder.path("s"))
        #expect(try next(&connection)?["event"] == .string("hello"))
        try connection.say(RemoteRequest(.command("go-to-file", [.number(2)])).line)
        var events: [String] = []
        while let line = try next(&connection) {
            guard let event = line["event"]?.text else { continue }
            events.append(event + (line["file"]?.integer.map { " \($0)" } ?? ""))
            if event == "error" { #expect(line["text"]?.text?.isEmpty == false) }
            if event == "file" { #expect(line["title"]?.text?.isEmpty == false) }
        }
        // The first file begins before this connection, or just behind it.
        if events.first == "file 1" { events.removeFirst() }
        #expect(
            events == ["file 2", "end 2", "error 3", "file 4", "end 4", "file 5", "error 5", "file 6", "end 6", "quit"])
        #expect(player.waitForEnd() == .exited(2), "\(player.text)")
    }

    @Test func whatIsNotThereIsRefused() throws {
        let player = try player([try film("600"), try film("0.4")])
        var connection = try RemoteConnection(path: folder.path("s"))
        let refused: [(RemoteRequest.Verb, String)] = [
            (.command("go-to-file", [.number(3)]), "no file 3: the list has 2"),
            (.command("remove", [.number(9)]), "no file 9: the list has 2"),
            (.command("remove", [.number(1)]), "file 1 plays: it cannot be taken out"),
            (.command("move", [.number(1), .number(5)]), "no file 5: the list has 2"),
            (.command("file", [.number(-1)]), "the list ends here"),
            (.set("file", .number(3)), "no file 3: the list has 2"),
            (.set("duration", .number(3)), "duration can only be read"), (.set("volume", .number(200)), "volume takes 0 to 150"),
            (.get("nonsense"), "unknown property nonsense"), (.observe("nonsense", true), "unknown property nonsense"),
            (.command("nonsense", []), "nonsense is not a command"), (.action("nonsense"), "nonsense: "),
        ]
        for (verb, reason) in refused {
            let answer = try ask(&connection, verb)
            #expect(answer["ok"] == .bool(false) && answer["error"]?.text?.hasPrefix(reason) == true, "\(verb): \(answer)")
        }
        #expect(try ask(&connection, .command("remove", [.number(2)]))["ok"] == .bool(true))
        #expect(try ask(&connection, .get("files"))["value"]?.integer == 1)
        #expect(try ask(&connection, .command("quit", []))["ok"] == .bool(true))
        #expect(player.waitForEnd() == .exited(0))
    }

    /// In a pipe, too, while the player plays.
    @Test func whatIsObservedIsPrintedAsItComes() throws {
        let player = try player([try film("30")])
        let script = "\"$0\" remote \"$1\" observe volume | { read -r a; read -r b; echo \"$a $b\"; \"$0\" remote \"$1\" quit; }"
        let said = try Command(["sh", "-c", script, #require(Programs.control), folder.path("s")])
        #expect(said.standardOutput == "ok {\"event\":\"property\",\"name\":\"volume\",\"value\":100}\nok\n")
        #expect(player.waitForEnd() == .exited(0))
    }

    /// A file that cannot be opened is answered with an error, in its turn, and the present file plays on.
    @Test func aFileThatCannotBePlayedDoesNotEndWhatPlays() throws {
        let long = try film("600"), player = try player([long])
        try Data("just words\n".utf8).write(to: URL(filePath: folder.path("words.mkv")))
        var connection = try RemoteConnection(path: folder.path("s"))
        let name = try #require(try ask(&connection, .get("source"))["value"])
        for (file, reason) in [
            (folder.path("missing.mkv"), "No such file"), (folder.path("words.mkv"), "is not a playable media file"),
            ("file://\(folder.path("words.mkv"))%00.mkv", "no file has %00 in its name"), ("pipe:0", "No such file"),
        ] {
            // The request behind it waits for it.
            try connection.say(RemoteRequest(.command("load", [.string(file)]), id: .number(1)).line)
            try connection.say(RemoteRequest(.get("source"), id: .number(2)).line)
            var answers: [JSON.Members] = []
            while answers.count < 2, let line = try next(&connection) { if line["ok"] != nil { answers.append(line) } }
            #expect(answers.map { $0["id"] } == [.number(1), .number(2)], "\(answers)")
            #expect(answers.first?["error"]?.text?.contains(reason) == true, "\(answers)")
            #expect(answers.last?["value"] == name)
        }
        #expect(player.text.ranges(of: "Playing: ").count == 1, "\(player.text)")
        // Another one that can takes its place.
        #expect(try ask(&connection, .command("load", [.string(try film("601"))]))["ok"] == .bool(true))
        #expect(try ask(&connection, .command("quit", []))["ok"] == .bool(true))
        #expect(player.waitForEnd() == .exited(0))
    }

    /// A list is no media, and yt-dlp is not asked here.
    @Test(.enabled(if: Network.isAvailable, "no python3 here")) func aListOfAWebServerIsLoadedWithoutYtdl() throws {
        let list = "[playlist]\nFile1=film.mp4\nNumberOfEntries=1\n"
        let origin = try TestOrigin([
            "/list": .bytes(Array(list.utf8)), "/film.mp4": .file(film("601")), "/page": .bytes(Array("<html></html>".utf8)),
        ])
        let player = try player([try film("600")])
        var connection = try RemoteConnection(path: folder.path("s"))
        #expect(try ask(&connection, .command("load", [.string(origin.address + "/list")]))["ok"] == .bool(true))
        #expect(origin.wait { $0.contains { $0.target == "/film.mp4" } }, "\(player.text)")
        var events: [String] = []
        while events.last != "file", let line = try next(&connection) {
            if let event = line["event"]?.text { events.append(event) }
        }
        let name = try #require(try ask(&connection, .get("source"))["value"]?.text)
        #expect(name.contains("film.mp4"), "\(name)")
        // A page is none: what plays goes on.
        _ = try ask(&connection, .command("load", [.string(origin.address + "/page")]))
        #expect(origin.wait { $0.contains { $0.target == "/page" } })
        #expect(try ask(&connection, .command("quit", []))["ok"] == .bool(true))
        #expect(player.waitForEnd() == .exited(0), "\(player.text)")
    }

    /// It opens, and there is nothing in it: the player is back where it was.
    @Test func whatTurnsOutToBeEmptyGivesThePlaceBack() throws {
        var bytes = [UInt8](
            try Data(
                contentsOf: URL(
                    filePath: try Fixtures.clip(
                        ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=2", "-c:v", "libvpx-vp9", "-deadline", "realtime"],
                        ext: "ivf"))))
        for index in bytes.indices where index > 44 { bytes[index] = ~bytes[index] }
        try Data(bytes.prefix(4000)).write(to: URL(filePath: folder.path("nothing.ivf")))
        let player = try player([try film("600")])
        var connection = try RemoteConnection(path: folder.path("s"))
        let name = try #require(try ask(&connection, .get("source"))["value"])
        #expect(try ask(&connection, .command("seek", [.number(300)]))["ok"] == .bool(true))
        _ = try ask(&connection, .command("load", [.string(folder.path("nothing.ivf"))]))
        var events: [String] = []
        while events.last != "file", let line = try next(&connection) {
            if let event = line["event"]?.text { events.append(event) }
        }
        #expect(events.suffix(2) == ["error", "file"], "\(events)")
        #expect(try ask(&connection, .get("source"))["value"] == name)
        let position = try ask(&connection, .get("position"))["value"]
        #expect(try #require(position?.number) >= 299, "\(String(describing: position))")
        #expect(try ask(&connection, .command("quit", []))["ok"] == .bool(true))
        #expect(player.waitForEnd() == .exited(0), "\(player.text)")
    }

    @Test(.enabled(if: PrivateBus.missing == nil, "\(PrivateBus.missing ?? "")"))
    func theDesktopIsToldThatAFileCannotBePlayed() throws {
        let bus = try PrivateBus()
        let here = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address]
        let player = try Pty(
            [
                try #require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-history", "--no-ytdl",
                try film("600"),
            ], environment: here.mapValues { $0 })
        #expect(player.waitForText("  playing"), "\(player.text)")
        /// Asks until the player is on the bus; the answer of the call itself is the second.
        func open(_ address: String) throws -> String {
            let end = SystemTime().now() + .seconds(60)
            while SystemTime().now() < end {
                let names = try Command(
                    [
                        "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
                        "org.freedesktop.DBus.ListNames",
                    ],
                    environment: here)
                guard let name = names.standardOutput.firstMatch(of: /org\.mpris\.MediaPlayer2\.aethertui[.a-z0-9]*/) else {
                    continue
                }
                let said = try Command(
                    [
                        "dbus-send", "--session", "--print-reply", "--dest=\(name.output)", "/org/mpris/MediaPlayer2",
                        "org.mpris.MediaPlayer2.Player.OpenUri", "string:\(address)",
                    ], environment: here)
                return said.standardError
            }
            return "the player is not on the bus"
        }
        #expect(try open("file://" + folder.path("missing.mkv")).contains("No such file"))
        #expect(try open("file:///tmp/a%00b").contains("%00"))
        player.send("q")
        #expect(player.waitForEnd() == .exited(0), "\(player.text)")
        #expect(player.text.ranges(of: "Playing: ").count == 1)
    }
}
