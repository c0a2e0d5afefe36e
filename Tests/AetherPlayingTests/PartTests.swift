import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Parts of a file that are songs of their own, as a CUE sheet lists them.
@Suite struct PartTests {
    /// Far longer than what is read ahead: the end of a part is not that of the file.
    private func disc() throws -> MediaSource {
        .location(.file(try Fixtures.clip(["-f", "lavfi", "-i", "sine=f=440:r=48000:d=120", "-c:a", "flac"], ext: "flac")))
    }

    private func part(_ start: Double, _ end: Double?, plays: Bool = true) -> LoadOptions {
        Screening.options {
            $0.part = SourcePart(start: .seconds(start), end: end.map { .seconds($0) })
            $0.autoplay = plays
        }
    }

    @Test func aPartHasItsOwnStartAndDuration() async throws {
        let screening = Screening()
        try await screening.engine.load(try disc(), options: part(40, 42.5, plays: false))
        #expect(screening.snapshot.startTime == .seconds(40) && screening.snapshot.duration == .seconds(2.5))
        #expect(await screening.eventually { $0.snapshot.position == .seconds(40) && $0.snapshot.phase == .paused })
        // The start of the part is its start, and nothing behind its end can be gone to.
        #expect(await screening.say(.seek(to: .zero, .exact)))
        #expect((screening.snapshot.position - .seconds(40)).magnitude < .milliseconds(1))
        #expect(await screening.say(.seek(to: .seconds(100), .exact)))
        #expect((screening.snapshot.position - .seconds(42.4)).magnitude < .milliseconds(1))
        screening.engine.play()
        #expect(await screening.reaches(.ended))
        #expect((screening.snapshot.position - .seconds(42.5)).magnitude < .milliseconds(10))
        await screening.engine.stop()
    }

    @Test func theLastPartLastsToTheEndOfTheFile() async throws {
        let screening = Screening()
        try await screening.engine.load(try disc(), options: part(119.5, nil))
        #expect(screening.snapshot.duration == .seconds(0.5))
        #expect(await screening.reaches(.ended))
        await screening.engine.stop()
    }

    /// That no sample is lost there is `GaplessTests`'.
    @Test func theNextPartFollowsByItself() async throws {
        let screening = Screening(), disc = try disc()
        try await screening.engine.load(disc, options: part(10, 11, plays: false))
        screening.engine.setNext(disc, options: part(11, 12.25))
        screening.engine.play()
        let seen = Monitor<EngineSnapshot?>(nil)
        #expect(
            await screening.eventually {
                let snapshot = $0.snapshot
                guard snapshot.advances == 1 else { return snapshot.phase == .ended }
                seen.update { $0 = snapshot }
                return true
            })
        let after = try #require(seen.read { $0 }, "the second part did not follow")
        #expect(after.startTime == .seconds(11) && after.duration == .seconds(1.25))
        #expect(await screening.reaches(.ended))
        await screening.engine.stop()
    }
}
