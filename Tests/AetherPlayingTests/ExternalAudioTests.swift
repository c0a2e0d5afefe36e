import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Video of one file and audio of another play together.
@Suite struct ExternalAudioTests {
    /// A tone of that many seconds, silent but for the second half of each second.
    private static func tone(_ seconds: Double) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "aevalsrc='if(gte(mod(t\\,1)\\,0.5)\\,sin(2764*t)/2\\,0)':s=48000:d=\(seconds)", "-c:a",
                "flac",
            ],
            ext: "mka")
    }

    /// Whether each half second of the source was loud, out of the samples that were heard.
    private static func halves(_ buffers: [AudioTapBuffer], from start: Double) -> [Int: Bool] {
        var loud: [Int: (sum: Float, count: Int)] = [:]
        for buffer in buffers {
            for (index, sample) in buffer.samples.enumerated() {
                let time = buffer.sourceTime + Double(index) / 48_000 - start
                // 20 ms at the borders count for neither half.
                let place = time / 0.5, half = Int(place.rounded(.down))
                guard time >= 0, (0.04...0.96).contains(place - Double(half)) else { continue }
                loud[half, default: (0, 0)].sum += abs(sample)
                loud[half, default: (0, 0)].count += 1
            }
        }
        return loud.filter { $0.value.count > 4800 }.mapValues { $0.sum / Float($0.count) > 0.1 }
    }

    private func audio(_ path: String) -> ExternalAudioTrack { ExternalAudioTrack(.file(path)) }

    @Test(arguments: ["mp4", "ts"]) func playsInTimeWithTheVideo(_ container: String) async throws {
        let video = container == "mp4" ? try Clips.silentVideo(3) : try Clips.silentBroadcast(3), tone = try Self.tone(3)
        let screening = Screening()
        let stream = screening.engine.installAudioTap()
        try await screening.engine.load(
            .location(.file(video)), options: Screening.options { $0.externalAudio = [audio(tone)] })
        #expect(await screening.reaches(.ended))
        let snapshot = screening.snapshot
        #expect(snapshot.audioTracks.count == 1 && snapshot.activeAudioTrack == snapshot.audioTracks.first?.id)
        #expect(snapshot.activeAudioTrack?.source == 1)
        #expect(await screening.lostNone(of: 75), "\(screening.times.count)")
        await screening.engine.stop()
        var buffers: [AudioTapBuffer] = []
        for await buffer in stream { buffers.append(buffer) }
        // A broadcast begins at 1.4 s; the file beside it begins with it.
        let halves = Self.halves(buffers, from: snapshot.startTime.seconds)
        #expect(halves.count >= 5 && halves.allSatisfy { $0.value == ($0.key % 2 == 1) }, "\(halves)")
    }

    @Test func aSeekTakesBothAlong() async throws {
        let screening = Screening()
        let stream = screening.engine.installAudioTap()
        let video = try Clips.silentVideo(6), tone = try Self.tone(6)
        try await screening.engine.load(
            .location(.file(video)),
            options: Screening.options {
                $0.externalAudio = [audio(tone)]
                $0.cacheBytes = 0
            })
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.3) })
        #expect(await screening.say(.seek(to: .seconds(4), .exact)))
        #expect(await screening.reaches(.ended))
        await screening.engine.stop()
        var buffers: [AudioTapBuffer] = []
        for await buffer in stream { buffers.append(buffer) }
        let halves = Self.halves(buffers.filter { $0.sourceTime >= 3.9 }, from: 0)
        #expect(halves.count >= 3 && halves.allSatisfy { $0.value == ($0.key % 2 == 1) }, "\(halves)")
    }

    @Test func whatIsAddedWhileItPlaysIsHeard() async throws {
        let screening = try await Screening.of(try Clips.silentVideo(6))
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.3) })
        screening.engine.send(.addAudio(audio(try Self.tone(6))))
        #expect(await screening.eventually { $0.snapshot.activeAudioTrack?.source == 1 && $0.snapshot.phase == .playing })
        #expect(screening.snapshot.audioTracks.count == 1)
        let place = screening.snapshot.position
        #expect(await screening.eventually { $0.snapshot.position > place + .milliseconds(300) })
        await screening.engine.stop()
    }

    @Test func whatCannotBeAddedIsSaidAndTheVideoPlays() async throws {
        let screening = try await Screening.of(try Clips.silentVideo(2)) {
            $0.externalAudio = [ExternalAudioTrack(.file("/nowhere/tone.flac"))]
        }
        #expect(screening.snapshot.notices.contains { $0.text.contains("cannot add tone.flac") })
        #expect(await screening.reaches(.ended))
        #expect(screening.snapshot.audioTracks.isEmpty)
        await screening.engine.stop()
    }
}
