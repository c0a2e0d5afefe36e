import AetherCore
import AetherMedia
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Titles of a Blu-ray disc, of which one is played at a time.
@Suite(.serialized)
struct BluRayPlayingTests {
    private func image(in folder: TemporaryFolder, hasJava: Bool = false) throws -> String {
        let path = folder.path("disc.iso")
        try Data(UDFWriter.image(try BluRayFixture.made().files(hasJava: hasJava), isFragmented: true)).write(
            to: URL(fileURLWithPath: path))
        return path
    }

    @Test func theMainTitlePlaysOverItsBorderAndThenAnother() async throws {
        let folder = try TemporaryFolder()
        let screening = try await Screening.of(image(in: folder)) { $0.autoplay = false }
        let first = screening.snapshot
        #expect(first.titles.map(\.id) == [1, 2] && first.activeTitle == 1 && first.duration == .seconds(10))
        #expect(first.chapters.count == 4 && first.audioTracks.map(\.language) == ["deu", "eng"])
        #expect(first.subtitleTracks.map(\.language) == ["fra"])
        #expect(await screening.say(.seek(to: first.startTime + .seconds(5.6), .exact)))
        let frame = try #require(screening.frames.last)
        #expect((frame.pts - first.startTime - .seconds(5.6)).magnitude < .milliseconds(1))
        screening.engine.play()
        #expect(await screening.eventually { ($0.times.last ?? .zero) > first.startTime + .seconds(6.4) })
        screening.engine.send(.selectTitle(2))
        #expect(await screening.eventually { $0.snapshot.activeTitle == 2 && $0.snapshot.hasFirstFrame })
        #expect(
            screening.snapshot.duration == .seconds(3) && screening.snapshot.chapters.count == 1 && screening.snapshot.wantsToPlay
        )
        #expect(await screening.reaches(.ended))
        #expect((screening.times.last ?? .zero).seconds > 2.9)
        await screening.engine.stop()
        withExtendedLifetime(folder) {}
    }

    @Test func everyFrameOfBothClipsIsShownOnce() async throws {
        let folder = try TemporaryFolder()
        let screening = try await Screening.of(image(in: folder)) { ($0.isUntimed, $0.audioOutput) = (true, .none) }
        #expect(await screening.reaches(.ended))
        let times = screening.times.map(\.seconds)
        #expect(times.count == 250 && zip(times, 0...).allSatisfy { abs($0 - Double($1) * 0.04) < 0.001 }, "\(times.count)")
        await screening.engine.stop()
        withExtendedLifetime(folder) {}
    }
}
