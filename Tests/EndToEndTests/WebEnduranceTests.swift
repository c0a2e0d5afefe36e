import AetherCore
import AetherTestSupport
import Foundation
import Testing

/// Videos of a web server give back all that they took.
@Suite(.enabled(if: Programs.player != nil, "\(Programs.missing)"), .serialized)
struct WebEnduranceTests {
    /// The holdings of a process at one moment.
    private struct Holding {
        let descriptors, threads, kilobytes: Int

        /// nil once the process is gone.
        init?(of pid: Int32) {
            guard let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd"),  // gone: nothing to read
                let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task"),
                let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
                let resident = status.firstMatch(of: /VmRSS:\s+(?<kilobytes>[0-9]+)/),
                let kilobytes = Int(resident.output.kilobytes)
            else { return nil }
            (descriptors, threads, self.kilobytes) = (open.count, tasks.count, kilobytes)
        }
    }

    /// The process is looked at with each request that comes: as many are on their way at the end as at the beginning.
    @Test func holdsNoMoreAfterTwoHundredLoadsThanAfterTwenty() throws {
        let folder = try TemporaryFolder(), loads = 200
        let made = try Command([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=0.12", "-c:v", "libx264",
            "-preset",
            "ultrafast", folder.path("film.mkv"),
        ])
        try #require(made.status == 0, "\(made.standardError)")
        // Each is a file of its own.
        let paths = (0..<loads).map { "/film\($0).mkv" }
        let origin = try TestOrigin(Dictionary(uniqueKeysWithValues: paths.map { ($0, .file(folder.path("film.mkv"))) }))
        let player = try Pty(
            [#require(Programs.player), "--plain", "--no-audio", "--no-config", "--no-mpris", "--no-history"]
                + paths.map { origin.address + $0 })
        var seen: [Holding] = []
        for count in stride(from: 1, through: loads, by: 1) {
            guard origin.wait(for: { Set($0.map(\.target)).count >= count }) else { break }
            if let holding = Holding(of: player.pid) { seen.append(holding) }
        }
        #expect(player.waitForEnd(within: .seconds(60)) == .exited(0), "\(player.text.suffix(500))")
        try #require(seen.count > loads * 9 / 10, "only \(seen.count) looks")
        let early = seen[20..<60], late = seen.suffix(40)
        // One that is lost with each load would be a hundred more.
        let descriptors = (early.map(\.descriptors).max() ?? 0, late.map(\.descriptors).max() ?? 0)
        #expect(descriptors.1 <= descriptors.0 + 4, "\(descriptors)")
        let threads = (early.map(\.threads).max() ?? 0, late.map(\.threads).max() ?? 0)
        #expect(threads.1 <= threads.0 + 4, "\(threads)")
        // The least of the late looks, for how many films are in memory at once is chance; 40 KB a load would be 5 MB.
        let kilobytes = (early.map(\.kilobytes).max() ?? 0, late.map(\.kilobytes).min() ?? 0)
        #expect(kilobytes.1 <= kilobytes.0 + 5_000, "\(kilobytes)")
        #expect(origin.waitForSilence())
        // No film was asked for more often than it takes to open it.
        #expect(origin.requests.count <= 2 * loads, "\(origin.requests.count)")
    }
}
