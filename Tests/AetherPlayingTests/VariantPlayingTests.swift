import AetherCore
import AetherMedia
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Another quality, chosen by hand while a stream plays.
@Suite(.serialized) struct VariantPlayingTests {
    /// Frame by frame, so that no clock has a say: every frame is shown once and in its place, whatever the turn; at once the segment on screen
    /// is of the other quality already.
    @Test(arguments: [SegmentedVideo.Shape.ladder, .muxedLadder], VariantTurn.allCases)
    func noFrameIsLostOrShownTwice(_ shape: SegmentedVideo.Shape, _ turn: VariantTurn) async throws {
        let film = try SegmentedVideo(shape), small = try MediaVariantQualifier("width < 80")
        let screening = Screening(), origin = try film.origin()
        // Over HTTP, of which 30 s are read ahead: all of it.
        let options = Screening.options { options in
            (options.audioOutput, options.autoplay) = (.none, false)
            options.variantQualifiers = [small]
            options.adaptation.isOn = false
        }
        try await screening.engine.load(.location(.url(origin.address + "/" + shape.manifest)), options: options)
        #expect(await screening.eventually { $0.snapshot.variants.count == 2 && $0.frames.count == 1 }, "\(screening.times)")
        // Steps are quicker than a reader that a busy machine holds up: all that is to be read is read first, also what comes in its place.
        let former = try film.byteCount("s1_"), latter = try film.byteCount("s0_")
        #expect(await screening.eventually { $0.bytesRead >= former }, "\(screening.bytesRead) of \(former)")
        let other = try #require(screening.snapshot.variants.first { $0.id != screening.snapshot.activeVariant }?.id)
        screening.engine.send(.selectVariant(other, turn))
        #expect(await screening.eventually { $0.snapshot.activeVariant == other })
        if turn == .atOnce { #expect(await screening.eventually { $0.bytesRead >= former + latter }) }
        for count in 2...80 {
            screening.engine.send(.stepFrame(1))
            guard await screening.eventually({ $0.frames.count == count }) else { break }
        }
        let frames = screening.frames, times = frames.map(\.pts)
        #expect(
            frames.count == 80 && zip(times, times.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 0.04) < 0.0015 },
            "\(times.map(\.seconds))")
        // What the first segment looks like in each of the qualities.
        let high = try Set(reference(film.path("s0_0.ts")).map(\.hash)),
            low = try Set(reference(film.path("s1_0.ts")).map(\.hash))
        #expect(high.isDisjoint(with: low))
        let first = frames.prefix(25).map { high.contains($0.hash) }
        #expect(frames.prefix(25).allSatisfy { high.contains($0.hash) || low.contains($0.hash) })
        #expect(first.last == (turn == .atOnce) && first.first == false, "\(first)")
        // Once over, always over.
        #expect(zip(first, first.dropFirst()).allSatisfy { $1 || !$0 })
        await screening.engine.stop()
    }

    /// Beside the clock, which never stands: each frame of both qualities is shown, or counted as too late on a machine that was.
    @Test(arguments: VariantTurn.allCases) func theClockRunsOn(_ turn: VariantTurn) async throws {
        let film = try SegmentedVideo(.ladder), small = try MediaVariantQualifier("width < 80")
        let screening = try await Screening.of(film.path("master.m3u8")) { options in
            options.variantQualifiers = [small]
            options.adaptation.isOn = false
        }
        #expect(await screening.eventually { $0.snapshot.variants.count == 2 })
        let other = try #require(screening.snapshot.variants.first { $0.id != screening.snapshot.activeVariant }?.id)
        screening.engine.play()
        #expect(await screening.eventually { $0.snapshot.position > .seconds(1.7) })
        let epoch = screening.snapshot.epoch
        screening.engine.send(.selectVariant(other, turn))
        #expect(await screening.reaches(.ended))
        #expect(screening.snapshot.epoch == epoch)
        let times = screening.times
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "none comes twice")
        #expect(
            await screening.eventually { times.count + ($0.snapshot.telemetry?.droppedLateDecode ?? 0) == 100 },
            "\(times.count) and \(screening.snapshot.telemetry?.droppedLateDecode ?? 0)")
        await screening.engine.stop()
    }
}
