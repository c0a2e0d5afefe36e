import AetherTestSupport
import Foundation
import Testing

/// `aetherctl boxes`, `samples` and `parameters` from outside.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct InspectionCommandTests {
    private func control(_ arguments: String...) throws -> Command { try Command([#require(Programs.control)] + arguments) }

    private func list(_ text: String) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    private static func clip(_ ext: String, _ options: [String]) throws -> String {
        let input = ["-f", "lavfi", "-i", "testsrc2=s=96x54:r=20:d=1", "-f", "lavfi", "-i", "sine=440:r=48000:d=1"]
        return try Fixtures.clip(input + ["-threads", "1", "-g", "10"] + options, ext: ext)
    }

    @Test func theBoxesOfAPathAreJSON() throws {
        let path = try Self.clip("mp4", ["-c:v", "libx264", "-c:a", "aac"])
        let result = try control("boxes", "--json", "--path", "moov/trak[1]/mdia", path)
        let media = try #require(try list(result.standardOutput).first)
        #expect(result.status == 0 && media["type"] as? String == "mdia")
        let children = try #require(media["children"] as? [[String: Any]])
        let handler = try #require(children.first { $0["type"] as? String == "hdlr" })
        #expect((handler["fields"] as? [String: Any])?["handler_type"] as? String == "soun")
        #expect((media["offset"] as? Int).map { $0 > 0 } == true && (media["size"] as? Int).map { $0 > 8 } == true)
        let shallow = try list(try control("boxes", "--json", "--depth", "1", path).standardOutput)
        #expect(shallow.compactMap { $0["type"] as? String }.contains("moov"))
        #expect(shallow.allSatisfy { ($0["children"] as? [Any])?.isEmpty == true })
        #expect(try control("boxes", "--hex", "--path", "ftyp", path).standardOutput.contains("66 74 79 70"))
        #expect(try control("boxes", "--path", "moov/trak[9]", path).status == 1)
        #expect(try control("boxes", "/dev/null").status == 2)
    }

    @Test(arguments: [
        ("mp4", ["-c:v", "libx264", "-c:a", "aac"]), ("mov", ["-c:v", "libx264", "-bf", "0", "-c:a", "aac"]),
        ("mp4", ["-c:v", "libx264", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]),
        ("mkv", ["-c:v", "libx264", "-c:a", "flac"]), ("ts", ["-c:v", "mpeg2video", "-c:a", "mp2"]),
        ("avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]), ("flac", ["-vn", "-c:a", "flac"]),
    ])
    func samplesAreFFprobesPackets(_ ext: String, _ options: [String]) throws {
        let path = try Self.clip(ext, options)
        let result = try control("samples", "--json", path), ours = try list(result.standardOutput)
        let probe = try Command(["ffprobe", "-v", "error", "-of", "json", "-show_packets", path])
        let object = try JSONSerialization.jsonObject(with: Data(probe.standardOutput.utf8)) as? [String: Any]
        let theirs = try #require(object?["packets"] as? [[String: Any]])
        #expect(result.status == 0 && ours.count == theirs.count)
        for (row, packet) in zip(ours, theirs) {
            for (key, value) in packet where key != "side_data_list" {
                // Key frame and discarded; since FFmpeg 7 ffprobe adds a third letter for what is corrupt.
                let value = key == "flags" ? String("\(value)".prefix(2)) : "\(value)"
                #expect("\(row[key] ?? "missing")" == value, "\(key) of \(packet)")
            }
        }
    }

    /// Its rate is in a table that comes late: ffprobe reads the tables of all programs before it waits for streams.
    @Test(.enabled(if: InspectionCommandTests.film != nil, "no corpus here"))
    func samplesOfATransportStreamLastAsLongAsFFprobesPackets() throws {
        let path = try #require(Self.film)
        let ours = try list(try control("samples", "--stream", "0", "--json", path).standardOutput)
        let theirs = try Command([
            "ffprobe", "-v", "error", "-select_streams", "0", "-show_entries", "packet=duration_time", "-of", "csv=p=0", path,
        ])
        let expected = theirs.standardOutput.split(whereSeparator: { "\n,".contains($0) }).map(String.init)
        #expect(!ours.isEmpty && ours.compactMap { $0["duration_time"] as? String } == expected)
    }

    private static let film = Shared.path("corpus/firefox/hls/400x300_seg0.ts")?.path

    @Test func aStreamAndItsSumsAreListed() throws {
        let path = try Self.clip("mp4", ["-c:v", "libx264", "-c:a", "aac"])
        let result = try control("samples", "--stream", "0", path).standardOutput
        #expect(result.split(separator: "\n").count == 22)
        #expect(result.contains("# stream 0 (video): 20 samples, 2 key"))
        #expect(try control("samples", "--stream", "7", path).status == 2)
    }

    @Test func framesAreListedAsTheyWereCoded() throws {
        let path = try Self.clip("mp4", ["-c:v", "libx264", "-bf", "2", "-x264-params", "b-adapt=0:b-pyramid=none:scenecut=0"])
        let result = try control("frames", "--json", "--at", "0.6", path), frames = try list(result.standardOutput)
        #expect(result.status == 0 && frames.count == 10 && frames[0]["key"] as? Bool == true)
        #expect(frames.prefix(4).compactMap { $0["type"] as? String }.joined() == "IBBP")
        #expect(frames.prefix(4).compactMap { $0["decoded"] as? Int } == [1, 3, 4, 2])
        #expect(frames.filter { $0["on_screen"] as? Bool == true }.compactMap { $0["pts_time"] as? Double } == [0.6])
        #expect(frames.allSatisfy { ($0["qp"] as? Double).map { (1...51).contains($0) } == true })
        let text = try control("frames", path).standardOutput
        #expect(text.contains("key on screen") && text.contains("# h264 by h264"))
        #expect(try control("frames", "/dev/null").status == 2 && control("frames", "--at", "-3", path).status == 64)
    }

    /// libavfilter's `ebur128` of the same sound, which has soft and loud parts.
    @Test(arguments: [("mkv", 2, ["-c:a", "flac"]), ("ts", 1, ["-c:a", "mp2"]), ("wav", 6, ["-c:a", "pcm_s24le"])])
    func loudnessIsThatOfEBUR128(_ ext: String, _ channels: Int, _ options: [String]) throws {
        let noise = "anoisesrc=d=12:r=48000:c=pink:a=0.4:seed=3,volume='if(lt(mod(t,6),3),1,0.2)':eval=frame"
        let path = try Fixtures.clip(["-f", "lavfi", "-i", noise, "-ac", "\(channels)"] + options, ext: ext)
        let result = try control("loudness", "--json", path)
        let ours = try #require(try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any])
        let log = try Command(["ffmpeg", "-nostats", "-i", path, "-af", "ebur128=peak=true", "-f", "null", "-"]).errorLines
        let blocks = log.filter { $0.contains(" t: ") }, summary = log.filter { !$0.contains(" t: ") }
        let expected: [(key: String, value: Double?, tolerance: Double)] = [
            ("integrated_lufs", Self.figures("I:", summary).last, 0.1), ("range_lu", Self.figures("LRA:", summary).last, 0.3),
            ("momentary_max_lufs", Self.figures("M:", blocks).max(), 0.1),
            ("short_term_max_lufs", Self.figures(" S:", blocks).max(), 0.1),
            ("true_peak_dbtp", Self.figures("Peak:", summary).last, 0.4),
        ]
        for (key, value, tolerance) in expected {
            let found = try #require(ours[key] as? Double), value = try #require(value)
            #expect(abs(found - value) <= tolerance, "\(key): \(found), not \(value)")
        }
        let duration = try #require(ours["duration"] as? Double), list = try #require(ours["channels"] as? [Any])
        #expect(result.status == 0 && list.count == channels && abs(duration - 12) < 0.1)
    }

    /// The numbers behind a name in lines of a log.
    private static func figures(_ name: String, _ lines: [Substring]) -> [Double] {
        lines.compactMap { line -> Double? in
            guard let place = line.range(of: name) else { return nil }
            return line[place.upperBound...].split(separator: " ").first.flatMap { Double($0) }
        }
    }

    @Test func loudnessIsToldInWordsAndOfAStretch() throws {
        let path = try Self.clip("mkv", ["-c:v", "mpeg4", "-c:a", "flac"])
        let text = try control("loudness", path).standardOutput
        for words in ["stream 1  flac, FC, 48000 Hz, 1.0 s", "integrated", "LUFS", "dBTP", "range                - LU"] {
            #expect(text.contains(words), "\(words) in \(text)")
        }
        // To the end of the packet that begins before: FLAC's last a tenth of a second.
        #expect(try control("loudness", "--until", "0.5", path).standardOutput.contains(", 0.6 s"))
        #expect(try control("loudness", "--stream", "0", path).status == 1 && control("loudness", "/dev/null").status == 2)
        #expect(try control("loudness", "--until", "-1", path).status == 64)
    }

    @Test func parameterSetsHaveTheStandardsNames() throws {
        let path = try Self.clip("mp4", ["-c:v", "libx264", "-c:a", "aac"])
        let streams = try list(try control("parameters", "--json", path).standardOutput)
        let sets = try #require(streams.first?["parameter_sets"] as? [[String: Any]])
        #expect(sets.compactMap { $0["name"] as? String } == ["SPS", "PPS"])
        #expect((sets[0]["fields"] as? [String: Any])?["profile_idc"] as? Int == 100)
        #expect((streams.last?["fields"] as? [String: Any])?["audioObjectType"] as? Int == 2)
        let text = try control("parameters", "--stream", "0", path).standardOutput
        #expect(text.contains("IDR slice") && text.contains("slice_type"))
    }
}
