import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Broadcasts of two sizes and codecs, one behind the other in one file.
enum GluedClips {
    static let count = 40

    static func avc() throws -> String { try part(["testsrc2=s=320x180:r=25", "libx264", "aac", "44100"]) }
    static func hevc() throws -> String { try part(["testsrc2=s=640x272:r=25", "libx265", "ac3", "48000"]) }
    static func wide() throws -> String { try part(["testsrc2=s=640x272:r=25", "libx264", "aac", "44100"]) }

    private static func part(_ recipe: [String]) throws -> String {
        var arguments = [
            "-f", "lavfi", "-i", recipe[0] + ":d=1.6", "-f", "lavfi", "-i", "sine=440:sample_rate=\(recipe[3]):d=1.6",
        ]
        arguments += ["-c:v", recipe[1], "-preset", "ultrafast", "-g", "10", "-threads", "1", "-c:a", recipe[2], "-ac", "2"]
        if recipe[1] == "libx265" { arguments += ["-x265-params", "log-level=none:pools=1:keyint=10"] }
        return try Fixtures.clip(arguments, ext: "ts")
    }
}

/// Sources glued together of parts with other codecs and sizes play through, each part as it plays alone.
@Suite struct GluedSourceTests {
    enum Order: String, CaseIterable, Sendable {
        case smallToLarge, largeToSmall, otherSize, thereAndBack

        func parts() throws -> [String] {
            let (avc, hevc) = (try GluedClips.avc(), try GluedClips.hevc())
            return switch self {
            case .smallToLarge: [avc, hevc]
            case .largeToSmall: [hevc, avc]
            case .otherSize: [avc, try GluedClips.wide()]
            case .thereAndBack: [avc, hevc, avc]
            }
        }
    }

    private func open(_ reader: any IOReader, _ change: @escaping (inout LoadOptions) -> Void) async throws -> Screening {
        let screening = Screening()
        try await screening.engine.load(
            .custom(reader, name: "glued.ts"),
            options: Screening.options {
                ($0.audioOutput, $0.findsSubtitleFiles) = (.none, false)
                change(&$0)
            })
        return screening
    }

    private func reader(_ parts: [String], isSeekable: Bool) throws -> any IOReader {
        let path = NSTemporaryDirectory() + "glued-\(UUID().uuidString).ts"
        defer { unlink(path) }
        try Data(try BentClips.glued(parts)).write(to: URL(filePath: path))
        if isSeekable { return MemoryReader(try BentClips.glued(parts)) }
        return try UnsteadyReader(path, limit: 1, edge: .end, isSeekable: false)
    }

    @Test(arguments: Order.allCases, [true, false])
    func everyFrameOfEachPartIsShown(_ order: Order, isSeekable: Bool) async throws {
        let parts = try order.parts()
        let screening = try await open(try reader(parts, isSeekable: isSeekable)) { ($0.isUntimed, $0.cacheBytes) = (true, 0) }
        #expect(await screening.reaches(.ended))
        let alone = try parts.map { try reference($0) }
        #expect(alone.map(\.count) == parts.map { _ in GluedClips.count })
        let frames = screening.frames
        #expect(frames.map(\.hash) == alone.flatMap { $0.map(\.hash) })
        // One frame lies behind the other, and the parts are joined within two.
        for (former, next) in zip(frames, frames.dropFirst()) {
            #expect(next.pts > former.pts && next.pts - former.pts < .milliseconds(120))
        }
        // Where the codecs agree it is one part, in which the counters of the packets jump.
        if order != .otherSize { #expect(screening.snapshot.notice == nil) }
        await screening.engine.stop()
    }

    /// The parts of a file are known before they are played: how long it lasts, and where a point behind the splice lies.
    @Test(arguments: [Order.smallToLarge, .largeToSmall, .thereAndBack])
    func aSeekGoesToTheRightPart(_ order: Order) async throws {
        let parts = try order.parts()
        let screening = try await open(try reader(parts, isSeekable: true)) { ($0.autoplay, $0.cacheBytes) = (false, 0) }
        #expect(await screening.reaches(.paused))
        #expect(await screening.eventually { ($0.snapshot.duration ?? .zero) > .seconds(1.6 * Double(parts.count) - 0.2) })
        let alone = try parts.map { try reference($0) }
        let start = try #require(screening.frames.first).pts
        for number in [1, 0, parts.count - 1, 0, 1] {
            // In the middle of the part: where it begins may be off by a frame.
            let point = start + .seconds(1.6 * Double(number) + 0.82)
            #expect(await screening.say(.seek(to: point, .exact)))
            let wanted = Set(alone[number][17...24].map(\.hash))
            #expect(await screening.eventually { $0.frames.last.map { wanted.contains($0.hash) } ?? false })
        }
        await screening.engine.stop()
    }
}
