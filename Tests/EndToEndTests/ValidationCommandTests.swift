import AetherTestSupport
import Foundation
import Testing

/// `aetherctl validate` over streams in a folder that break one rule each.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct ValidationCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for (name, type) in [("v", "fmp4"), ("t", "mpegts")] {
            let result = try Command([
                "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=96x54:r=10:d=3", "-threads", "1",
                "-g", "10", "-c:v",
                "libx264", "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "-hls_segment_type", type,
                "-hls_fmp4_init_filename",
                "init.mp4", folder.path("\(name).m3u8"),
            ])
            #expect(result.status == 0, "\(result.standardError)")
        }
    }

    /// The names of the rules that are broken, each once, and the exit status.
    private func broken(_ name: String) throws -> (rules: Set<String>, status: Int32) {
        let result = try Command([#require(Programs.control), "validate", "--json", folder.path(name)])
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any], "\(result.standardError)")
        let findings = report["findings"] as? [[String: Any]] ?? []
        return (Set(findings.compactMap { $0["rule"] as? String }), result.status)
    }

    private func change(_ name: String, _ part: String, _ other: String) throws {
        let file = URL(filePath: folder.path(name)), text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(part), "\(text)")
        try Data(text.replacing(part, with: other).utf8).write(to: file)
    }

    @Test func wholeStreamsBreakNothing() throws {
        for name in ["v.m3u8", "t.m3u8"] {
            let (rules, status) = try broken(name)
            #expect(rules.isEmpty && status == 0, "\(name)")
        }
    }

    @Test func aSegmentThatIsNotThereIsMissing() throws {
        try FileManager.default.removeItem(atPath: folder.path("v1.m4s"))
        let (rules, status) = try broken("v.m3u8")
        #expect(rules == ["segment-missing"] && status == 1)
    }

    @Test func aSegmentThatIsNoMediaIsUnreadable() throws {
        try Data(repeating: 0x55, count: 20_000).write(to: URL(filePath: folder.path("t1.ts")))
        let (rules, status) = try broken("t.m3u8")
        #expect(rules == ["media-unreadable"] && status == 1, "\(rules)")
    }

    @Test func fragmentsWithoutAnInitSectionAreSaid() throws {
        try change("v.m3u8", "#EXT-X-MAP:URI=\"init.mp4\"\n", "")
        let (rules, status) = try broken("v.m3u8")
        #expect(rules == ["init-missing"] && status == 1)
    }

    /// That is against a recommendation alone.
    @Test func variantsOfOtherTargetDurationsAreSaid() throws {
        try FileManager.default.copyItem(atPath: folder.path("t.m3u8"), toPath: folder.path("u.m3u8"))
        try change("u.m3u8", "#EXT-X-TARGETDURATION:1", "#EXT-X-TARGETDURATION:2")
        let variants = [("t", 9_000_000), ("u", 9_500_000)].map {
            "#EXT-X-STREAM-INF:BANDWIDTH=\($1),CODECS=\"avc1.f4000a\",RESOLUTION=96x54\n\($0).m3u8\n"
        }
        try Data(("#EXTM3U\n" + variants.joined()).utf8).write(to: URL(filePath: folder.path("m.m3u8")))
        let (rules, status) = try broken("m.m3u8")
        #expect(rules == ["target-durations-differ"] && status == 4, "\(rules)")
    }
}
