import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// A name server that takes questions and answers none, in a network of its own.
@Suite(.enabled(if: Programs.player != nil, "\(Programs.missing)"), .enabled(if: MuteNames.isAvailable, "\(MuteNames.missing)"))
struct NameServerTests {
    /// The resolver asks anew after 30 s. Whoever leaves while it waits is gone before: its question was never asked again.
    @Test func whoLeavesDoesNotWaitForNames() throws {
        let folder = try TemporaryFolder()
        let player = try MuteNames.run(
            [
                #require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", "--no-history",
                "http://films.test/film.mkv",
            ],
            in: folder)
        #expect(player.waitForText("a question"), "\(player.text)")
        player.send("q")
        let end = player.waitForEnd()
        #expect(end == .exited(0), "\(String(describing: end)) \(player.text)")
        let questions = try MuteNames.questions(in: folder)
        // One for each kind of address, and none twice.
        #expect(!questions.isEmpty && Set(questions).count == questions.count, "\(questions)")
    }

    /// Another source takes its place at once.
    @Test func anotherFilePlaysMeanwhile() throws {
        let folder = try TemporaryFolder()
        let film = try Fixtures.clip(
            ["-f", "lavfi", "-i", "color=red:size=64x48:rate=5:duration=600", "-c:v", "libx264"], ext: "mp4")
        let player = try MuteNames.run(
            [
                #require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", "--no-history",
                "http://films.test/film.mkv", film,
            ], in: folder)
        #expect(player.waitForText("a question"), "\(player.text)")
        player.send(">")
        #expect(player.waitForText("  playing"), "\(player.text)")
        let questions = try MuteNames.questions(in: folder)
        #expect(Set(questions).count == questions.count, "\(questions)")
        player.send("q")
        #expect(player.waitForEnd() == .exited(0), "\(player.text)")
    }
}

/// A program whose only name server is mute.
private enum MuteNames {
    static let missing = "no python3, or no right to make a network of its own"

    /// In a user's own namespace where that is needed.
    private static let apart = geteuid() == 0 ? ["unshare", "-mn"] : ["unshare", "-Urmn"]

    /// Whether the machine lets us.
    static let isAvailable: Bool = {
        guard Network.isAvailable, let probe = try? Command(apart + ["mount", "--bind", "/etc/hosts", "/etc/resolv.conf"]) else {
            return false  // not even started
        }
        return probe.status == 0
    }()

    /// Takes the questions, notes the name and the kind of each, and says so at the first; runs the words with it.
    private static let script = """
        import fcntl, os, socket, struct, subprocess, sys, threading
        folder = sys.argv[1]
        wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        fcntl.ioctl(wire, 0x8914, struct.pack("16sh", b"lo", 0x49))
        wire.bind(("127.0.0.1", 53))
        with open(folder + "/resolv.conf", "w") as out:
            out.write("nameserver 127.0.0.1\\noptions timeout:30 attempts:2\\n")
        subprocess.run(["mount", "--bind", folder + "/resolv.conf", "/etc/resolv.conf"], check=True)
        with open(folder + "/nsswitch.conf", "w") as out:
            out.write("hosts: files dns\\n")
        subprocess.run(["mount", "--bind", folder + "/nsswitch.conf", "/etc/nsswitch.conf"], check=True)
        def listen():
            while True:
                question = wire.recv(2000)
                with open(folder + "/questions", "a") as out:
                    out.write(question[12:].hex() + "\\n")
                print("a question", flush=True)
        threading.Thread(target=listen, daemon=True).start()
        sys.exit(subprocess.run(sys.argv[2:]).returncode)
        """

    static func run(_ words: [String], in folder: TemporaryFolder) throws -> Pty {
        try Data(script.utf8).write(to: URL(filePath: folder.path("mute.py")))
        return try Pty(apart + ["python3", folder.path("mute.py"), folder.url.path] + words)
    }

    static func questions(in folder: TemporaryFolder) throws -> [Substring] {
        try String(contentsOfFile: folder.path("questions"), encoding: .utf8).split(separator: "\n")
    }
}
