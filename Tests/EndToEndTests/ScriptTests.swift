import AetherCore
import AetherDesktop
import AetherTestSupport
import Foundation
import Testing

/// The scripts that come with the player, each beside a player that plays.
@Suite(
    .enabled(if: Programs.player != nil, "\(Programs.missing)"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "python3 is missing"))
struct ScriptTests {
    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "share/scripts").path
    private static let f7 = "\u{1B}[18~", f8 = "\u{1B}[19~"

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Ten minutes, in which an advertisement lies between 0:00:05 and 0:05:00.
    private func film() throws -> String {
        let chapters = [("Begin", 0, 5), ("Our sponsor", 5, 300), ("Rest", 300, 600)]
        let text =
            ";FFMETADATA1\n"
            + chapters.map { "[CHAPTER]\nTIMEBASE=1/1\nSTART=\($0.1)\nEND=\($0.2)\ntitle=\($0.0)\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: folder.path("chapters")))
        let made = try Command([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=5:duration=600", "-f", "ffmetadata", "-i",
            folder.path("chapters"), "-map", "0", "-map_chapters", "1", "-c:v", "libx264", "-preset", "ultrafast", "-g", "5",
            folder.path("film.mkv"),
        ])
        try #require(made.status == 0, "\(made.standardError)")
        return folder.path("film.mkv")
    }

    private func session(_ script: String, _ more: [String] = [], environment: [String: String?] = [:]) throws -> Session {
        let session = try Session(
            [
                "--no-config", "--no-mpris", "--no-history", "--no-thumbnail-cache", "--no-audio", "--ipc", folder.path("s"),
                "--script",
                "\(Self.scripts)/\(script)",
            ] + more + [try film()], environment: environment)
        try #require(session.waitForStill(), "\(session.standardError)")
        return session
    }

    private func get(_ name: String, _ connection: inout RemoteConnection) throws -> JSON {
        try connection.say(RemoteRequest(.get(name)).line)
        while let line = try connection.nextLine() {
            let said = try JSON(line)
            if said["event"] == nil { return said["value"] ?? .null }
        }
        return .null
    }

    private func becomes(
        _ name: String, _ connection: inout RemoteConnection, _ satisfies: (JSON) -> Bool
    ) throws -> Bool {
        let deadline = SystemTime().now() + .seconds(60)
        repeat { if satisfies(try get(name, &connection)) { return true } } while SystemTime().now() < deadline
        return false
    }

    @Test func advertisementsAreSkippedOnceAndOnRequest() throws {
        let session = try session("sponsor-skip", ["--start", "4"])
        #expect(session.waitToSee("Skipped: Our sponsor"), "\(session.rows)")
        var connection = try RemoteConnection(path: folder.path("s"))
        #expect(try becomes("position", &connection) { ($0.number ?? 0) >= 300 })
        // Who goes back into it wants to see it.
        try connection.say(RemoteRequest(.command("seek", [.number(100)])).line)
        #expect(try becomes("position", &connection) { (101...299).contains($0.number ?? 0) })
        session.pty.send(Self.f7)
        #expect(session.waitToSee("Sponsors are shown"), "\(session.rows)")
        session.pty.send(Self.f7)
        #expect(session.waitToSee("Sponsors are skipped"), "\(session.rows)")
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0), "\(session.standardError)")
    }

    @Test func theSleepTimerPausesAndGivesTheVolumeBack() throws {
        let session = try session("sleep-timer", ["--volume", "80"], environment: ["AETHER_SLEEP_MINUTES": "0.05"])
        #expect(session.waitToSee("Good night"), "\(session.rows)")
        var connection = try RemoteConnection(path: folder.path("s"))
        #expect(try becomes("paused", &connection) { $0 == .bool(true) })
        #expect(try becomes("volume", &connection) { $0.number == 80 })
        session.pty.send(Self.f8)
        #expect(session.waitToSee("Sleep in 15 minutes"), "\(session.rows)")
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0), "\(session.standardError)")
    }

    /// More time while the volume goes down: it is as loud as it was at once, not in a quarter of an hour. The script alone, without a player.
    @Test func moreTimeGivesTheVolumeBack() throws {
        let script = Process(), input = Pipe(), output = Pipe()
        script.executableURL = URL(filePath: "/usr/bin/python3")
        script.arguments = ["\(Self.scripts)/sleep-timer"]
        script.environment = ["AETHER_SLEEP_MINUTES": "0.3"]
        (script.standardInput, script.standardOutput) = (input, output)
        try script.run()
        var said = LineBuffer()
        func next() throws -> JSON {
            while true {
                if let line = said.nextLine() { return try JSON(line) }
                let more = output.fileHandleForReading.availableData
                try #require(!more.isEmpty, "the script has ended")
                said.append(more)
            }
        }
        func tell(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }
        /// The volumes that it sets, up to one that is as wanted.
        func sets(_ isWanted: (Double) -> Bool) throws {
            while true {
                let line = try next()
                if line["set"] == .string("volume"), let volume = line["value"]?.number, isWanted(volume) { return }
            }
        }
        tell(#"{"event":"property","name":"volume","value":80}"#)
        try sets { $0 < 80 }
        tell(#"{"event":"key","name":"sleep-timer"}"#)
        input.fileHandleForWriting.closeFile()
        try sets { $0 == 80 }
        #expect(try next()["command"] == .array([.string("show"), .string("Sleep in 15 minutes")]))
        script.waitUntilExit()
        #expect(script.terminationStatus == 0)
    }
}
