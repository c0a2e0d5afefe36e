import AetherCore
import AetherMedia
import AetherSources
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// The decisions about deinterlacing.
@Suite struct DeinterlacePolicyTests {
    struct Row: Sendable {
        var mode = DeinterlaceMode.auto
        var rate = DeinterlaceFieldRate.field
        var shrink = 1.0
        var frameRate: Double? = 25
        var limit: Double?
        var isPressed = false
        let way: DeinterlacePolicy.Way
    }

    @Test(arguments: [
        Row(way: .filter(.field)), Row(rate: .frame, way: .filter(.frame)), Row(mode: .off, shrink: 4, way: .none),
        Row(shrink: 1.99, way: .filter(.field)), Row(shrink: 2, way: .earlierField), Row(shrink: 9, way: .earlierField),
        Row(mode: .software, shrink: 9, way: .filter(.field)),
        // 50 fields a second are not made for a surface that shows 30 pictures.
        Row(limit: 30, way: .filter(.frame)), Row(limit: 50, way: .filter(.field)), Row(limit: 48, way: .filter(.field)),
        Row(frameRate: 29.97, limit: 50, way: .filter(.frame)), Row(frameRate: 29.97, limit: 60, way: .filter(.field)),
        Row(frameRate: nil, limit: 50, way: .filter(.field)),
        Row(isPressed: true, way: .earlierField), Row(mode: .software, isPressed: true, way: .filter(.frame)),
    ])
    func isAsTheTableSays(row: Row) {
        #expect(
            DeinterlacePolicy.way(
                Deinterlacing(mode: row.mode, fieldRate: row.rate), shrink: row.shrink, frameRate: row.frameRate,
                limit: row.limit, isPressed: row.isPressed)
                == row.way)
    }
}

/// Interlaced sources through the whole engine.
@Suite(.serialized) struct DeinterlacingTests {
    private func play(
        _ bytes: [UInt8], _ name: String, box: PixelSize? = nil, _ change: (inout LoadOptions) -> Void = { _ in }
    ) async throws -> [Screening.Shown] {
        let screening = Screening(box: box)
        let options = Screening.options {
            $0.isUntimed = true
            $0.audioOutput = .none
            change(&$0)
        }
        try await screening.engine.load(.custom(MemoryReader(bytes), name: name), options: options)
        #expect(await screening.reaches(.ended))
        await screening.engine.stop()
        return screening.frames
    }

    private func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    private func largestError(_ times: [MediaTime], _ step: Double) -> TimeSpan {
        let start = times.first ?? .zero
        return times.enumerated().map { ($1 - start - .seconds(Double($0) * step)).magnitude }.max() ?? .seconds(99)
    }

    @Test(arguments: ["mpeg2video", "libx264", "dvvideo"]) func eachFieldIsAFrameInItsTime(codec: String) async throws {
        let bytes = try read(try Clips.interlaced(codec)), name = codec == "dvvideo" ? "a.dv" : "a.ts"
        let fields = try await play(bytes, name)
        // Not only expected: they are counted off below, and a crash would end all other tests.
        try #require(fields.count == 100)
        #expect(largestError(fields.map(\.pts), 0.02) < .milliseconds(0.1))
        #expect(Set(fields.map(\.hash)).count > 95)
        let frames = try await play(bytes, name) { $0.deinterlaceFieldRate = .frame }
        #expect(frames.count == 50)
        #expect(largestError(frames.map(\.pts), 0.04) < .milliseconds(0.1))
        // The picture of the earlier field is the same either way.
        #expect(frames.map(\.hash) == stride(from: 0, to: 100, by: 2).map { fields[$0].hash })
    }

    @Test func switchedOffFramesStayAsTheyWere() async throws {
        let path = try Clips.interlaced("mpeg2video")
        let frames = try await play(try read(path), "a.ts") { $0.deinterlaceMode = .off }
        #expect(frames.map(\.hash) == (try reference(path)).map(\.hash))
    }

    @Test func atHalfTheHeightOneFieldIsEnough() async throws {
        let bytes = try read(try Clips.interlaced("mpeg2video"))
        let half = try await play(bytes, "a.ts", box: PixelSize(width: 96, height: 64))
        #expect(half.count == 50)
        #expect(largestError(half.map(\.pts), 0.04) < .milliseconds(0.1))
        let more = try await play(bytes, "a.ts", box: PixelSize(width: 120, height: 80))
        #expect(more.count == 100)
    }

    @Test func progressiveFramesPassUntouchedAlsoBetweenInterlacedOnes() async throws {
        let parts = [
            try Clips.progressivePart(from: 10), try Clips.interlaced("mpeg2video", seconds: 1, from: 11),
            try Clips.progressivePart(from: 12),
        ]
        let progressive = try reference(parts[0])
        let shown = try await play(try BentClips.glued(parts), "a.ts")
        try #require(shown.count == 25 + 50 + 25)
        #expect(shown.prefix(25).map(\.hash) == progressive.map(\.hash))
        #expect(shown.suffix(25).map(\.hash) == (try reference(parts[2])).map(\.hash))
        let times = shown.map(\.pts)
        #expect(largestError(Array(times[..<25]), 0.04) < .milliseconds(0.1))
        #expect(largestError(Array(times[25..<75]), 0.02) < .milliseconds(0.1))
        #expect(times == times.sorted())
    }

    @Test func anExactSeekLandsOnTheField() async throws {
        let path = try Clips.interlaced("mpeg2video", seconds: 4)
        let all = try await play(try read(path), "a.ts")
        let screening = try await Screening.of(path) { $0.autoplay = false }
        #expect(await screening.eventually { !$0.frames.isEmpty })
        for number in [61, 100, 151, 8, 37] {
            let target = all[number].pts + .milliseconds(3)
            #expect(await screening.say(.seek(to: target, .exact)))
            #expect(await screening.shows(all[number].pts), "field \(number)")
            // Its pixels are made of one picture less than in a straight play: bwdif has nothing before the landing.
            #expect(screening.frames.last?.pts == all[number].pts, "field \(number)")
        }
        await screening.engine.stop()
    }
}
