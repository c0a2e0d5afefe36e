import AetherCore
import Testing

@testable import AetherFormats

@Suite struct ThumbnailCuesTests {
    private let sheet = """
        WEBVTT

        1
        00:00:00.000 --> 00:00:10.000
        sprites.jpg#xywh=0,0,160,90

        00:10.000 --> 00:20.000 align:start
        sprites.jpg#xywh=pixel:160,0,160,90

        00:00:20.000 --> 00:00:30.000
        pictures/third one.PNG
        """

    @Test func readsSheetsAndSingleImages() throws {
        let cues = try #require(ThumbnailCues(sheet)).cues
        #expect(cues.map(\.file) == ["sprites.jpg", "sprites.jpg", "pictures/third one.PNG"])
        #expect(cues[0].region == ThumbnailCues.Region(x: 0, y: 0, width: 160, height: 90))
        #expect(cues[1].region?.x == 160 && cues[2].region == nil)
        #expect(cues[1].start == .seconds(10) && cues[1].end == .seconds(20))
    }

    @Test(arguments: [(0, "0"), (9.99, "0"), (10, "1"), (25, "2"), (39, "2"), (41, "-"), (-1, "-")])
    func thePictureOfATime(seconds: Double, expected: String) throws {
        let document = try #require(ThumbnailCues(sheet))
        let cue = document.cue(at: .seconds(seconds))
        #expect(cue.flatMap { document.cues.firstIndex(of: $0) }.map(String.init) ?? "-" == expected)
    }

    @Test(arguments: [
        "", "WEBVTT", "00:00:00.000 --> 00:00:10.000\na.jpg", "WEBVTT\n\n00:00:00.000 --> 00:00:10.000\nWords of a film",
        "WEBVTT\n\n00:00:10.000 --> 00:00:00.000\na.jpg", "WEBVTT\n\n00:00:00.000 --> 00:00:10.000\na.jpg#xywh=0,0,0,90",
        "WEBVTT\n\n00:00:00.000 --> 00:00:10.000\na.jpg#xywh=-1,0,9,90", "WEBVTT\n\n0.0 --> 99999999999999:00.000\na.jpg",
        "WEBVTT\n\n00:00:00.000 --> 00:00:10.000\na.jpg#xywh=9999999999999999999,0,1,1",
    ]) func whatIsNoSheetIsRefused(text: String) { #expect(ThumbnailCues(text) == nil) }

    @Test func subtitlesThatNameAImageOnceAreSubtitles() {
        let words = (1...5).map { "00:00:0\($0).000 --> 00:00:0\($0).500\nWords" }.joined(separator: "\n\n")
        #expect(ThumbnailCues("WEBVTT\n\n00:00:00.000 --> 00:00:00.500\na.jpg\n\n" + words) == nil)
    }

    @Test(arguments: [
        ("a.jpg", true), ("sub/a b.jpg", true), ("/etc/a.jpg", false), ("../a.jpg", false), ("a/../../b.jpg", false),
        ("http://x/a.jpg", false), ("a\\b.jpg", false), ("", false), ("a\u{1B}.jpg", false), ("a//b.jpg", false),
    ]) func namesStayInTheirFolder(name: String, isTaken: Bool) { #expect((ImageName.relativePath(name) != nil) == isTaken) }

    @Test(arguments: [
        ("a.jpg", ["a.jpg"]), ("sub%20dir/a.jpg", ["sub%20dir/a.jpg", "sub dir/a.jpg"]), ("a.jpg?v=2", ["a.jpg?v=2", "a.jpg"]),
        ("a%20b.jpg?c=%2F", ["a%20b.jpg?c=%2F", "a%20b.jpg", "a b.jpg"]), ("%2E%2E/a.jpg", ["%2E%2E/a.jpg"]),
        ("%2Fetc/a.jpg", ["%2Fetc/a.jpg"]), ("a%00.jpg", ["a%00.jpg"]), ("../a.jpg", []),
    ]) func namesOfTheWebAreFilesToo(name: String, paths: [String]) { #expect(ImageName.paths(name) == paths) }

    @Test func aQuestionBehindTheNameIsNoOtherKindOfFile() {
        #expect(ThumbnailCues("WEBVTT\n\n00:00:00.000 --> 00:00:10.000\na.jpg?v=2#xywh=0,0,9,9")?.cues.first?.file == "a.jpg?v=2")
    }
}
