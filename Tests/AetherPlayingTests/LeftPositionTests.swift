import AetherCore
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// The position at which a source is left takes in what was sent before the load, however late the engine gets to it.
@Suite(.serialized) struct LeftPositionTests {
    private static func film(_ ext: String = "mkv") throws -> String {
        try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=8", "-c:v", "libx264", "-preset", "ultrafast"], ext: ext)
    }

    private static func quiet() -> LoadOptions { Screening.options { ($0.audioOutput, $0.autoplay) = (.none, false) } }

    @Test func aSeekJustBeforeTheLoadCounts() async throws {
        let path = try Self.film(), screening = try await Screening.of(path) { ($0.audioOutput, $0.autoplay) = (.none, false) }
        #expect(screening.snapshot.left == nil)
        screening.engine.seek(to: screening.snapshot.startTime + .seconds(6))
        try await screening.engine.load(.location(.file(path)), options: Self.quiet())
        #expect(screening.snapshot.left == LeftPosition(position: .seconds(6), wantsToPlay: false))
        // A source that does not begin leaves it as it is.
        screening.engine.play()
        await #expect(throws: MediaError.self) {
            try await screening.engine.load(.location(.file("/nowhere/film.mkv")), options: Self.quiet())
        }
        let left = screening.snapshot.left
        #expect(left?.wantsToPlay == true)
        await #expect(throws: MediaError.self) {
            try await screening.engine.load(.location(.file("/nowhere/other.mkv")), options: Self.quiet())
        }
        #expect(screening.snapshot.left == left)
        await screening.engine.stop()
    }

    /// Where nothing can be gone to, there is no position to go back to.
    @Test func aSourceThatCannotSeekHasNone() async throws {
        let path = try Self.film("ts"), screening = Screening()
        let reader = try UnsteadyReader(path, limit: 1, edge: .end, isSeekable: false)
        try await screening.engine.load(.custom(reader, name: "film.ts"), options: Self.quiet())
        try await screening.engine.load(.location(.file(path)), options: Self.quiet())
        #expect(screening.snapshot.left == LeftPosition(position: nil, wantsToPlay: false))
        await screening.engine.stop()
    }
}
