import AetherCore
import AetherEngine
import AetherTestSupport
import Foundation
import Testing

@testable import AetherServe

/// All qualities of an adaptive source as variants of one master.
@Suite struct CompanionTests {
    private func make(_ folder: TemporaryFolder, _ kind: String) throws -> String {
        let input = [
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=9", "-f", "lavfi", "-i", "sine=d=9:r=48000",
            "-filter_complex", "[0:v]split=2[a][b];[b]scale=160:90[c]",
        ]
        let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-sc_threshold", "0", "-c:a", "aac"]
        let made: (status: Int32, output: Data, errors: Data)
        if kind == "dash" {
            made = try Fixtures.run(
                "ffmpeg",
                input + ["-map", "[a]", "-map", "[c]", "-map", "1:a"] + coding
                    + [
                        "-f", "dash", "-seg_duration", "2", "-adaptation_sets", "id=0,streams=v id=1,streams=a",
                        folder.path("master.mpd"),
                    ])
        } else {
            made = try Fixtures.run(
                "ffmpeg",
                input + ["-map", "[a]", "-map", "1:a", "-map", "[c]", "-map", "1:a"] + coding
                    + [
                        "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", "-var_stream_map", "v:0,a:0 v:1,a:1",
                        "-master_pl_name", "master.m3u8", "-hls_segment_filename", folder.path("%v-%d.ts"),
                        folder.path("%v.m3u8"),
                    ])
        }
        #expect(made.status == 0)
        return folder.path(kind == "dash" ? "master.mpd" : "master.m3u8")
    }

    @Test(arguments: ["hls", "dash"])
    func eachQualityIsCutFromItsOwnRendition(_ kind: String) throws {
        let folder = try TemporaryFolder(), path = try make(folder, kind)
        let one = try ServedClip(path)
        #expect(try one.lines("master.m3u8").count { $0.hasPrefix("#EXT-X-STREAM-INF") } == 1)
        let all = try ServedClip(.location(.file(path)), hasVariants: true)
        let master = try all.text("master.m3u8")
        #expect(master.contains("RESOLUTION=320x180") && master.contains("RESOLUTION=160x90"))
        #expect(master.contains("\n0/index.m3u8") && master.contains("\n100/index.m3u8") && !master.contains("200/index.m3u8"))
        // Their segments are the same stretches of time.
        #expect(try all.text("0/index.m3u8") == all.text("100/index.m3u8"))
        for number in [2, 0, 1] {
            #expect(try all.probe(0, number, init: 0, "stream=width,height") == ["320,180"])
            #expect(try all.probe(100, number, init: 0, "stream=width,height") == ["160,90"])
            let times = try (all.probe(0, number, init: 0, "packet=pts_time"), all.probe(100, number, init: 0, "packet=pts_time"))
            #expect(times.0 == times.1 && !times.0.isEmpty)
        }
        #expect(try all.status([all.server.address + "200/index.m3u8"]) == "404")
        #expect(try all.status([all.server.address + "101/index.m3u8"]) == "404")
    }

    @Test func aFileHasOneQuality() throws {
        let path = try Fixtures.clip(["-f", "lavfi", "-i", "testsrc2=s=64x64:d=1", "-c:v", "libx264"], ext: "mp4")
        let clip = try ServedClip(.location(.file(path)), hasVariants: true)
        #expect(clip.source.companions.isEmpty && clip.source.programme != nil)
    }
}
