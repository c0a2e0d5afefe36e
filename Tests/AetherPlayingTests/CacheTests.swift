import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Seeks and switches that need no source.
@Suite(.serialized) struct CacheTests {
    private func screening(
        _ path: String, isSeekable: Bool = true, traits: IOReaderTraits? = nil, _ change: (inout LoadOptions) -> Void = { _ in }
    ) async throws -> (Screening, CountingReader) {
        let reader = CountingReader(
            try #require(try MediaLocation.file(path).openReader()), isSeekable: isSeekable, traits: traits)
        let screening = Screening()
        try await screening.engine.load(.custom(reader, name: path), options: Screening.options(change))
        return (screening, reader)
    }

    @Test(arguments: [true, false]) func seeksInsideTheCacheTouchNoSource(isSeekable: Bool) async throws {
        let path = try Clips.film(4)
        let all = try reference(path)
        let (screening, reader) = try await screening(path, isSeekable: isSeekable) { $0.autoplay = false }
        #expect(await screening.holds(upTo: 3.7))
        let range = try #require(screening.snapshot.heldRange)
        #expect(range.lowerBound <= .seconds(0.1) && range.upperBound > .seconds(3))
        let calls = reader.calls.current
        for target in [1.5, 0.3, 2.9, 0.02] {
            #expect(await screening.say(.seek(to: .seconds(target), .exact)))
            let index = Int((target * 25 + 0.01).rounded(.down))
            #expect(await screening.eventually { $0.frames.last == all[index] })
        }
        #expect(await screening.say(.seek(to: .seconds(1.5), .keyframe)))
        #expect(await screening.shows(.seconds(1)))
        #expect(reader.calls.current == calls)
        screening.engine.play()
        #expect(await screening.eventually { $0.snapshot.position > .seconds(1.5) })
        #expect(await screening.reaches(.ended))
        #expect(screening.frames.last == all.last)
        #expect(screening.neverRanDry)
        await screening.engine.stop()
    }

    @Test func withoutACacheSeeksReadTheSource() async throws {
        // As a file's: of what comes from afar libavformat's own buffer holds all of so short a video.
        let (screening, reader) = try await screening(try Clips.film(4), traits: .file) { $0.cacheBytes = 0 }
        #expect(await screening.eventually { $0.snapshot.position > .seconds(1) })
        screening.engine.pause()
        #expect(await screening.reaches(.paused))
        #expect(screening.snapshot.heldRange == nil)
        let calls = reader.calls.current
        #expect(await screening.say(.seek(to: .seconds(0.5), .exact)))
        #expect(await screening.shows(.seconds(0.48)))
        #expect(reader.calls.current > calls)
        await screening.engine.stop()
    }

    @Test func whatAPipeNoLongerHoldsIsNotSought() async throws {
        let (screening, _) = try await screening(try Clips.film(60), isSeekable: false) { $0.cacheBytes = 20_000 }
        #expect(await screening.eventually { $0.snapshot.position > .seconds(3) })
        let before = screening.snapshot.epoch
        screening.engine.seek(to: .zero)
        #expect(await screening.eventually { $0.snapshot.notice != nil })
        #expect(screening.snapshot.epoch == before && screening.snapshot.phase == .playing)
        await screening.engine.stop()
    }

    @Test func anotherTrackStopsNeitherFrameNorClock() async throws {
        let (screening, _) = try await screening(try Clips.bilingual())
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.6) })
        let epoch = screening.snapshot.epoch

        for track in [1, 0, 1, 0, 1] {
            let before = screening.reading
            screening.engine.selectAudioTrack(id: screening.snapshot.audioTracks[track].id)
            #expect(await screening.eventually { $0.snapshot.position > before.position + .milliseconds(400) })
            let after = screening.reading
            let stood = (after.host - before.host) - (after.position - before.position)
            let slack = screening.punctuality.worst.scaled(by: 4)
            #expect(stood < .milliseconds(80) + slack, "the clock stood for \(stood.milliseconds) ms")
            #expect(screening.snapshot.activeAudioTrack == screening.snapshot.audioTracks[track].id)
            #expect(screening.snapshot.phase == .playing)
        }
        #expect(screening.snapshot.epoch == epoch)
        // Not one frame was left out; a frame lasts 40 ms, and where turns of threads come half of that late, some are.
        let shown = screening.times
        let isWhole = zip(shown, shown.dropFirst()).allSatisfy { ($1 - $0 - .milliseconds(40)).magnitude < .milliseconds(2) }
        #expect(isWhole || !screening.punctuality.kept(.milliseconds(20)))
        await screening.engine.stop()
    }

    @Test func aPauseWhileAnotherTrackComesStandsAndGoesOn() async throws {
        let (screening, _) = try await screening(try Clips.bilingual())
        for round in 0..<6 {
            let before = screening.snapshot.position
            #expect(await screening.eventually { $0.snapshot.position > before + .milliseconds(200) })
            screening.engine.selectAudioTrack(id: screening.snapshot.audioTracks[(round + 1) % 2].id)
            screening.engine.pause()
            #expect(await screening.reaches(.paused))
            #expect(await screening.eventually { $0.clockRate == 0 })
            let stood = screening.snapshot.position
            #expect(!(await screening.passes(.milliseconds(80)) { $0.snapshot.position > stood + .milliseconds(1) }))
            screening.engine.play()
        }
        #expect(await screening.reaches(.ended))
        #expect((screening.snapshot.position - .seconds(6)).magnitude < .milliseconds(100))
        await screening.engine.stop()
    }
}
