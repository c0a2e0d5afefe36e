import AetherCore
import Foundation
import Glibc

/// A message bus of one's own, ended with its owner. Its address is in `address`.
public final class PrivateBus: Sendable {
    /// For DBUS_SESSION_BUS_ADDRESS and DBUS_SYSTEM_BUS_ADDRESS.
    public let address: String
    private let daemon: Pty
    private let folder: TemporaryFolder

    /// The reason that a skipped test gives; nil where dbus-daemon is installed.
    public static let missing: String? =
        ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"].contains { (path: String) in access(path, X_OK) == 0 }
        ? nil : "no dbus-daemon here: apt-get install dbus"

    /// The same for playerctl.
    public static let missingControl: String? =
        access("/usr/bin/playerctl", X_OK) == 0 ? nil : "no playerctl here: apt-get install playerctl"

    /// Starts a bus. On a pty, as every other program here: its end is seen to, and it inherits nothing that another test waits for.
    public init() throws {
        folder = try TemporaryFolder()
        daemon = try Pty([
            "dbus-daemon", "--session", "--nopidfile", "--nofork", "--address=unix:path=\(folder.path("bus"))",
            "--print-address=1",
        ])
        // The address is printed when the socket is there: a whole line.
        guard daemon.waitForOutput({ $0.contains(UInt8(ascii: "\n")) && String(decoding: $0, as: UTF8.self).contains("guid=") }),
            let line = daemon.text.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix("unix:") })
        else { throw Pty.Failure(description: "dbus-daemon said nothing: \(daemon.text)") }
        address = String(line)
    }
}
