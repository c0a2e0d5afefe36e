import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// The player with what surrounds it: its memory, a remote control, a desktop.
@Suite(
    .enabled(if: Programs.player != nil && Programs.control != nil, "\(Programs.missing)"), .serialized)
struct DesktopTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["XDG_STATE_HOME": folder.path("state"), "XDG_RUNTIME_DIR": folder.url.path] }

    init() throws { folder = try TemporaryFolder() }

    /// Ten minutes that take half a second to make: a red film with a title and a cover. Without sound: its clock is the system's, and
    /// runs neither faster nor slower with what the machine has for a sound card. The cover has one frame of its own: with `-frames:v:1 1`
    /// ffmpeg 7.1 ends the film with it.
    private func longVideo(_ name: String = "long.mp4") throws -> String {
        let made = try Command([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:size=64x48:rate=5:duration=600", "-f", "lavfi", "-i",
            "color=blue:size=16x16:duration=1:rate=1", "-map", "0", "-map", "1", "-c:v:0", "libx264",
            "-preset", "ultrafast", "-c:v:1", "png", "-disposition:v:1", "attached_pic", "-metadata", "title=The Long Film",
            "-metadata", "artist=Somebody", folder.path(name),
        ])
        #expect(made.status == 0, "\(made.standardError)")
        return folder.path(name)
    }

    private func control(_ words: String...) throws -> Command {
        try Command([#require(Programs.control)] + words, environment: environment)
    }

    private func remote(_ words: String...) throws -> String {
        let said = try Command([#require(Programs.control), "remote", folder.path("s")] + words, environment: environment)
        return said.standardOutput.trimmingCharacters(in: .newlines) + said.standardError
    }

    /// A player without a screen that listens at a socket; nil where it did not begin to play.
    private func player(_ arguments: String..., environment more: [String: String] = [:]) throws -> Pty {
        let pty = try Pty(
            [#require(Programs.player), "--plain", "--no-audio", "--ipc", folder.path("s")] + arguments,
            environment: environment.merging(more) { $1 }.mapValues { $0 })
        #expect(pty.waitForText("  playing"), "\(pty.text)")
        return pty
    }

    @Test func aFileGoesOnWhereItWasLeftAlsoWhereItWasMoved() throws {
        let film = try longVideo()
        let first = try player(film)
        #expect(try remote("seek", "300") == "ok")
        #expect(try remote("set", "speed", "1.25") == "ok")
        #expect(first.waitForText("Speed 1.25"))
        #expect(try remote("pause") == "ok")
        #expect(first.waitForText("paused"))
        #expect(try remote("quit") == "ok")
        #expect(first.waitForEnd() == .exited(0))
        #expect(try control("history").standardOutput.contains("0:05:0"))

        try FileManager.default.moveItem(atPath: film, toPath: folder.path("moved.mp4"))
        let second = try player(folder.path("moved.mp4"))
        #expect(second.waitForText("Resumed at 0:05:0"), "\(second.text)")
        #expect(second.text.contains("Home: start"))
        #expect(try #require(Double(remote("get", "position"))) >= 299)
        #expect(try remote("get", "speed") == "1.25")
        second.send("q")
        #expect(second.waitForEnd() == .exited(0))

        let third = try player("--no-resume", folder.path("moved.mp4"))
        #expect(try #require(Double(remote("get", "position"))) < 60)
        #expect(!third.text.contains("Resumed"))
        third.send("q")
        #expect(third.waitForEnd() == .exited(0))
        #expect(try control("history", "--clear").standardOutput == "1 file forgotten\n")
        #expect(try control("history").standardOutput == "")
    }

    @Test func oneFileOfAListIsRepeated() throws {
        for name in ["a.mkv", "b.mkv"] {
            let made = try Command([
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:size=64x48:rate=10:duration=0.5", "-c:v", "ffv1",
                folder.path(name),
            ])
            #expect(made.status == 0)
        }
        let player = try player("--loop-file", folder.path("a.mkv"), folder.path("b.mkv"))
        func starts(of name: String, _ text: String) -> Int { text.ranges(of: "Playing: \(name)").count }
        #expect(
            player.waitForOutput(from: 0, within: .seconds(60)) { starts(of: "a.mkv", String(decoding: $0, as: UTF8.self)) >= 3 })
        #expect(starts(of: "b.mkv", player.text) == 0)
        player.send("q")
        #expect(player.waitForEnd() == .exited(0))
    }

    @Test func theScreenIsAsItWasLeft() throws {
        let film = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=60", "-c:v", "libx264", "-preset", "ultrafast"], ext: "mkv")
        // The other way round the second time: Alt+o takes back what the first has left.
        for (time, bar) in [("Time: remaining", "Bar off"), ("Time: total", "Bar on")] {
            let session = try Session(["--no-audio", film], environment: environment.mapValues { $0 })
            #expect(session.waitForStill())
            session.pty.send("\u{1B}o")
            #expect(session.waitForRow { $0.contains(time) }, "\(session.rows)")
            session.pty.send("o")
            #expect(session.waitForRow { $0.contains(bar) }, "\(session.rows)")
            session.pty.send("q")
            #expect(session.pty.waitForEnd() == .exited(0))
        }
    }

    @Test func theVolumeIsRememberedUnlessItIsSaid() throws {
        let film = try longVideo()
        let first = try player(film)
        first.send("-")
        #expect(first.waitForText("Volume 95"))
        first.send("q")
        #expect(first.waitForEnd() == .exited(0))
        let second = try player(film)
        #expect(try remote("get", "volume") == "95")
        second.send("q")
        #expect(second.waitForEnd() == .exited(0))
        let third = try player("--volume", "80", film)
        #expect(try remote("get", "volume") == "80")
        third.send("q")
        #expect(third.waitForEnd() == .exited(0))
    }

    @Test func twoPlayersRememberAtOnce() throws {
        let a = try longVideo("a.mp4"), b = try longVideo("b.mp4")
        let first = try Pty(
            [#require(Programs.player), "--plain", "--no-audio", a],
            environment: environment.mapValues { $0 })
        let second = try Pty(
            [#require(Programs.player), "--plain", "--no-audio", b],
            environment: environment.mapValues { $0 })
        #expect(first.waitForText("  playing") && second.waitForText("  playing"))
        first.send("5")
        second.send("5")
        #expect(first.waitForText("50 %") && second.waitForText("50 %"))
        first.send("q")
        second.send("q")
        #expect(first.waitForEnd() == .exited(0) && second.waitForEnd() == .exited(0))
        let listed = try control("history").standardOutput
        #expect(listed.contains("a.mp4") && listed.contains("b.mp4"), "\(listed)")
    }

    @Test func theSocketIsMadeUsedAndRemoved() throws {
        let film = try longVideo()
        let player = try self.player(film)
        #expect(try remote("get", "title") == "The Long Film")
        #expect(try remote("get", "duration").hasPrefix("600"))
        #expect(try remote("action", "mute") == "ok" && remote("get", "muted") == "true")
        #expect(try remote("set", "volume", "200") == "volume takes 0 to 150")
        #expect(try remote("sek") == "sek is not a command; did you mean \"seek\"?")
        #expect(try remote("show", "hello\u{1B}[2J") == "ok")
        #expect(player.waitForText("hello[2J"))
        let another = try Command(
            [#require(Programs.player), "--plain", "--ipc", folder.path("s"), film], environment: environment)
        #expect(another.status == 64 && another.standardError.contains("another program listens"))
        player.signal(SIGTERM)
        #expect(player.waitForEnd() == .killed(SIGTERM))
        #expect(!FileManager.default.fileExists(atPath: folder.path("s")))
        #expect(try remote("get", "title").contains("cannot connect"))
    }

    @Test func aBrokenHistoryIsSaidOnceAndHoldsNothingUp() throws {
        let film = try longVideo()
        try FileManager.default.createDirectory(atPath: folder.path("state/aether-tui"), withIntermediateDirectories: true)
        try Data(repeating: 0x55, count: 9000).write(to: URL(filePath: folder.path("state/aether-tui/history.sqlite")))
        let player = try self.player(film)
        #expect(player.waitForText("The history was damaged"))
        player.send("q")
        #expect(player.waitForEnd() == .exited(0))
    }

    /// The list moves it out of the way, too, and says so.
    @Test func aBrokenHistoryIsSaidByItsList() throws {
        try FileManager.default.createDirectory(atPath: folder.path("state/aether-tui"), withIntermediateDirectories: true)
        try Data(repeating: 0x55, count: 9000).write(to: URL(filePath: folder.path("state/aether-tui/history.sqlite")))
        let listed = try control("history")
        #expect(listed.status == 0 && listed.standardOutput.isEmpty)
        #expect(listed.standardError.hasPrefix("aetherctl: The history was damaged and is begun anew; the old one is "))
        #expect(FileManager.default.fileExists(atPath: folder.path("state/aether-tui/history.sqlite.damaged-1")))
    }

    @Test(
        .enabled(if: PrivateBus.missing == nil, "\(PrivateBus.missing ?? "")"),
        .enabled(if: PrivateBus.missingControl == nil, "\(PrivateBus.missingControl ?? "")"))
    func playerctlFindsThePlayerAndIsObeyed() throws {
        let bus = try PrivateBus()
        let here = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address]
        let player = try self.player(try longVideo(), try longVideo("next.mp4"), environment: here)
        func playerctl(_ words: String...) throws -> String {
            let said = try Command(["playerctl", "-p", "aethertui"] + words, environment: here)
            return said.standardOutput.trimmingCharacters(in: .newlines) + said.standardError
        }
        /// Asks until the answer is one of those wanted. A call is answered by the bus's thread at once, and the player does it a moment
        /// later; what it says of another file it says when that is open.
        func says(_ words: String..., where isWanted: (String) throws -> Bool) throws -> String? {
            let end = SystemTime().now() + .seconds(60)
            while SystemTime().now() < end {
                let said = try Command(["playerctl", "-p", "aethertui"] + words, environment: here)
                let text = said.standardOutput.trimmingCharacters(in: .newlines)
                if try isWanted(text) { return text }
            }
            return nil
        }
        func becomes(_ wanted: String, _ word: String) throws -> Bool { try says(word) { $0 == wanted } != nil }
        #expect(try becomes("Playing", "status"))
        #expect(try playerctl("metadata", "xesam:title") == "The Long Film")
        #expect(try playerctl("metadata", "xesam:artist") == "Somebody")
        #expect(try playerctl("metadata", "mpris:length").hasPrefix("600"))
        #expect(try playerctl("pause") == "" && becomes("Paused", "status"))
        #expect(player.waitForText("paused"))
        #expect(try playerctl("position", "120") == "")
        #expect(try says("position") { try (119...121).contains(#require(Double($0))) } != nil)
        #expect(try playerctl("volume", "0.5") == "" && becomes("0.500000", "volume"))
        #expect(try playerctl("loop", "Playlist") == "" && becomes("Playlist", "loop"))
        let art = try #require(try says("metadata", "mpris:artUrl") { !$0.isEmpty })
        #expect(art.hasPrefix("file://\(folder.url.path)/aether-tui-") && art.hasSuffix(".png"), "\(art)")
        #expect(try Data(contentsOf: #require(URL(string: art))).starts(with: [0x89, 0x50]))
        #expect(try playerctl("play-pause") == "" && becomes("Playing", "status"))
        #expect(try playerctl("pause") == "" && becomes("Paused", "status"))
        #expect(try playerctl("play") == "" && becomes("Playing", "status"))
        #expect(try playerctl("next") == "")
        #expect(try says("metadata", "xesam:url") { $0.hasSuffix("/next.mp4") } != nil)
        #expect(try remote("get", "file") == "2")
        #expect(try playerctl("previous") == "")
        #expect(try says("metadata", "xesam:url") { $0.hasSuffix("/long.mp4") } != nil)
        #expect(try remote("get", "file") == "1")
        #expect(try playerctl("stop") == "" && becomes("Stopped", "status"))
        player.send("q")
        #expect(player.waitForEnd() == .exited(0))
        #expect(try !FileManager.default.fileExists(atPath: #require(URL(string: art)).path))
    }

    @Test(.enabled(if: PrivateBus.missing == nil, "\(PrivateBus.missing ?? "")"))
    func theMachineIsKeptAwakeWhileItPlaysAndOnlyThen() throws {
        let bus = try PrivateBus(), logind = try FakeLogind(on: bus)
        defer { logind.stop() }
        let player = try self.player(try longVideo(), "--no-mpris", environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        #expect(logind.waitForLock(1))
        #expect(logind.isHeld(1))
        #expect(try remote("pause") == "ok")
        #expect(logind.waitForRelease(of: 1))
        #expect(try remote("play") == "ok")
        #expect(logind.waitForLock(2))
        player.send("q")
        #expect(player.waitForEnd() == .exited(0))
        #expect(logind.waitForRelease(of: 2))
        #expect(logind.asked == Array(repeating: ["idle:sleep", "aether-tui", "Playing", "block"], count: 2))
    }

    @Test(.enabled(if: Programs.demo != nil, "the demo clip is not made: make demo"))
    func theWindowsTitleSaysWhatPlaysAndComesBack() throws {
        let session = try Session([#require(Programs.demo), "--no-audio"])
        #expect(session.pty.waitForText("\u{1B}[22;2t"))
        #expect(session.pty.waitForText(" - aether-tui\u{1B}\\"))
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0))
        // A title is put away on a stack: what is taken back twice is somebody else's.
        #expect(session.pty.text.components(separatedBy: "\u{1B}[22;2t").count == 2)
        #expect(session.pty.text.components(separatedBy: "\u{1B}[23;2t").count == 2)
        try session.expectRestored()
        let plain = try Session([#require(Programs.demo), "--no-audio", "--no-title"])
        #expect(plain.waitForStill())
        plain.pty.send("q")
        #expect(plain.pty.waitForEnd() == .exited(0))
        #expect(!plain.pty.text.contains("\u{1B}]2;") && !plain.pty.text.contains("\u{1B}[22;2t"))
    }
}
