import AetherCore
import AetherEngine
import Testing

@testable import AetherUI

/// The formats of a page as qualities.
@Suite struct PageFormatsTests {
    private static func format(
        _ id: String, _ height: Int?, video: String = "avc1.640028", audio: String = "none", rate: Double = 1000,
        more: String = ""
    ) -> String {
        let size = height.map { "\"width\": \($0 * 16 / 9), \"height\": \($0), " } ?? ""
        return """
            {"format_id": "\(id)", "url": "https://cdn/\(id)", "protocol": "https", \(size)"vcodec": "\(video)", "acodec": "\(audio)", \
            "tbr": \(rate)\(more)}
            """
    }

    private func formats(_ list: [String], chosen: String?) throws -> PageFormats {
        PageFormats(try JSON("[\(list.joined(separator: ","))]".utf8), chosen: chosen)
    }

    /// As a large site has them, the worst first: audio alone, videos alone, one with both.
    private static let site = [
        format("139", nil, video: "none", audio: "mp4a.40.5", rate: 48),
        format("140", nil, video: "none", audio: "mp4a.40.2", rate: 128),
        format("251", nil, video: "none", audio: "opus", rate: 140), format("18", 360, audio: "mp4a.40.2", rate: 500),
        format("134", 360, rate: 400), format("136", 720, rate: 1500), format("247", 720, video: "vp9", rate: 1400),
        format("137", 1080, rate: 4000), format("299", 1080, rate: 6000, more: ", \"fps\": 60"),
        format("401", 2160, video: "av01.0.12M.08", rate: 12_000, more: ", \"fps\": 24, \"dynamic_range\": \"HDR10\""),
    ]

    @Test func qualitiesAreOneOfEachKindTheBestFirst() throws {
        let formats = try formats(Self.site, chosen: "136+140")
        #expect(formats.qualities.map(\.variant.name) == ["2160p HDR10", "1080p 60 fps", "1080p", "720p", "360p"])
        // The present format stands for its kind, and its audio goes with the others that have none.
        #expect(formats.qualities.map(\.variant.id) == ["401+140", "299+140", "137+140", "136+140", "134+140"])
        #expect(formats.active == "136+140")
        let large = try #require(formats.qualities.first)
        #expect(large.url == "https://cdn/401" && large.audio == "https://cdn/140" && large.variant.codecs == ["AV1", "AAC"])
        #expect(large.variant.peakBitRate == 12_128_000 && large.variant.size == PixelSize(width: 3840, height: 2160))
    }

    @Test func whatHoldsBothNeedsNoOther() throws {
        let formats = try formats(
            [Self.format("18", 360, audio: "mp4a.40.2"), Self.format("22", 720, audio: "mp4a.40.2")], chosen: "22")
        #expect(formats.qualities.map(\.audio) == [nil, nil] && formats.qualities.map(\.variant.id) == ["22", "18"])
        #expect(formats.active == "22")
    }

    @Test func theHeadersOfAFormatGoWithIt() throws {
        let headers = ", \"http_headers\": {\"User-Agent\": \"me\", \"Range\": \"bytes=0-\", \"X\": \"a\\r\\nb\"}"
        let formats = try formats([Self.format("22", 720, audio: "mp4a.40.2", more: headers)], chosen: nil)
        #expect(formats.qualities.map(\.headers) == [["User-Agent": "me"]] && formats.active == nil)
    }

    @Test(arguments: [
        "{\"format_id\": \"1\", \"url\": \"file:///etc/passwd\", \"protocol\": \"https\", \"width\": 16, \"height\": 9, \"vcodec\": \"a\"}",
        "{\"format_id\": \"1\", \"url\": \"https://x\", \"protocol\": \"http_dash_segments\", \"width\": 16, \"height\": 9}",
        "{\"format_id\": \"1\", \"url\": \"https://x/\", \"protocol\": \"https\", \"width\": -1, \"height\": 9e99, \"vcodec\": \"a\"}",
        "{}", "null", "7", "[[]]",
    ])
    func whatCannotBeOpenedIsNoQuality(_ format: String) throws {
        #expect(try formats([format, Self.format("a", nil, video: "none", audio: "opus")], chosen: "1").qualities.isEmpty)
    }

    @Test func aLongListIsCut() throws {
        let many = (1...2000).map { Self.format("\($0)", $0 + 8, audio: "opus") }
        #expect(try formats(many, chosen: nil).qualities.count == 24)
    }

    @Test func theProgramsLinesAreReadTogether() throws {
        let facts =
            "{\"format_id\": \"136+140\", \"chapters\": [{\"title\": \"A \\u001b[31m\", \"start_time\": 0, \"end_time\": 5.5}, {\"start_time\": 5.5, \"end_time\": 9}, {\"start_time\": 3, \"end_time\": 4}, 7]}"
        let text =
            "A Film\nhttps://cdn/136\nhttps://cdn/140\n{\"User-Agent\": \"me\"}\n\(facts)\n[\(Self.site.joined(separator: ","))]\n"
        guard case .page(let film) = PageDesk.answer(text) else {
            Issue.record("no film")
            return
        }
        #expect(film.formats.active == "136+140" && film.formats.qualities.count == 5 && film.headers == ["User-Agent": "me"])
        #expect(film.chapters.map(\.name) == ["A [31m", ""] && film.chapters.map(\.start) == [.zero, .seconds(5.5)])
        let quality = PageQuality(film)
        #expect(quality.variant.name == "720p" && quality.url == "https://cdn/136" && quality.audio == "https://cdn/140")
        // An older yt-dlp knows no such lists.
        guard case .page(let old) = PageDesk.answer("A Film\nhttps://cdn/136\n{}\nNA\nNA\n") else {
            Issue.record("no film")
            return
        }
        #expect(old.formats == PageFormats() && old.chapters.isEmpty)
    }
}
