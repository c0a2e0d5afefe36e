import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Sources whose times are wrong, through the whole engine: every picture comes, in its order and its place, and the end is found.
@Suite(.serialized) struct BentTimingTests {
    struct Bent: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: String
        let frames: Int
        /// Where the first picture belongs.
        let first: Double
        let bytes: @Sendable () throws -> [UInt8]

        init(_ name: String, _ file: String, frames: Int, first: Double, _ bytes: @escaping @Sendable () throws -> [UInt8]) {
            (testDescription, self.file, self.frames, self.first, self.bytes) = (name, file, frames, first, bytes)
        }
    }

    static func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    static let all: [Bent] = [
        Bent("every third picture has no time", "a.ts", frames: 100, first: 10) {
            try BentClips.broadcast(4) { $0 % 3 == 2 ? .init() : $1 }
        },
        Bent("only the first picture has a time", "a.ts", frames: 100, first: 10) {
            try BentClips.broadcast(4) { $0 > 0 ? .init() : $1 }
        },
        Bent("decoding times of B-frames as if there were none", "a.ts", frames: 100, first: 10) {
            try BentClips.broadcast(4) { .init(pts: $1.pts, dts: $1.pts) }
        },
        Bent("decoding times after the showing times", "a.ts", frames: 100, first: 10) {
            try BentClips.broadcast(4) { .init(pts: $1.pts, dts: ($1.dts ?? $1.pts).map { $0 + 90_000 }) }
        },
        Bent("decoding times that stand", "a.ts", frames: 100, first: 10) {
            try BentClips.broadcast(4) { .init(pts: $1.pts, dts: 900_000) }
        },
        Bent("no times but those of decoding", "a.avi", frames: 75, first: 0) { try read(try BentClips.decodingTimesOnly()) },
        Bent("no times at all", "a.h264", frames: 50, first: 0) { try read(try BentClips.bare()) },
        Bent("33 bits run over", "a.ts", frames: 100, first: -2.0177) { try read(try BentClips.broadcast(4, from: 95441.7)) },
        Bent("a leap forward by two hours", "a.ts", frames: 100, first: 10) {
            try BentClips.glued([try BentClips.broadcast(2, from: 10), try BentClips.broadcast(2, from: 7210)])
        },
        Bent("a leap back by two hours", "a.ts", frames: 100, first: 7210) {
            try BentClips.glued([try BentClips.broadcast(2, from: 7210), try BentClips.broadcast(2, from: 10)])
        },
        Bent("a part that begins four seconds before the end of the one before", "a.ts", frames: 250, first: 10) {
            try BentClips.glued([try BentClips.broadcast(6, from: 10), try BentClips.broadcast(4, from: 12)])
        },
        Bent("a leap forward without sound", "a.ts", frames: 100, first: 10) {
            try BentClips.glued([
                try BentClips.broadcast(2, from: 10, withSound: false), try BentClips.broadcast(2, from: 7210, withSound: false),
            ])
        },
        Bent("a leap back without sound", "a.ts", frames: 100, first: 7210) {
            try BentClips.glued([
                try BentClips.broadcast(2, from: 7210, withSound: false), try BentClips.broadcast(2, from: 10, withSound: false),
            ])
        },
        Bent("an edit list that begins inside a group of pictures", "a.mp4", frames: 87, first: 0) {
            try read(try BentClips.cut(from: 0.5))
        },
        Bent("a header that says a third of the length", "a.mkv", frames: 75, first: 0) { try read(try BentClips.negative()) },
        Bent("sound with a hole of nineteen seconds", "a.mkv", frames: 600, first: 0) { try read(try BentClips.sparseAudio()) },
    ]

    @Test(arguments: all) func everyFrameComesInItsPlace(bent: Bent) async throws {
        let screening = Screening()
        let options = Screening.options {
            $0.isUntimed = true
            $0.audioOutput = .none
        }
        try await screening.engine.load(.custom(MemoryReader(try bent.bytes()), name: bent.file), options: options)
        #expect(await screening.reaches(.ended))
        let times = screening.times
        #expect(times.count == bent.frames)
        let expected = (0..<bent.frames).map { MediaTime.seconds(bent.first + Double($0) / 25) }
        let off = zip(times, expected).map { ($0 - $1).magnitude }.max() ?? .seconds(99)
        #expect(off < .milliseconds(1.1), "off by \(off)")
        #expect(times == times.sorted())
        await screening.engine.stop()
    }

    /// With sound, which keeps its place beside the picture: the end of both is where it should be, and no second is waited for in vain.
    @Test(arguments: all) func timePassesAtItsRateToTheEnd(bent: Bent) async throws {
        let screening = Screening()
        let began = SystemTime().now()
        try await screening.engine.load(
            .custom(MemoryReader(try bent.bytes()), name: bent.file), options: Screening.options { $0.rate = 4 })
        #expect(await screening.reaches(.ended))
        let length = Double(bent.frames) / 25
        let lasted = SystemTime().now() - began
        let slack = screening.punctuality.worst.scaled(by: 20)
        #expect(lasted > .seconds(length / 4 - 0.3) && lasted < .seconds(length / 4 + 4) + slack)
        #expect((screening.snapshot.position - .seconds(bent.first + length)).magnitude < .milliseconds(60))
        #expect(screening.times == screening.times.sorted())
        let last = screening.times.last ?? .zero
        #expect((last - .seconds(bent.first + length - 0.04)).magnitude < .milliseconds(1.1))
        await screening.engine.stop()
    }

    @Test func seeksOverALeapFindTheirFrames() async throws {
        let parts = [try BentClips.broadcast(4, from: 10), try BentClips.broadcast(4, from: 7210)]
        let screening = Screening()
        // Without a cache: each seek goes to the source, which has other times behind the leap.
        let options = Screening.options {
            $0.rate = 4
            $0.cacheBytes = 0
        }
        try await screening.engine.load(.custom(MemoryReader(try BentClips.glued(parts)), name: "a.ts"), options: options)
        #expect(await screening.reaches(.ended))
        let hashes = Dictionary(screening.frames.map { ($0.pts, $0.hash) }) { $1 }
        screening.engine.pause()
        for target in [17.0, 11, 14.2, 12.6] {
            #expect(await screening.say(.seek(to: .seconds(target), .exact)))
            #expect(await screening.shows(.seconds(target)), "at \(target)")
            if let frame = screening.frames.last, let known = hashes[frame.pts] { #expect(known == frame.hash) }
        }
        await screening.engine.stop()
    }

    /// Short parts that each begin at nothing again, and a raw stream whose times were counted at the rate of its first part.
    @Test(arguments: ["ogg", "ts", "aac"]) func shortSoundsGluedTogetherAreHeardToTheEnd(_ ext: String) async throws {
        let codec = ext == "ogg" ? "libvorbis" : "aac"
        let parts = try [48_000, ext == "ogg" ? 48_000 : 22_050, 48_000].map { rate in
            try Fixtures.clip(["-f", "lavfi", "-i", "sine=f=440:r=\(rate):d=1.5", "-c:a", codec], ext: ext)
        }
        let screening = Screening()
        try await screening.engine.load(
            .custom(MemoryReader(try BentClips.glued(parts)), name: "a.\(ext)"), options: Screening.options())
        #expect(await screening.reaches(.ended))
        let heard = screening.snapshot.position - screening.snapshot.startTime
        #expect((heard - .seconds(4.5)).magnitude < .milliseconds(250), "\(heard.seconds) s")
        await screening.engine.stop()
    }
}
