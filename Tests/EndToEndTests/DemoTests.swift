import AetherTestSupport
import Foundation
import Testing

/// The demo clip is what its recipe promises: the other tests rely on it.
@Suite(.enabled(if: Programs.demo != nil, "no demo clip: run make demo"))
struct DemoTests {
    private struct Report: Decodable {
        struct Stream: Decodable {
            let codec_name: String
            let has_b_frames: Int?
            let tags: [String: String]?
            let disposition: [String: Int]
        }
        struct Chapter: Decodable { let tags: [String: String] }
        struct Format: Decodable {
            let duration, size: String
            let tags: [String: String]
        }
        let streams: [Stream]
        let chapters: [Chapter]
        let format: Format
    }

    /// Runs ffmpeg on the clip in its own times: it would move them by the 7 ms that Opus puts before 0.
    private func ffmpeg(_ arguments: [String]) throws -> String {
        let result = try Command(
            ["ffmpeg", "-hide_banner", "-nostdin", "-copyts", "-i", #require(Programs.demo)] + arguments + ["-f", "null", "-"])
        try #require(result.status == 0, "\(result.standardError.suffix(500))")
        return result.standardOutput + result.standardError
    }

    @Test func hasTheStreamsThatItPromises() throws {
        let probe = try Command(
            ["ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_chapters", "-show_format", #require(Programs.demo)])
        let report = try JSONDecoder().decode(Report.self, from: Data(probe.standardOutput.utf8))
        let streams = report.streams
        #expect(streams.map(\.codec_name) == ["h264", "aac", "opus", "subrip", "ass", "mjpeg"])
        #expect(streams.map { $0.tags?["language"] } == [nil, "eng", "deu", "eng", "deu", nil])
        #expect(streams[0].has_b_frames ?? 0 > 0)
        #expect(streams[5].disposition["attached_pic"] == 1)
        #expect(report.chapters.count == 6)
        #expect(report.format.tags["title"] == "aether-tui demo")
        #expect(abs((Double(report.format.duration) ?? 0) - 30) < 0.05)
        #expect(Int(report.format.size) ?? .max <= 4_000_000)
    }

    @Test(arguments: [0, 1])
    func flashAndBeepCoincideAt22Seconds(_ track: Int) throws {
        let brightness = try ffmpeg([
            "-map", "0:v:0", "-vf", "select='between(t,20,25)',signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-",
            "-an", "-sn",
        ])
        var flash: Double?
        var time = 0.0
        for line in brightness.split(separator: "\n") {
            if let match = line.firstMatch(of: /pts_time:(?<t>[0-9.]+)/) { time = Double(match.output.t) ?? 0 }
            if let match = line.firstMatch(of: /YAVG=(?<y>[0-9.]+)/), flash == nil, Double(match.output.y) ?? 0 > 220 {
                flash = time
            }
        }
        #expect(abs((try #require(flash, "no flash")) - 22) < 0.002)

        let sound = try ffmpeg(["-map", "0:a:\(track)", "-af", "bandpass=f=1000:w=100,silencedetect=n=-20dB:d=0.5", "-vn", "-sn"])
        let ends = sound.matches(of: /silence_end: (?<t>[0-9.]+)/).compactMap { Double($0.output.t) }
        // The filter needs some periods of the tone to rise.
        #expect(ends.contains { abs($0 - 22) < 0.03 }, "beeps at \(ends)")
    }
}
