import AetherTestSupport
import Foundation
import Testing

/// `aetherctl boxes` over streams in a folder.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct StreamBoxesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func boxes(_ arguments: String...) throws -> (list: [[String: Any]], result: Command) {
        let result = try Command([#require(Programs.control), "boxes", "--json"] + arguments)
        guard !result.standardOutput.isEmpty else { return ([], result) }
        let list = try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [[String: Any]]
        return (list ?? [], result)
    }

    /// Three seconds of video, a segment each second.
    private func stream(_ name: String, _ options: [String]) throws -> String {
        let input = ["-f", "lavfi", "-i", "testsrc2=s=96x54:r=10:d=3", "-threads", "1", "-g", "10", "-c:v", "libx264"]
        let result = try Command(["ffmpeg", "-v", "error", "-nostdin", "-y"] + input + options + [folder.path(name)])
        #expect(result.status == 0, "\(result.standardError)")
        return folder.path(name)
    }

    private static let hls = ["-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"]

    private func types(_ box: [String: Any]) -> [String] {
        (box["children"] as? [[String: Any]] ?? []).compactMap { $0["type"] as? String }
    }

    private func fields(_ box: [String: Any]) -> [String: Any] { box["fields"] as? [String: Any] ?? [:] }

    @Test func fragmentsOfHLSComeBehindTheirInitSection() throws {
        let path = try stream("v.m3u8", Self.hls + ["-hls_segment_type", "fmp4"])
        let (list, result) = try boxes(path)
        #expect(result.status == 0 && list.compactMap { $0["type"] as? String } == ["init", "segment", "segment", "segment"])
        #expect(types(list[0]).prefix(2) == ["ftyp", "moov"])
        for (place, segment) in list.dropFirst().enumerated() {
            #expect(types(segment).contains("moof") && fields(segment)["number"] as? Int == place)
            #expect(abs((fields(segment)["start"] as? Double ?? -1) - Double(place)) < 0.01)
            let name = (fields(segment)["address"] as? String)?.split(separator: "/").last
            #expect(name.map(String.init) == "v\(place).m4s" && segment["offset"] as? Int == 0)
            let size = try FileManager.default.attributesOfItem(atPath: folder.path("v\(place).m4s"))[.size] as? Int
            let children = segment["children"] as? [[String: Any]] ?? []
            #expect(segment["size"] as? Int == size && children.first?["offset"] as? Int == 0)
            #expect(children.compactMap { $0["size"] as? Int }.reduce(0, +) == size)
        }
        let (found, _) = try boxes("--path", "segment[1]/moof/traf/tfdt", path)
        #expect(found.count == 1 && fields(found[0])["baseMediaDecodeTime"] as? Int == 10_240)
        let (heads, _) = try boxes("--hex", "--path", "segment/moof", path)
        #expect(heads.count == 3 && heads.allSatisfy { ($0["hex"] as? String)?.dropFirst(8).hasPrefix("6d6f6f66") == true })
    }

    /// Segments that lie in one file: offsets count from the start of each.
    @Test func rangesOfOneFileAreSegments() throws {
        let path = try stream("v.m3u8", Self.hls + ["-hls_segment_type", "fmp4", "-hls_flags", "single_file"])
        let (list, result) = try boxes(path)
        #expect(result.status == 0 && list.count == 4 && types(list[0]).contains("moov"))
        for segment in list.dropFirst() {
            #expect(types(segment).contains("moof") && types(segment).last == "mdat")
            #expect(segment["size"] as? Int == fields(segment)["range_length"] as? Int)
            #expect((fields(segment)["range_offset"] as? Int).map { $0 > 0 } == true)
            #expect((segment["children"] as? [[String: Any]])?.first?["offset"] as? Int == 0)
        }
    }

    @Test func segmentsOfTransportStreamHaveTheirTables() throws {
        let path = try stream("v.m3u8", Self.hls)
        let (list, result) = try boxes("--segments", "2", path)
        #expect(result.status == 0 && list.count == 2 && result.standardError.contains("2 of 3 segments"))
        for segment in list {
            #expect(fields(segment)["container"] as? String == "MPEG-TS" && types(segment) == ["TS"])
            let parts = (segment["children"] as? [[String: Any]])?.first.map { types($0) } ?? []
            #expect(parts.contains("PAT") && parts.contains("PMT"), "\(parts)")
        }
        let text = try Command([#require(Programs.control), "boxes", "--depth", "1", path]).standardOutput
        #expect(text.contains("segment @0 +") && text.contains("  1 at 1 s, ") && text.contains("# 3 of 3 segments"))
    }

    @Test func segmentsOfDASHAreListed() throws {
        let path = try stream("v.mpd", ["-f", "dash", "-seg_duration", "1", "-use_template", "1", "-use_timeline", "1"])
        let (list, result) = try boxes(path)
        #expect(result.status == 0 && list.compactMap { $0["type"] as? String } == ["init", "segment", "segment", "segment"])
        #expect(list.dropFirst().allSatisfy { types($0).contains("moof") } && types(list[0]).contains("moov"))
    }

    /// Of several the first, or the one that is asked for.
    @Test func aVariantIsChosen() throws {
        _ = try stream("v.m3u8", Self.hls)
        try Data("#EXTM3U\n#EXTINF:1,\nv2.ts?token=secret\n#EXT-X-ENDLIST\n".utf8).write(to: URL(filePath: folder.path("w.m3u8")))
        let entries = ["v", "w"].enumerated().map { "#EXT-X-STREAM-INF:BANDWIDTH=\(800_000 + $0)\n\($1).m3u8\n" }
        try Data(("#EXTM3U\n" + entries.joined()).utf8).write(to: URL(filePath: folder.path("m.m3u8")))
        #expect(try boxes(folder.path("m.m3u8")).list.count == 3)
        let (list, result) = try boxes("--variant", "best", folder.path("m.m3u8"))
        #expect(list.count == 1 && result.status == 0 && types(list[0]) == ["TS"])
        #expect(!result.standardOutput.contains("secret") && (fields(list[0])["address"] as? String)?.hasSuffix("/v2.ts") == true)
        #expect(try boxes("--variant", "7", folder.path("m.m3u8")).result.status == 2)
        #expect(try boxes("--segments", "0", folder.path("m.m3u8")).result.status == 64)
    }

    @Test func audioIsChosenByItsLanguage() throws {
        _ = try stream("v.m3u8", Self.hls)
        for (language, segment) in [("en", "v1"), ("fr", "v2")] {
            let list = "#EXTM3U\n#EXTINF:1,\n\(segment).ts\n#EXT-X-ENDLIST\n"
            try Data(list.utf8).write(to: URL(filePath: folder.path("\(language).m3u8")))
        }
        let media = [("en", "English"), ("fr", "Français")].map {
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",LANGUAGE=\"\($0)\",NAME=\"\($1)\",URI=\"\($0).m3u8\"\n"
        }
        let variant = "#EXT-X-STREAM-INF:BANDWIDTH=800000,AUDIO=\"a\"\nv.m3u8\n"
        try Data(("#EXTM3U\n" + media.joined() + variant).utf8).write(to: URL(filePath: folder.path("m.m3u8")))
        #expect(try boxes(folder.path("m.m3u8")).list.count == 3)
        for (wish, address) in [("fra", "/v2.ts"), ("any", "/v1.ts")] {
            let (list, result) = try boxes("--audio", wish, folder.path("m.m3u8"))
            #expect(list.count == 1 && result.status == 0, "\(result.standardError)")
            #expect((fields(list[0])["address"] as? String)?.hasSuffix(address) == true)
        }
        let missing = try boxes("--audio", "de", folder.path("m.m3u8")).result
        #expect(
            missing.status == 2 && missing.standardError.contains("no audio in de; there is en, fr"), "\(missing.standardError)")
        let none = try boxes("--text", "any", folder.path("m.m3u8")).result
        #expect(none.status == 2 && none.standardError.contains("no text has segments of its own"), "\(none.standardError)")
        #expect(try boxes("--text", "en", "--audio", "en", folder.path("m.m3u8")).result.status == 64)
    }

    /// One is encrypted as a whole, with a key that is there; one with a key that is not; one is missing.
    @Test func whatCannotBeReadSaysWhy() throws {
        _ = try stream("v.m3u8", Self.hls)
        let key = String(repeating: "07", count: 16), initial = String(repeating: "0", count: 32)
        try Data(repeating: 7, count: 16).write(to: URL(filePath: folder.path("k")))
        let made = try Command([
            "openssl", "aes-128-cbc", "-e", "-K", key, "-iv", initial, "-in", folder.path("v0.ts"), "-out", folder.path("e.ts"),
        ])
        try #require(made.status == 0, "\(made.standardError)")
        let text = """
            #EXTM3U
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x\(initial)
            #EXTINF:1,
            e.ts
            #EXT-X-KEY:METHOD=AES-128,URI="none",IV=0x\(initial)
            #EXTINF:1,
            e.ts
            #EXT-X-KEY:METHOD=NONE
            #EXT-X-GAP
            #EXTINF:1,
            v1.ts
            #EXTINF:1,
            v2.ts
            #EXT-X-ENDLIST

            """
        try Data(text.utf8).write(to: URL(filePath: folder.path("x.m3u8")))
        let (list, result) = try boxes(folder.path("x.m3u8"))
        #expect(list.map { types($0) } == [["TS"], [], [], ["TS"]] && result.status == 1)
        #expect(list.map { fields($0)["encryption"] as? String } == ["AES-128", "AES-128", nil, nil])
        let damage = list.map { ($0["damage"] as? [String])?.joined() ?? "" }
        #expect(damage[0].isEmpty && damage[1].contains("the key that decrypts the media"), "\(damage)")
        #expect(damage[2] == "the manifest says that it is missing" && damage[3].isEmpty)
    }
}
