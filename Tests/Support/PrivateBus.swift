import AetherCore
import Foundation
import Glibc

/// A message bus of one's own, ended with its owner. Its address is in `address`.
public final class PrivateBus: Sendable {
    /// For DBUS_SESSION_BUS_ADDRESS and DBUS_SYSTEM_BUS_ADDRESS.
    public let address: String
    private let pid: pid_t
    private let folder: TemporaryFolder

    /// Why tests of it are skipped; nil where dbus-daemon is there and they are asked for: the addresses are those of the whole process.
    public static let missing: String? =
        ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"].contains { (path: String) in access(path, X_OK) == 0 }
            && ProcessInfo.processInfo.environment["AETHER_BUS_TESTS"] != nil
        ? nil : "set AETHER_BUS_TESTS=1, with dbus-daemon installed"

    /// Starts a bus.
    public init() throws {
        folder = try TemporaryFolder()
        let socket = folder.path("bus")
        // Not with --fork: Foundation waits for the end of whatever holds the descriptors that it hands down.
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "dbus-daemon", "--session", "--nopidfile", "--nofork", "--address=unix:path=\(socket)", "--print-address=1",
        ]
        process.standardOutput = output
        try process.run()
        // The address is printed when the socket is there.
        let printed = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let line = printed.split(separator: "\n").first else { throw Pty.Failure(description: "dbus-daemon said nothing") }
        address = String(line)
        pid = process.processIdentifier
    }

    deinit { kill(pid, SIGTERM) }
}
