import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Sources in segments: every frame in its place, whatever their shape, and whatever the server does.
@Suite struct StreamSourceTests {
    @Test(arguments: SegmentedFilm.Shape.allCases)
    func everyFrameOfAStreamIsInItsPlace(_ shape: SegmentedFilm.Shape) throws {
        let film = try SegmentedFilm(shape), origin = try film.origin()
        let reading = try StreamReading(.url(origin.address + "/master.m3u8"))
        #expect(reading.hasEveryFrame(), "\(reading.video.count)")
        #expect(reading.isAudioWhole, "\(reading.audio.count)")
        #expect(reading.damage == 0)
        // Each file is asked for once.
        let counts = Dictionary(grouping: origin.requests, by: \.target).mapValues(\.count)
        #expect(counts.values.allSatisfy { $0 <= (shape == .parts ? 2 : 1) }, "\(counts)")
    }

    @Test(arguments: SegmentedFilm.Shape.allCases)
    func aLocalPlaylistPlaysTheSame(_ shape: SegmentedFilm.Shape) throws {
        let film = try SegmentedFilm(shape)
        let reading = try StreamReading(.file(film.path("master.m3u8")))
        #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0)
    }

    @Test(arguments: [
        "drop=700", "drop=700,norange,drops=2", "norange", "chunked", "unbounded", "fail=503:1", "redir=2", "close", "whole",
    ])
    func aServerThatMisbehavesCostsNoFrame(_ fault: String) throws {
        for shape in SegmentedFilm.Shape.allCases {
            let film = try SegmentedFilm(shape), origin = try film.origin()
            let reading = try StreamReading(.url(origin.address + "/~\(fault)/master.m3u8"))
            #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0, "\(shape) \(reading.video.count)")
        }
    }

    @Test(arguments: SegmentedFilm.Shape.allCases) func aSeekBeginsWithTheSegmentOfItsTarget(_ shape: SegmentedFilm.Shape) throws
    {
        let film = try SegmentedFilm(shape), origin = try film.origin()
        let source = try StreamReading.open(.url(origin.address + "/master.m3u8"))
        let start = source.description.info.startTime
        let asked = origin.requests.count
        let reading = try StreamReading(source, from: start + .seconds(2.5))
        let first = try #require(reading.video.min())
        #expect(abs((first - start).seconds - 2) < 0.1 && reading.video.count == 50, "\(first)")
        // Two segments of video, and at most three of audio with its playlist.
        #expect(origin.requests.count - asked <= 8, "\(origin.requests.map(\.target))")
    }

    @Test func aMissingSegmentIsPassedByWhereNobodyHasIt() throws {
        let film = try SegmentedFilm(.ciphered)
        try film.rewrite("master.m3u8") { $0.replacingOccurrences(of: "s2.ts", with: "gone.ts") }
        let origin = try film.origin()
        let reading = try StreamReading(.url(origin.address + "/master.m3u8"))
        #expect(reading.video.count == 75 && reading.damage == 1)
        // What follows stays in its place.
        let start = try #require(reading.video.min())
        #expect(reading.video.filter { $0 - start >= .seconds(2.99) }.count == 25)
    }

    @Test func aMissingSegmentIsTakenFromAnotherRendition() throws {
        let film = try SegmentedFilm(.transport)
        let list = try String(contentsOfFile: film.path("l0.m3u8"), encoding: .utf8)
        try Data(list.replacingOccurrences(of: "s0_1.ts", with: "gone.ts").utf8).write(to: URL(filePath: film.path("bad.m3u8")))
        let master = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=96x64,CODECS="avc1.42c00b"
            bad.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=96x64,CODECS="avc1.42c00b"
            l0.m3u8

            """
        try Data(master.utf8).write(to: URL(filePath: film.path("two.m3u8")))
        let origin = try film.origin()
        let reading = try StreamReading(.url(origin.address + "/two.m3u8"))
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count)")
        #expect(origin.requests.contains { $0.target == "/bad.m3u8" } && origin.requests.contains { $0.target == "/gone.ts" })
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-ENDLIST\n", "nothing to play"),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n../../etc/passwd\n#EXT-X-ENDLIST\n", "folder"),
        (
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"
                + "#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n", "FairPlay"
        ),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nlist.m3u8\n#EXT-X-ENDLIST\n", ""),
    ])
    func whatCannotBePlayedSaysWhy(_ text: String, _ words: String) throws {
        let folder = try TemporaryFolder(), path = folder.path("list.m3u8")
        try Data(text.utf8).write(to: URL(filePath: path))
        let error = #expect(throws: MediaError.self) { try StreamReading(.file(path)) }
        #expect(words.isEmpty || "\(error?.reason ?? "")".contains(words), "\(error?.reason ?? "")")
    }

    @Test func aLinkOutOfTheFolderIsNotFollowed() throws {
        let film = try SegmentedFilm(.ciphered), other = try TemporaryFolder()
        try FileManager.default.moveItem(atPath: film.path("s1.ts"), toPath: other.path("s1.ts"))
        try FileManager.default.createSymbolicLink(atPath: film.path("s1.ts"), withDestinationPath: other.path("s1.ts"))
        let reading = try StreamReading(.file(film.path("master.m3u8")))
        #expect(reading.video.count == 75 && reading.damage == 1)
    }
}
