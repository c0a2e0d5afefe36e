import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// A list of channels, served and played by the built player.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct TelevisionTests {
    /// A programme now, and one an hour ago.
    private static func guide() -> [UInt8] {
        let format = DateFormatter()
        (format.locale, format.timeZone, format.dateFormat) = (
            Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "UTC"), "yyyyMMddHHmmss"
        )
        func time(_ minutes: Double) -> String { format.string(from: Date(timeIntervalSinceNow: minutes * 60)) + " +0000" }
        return Array(
            """
            <tv><channel id="one"><display-name>One</display-name></channel><channel id="x"><display-name>Second HD</display-name></channel>
            <programme start="\(time(-90))" stop="\(time(-30))" channel="one"><title>What was</title></programme>
            <programme start="\(time(-30))" stop="\(time(30))" channel="one"><title>What is on</title></programme>
            <programme start="\(time(-30))" stop="\(time(30))" channel="x"><title>Something else</title></programme></tv>
            """.utf8)
    }

    private static func origin() throws -> TestOrigin {
        let demo = try #require(Programs.demo)
        let list = """
            #EXTM3U url-tvg="/guide.xml"
            #EXTINF:-1 tvg-id="one" group-title="News" catchup="append" catchup-source="?utc={utc}",One
            /one.mkv
            #EXTINF:-1 group-title="Sport",Second
            /two.mkv
            """
        return try TestOrigin([
            "/tv.m3u": .bytes(Array(list.utf8)), "/guide.xml": .bytes(guide()), "/one.mkv": .file(demo), "/two.mkv": .file(demo),
        ])
    }

    @Test func channelsAreListedWithWhatIsOnAndZapped() throws {
        let origin = try Self.origin()
        let session = try Session(["--no-audio", "--no-config", "--no-mpris", "--no-ytdl", origin.address + "/tv.m3u"])
        #expect(session.waitForRow { $0.contains("One") && $0.contains("What is on") })
        #expect(session.waitForRow { $0.contains("Second") && $0.contains("Something else") })
        session.pty.send("second\r")
        #expect(origin.wait { $0.contains { $0.target.hasPrefix("/two.mkv") } })
        // The guide of the first channel: back by its number, and what was is asked for with its time.
        session.pty.send("1\r")
        #expect(session.waitForRow { $0.contains("One") })
        session.pty.send("g")
        #expect(session.waitForRow { $0.contains("What was") })
        session.pty.send("\u{1B}[A\r")
        #expect(origin.wait { $0.contains { $0.target.contains("one.mkv?utc=") } })
        session.pty.send("q")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0))
        try session.expectRestored()
    }

    @Test func channelsPlayInPlainLinesWithoutAComplaintAboutTheList() throws {
        let origin = try Self.origin()
        let folder = try TemporaryFolder()
        let command = try Command(
            [
                #require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", "--no-ytdl", "--end", "1",
                origin.address + "/tv.m3u",
            ],
            environment: ["XDG_STATE_HOME": folder.path("state")])
        #expect(command.status == 0, "\(command.standardError)")
        #expect(command.standardOutput.contains("Playing: One"), "\(command.standardOutput)")
        #expect(!(command.standardOutput + command.standardError).contains("not a playable"), "\(command.standardOutput)")
    }

    @Test func aNumberChoosesAChannelInPlainLines() throws {
        let origin = try Self.origin()
        let session = try Session([
            "--plain", "--no-audio", "--no-config", "--no-mpris", "--no-ytdl", origin.address + "/tv.m3u",
        ])
        try #require(session.pty.waitForText("Playing: One"), "\(session.pty.text)")
        let start = session.pty.output.count
        session.pty.send("2")
        #expect(session.pty.waitForText("Playing: Second", from: start, within: .seconds(60)), "\(session.pty.text)")
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0))
    }
}
