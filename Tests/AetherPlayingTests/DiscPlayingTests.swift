import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Titles of a DVD, of which one is played at a time.
@Suite(.serialized, .enabled(if: DVDFixture.isPossible, Comment(rawValue: DVDFixture.missing)))
struct DiscPlayingTests {
    @Test func theMainTitlePlaysAndThenAnother() async throws {
        let screening = try await Screening.of(DVDFixture.made().image) { $0.autoplay = false }
        let first = screening.snapshot
        #expect(first.titles.map(\.id) == [1, 2] && first.activeTitle == 1)
        #expect(((first.duration ?? .zero) - .seconds(11)).magnitude < .milliseconds(50))
        #expect(first.chapters.count == 4 && first.audioTracks.map(\.language) == ["de", "en"])
        #expect(first.subtitleTracks.map(\.language) == ["fr", "es"])
        // Over the border of two clocks.
        #expect(await screening.say(.seek(to: first.startTime + .seconds(5.6), .exact)))
        let frame = try #require(screening.frames.last)
        #expect((frame.pts - first.startTime - .seconds(5.6)).magnitude < .milliseconds(1))
        screening.engine.play()
        #expect(await screening.eventually { ($0.times.last ?? .zero) > first.startTime + .seconds(6.4) })
        screening.engine.send(.selectTitle(2))
        #expect(await screening.eventually { $0.snapshot.activeTitle == 2 && $0.snapshot.hasFirstFrame })
        let second = screening.snapshot
        #expect(((second.duration ?? .zero) - .seconds(4)).magnitude < .milliseconds(50))
        #expect(second.chapters.count == 1 && second.wantsToPlay)
        #expect(await screening.reaches(.ended))
        #expect(((screening.times.last ?? .zero) - second.startTime).seconds > 3.9)
        await screening.engine.stop()
    }

    @Test func theTitleIsChosenBeforehand() async throws {
        let screening = try await Screening.of(DVDFixture.made().folder) {
            $0.autoplay = false
            $0.title = 2
        }
        #expect(screening.snapshot.activeTitle == 2 && screening.snapshot.chapters.count == 1)
        await screening.engine.stop()
    }
}
