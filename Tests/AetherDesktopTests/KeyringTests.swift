import AetherTestSupport
import Foundation
import Testing

@testable import AetherDesktop

/// The keyring of GNOME, on a bus and in a home of its own.
@Suite(
    .serialized, .enabled(if: PrivateBus.missing == nil, "no dbus-daemon here"),
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gnome-keyring-daemon"),
        "no gnome-keyring-daemon here: scripts/setup.sh test installs it"))
struct KeyringTests {
    private let bus: PrivateBus
    private let home: TemporaryFolder

    init() throws {
        (bus, home) = (try PrivateBus(), try TemporaryFolder())
    }

    /// Started by hand, with the password of its first keyring on its standard input.
    private func daemon(unlocked: Bool) throws -> Pty {
        // It says where it is before it has its name on the bus.
        let name = "org.freedesktop.secrets"
        let watcher = try Pty([
            "dbus-monitor", "--address", bus.address, "type='signal',member='NameOwnerChanged',arg0='\(name)'",
        ])
        // From its own loss of a name on it is told of all others.
        #expect(watcher.waitForText("NameLost"), "\(watcher.text)")
        let start = "gnome-keyring-daemon --foreground --components=secrets --control-directory=\"$HOME/control\""
        let command = unlocked ? "printf secret | \(start) --unlock" : start
        let daemon = try Pty(
            ["sh", "-c", command],
            environment: [
                "HOME": home.url.path, "XDG_DATA_HOME": home.path("data"), "XDG_RUNTIME_DIR": home.url.path,
                "DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin",
            ])
        #expect(watcher.waitForText(name), "\(watcher.text)")
        return daemon
    }

    @Test func aLoginIsKeptAndFoundAgain() throws {
        let daemon = try daemon(unlocked: true), keyring = Keyring(bus: .address(bus.address))
        defer { daemon.signal(SIGTERM) }
        #expect(keyring.login(at: "smb://nas", user: "me") == nil)
        #expect(keyring.keep(Keyring.Login(user: "me", password: "ö p@ss"), at: "smb://nas") == nil)
        #expect(keyring.login(at: "smb://nas", user: "me") == Keyring.Login(user: "me", password: "ö p@ss"))
        #expect(keyring.login(at: "smb://nas", user: "") == Keyring.Login(user: "me", password: "ö p@ss"))
        #expect(keyring.keep(Keyring.Login(user: "me", password: "new"), at: "smb://nas") == nil)
        #expect(keyring.login(at: "smb://nas", user: "me")?.password == "new")
        #expect(keyring.login(at: "smb://nas", user: "you") == nil && keyring.login(at: "smb://other", user: "") == nil)
    }

    @Test func withoutAKeyringNothingIsFoundAndWhyIsSaid() {
        let keyring = Keyring(bus: .address(bus.address))
        #expect(keyring.login(at: "smb://nas", user: "") == nil)
        #expect(
            keyring.keep(Keyring.Login(user: "me", password: "x"), at: "smb://nas") == "no keyring answers on the session's bus")
    }
}
