import AetherCore
import AetherMedia
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// A tone in segments: of what reaches the device no sample says that there were borders.
@Suite(.serialized) struct SegmentedToneTests {
    /// How the tone is cut up.
    enum Shape: String, CaseIterable, Sendable {
        case transport, fragments, packed
    }

    /// 4 s of 440 Hz in segments of half a second, in two bit rates; "m.m3u8" is the list of both.
    private func tone(_ shape: Shape) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        var master = "#EXTM3U\n"
        for (number, rate) in ["96k", "192k"].enumerated() {
            let sound = ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=4,volume=6", "-c:a", "aac", "-b:a", rate]
            let list = folder.path("l\(number).m3u8")
            var cut = ["-f", "hls", "-hls_time", "0.5", "-hls_playlist_type", "vod"]
            switch shape {
            case .transport: cut += ["-hls_segment_filename", folder.path("s\(number)_%d.ts"), list]
            case .fragments:
                cut += [
                    "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "i\(number).mp4", "-hls_segment_filename",
                    folder.path("s\(number)_%d.m4s"), list,
                ]
            case .packed: cut = ["-f", "adts", folder.path("whole\(number).aac")]
            }
            let made = try Fixtures.run("ffmpeg", ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + sound + cut)
            #expect(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
            if shape == .packed { try pack(number, in: folder) }
            master += "#EXT-X-STREAM-INF:BANDWIDTH=\(100_000 * (number + 1)),CODECS=\"mp4a.40.2\"\nl\(number).m3u8\n"
        }
        try Data(master.utf8).write(to: URL(filePath: folder.path("m.m3u8")))
        return folder
    }

    /// Raw AAC in segments of 23 frames, each behind a tag that says its time.
    private func pack(_ number: Int, in folder: TemporaryFolder) throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: folder.path("whole\(number).aac"))))
        var frames: [ArraySlice<UInt8>] = [], position = 0
        while position + 7 <= bytes.count {
            let length = Int(bytes[position + 3] & 3) << 11 | Int(bytes[position + 4]) << 3 | Int(bytes[position + 5]) >> 5
            frames.append(bytes[position..<min(position + length, bytes.count)])
            position += length
        }
        var list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-VERSION:6\n"
        for (segment, first) in stride(from: 0, to: frames.count, by: 23).enumerated() {
            let part = frames[first..<min(first + 23, frames.count)]
            let body =
                Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + MP4Box.number(900_000 + first * 1920, 8)
            let frame = Array("PRIV".utf8) + MP4Box.number(body.count, 4) + [0, 0] + body
            let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
            try Data(tag + part.joined()).write(to: URL(filePath: folder.path("s\(number)_\(segment).aac")))
            list += "#EXTINF:\(Double(part.count) * 1024 / 48_000),\ns\(number)_\(segment).aac\n"
        }
        try Data((list + "#EXT-X-ENDLIST\n").utf8).write(to: URL(filePath: folder.path("l\(number).m3u8")))
    }

    /// The samples of a source that reach the device.
    private func heard(_ path: String, _ step: (Listening) async -> Void = { _ in }) async throws -> [Double] {
        let listening = try Listening(path)
        listening.begin(1, at: listening.start.seconds)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        await step(listening)
        let end = await listening.hears { event -> Bool? in
            if case .finished(.audio, Epoch(1), _) = event { true } else { nil }
        }
        #expect(end == true)
        let heard = listening.script.heard.map { Double($0) / 2_147_483_648 }
        listening.end()
        return heard
    }

    /// The largest step aside of a tone, in dB of its peak, without its two ends: what is left where a filter takes the tone out, which doubles
    /// what else there is at most fourfold.
    private func worstClick(_ samples: [Double], at places: Range<Int>? = nil) -> Double {
        let turn = 2 * cos(2 * Double.pi * 440 / 48_000)
        let peak = samples.map(abs).max() ?? 0
        var worst = 0.0
        for n in places ?? 4800..<(samples.count - 4800) {
            worst = max(worst, abs(samples[n] - turn * samples[n - 1] + samples[n - 2]))
        }
        return 20 * log10(worst / max(peak, 1e-9))
    }

    @Test(arguments: Shape.allCases) func aSineStaysASineOverBorders(_ shape: Shape) async throws {
        let folder = try tone(shape)
        let samples = try await heard(folder.path("l1.m3u8"))
        #expect((190_000...196_000).contains(samples.count), "\(samples.count)")
        #expect((samples.map(abs).max() ?? 0) > 0.3)
        #expect(worstClick(samples) < -60, "\(shape): \(worstClick(samples)) dB")
        // The measure finds what it looks for: one sample less, and 20 ms of silence.
        var damaged = samples
        damaged.remove(at: 96_000)
        #expect(worstClick(damaged) > -60)
        var silent = samples
        for n in 96_000..<96_960 { silent[n] = 0 }
        #expect(worstClick(silent) > -60)
    }

    /// Periods of DASH whose borders lie in the middle of segments and of frames of audio.
    @Test(arguments: [false, true]) func aSineStaysASineOverPeriods(_ isContinuous: Bool) async throws {
        let folder = try TemporaryFolder(), path = folder.path("m.mpd")
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=4,volume=6", "-c:a", "aac", "-f",
                "dash",
                "-seg_duration", "0.5", path,
            ])
        #expect(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
        let whole = try await heard(path), text = try String(contentsOfFile: path, encoding: .utf8)
        let start = try #require(text.range(of: "<AdaptationSet")), end = try #require(text.range(of: "</Period>"))
        let mark = "<SupplementalProperty schemeIdUri=\"urn:mpeg:dash:period-continuity:2015\" value=\"0\"/><Representation"
        var periods = ""
        for (number, place) in [(0.0, 1.3), (1.3, 1.4), (2.7, 1.3)].enumerated() {
            let sets = String(text[start.lowerBound..<end.lowerBound]).replacing(
                "timescale=\"48000\"", with: "timescale=\"48000\" presentationTimeOffset=\"\(Int(place.0 * 48_000))\"")
            let set = isContinuous && number > 0 ? sets.replacing("<Representation", with: mark) : sets
            periods += "<Period id=\"\(number)\" duration=\"PT\(place.1)S\">\(set)</Period>"
        }
        try Data("<MPD type=\"static\" mediaPresentationDuration=\"PT4S\">\(periods)</MPD>".utf8).write(to: URL(filePath: path))
        let samples = try await heard(path)
        #expect(samples.count == whole.count, "\(samples.count) of \(whole.count)")
        #expect(worstClick(samples) < -60, "\(worstClick(samples)) dB")
    }

    @Test(arguments: Shape.allCases) func aSineStaysASineOverASwitch(_ shape: Shape) async throws {
        let folder = try tone(shape)
        let samples = try await heard(folder.path("m.m3u8")) { listening in
            #expect(await listening.plays(48_000))
            let first = listening.pipeline.state.read { $0.lanes.values.first?.newest }
            #expect(first != nil)
            listening.pipeline.change { $0.variant = VariantPin(id: "l1.m3u8") }
        }
        #expect((190_000...196_000).contains(samples.count), "\(samples.count)")
        #expect(worstClick(samples) < -60, "\(shape): \(worstClick(samples)) dB")
    }
}
