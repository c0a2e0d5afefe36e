import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

/// Packets that go into another file as they are.
@Suite struct FileMuxerTests {
    /// Two seconds of H.264 with B-frames and AAC.
    private func film(_ ext: String) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=2", "-pix_fmt",
                "yuv420p",
                "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25", "-threads", "1", "-c:a", "aac",
                "-metadata:s:a:0", "language=ger", "-metadata", "title=Test",
            ], ext: ext)
    }

    /// The frames of a stream as the decoder's input, without what a container wraps around them, by their places in time.
    private struct Payloads: Equatable {
        var video: [[UInt8]] = []
        var audio: [[UInt8]] = []
        var times: [Int64] = []
    }

    private func payloads(_ path: String) throws -> Payloads {
        var demuxer = try Demuxer(try reading(path), interrupt: Interrupt())
        let kinds = Dictionary(uniqueKeysWithValues: demuxer.info.streams.map { ($0.id, $0.kind) })
        let isFramed = demuxer.info.family == .mpegTS
        var found = Payloads()
        for packet in try DecodedSource.allPackets(&demuxer) {
            let bytes = packet.bytes(limit: .max)
            switch kinds[packet.stream] {
            case .video:
                found.video.append(Self.units(bytes, hasStartCodes: isFramed))
                found.times.append((packet.pts?.nanoseconds ?? 0) / 1_000_000)
            case .audio: found.audio.append(isFramed ? Array(bytes.dropFirst(7)) : bytes)
            default: break
            }
        }
        let first = found.times.min() ?? 0
        found.times = found.times.map { $0 - first }
        return found
    }

    /// The slices of a frame, without start codes, lengths, delimiters and parameter sets, which containers add and take.
    private static func units(_ bytes: [UInt8], hasStartCodes: Bool) -> [UInt8] {
        var units: [[UInt8]] = []
        if hasStartCodes {
            var start: Int?, index = 0
            while index + 2 < bytes.count {
                if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
                    if let start { units.append(trimmed(bytes[start..<index])) }
                    start = index + 3
                    index += 3
                } else {
                    index += 1
                }
            }
            if let start { units.append(Array(bytes[start...])) }
        } else {
            var index = 0
            while index + 4 <= bytes.count {
                let length = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
                guard index + 4 + length <= bytes.count else { break }
                units.append(Array(bytes[index + 4..<index + 4 + length]))
                index += 4 + length
            }
        }
        return units.filter { [1, 5].contains(($0.first ?? 0) & 31) }.flatMap { $0 }
    }

    private static func trimmed(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        var unit = unit
        while unit.last == 0 { unit.removeLast() }
        return Array(unit)
    }

    private func copy(_ path: String, to target: String, crash: Bool = false, survivesCrashes: Bool = true) throws {
        var demuxer = try Demuxer(try reading(path), interrupt: Interrupt())
        let form = try #require(FileMuxerForm(path: target))
        var muxer = try FileMuxer(
            FileMuxerPlan(streams: demuxer.info.streams, tags: demuxer.info.tags, survivesCrashes: survivesCrashes), to: target,
            form: form)
        for packet in try DecodedSource.allPackets(&demuxer) { #expect(try muxer.write(packet)) }
        if crash {
            // The file as it is on disk before the trailer.
            try FileManager.default.copyItem(atPath: target, toPath: target + ".crashed." + form.pathExtension)
        }
        try muxer.finish()
        #expect(muxer.byteCount > 10_000)
    }

    @Test(arguments: ["mkv", "mp4", "ts"], ["mkv", "mp4", "ts"])
    func everyFormTakesThePacketsOfEveryOther(from: String, to: String) throws {
        let folder = try TemporaryFolder()
        let source = try film(from), target = folder.path("copy.\(to)")
        try copy(source, to: target)
        let before = try payloads(source), after = try payloads(target)
        #expect(before.video == after.video)
        #expect(before.audio == after.audio)
        // Matroska counts in milliseconds.
        #expect(zip(before.times, after.times).allSatisfy { abs($0 - $1) <= 1 } && before.times.count == after.times.count)
        let demuxer = try Demuxer(try reading(target), interrupt: Interrupt())
        #expect(
            demuxer.info.streams.contains { $0.track?.language == "de" || $0.track?.language == "ger" } || from == "ts"
                || to == "ts")
        if to == "mkv" { #expect(demuxer.info.metadata.title == "Test" || from == "ts") }
    }

    @Test(arguments: ["mkv", "mp4", "ts"])
    func whatIsOnTheDiskWithoutAnEndCanBePlayed(_ ext: String) throws {
        let folder = try TemporaryFolder()
        let target = folder.path("copy.\(ext)")
        try copy(try film("ts"), to: target, crash: true)
        let played = try payloads(target + ".crashed." + ext)
        // 50 frames in all: the last second and what waits in memory may be missing.
        #expect(played.video.count >= (ext == "ts" ? 0 : 20))
    }

    @Test func aFileThatIsThereIsNotWrittenOver() throws {
        let folder = try TemporaryFolder()
        let target = folder.path("there.mkv")
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: target))
        let source = try film("mkv")
        let error = #expect(throws: MediaError.self) { try copy(source, to: target) }
        #expect(error?.code == .cannotOpen)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data([1, 2, 3]))
    }

    @Test func aFullDiskSaysSo() throws {
        var demuxer = try Demuxer(try reading(try film("mkv")), interrupt: Interrupt())
        let plan = FileMuxerPlan(streams: demuxer.info.streams, replacesFile: true)
        let error = #expect(throws: MediaError.self) {
            var muxer = try FileMuxer(plan, to: "/dev/full", form: .mpegTS)
            for packet in try DecodedSource.allPackets(&demuxer) { try muxer.write(packet) }
            try muxer.finish()
        }
        #expect(error?.reason == "the disk is full")
    }

    @Test func theEndingOfANameSaysTheForm() {
        #expect(FileMuxerForm(path: "/a.b/c.MKV") == .matroska)
        #expect(FileMuxerForm(path: "x.ts") == .mpegTS)
        #expect(FileMuxerForm(path: "x.m4a") == .mp4)
        #expect(FileMuxerForm(path: "x.avi") == nil)
        #expect(FileMuxerForm(path: ".mkv") == nil)
        #expect(FileMuxerForm(path: "/a.mkv/x") == nil)
    }
}
