import AetherTestSupport
import Foundation
import Testing

/// Passwords and tokens of addresses are used, and never said, shown or kept.
@Suite(
    .enabled(if: Programs.player != nil && Programs.control != nil && Programs.demo != nil, "\(Programs.missing)"),
    .enabled(if: Network.isAvailable, "no python3 here"), .serialized)
struct SecretTests {
    private static let secret = "hunter2"
    private let folder: TemporaryFolder
    private let server: Network.Server

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("web"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: #require(Programs.demo), toPath: folder.path("web/film.mkv"))
        server = try Network.Server(folder: URL(filePath: folder.path("web")))
    }

    private func address(_ file: String) -> String {
        server.address.replacing("http://", with: "http://me:\(Self.secret)@") + "/\(file)?token=\(Self.secret)&t=1"
    }

    private func expectNoSecretInFiles() throws {
        let names = try #require(FileManager.default.enumerator(atPath: folder.url.path)).compactMap { $0 as? String }
        for name in names where !name.hasPrefix("web") {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder.path(name), isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            guard !name.hasSuffix("socket") else { continue }
            let bytes = try Data(contentsOf: URL(filePath: folder.path(name)))
            #expect(!bytes.contains(Data(Self.secret.utf8)), "\(name)")
        }
    }

    @Test func aVideoThatPlaysIsToldWithoutThem() throws {
        let session = try Session(
            [
                "--no-audio", "--no-config", "--no-mpris", "--log", folder.path("log"), "--telemetry", folder.path("telemetry"),
                "--ipc",
                folder.path("socket"), address("film.mkv"),
            ], environment: ["XDG_STATE_HOME": folder.path("state")])
        try #require(session.waitForStill(), "\(session.rows) \(session.standardError)")
        for property in ["source", "playlist"] {
            let said = try Command([#require(Programs.control), "remote", folder.path("socket"), "get", property])
            #expect(
                said.standardOutput.contains("film.mkv?…"), "\(property): \(said.standardOutput) \(said.standardError)")
        }
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0), "\(session.standardError)")
        // The window's title and the bar are in there.
        #expect(!session.pty.text.contains(Self.secret) && !session.standardError.contains(Self.secret))
        let listed = try Command([#require(Programs.control), "history"], environment: ["XDG_STATE_HOME": folder.path("state")])
        #expect(
            listed.standardOutput.contains("http://***@") && !listed.standardOutput.contains(Self.secret),
            "\(listed.standardOutput)")
        try expectNoSecretInFiles()
        for name in ["log", "telemetry", "state/aether-tui/history.sqlite"] {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test func aVideoThatIsNotThereIsToldWithoutThem() throws {
        for words in [
            [try #require(Programs.player), "--plain", "--no-audio", "--no-ytdl", "--log", folder.path("log")],
            [try #require(Programs.control), "probe"], [try #require(Programs.control), "swdecode"],
            [try #require(Programs.control), "extract", "--at", "0"],
        ] {
            let command = try Command(words + [address("none.mkv")], environment: ["XDG_STATE_HOME": folder.path("state")])
            let said = command.standardError + command.standardOutput
            #expect(
                command.status != 0 && said.contains("none.mkv?…") && !said.contains("token") && !said.contains(Self.secret),
                "\(said)")
        }
        try expectNoSecretInFiles()
    }
}
