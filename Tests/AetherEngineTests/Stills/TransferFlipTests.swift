import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine

/// A source whose transfer function changes in the middle: PQ, then SDR, then HLG, in one transport stream, with the same codes in all three.
@Suite(.serialized) struct TransferFlipTests {
    private static let kinds: [(transfer: String, primaries: String, matrix: String, format: VideoFormat)] = [
        ("smpte2084", "bt2020", "bt2020nc", .hdr10), ("bt709", "bt709", "bt709", .sdr),
        ("arib-std-b67", "bt2020", "bt2020nc", .hlg),
    ]

    private func parts() throws -> [String] {
        try Self.kinds.enumerated().map { number, kind in
            try Fixtures.clip(
                [
                    "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-pix_fmt", "yuv420p10le", "-c:v", "libx264", "-preset",
                    "ultrafast", "-g", "25", "-bf", "0", "-color_trc", kind.transfer, "-color_primaries", kind.primaries,
                    "-colorspace", kind.matrix, "-output_ts_offset", "\(number)",
                ], ext: "ts")
        }
    }

    @Test func playedThroughEachFrameHasTheColoursOfItsPart() async throws {
        let parts = try parts(), wanted = try parts.map { try reference($0) }
        let screening = Screening()
        try await screening.engine.load(
            .custom(MemoryReader(try BentClips.glued(parts)), name: "flips.ts"),
            options: Screening.options { ($0.isUntimed, $0.audioOutput) = (true, .none) })
        #expect(await screening.reaches(.ended))
        let shown = screening.frames
        #expect(shown.count == 75 && shown.map(\.hash) == wanted.joined().map(\.hash))
        // The codes are the same: only what they mean differs.
        #expect(Set(wanted.map { $0[10].hash }).count == 3)
        await screening.engine.stop()
    }

    @Test func aSeekIntoEachPartShowsItsColoursAndSaysItsFormat() async throws {
        let parts = try parts(), wanted = try parts.map { try reference($0) }
        let screening = Screening()
        try await screening.engine.load(
            .custom(MemoryReader(try BentClips.glued(parts)), name: "flips.ts"),
            options: Screening.options { ($0.autoplay, $0.audioOutput, $0.cacheBytes) = (false, .none, 0) })
        #expect(await screening.eventually { !$0.frames.isEmpty })
        for part in [1, 2, 0, 2, 1, 0] {
            let frame = wanted[part][12]
            #expect(await screening.say(.seek(to: frame.pts + .milliseconds(5), .exact)))
            #expect(await screening.eventually { $0.frames.last?.hash == frame.hash }, "part \(part)")
            #expect(await screening.eventually { $0.snapshot.sourceVideoFormat == Self.kinds[part].format }, "part \(part)")
        }
        await screening.engine.stop()
    }
}
