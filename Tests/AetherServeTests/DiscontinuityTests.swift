import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherServe

/// Sources whose tracks change their form in the middle.
@Suite struct DiscontinuityTests {
    private static func part(_ size: String, rate: Int, _ tone: Int) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=7", "-f", "lavfi", "-i", "sine=\(tone):d=7:r=\(rate)", "-c:v",
                "libx264", "-g", "50", "-preset", "ultrafast", "-c:a", "aac",
            ], ext: "ts")
    }

    private static func glued() throws -> Data {
        let first = try Data(contentsOf: URL(fileURLWithPath: part("160x90", rate: 48_000, 440)))
        return try first + Data(contentsOf: URL(fileURLWithPath: part("320x180", rate: 44_100, 660))) + first
    }

    private let marks = ["#EXT-X-MAP", "#EXT-X-DISCONTINUITY"]

    @Test func aTransportStreamThatChangesItsParametersHasAnInitSectionForEach() throws {
        let folder = try TemporaryFolder()
        try Self.glued().write(to: URL(fileURLWithPath: folder.path("glued.ts")))
        let clip = try ServedClip(folder.path("glued.ts"))
        // The playlist grows while the file is read for its key frames.
        let wait = clip.source.state.wait(until: nil) { $0.plan.isComplete ? true : nil }
        #expect(wait == true)
        for track in 0...1 {
            let list = try clip.lines("\(track)/index.m3u8").filter { line in marks.contains { line.hasPrefix($0) } }
            #expect(
                list == [
                    "#EXT-X-MAP:URI=\"init0.mp4\"", "#EXT-X-DISCONTINUITY", "#EXT-X-MAP:URI=\"init1.mp4\"",
                    "#EXT-X-DISCONTINUITY", "#EXT-X-MAP:URI=\"init0.mp4\"",
                ])
        }
        let borders = clip.source.plan
        #expect(borders.forms == [0, 0, 1, 1, 0, 0])
        #expect(try clip.probe(0, 1, init: 0, "stream=width,height") == ["160,90"])
        #expect(try clip.probe(0, 2, init: 1, "stream=width,height") == ["320,180"])
        #expect(try clip.probe(0, 4, init: 0, "stream=width,height") == ["160,90"])
        #expect(try clip.probe(1, 2, init: 1, "stream=sample_rate") == ["44100"])
        // Each frame is there, whichever segment was asked for before.
        let forms = clip.source.plan.forms
        let frames = try forms.indices.map { try clip.probe(0, $0, init: forms[$0], "packet=pts_time").count }
        #expect(frames == [100, 75, 100, 75, 100, 75])
    }

    @Test(arguments: ["mpegts", "fmp4"])
    func discontinuitiesOfAPlaylistStayOnes(_ kind: String) throws {
        let folder = try TemporaryFolder()
        var lists: [[Substring]] = []
        for (name, path) in [
            ("a", try Self.part("160x90", rate: 48_000, 440)), ("b", try Self.part("320x180", rate: 48_000, 660)),
        ] {
            let made = try Fixtures.run(
                "ffmpeg",
                [
                    "-v", "error", "-i", path, "-c", "copy",
                ]
                    + (kind == "fmp4" ? ["-bsf:a", "aac_adtstoasc"] : []) + [
                        "-f", "hls", "-hls_segment_type", kind,
                        "-hls_fmp4_init_filename", "\(name).mp4", "-hls_time", "2", "-hls_playlist_type", "vod",
                        "-hls_segment_filename", folder.path(name + "%d.seg"), folder.path(name + ".m3u8"),
                    ])
            #expect(made.status == 0)
            lists.append(try String(contentsOfFile: folder.path(name + ".m3u8"), encoding: .utf8).split(separator: "\n"))
        }
        func body(_ list: [Substring]) -> [Substring] {
            Array(list.filter { !$0.hasPrefix("#") || $0.hasPrefix("#EXTINF") || $0.hasPrefix("#EXT-X-MAP") })
        }
        let joined =
            ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:4"] + ["#EXT-X-PLAYLIST-TYPE:VOD"] + body(lists[0])
            + ["#EXT-X-DISCONTINUITY"] + body(lists[1]) + ["#EXT-X-ENDLIST"]
        try Data(joined.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: folder.path("all.m3u8")))
        let clip = try ServedClip(folder.path("all.m3u8"))
        #expect(clip.source.plan.forms == [0, 0, 1, 1])
        let list = try clip.lines("0/index.m3u8").filter { line in marks.contains { line.hasPrefix($0) } }
        #expect(list == ["#EXT-X-MAP:URI=\"init0.mp4\"", "#EXT-X-DISCONTINUITY", "#EXT-X-MAP:URI=\"init1.mp4\""])
        // Asked for from the end, as a seek does.
        #expect(try clip.probe(0, 3, init: 1, "stream=width,height") == ["320,180"])
        #expect(try clip.probe(0, 1, init: 0, "stream=width,height") == ["160,90"])
        let frames = try Fixtures.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of",
                "csv=p=0",
                clip.master,
            ])
        #expect(String(decoding: frames.output, as: UTF8.self).split(separator: "\n").first == "350")
    }

    /// Its renditions of audio are named by the manifest before any of their packets was met.
    @Test func audioOfItsOwnInAManifestIsServed() throws {
        let folder = try TemporaryFolder()
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=7", "-f", "lavfi", "-i", "sine=d=7:r=48000", "-c:v",
                "libx264", "-g", "50", "-preset", "ultrafast", "-c:a", "aac", "-f", "dash", "-seg_duration", "2",
                folder.path("clip.mpd"),
            ])
        #expect(made.status == 0)
        let clip = try ServedClip(folder.path("clip.mpd"))
        #expect(try clip.text("master.m3u8").contains("mp4a.40.2"))
        let packets = try (0..<clip.source.plan.count).map { try clip.probe(1, $0, init: 0, "packet=pts_time").count }
        // 7 s and the encoder's warm-up.
        #expect(packets.reduce(0, +) == 330)
    }
}
