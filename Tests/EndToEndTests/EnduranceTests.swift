import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// Resources that playing has taken are given back; and broken input does not break the player.
@Suite(.enabled(if: Programs.player != nil && Programs.demo != nil, "\(Programs.missing)"), .serialized)
struct EnduranceTests {
    /// The holdings of a process at one moment.
    private struct Holding {
        let descriptors, threads: Int
        let kilobytes: Int

        /// nil once the process is gone.
        init?(of pid: Int32) {
            guard let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd"),  // gone: nothing to read
                let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
                let resident = status.firstMatch(of: /VmRSS:\s+(?<kilobytes>[0-9]+)/),
                let kilobytes = Int(resident.output.kilobytes),
                let count = status.firstMatch(of: /Threads:\s+(?<threads>[0-9]+)/), let threads = Int(count.output.threads)
            else { return nil }
            descriptors = open.count
            self.threads = threads
            self.kilobytes = kilobytes
        }
    }

    @Test func holdsNoMoreAfterTwentyLoadsThanAfterFive() throws {
        let demo = try #require(Programs.demo)
        let session = try Session(
            ["--no-audio", "--start", "29", "--end", "29.3"] + Array(repeating: demo, count: 20))
        var seen: [Holding] = []
        // Looks at the process at every piece of output, until it ends.
        _ = session.pty.waitForOutput(within: .seconds(60)) { _ in
            if let holding = Holding(of: session.pty.pid) { seen.append(holding) }
            return false
        }
        #expect(session.pty.waitForEnd() == .exited(0), "\(session.standardError)")
        try #require(seen.count >= 20, "only \(seen.count) looks")
        let (early, late) = (seen.prefix(seen.count / 4), seen.suffix(seen.count / 4))
        let descriptors = (early.map(\.descriptors).max() ?? 0, late.map(\.descriptors).max() ?? 0)
        // A descriptor lost per load would be 15 more.
        #expect(descriptors.1 <= descriptors.0 + 3, "\(descriptors)")
        let threads = (early.map(\.threads).max() ?? 0, late.map(\.threads).max() ?? 0)
        #expect(threads.1 <= threads.0 + 3, "\(threads)")
        // The least of the late looks: while one film follows another, both are in memory for a moment, and how far the peaks of the two
        // coincide is chance. One lost frame per load would be 15 x 0.8 MB at every look; the allocator may keep a few MB.
        let kilobytes = (early.map(\.kilobytes).max() ?? 0, late.map(\.kilobytes).min() ?? 0)
        #expect(kilobytes.1 <= kilobytes.0 + 8_000, "\(kilobytes)")
    }

    @Test func playsWhatIsThereOfAFileCutInHalf() throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(filePath: #require(Programs.demo)))
        try whole.prefix(whole.count / 2).write(to: folder.url.appending(path: "half.mkv"))
        let log = folder.path("log")
        let session = try Session(["--no-audio", "--speed", "2", "--log", log, folder.path("half.mkv")])
        #expect(session.waitForRow(within: .seconds(60)) { $0.contains("incomplete") }, "\(session.rows)")
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(1))
        #expect(Screen.showsFrame(session.pty.output))
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains("incomplete"))
        try session.expectRestored()
    }

    @Test func goesOnBehindDamage() throws {
        let folder = try TemporaryFolder()
        var bytes = try Data(contentsOf: URL(filePath: #require(Programs.demo)))
        let hole = bytes.count / 2..<bytes.count / 2 + 60_000
        bytes.replaceSubrange(hole, with: Data(repeating: 0xA5, count: hole.count))
        try bytes.write(to: folder.url.appending(path: "damaged.mkv"))
        let log = folder.path("log")
        let session = try Session(["--no-audio", "--speed", "4", "--log", log, folder.path("damaged.mkv")])
        #expect(session.waitForRow(within: .seconds(60)) { $0.contains("damaged part") }, "\(session.rows)")
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains("damaged part"))
        #expect(session.pty.waitForEnd(within: .seconds(60)) == .exited(0), "\(session.standardError)")
        let last = try #require(session.pty.chunks.last)
        // 30 s at four times the speed: all of it was played, not only what lies before the hole.
        #expect((last.time - session.pty.started) > .seconds(6))
        try session.expectRestored()
    }

    @Test func playsADirectoryInNaturalOrder() throws {
        let folder = try TemporaryFolder()
        let demo = try #require(Programs.demo)
        for name in ["part 10.mkv", "part 2.mkv", "part 1.mkv"] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: demo)
        }
        try Data("not media".utf8).write(to: folder.url.appending(path: "notes.txt"))
        let log = folder.path("log")
        let result = try Command(
            [#require(Programs.player), "--plain", "--no-audio", "--start", "29.5", "--log", log, folder.url.path])
        #expect(result.status == 0, "\(result.standardError)")
        let said = result.standardOutput + (try String(contentsOfFile: log, encoding: .utf8))
        let places = ["part 1.mkv", "part 2.mkv", "part 10.mkv"].compactMap { said.range(of: $0)?.lowerBound }
        #expect(places.count == 3 && places == places.sorted(), "\(said)")
        #expect(!said.contains("notes.txt"))
    }
}
