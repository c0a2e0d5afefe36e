import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Audio of several codecs and rates, one behind the other in one file.
@Suite(.serialized) struct GluedAudioTests {
    /// A tone of so many samples in whole packets: of AAC 1024 come first that are the encoder's delay.
    private func part(_ codec: String, rate: Int, samples: Int) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "sine=f=440:r=\(rate):d=2,volume=6,atrim=end_sample=\(samples)", "-c:a", codec, "-ac", "2",
            ], ext: "ts")
    }

    private func heard(_ bytes: [UInt8]) async throws -> [Int32] {
        let path = NSTemporaryDirectory() + "glued-\(UUID().uuidString).ts"
        defer { unlink(path) }
        try Data(bytes).write(to: URL(filePath: path))
        let listening = try Listening(path)
        listening.begin(1, at: listening.start.seconds)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        let end = await listening.hears { event -> Bool? in
            if case .finished(.audio, Epoch(1), _) = event { true } else { nil }
        }
        #expect(end == true)
        let heard = listening.script.heard
        listening.end()
        return heard
    }

    /// Each part is heard whole, and the joint is no longer than the delay of an encoder: 256 samples of AC-3.
    @Test func whatHasAnotherCodecGoesOnWithoutAHole() async throws {
        let aac = try part("aac", rate: 44_100, samples: 43 * 1024), dolby = try part("ac3", rate: 48_000, samples: 30 * 1536)
        let alone = [try await heard(try BentClips.glued([aac])), try await heard(try BentClips.glued([dolby]))]
        let both = try await heard(try BentClips.glued([aac, dolby]))
        #expect(abs(both.count - alone[0].count - alone[1].count) <= 1115, "\(both.count) of \(alone.map(\.count))")
        var longest = 0, quiet = 0
        for sample in both.dropFirst(4800).dropLast(4800) {
            quiet = sample.magnitude < 1 << 24 ? quiet + 1 : 0
            longest = max(longest, quiet)
        }
        #expect(longest < 480, "\(Double(longest) / 48) ms")
    }
}
