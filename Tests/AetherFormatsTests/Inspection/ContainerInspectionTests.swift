import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherFormats

/// Containers as ffmpeg writes them.
@Suite struct ContainerInspectionTests {
    private static func clip(_ ext: String, _ options: [String]) throws -> [UInt8] {
        let input = [
            "-f", "lavfi", "-i", "testsrc2=s=96x54:r=20:d=1", "-f", "lavfi", "-i", "sine=440:r=48000:d=1", "-metadata",
            "title=Bars",
        ]
        return [UInt8](try Data(contentsOf: URL(filePath: try Fixtures.clip(input + ["-threads", "1"] + options, ext: ext))))
    }

    private static func look(_ bytes: [UInt8]) throws -> ContainerInspection {
        try #require(ContainerInspection(InspectedBytes(bytes)))
    }

    @Test(arguments: [
        ("mp4", ["-c:v", "libx264", "-c:a", "aac"], Container.isoBMFF),
        ("mov", ["-c:v", "mpeg4", "-c:a", "pcm_s16le"], .isoBMFF),
        ("mkv", ["-c:v", "libx264", "-c:a", "flac"], .matroska), ("webm", ["-c:v", "libvpx-vp9", "-c:a", "libopus"], .matroska),
        ("ts", ["-c:v", "mpeg2video", "-c:a", "mp2"], .mpegTS), ("m2ts", ["-c:v", "libx264", "-c:a", "ac3"], .mpegTS),
        ("avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"], .riff), ("wav", ["-vn", "-c:a", "pcm_s16le"], .riff),
        ("ogg", ["-c:v", "libtheora", "-c:a", "libvorbis"], .ogg), ("opus", ["-vn", "-c:a", "libopus"], .ogg),
        ("flac", ["-vn", "-c:a", "flac"], .flac), ("mp3", ["-vn", "-c:a", "libmp3lame"], .audioFrames),
        ("aac", ["-vn", "-c:a", "aac"], .audioFrames),
    ])
    func whatFFmpegWritesHasNoDamage(_ ext: String, _ options: [String], _ format: Container) throws {
        let inspection = try Self.look(try Self.clip(ext, options))
        #expect(inspection.format == format && !inspection.boxes.isEmpty)
        #expect(inspection.boxes.flatMap { $0.everyDamage } == [])
    }

    @Test func theCodecsHeaderInMP4SaysTheSize() throws {
        let inspection = try Self.look(try Self.clip("mp4", ["-c:v", "libx264", "-c:a", "aac"]))
        let entry = try #require(inspection.find("moov/trak[0]/mdia/minf/stbl/stsd/avc1")?.first)
        #expect(entry[field: "width"] == .integer(96) && entry[field: "height"] == .integer(54))
        guard case .record(let set)? = entry.part("avcC")?[field: "sequenceParameterSet"] else {
            return #expect(Bool(false), "no SPS")
        }
        #expect(
            set.first { $0.name == "width" }?.value == .integer(96) && set.first { $0.name == "height" }?.value == .integer(54))
        let audio = try #require(inspection.find("moov/trak[1]/mdia/minf/stbl/stsd/mp4a/esds")?.first)
        guard case .record(let config)? = audio[field: "AudioSpecificConfig"] else {
            return #expect(Bool(false), "no configuration")
        }
        #expect(config.first?.meaning == "AAC LC")
        #expect(inspection.find("moov/udta/meta/ilst/©nam/data")?.first?[field: "value"] == .text("Bars"))
    }

    @Test func transportStreamsHaveTablesClocksAndRates() throws {
        var bytes = try Self.clip("ts", ["-c:v", "mpeg2video", "-c:a", "mp2"])
        let stream = try #require(try Self.look(bytes).boxes.first)
        #expect(Set(stream.children.map(\.type)).isSuperset(of: ["PAT", "PMT", "SDT", "PID"]))
        #expect(stream[field: "continuity_errors"] == .integer(0))
        let streams = stream.children.first { $0.type == "PMT" }?.children.filter { $0.type == "stream" }.map(\.title)
        #expect(streams == ["MPEG-2 video", "MPEG-1 audio"] || streams == ["MPEG-2 video", "MPEG-2 audio"])
        #expect(stream.part("SDT", "service", "service_descriptor")?[field: "service_name"] == .text("Bars"))
        let video = stream.children.first { $0.type == "PID" && $0.title == "MPEG-2 video" }
        guard case .number(let rate)? = video?[field: "bit_rate"] else { return #expect(Bool(false), "no rate") }
        #expect(rate > 10_000)
        #expect(video?.children.first?[field: "PTS"] != nil)
        // A packet less is an error that is seen, and where.
        let place = try #require(
            stride(from: 188 * 20, to: bytes.count, by: 188).first { bytes[$0 + 1] & 0x5F == 1 && bytes[$0 + 2] == 0 })
        bytes.removeSubrange(place..<(place + 188))
        let broken = try #require(try Self.look(bytes).boxes.first)
        #expect(broken[field: "continuity_errors"] == .integer(1))
        #expect(broken.everyDamage.contains { $0.hasPrefix("continuity_counter") }, "\(broken.everyDamage)")
    }

    @Test func aPageOfOggThatWasChangedIsSaid() throws {
        var bytes = try Self.clip("opus", ["-vn", "-c:a", "libopus"])
        #expect(try Self.look(bytes).boxes.first?.title == "Page: Opus")
        bytes[bytes.count - 1] ^= 1
        #expect(try Self.look(bytes).boxes.flatMap { $0.everyDamage } == ["its checksum is wrong"])
    }

    @Test func everyWordIsSafeAndTheJSONHasItsNames() throws {
        let inspection = try Self.look(
            try Self.clip("mkv", ["-c:v", "libx264", "-c:a", "flac", "-metadata", "title=\u{1B}[31mred"]))
        for box in inspection.boxes {
            for line in box.lines() { #expect(!line.unicodeScalars.contains(where: DisplayText.isUnsafe)) }
            let json = box.json()
            #expect(
                json["type"]?.text == box.type && json["offset"]?.integer == Int(box.offset)
                    && json["size"]?.integer == Int(box.size))
            #expect(json["children"]?.values?.count == box.children.count)
        }
    }

    @Test func textIsNoContainer() {
        #expect(
            ContainerInspection(InspectedBytes(Array("#EXTM3U\n".utf8))) == nil && ContainerInspection(InspectedBytes([])) == nil)
    }
}
