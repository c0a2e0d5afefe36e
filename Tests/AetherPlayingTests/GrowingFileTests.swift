import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Glibc
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// A recording in progress plays to where it has come, and on from there.
@Suite struct GrowingFileTests {
    /// Two halves of a file that is 8 s long: the writer keeps the second back.
    @Test(arguments: ["ts", "mkv", "mp4"]) func playsOnWhenMoreIsWritten(_ ext: String) async throws {
        let whole = try Data(contentsOf: URL(filePath: try Clips.recording(ext)))
        let folder = try TemporaryFolder(), path = folder.path("growing." + ext)
        let writer = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        func write(_ range: Range<Int>) {
            #expect(whole[range].withUnsafeBytes { Glibc.write(writer, $0.baseAddress, range.count) } == range.count)
        }
        write(0..<whole.count / 2)
        // A test that is held up is no writer that hangs.
        let reader = try GrowingFileReader(path: path, patience: .seconds(600))
        // Where the file system has no leases, nobody can tell who writes.
        guard reader.isGrowing else { return }
        let screening = Screening()
        try await screening.engine.load(.custom(reader, name: "growing." + ext), options: Screening.options())
        #expect(await screening.eventually { $0.snapshot.isLive && $0.snapshot.position > .seconds(1) })
        #expect(screening.snapshot.phase != .ended)
        let before = try #require(screening.snapshot.duration)
        #expect(before < .seconds(6), "\(before)")
        write(whole.count / 2..<whole.count)
        #expect(await screening.eventually { ($0.snapshot.duration ?? .zero) > before + .seconds(1) })
        close(writer)
        #expect(await screening.reaches(.ended))
        #expect(!screening.snapshot.isLive)
        let length = screening.snapshot.duration ?? .zero
        #expect((length - .seconds(8)).magnitude < .milliseconds(300), "\(length)")
        #expect(await screening.lostNone(of: 200), "\(screening.times.count)")
        await screening.engine.stop()
    }
}
