import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

@Suite struct ProbeReportTests {
    private func clip(_ ext: String) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=30000/1001:d=1", "-f", "lavfi", "-i", "sine=440:r=44100:d=1",
                "-pix_fmt", "yuv420p",
                "-c:v", "libx264", "-preset", "veryfast", "-c:a", "aac", "-metadata", "title=A “film”\\ and\n more",
                "-metadata:s:a:0",
                "language=deu", "-vf", "setsar=4/3",
            ], ext: ext)
    }

    private func report(_ path: String) throws -> ProbeReport {
        try ProbeReport(Demuxer(try reading(path), options: OpenOptions(analysis: .full), interrupt: Interrupt()), name: path)
    }

    /// Every key of ours but "aether" against ffprobe's own JSON; ffprobe may say more.
    @Test(arguments: ["mkv", "mp4", "ts", "avi", "flv"])
    func agreesWithFFprobeKeyByKey(_ ext: String) throws {
        let path = try clip(ext)
        let ours = try #require(
            try JSONSerialization.jsonObject(with: Data(try report(path).json.report.utf8)) as? [String: Any])
        let output = try Fixtures.run(
            "ffprobe", ["-v", "error", "-of", "json", "-show_format", "-show_streams", "-show_chapters", path]
        ).output
        let theirs = try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
        compare(ours, theirs, at: ext)
        #expect((ours["streams"] as? [Any])?.count == 2)
    }

    private func compare(_ ours: Any, _ theirs: Any?, at path: String) {
        switch ours {
        case let object as [String: Any]:
            for (key, value) in object where key != "aether" {
                compare(value, (theirs as? [String: Any])?[key], at: path + "." + key)
            }
        case let array as [Any]:
            for (index, value) in array.enumerated() {
                let other = theirs as? [Any]
                compare(value, other.flatMap { index < $0.count ? $0[index] : nil }, at: "\(path)[\(index)]")
            }
        default:
            // Tags of ours are cleaned for display; ffprobe gives them raw.
            let cleaned = (theirs as? String).map { DisplayText.singleLine($0) as NSString } ?? theirs as? NSObject
            if path.hasSuffix("bit_rate"), let rate = (ours as? String).flatMap(Double.init),
                let other = (theirs as? String).flatMap(Double.init)
            {
                // Of ADTS an average over the frames parsed so far, which depends on how many were.
                #expect(abs(rate / other - 1) < 0.05, "\(path)")
                return
            }
            #expect(ours as? NSObject == cleaned, "\(path)")
        }
    }

    private static let stereo = [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=0.4", "-c:v", "libx264", "-preset", "veryfast", "-metadata:s:v:0",
        "stereo_mode=left_right",
    ]
    private static let bounded = [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=0.4", "-c:v", "mpeg2video", "-b:v", "500k", "-maxrate", "500k", "-bufsize",
        "1M",
    ]

    /// The side data of a stream beside its packets: all of ffprobe's keys and no others.
    @Test(arguments: [(stereo, "mkv"), (bounded, "ts")])
    func sideDataIsWhatFFprobeSays(_ arguments: [String], _ ext: String) throws {
        try compareSideData(try Fixtures.clip(arguments, ext: ext), kinds: 1)
    }

    @Test(
        .enabled(if: Shared.path("corpus/androidx") != nil, "\(Shared.missing)"),
        arguments: [
            "androidx/mp4/dolbyVision-hdr.MOV", "androidx/mp4/hdr10-av1.mp4", "androidx/mp4/sample_rotate_and_reflect.mp4",
            "androidx/mkv/sample_with_pgs_subtitles.mkv", "androidx/mkv/sample_with_vobsub.mkv",
        ])
    func sideDataAndSizesOfTheCorpusAreWhatFFprobeSays(_ name: String) throws {
        try compareSideData(try #require(Shared.path("corpus/" + name)).path, kinds: 0)
    }

    private func compareSideData(_ path: String, kinds: Int) throws {
        let output = try Fixtures.run("ffprobe", ["-v", "error", "-of", "json", "-show_streams", path]).output
        func streams(_ data: Data) throws -> [[String: Any]] {
            let whole = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            return try #require(whole?["streams"] as? [[String: Any]])
        }
        let ours = try streams(Data(try report(path).json.report.utf8)), theirs = try streams(output)
        #expect(ours.count == theirs.count)
        var count = 0
        func sideData(_ stream: [String: Any]) throws -> [String] {
            try (stream["side_data_list"] as? [[String: Any]] ?? []).map {
                String(decoding: try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys), as: UTF8.self)
            }
        }
        for (own, other) in zip(ours, theirs) {
            let (list, expected) = (try sideData(own), try sideData(other))
            count += list.count
            #expect(list == expected)
            for key in ["width", "height"] where own["codec_type"] as? String == "subtitle" {
                #expect(own[key] as? Int == other[key] as? Int, "\(key)")
            }
        }
        #expect(count >= kinds)
    }

    @Test func saysOpenFailedNoFramesOrHealthy() throws {
        let healthy = SoftwareDecodeProbe.run(try reading(try clip("mkv")), maxPackets: 0)
        #expect(healthy.verdict == .healthy)
        #expect(healthy.framesDecoded == 30 && healthy.packetsFedToDecoder == 30 && healthy.firstFramePixelFormat == "yuv420p")
        #expect((healthy.fps ?? 0) > 0)
        let few = SoftwareDecodeProbe.run(try reading(try clip("mkv")), maxPackets: 10)
        #expect(few.packetsRead == 10 && few.verdict == .healthy)
        let letter = SoftwareDecodeProbe.run(.reader(MemoryReader(Array("Dear film".utf8)), name: "letter"))
        #expect(letter.verdict == .openFailed && letter.openError?.contains("letter") == true)
    }

    @Test(arguments: [
        (0, "0.000000"), (1_500_000_000, "1.500000"), (-1_000_400, "-0.001000"), (-400, "0.000000"), (999_999_600, "1.000000"),
    ])
    func writesSecondsAsFFprobeDoes(_ nanoseconds: Int64, _ text: String) {
        #expect(sixDecimals(nanoseconds) == text)
    }
}
