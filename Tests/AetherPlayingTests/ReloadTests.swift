import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// A source that is read once more from where it is.
@Suite(.serialized) struct ReloadTests {
    @Test func tracksSettingsAndPlaceStay() async throws {
        let screening = try await Screening.of(try Clips.bilingual()) { $0.autoplay = false }
        #expect(screening.engine.reloadAtCurrentPosition() != nil)
        #expect(await screening.reaches(.paused))
        let audio = screening.snapshot.audioTracks[1].id
        screening.engine.selectAudioTrack(id: audio)
        screening.engine.setRate(1.5)
        #expect(await screening.say(.seek(to: .seconds(1.2), .exact)))
        #expect(await screening.shows(.seconds(1.2)))
        let number = try #require(screening.engine.reloadAtCurrentPosition())
        let now = try screening.engine.waitUntilOpened()
        #expect(now.activeAudioTrack == audio && now.rate == 1.5 && number > 1)
        #expect(await screening.reaches(.paused))
        #expect(await screening.shows(.seconds(1.2)))
        #expect(screening.snapshot.activeAudioTrack == audio)
        screening.engine.play()
        #expect(await screening.eventually { $0.snapshot.position > .seconds(1.4) })
        await screening.engine.stop()
        #expect(screening.engine.reloadAtCurrentPosition() == nil)
    }

    @Test func aReaderThatCannotBeDoubledPlaysOn() async throws {
        let reader = CountingReader(
            try #require(try MediaLocation.file(try Clips.film(4)).openReader()), isSeekable: false)
        let screening = Screening()
        try await screening.engine.load(.custom(reader, name: "film"), options: Screening.options())
        let epoch = screening.snapshot.epoch
        #expect(screening.engine.reloadAtCurrentPosition() != nil)
        #expect(await screening.eventually { $0.snapshot.notice != nil && $0.snapshot.phase == .playing })
        #expect(screening.snapshot.epoch == epoch)
        await screening.engine.stop()
    }
}
