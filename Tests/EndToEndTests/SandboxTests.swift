import AetherTestSupport
import Foundation
import Testing

/// The box: the same frames, a player that plays, and the processes that it has.
@Suite(.enabled(if: Programs.control != nil && Programs.player != nil, "\(Programs.missing)"))
struct SandboxTests {
    private static func clip(_ ext: String, _ codec: [String]) throws -> String {
        try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=96x54:r=20:d=1", "-f", "lavfi", "-i", "sine=440:r=48000:d=1", "-g", "10"] + codec,
            ext: ext)
    }

    @Test(arguments: [("mkv", ["-c:v", "libx264"]), ("ts", ["-c:v", "mpeg2video"]), ("avi", ["-c:v", "mpeg4"])])
    func framesAreTheSame(_ ext: String, _ codec: [String]) throws {
        let clip = try Self.clip(ext, codec), control = try #require(Programs.control)
        func play(_ options: [String]) throws -> Command {
            try Command([control, "play", "--sink", "hash", "--untimed"] + options + [clip])
        }
        let plain = try play(["--no-sandbox"]), copies = try play([]), apart = try play(["--sandbox"])
        #expect(plain.status == 0 && copies.status == 0 && apart.status == 0, "\(copies.standardError)\(apart.standardError)")
        #expect(copies.standardOutput == plain.standardOutput && apart.standardOutput == plain.standardOutput)
        #expect(plain.standardOutput.split(separator: "\n").count == 20)
    }

    /// All that reads media says in the box what it says without.
    @Test(arguments: [
        ["probe"], ["probe", "--json"], ["packets"], ["samples"], ["parameters"], ["loudness"],
        ["extract", "--at", "0.5", "--snapshot", "-o", "-"],
    ])
    func readingIsTheSame(_ words: [String]) throws {
        let clip = try Self.clip("mp4", ["-c:v", "libx264", "-c:a", "aac"]), control = try #require(Programs.control)
        let plain = try Command([control] + words + ["--no-sandbox", clip]), boxed = try Command([control] + words + [clip])
        #expect(boxed.status == plain.status && boxed.standardError == plain.standardError, "\(boxed.standardError)")
        #expect(boxed.standardOutput == plain.standardOutput && !boxed.standardOutput.isEmpty)
    }

    @Test func readingIsDoneByCopies() throws {
        let clip = try Self.clip("mkv", ["-c:v", "libx264"]), control = try #require(Programs.control)
        for (options, isBoxed) in [([], true), (["--no-sandbox"], false)] {
            // It serves what it has opened until Ctrl-C.
            let serving = try Pty([control, "serve"] + options + [clip])
            #expect(serving.waitForText("master.m3u8"), "\(serving.text)")
            let copies = try Running.children(of: serving.pid).filter { $0.name == "aether-decoder" }
            #expect(copies.count == (isBoxed ? 1 : 0))
            #expect(try copies.allSatisfy { try !$0.text("cmdline").contains(".mkv") })
            serving.send("\u{3}")
            #expect(serving.waitForEnd() == .exited(0))
        }
    }

    @Test func playerPlaysInTheBox() throws {
        let clip = try Self.clip("mkv", ["-c:v", "libx264"])
        let played = try Command([
            #require(Programs.player), "--sandbox", "--plain", "--no-audio", "--no-config", "--no-history", "--no-mpris", clip,
        ])
        #expect(played.status == 0, "\(played.standardError)")
    }

    /// A process by its files in /proc.
    private struct Running {
        let number: Int32, parent: Int32
        let name: String

        /// nil for one that has ended meanwhile.
        init?(_ number: Int32) {
            // Processes end while they are listed.
            guard let line = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
                let open = line.firstIndex(of: "("),
                let close = line.lastIndex(of: ")"), let parent = line[close...].split(separator: " ").dropFirst(2).first
            else { return nil }
            self.number = number
            self.parent = Int32(parent) ?? 0
            name = String(line[line.index(after: open)..<close])
        }

        static func children(of parent: Int32) throws -> [Running] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.compactMap { Running($0) }
                .filter { $0.parent == parent }
        }

        func text(_ file: String) throws -> String { try String(contentsOfFile: "/proc/\(number)/\(file)", encoding: .utf8) }
    }

    private func session(_ options: [String]) throws -> Session {
        let clip = try Self.clip("mkv", ["-c:v", "libx264"])
        let session = try Session(
            options + ["--no-audio", "--no-history", "--loop-file", clip], environment: ["AETHER_SECRET": "a word of the tests"])
        try #require(session.waitForStill(), "no frame: \(session.standardError)")
        return session
    }

    @Test func workersAreCopiesThatKnowNothing() throws {
        let session = try session([])
        let copies = try Running.children(of: session.pty.pid).filter { $0.name == "aether-decoder" }
        #expect(copies.count == 1)
        let seed = try #require(copies.first), workers = try Running.children(of: seed.number)
        // A demuxer and a decoder.
        #expect(workers.count >= 2)
        #expect(try seed.text("cmdline").hasPrefix("aether-decoder"))
        #expect(try !seed.text("cmdline").contains(".mkv") && !seed.text("environ").contains("a word of the tests"))
        for worker in workers {
            let status = try worker.text("status")
            #expect(worker.name == "aether-decoder" && status.contains("NoNewPrivs:\t1"))
            #expect(status.contains("Seccomp:\t2") || !status.contains("Seccomp:"))
        }
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0))
        try session.expectRestored()
    }

    @Test func withoutABoxThereIsNoOtherProcess() throws {
        let session = try session(["--no-sandbox"])
        #expect(try Running.children(of: session.pty.pid).isEmpty)
    }

    /// A decoder that is killed costs a moment; one that was the program of them all is replaced by that of the installation.
    @Test func playerGoesOnWhereItsWorkersAreKilled() throws {
        let session = try session([])
        let seed = try #require(try Running.children(of: session.pty.pid).first { $0.name == "aether-decoder" })
        #expect(kill(seed.number, SIGKILL) == 0)
        let seen = session.pty.output.count
        #expect(session.waitForStill(from: seen), "\(session.standardError)")
        session.pty.send("q")
        #expect(session.pty.waitForEnd() == .exited(0))
    }

    @Test func whatHasToBeFetchedByLibavformatIsRefused() throws {
        let refused = try Command([#require(Programs.control), "play", "--sandbox", "udp://127.0.0.1:9"])
        #expect(refused.status == 2)
        #expect(refused.standardError.contains("cannot be read in a box (--sandbox)"), "\(refused.standardError)")
    }
}
