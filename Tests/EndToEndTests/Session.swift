import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// `aether-tui` on a pty whose settings are not the usual ones, so that "as it found it" cannot be met by "as usual".
struct Session {
    let pty: Pty
    let size: Pty.Size
    private let folder: TemporaryFolder

    /// Starts the player; its standard error goes to a file. `sound` plays on the private null sink, else without a device;
    /// `wrapper` is a command that starts the player in its own place.
    init(
        _ arguments: [String], size: Pty.Size = Pty.Size(80, 24), environment: [String: String?] = [:], sound: Bool = false,
        underJobControl: Bool = false, bytesPerSecond: Int? = nil, through wrapper: [String] = []
    ) throws {
        folder = try TemporaryFolder()
        self.size = size
        // The history of other sessions, and of the tester's own, must not show.
        var merged: [String: String?] = [
            "COLORTERM": "truecolor", "XDG_STATE_HOME": folder.path("state"), "ALSA_CONFIG_PATH": "/usr/share/alsa/alsa.conf",
        ]
        if sound { for (name, value) in try NullSink.shared.get().environment { merged[name] = value } }
        for (name, value) in environment { merged[name] = value }
        let run =
            underJobControl
            ? "set -m; \"$@\" 2>\"$log\"; echo \"[status $?]\"; read line; fg >/dev/null; echo \"[status $?]\""
            : "exec \"$@\" 2>\"$log\""
        let script = "log=$1; shift; \(Session.unusualSettings); \(run)"
        pty = try Pty(
            ["bash", "--norc", "-c", script, "session", folder.path("stderr")] + wrapper
                + [#require(Programs.player)] + arguments,
            environment: merged, size: size, bytesPerSecond: bytesPerSecond)
    }

    private static let unusualSettings = "stty -ixon erase '^H' intr '^G'"

    /// The player's output to standard error.
    var standardError: String {
        // No file means that the player did not start; the exit status tells.
        (try? String(contentsOfFile: folder.path("stderr"), encoding: .utf8)) ?? ""
    }

    /// The settings that the player finds.
    static func settingsBefore() throws -> Termios {
        let pty = try Pty(["bash", "--norc", "-c", unusualSettings])
        _ = pty.waitForEnd()
        return try #require(pty.termios())
    }

    /// Waits for the first cells of a picture.
    func waitForStill(from start: Int = 0, within limit: TimeSpan = .seconds(60)) -> Bool {
        pty.waitForOutput(from: start, within: limit, Screen.showsFrame)
    }

    /// The rows of the screen as text, after everything written so far.
    var rows: [String] { Screen.rows(pty.output, size: size) }

    /// The whole screen after everything written so far.
    var screen: VTScreen { Screen.after(pty.output, size: size) }

    /// Waits until the last `span` brought no output: the picture stands. False when that never happened.
    func waitForQuiet(of span: TimeSpan = .milliseconds(400), within limit: TimeSpan = .seconds(60)) -> Bool {
        let deadline = SystemTime().now() + limit
        while SystemTime().now() < deadline {
            if !pty.waitForOutput(from: pty.output.count, within: span, { !$0.isEmpty }) { return true }
        }
        return false
    }

    /// Waits until a row of the screen satisfies the condition.
    func waitForRow(within limit: TimeSpan = .seconds(60), _ satisfies: (String) -> Bool) -> Bool {
        Screen.wait(on: pty, size: size, within: limit) { $0.contains(where: satisfies) }
    }

    /// Waits until a row has shown the text, at any moment since something was typed last.
    func waitToSee(_ text: String) -> Bool {
        Screen.waitToSee(on: pty, size: size) { $0.localizedCaseInsensitiveContains(text) }
    }

    /// Waits until the rows of the screen satisfy the condition.
    func waitForRows(within limit: TimeSpan = .seconds(60), _ satisfies: ([String]) -> Bool) -> Bool {
        Screen.wait(on: pty, size: size, within: limit, satisfies)
    }

    /// Records an issue for everything that is not as it was before the player started.
    func expectRestored(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let left = Screen.leftovers(pty.output, size: size)
        #expect(left.isEmpty, "left behind: \(left)", sourceLocation: sourceLocation)
        #expect(pty.termios() == (try Session.settingsBefore()), sourceLocation: sourceLocation)
    }
}
