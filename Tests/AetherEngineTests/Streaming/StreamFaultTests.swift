import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Faults of servers, each with one kind of file of a stream.
@Suite struct StreamFaultTests {
    private static let kinds = ["manifest", "playlist", "init", "key", "segment"]

    /// Each file goes wrong once, or always in a way that can be lived with.
    @Test(arguments: [
        "drop=100,drops=1", "drop=900", "norange", "chunked", "unbounded", "close", "redir=2",
    ])
    func aFaultWithOneKindOfFileCostsNoFrame(_ fault: String) throws {
        for shape in [SegmentedVideo.Shape.ciphered, .dashNumbers] {
            let film = try SegmentedVideo(shape), origin = try film.origin()
            for kind in Self.kinds {
                let reading = try StreamReading(.url(origin.address + "/~\(fault),only=\(kind)/\(shape.manifest)"))
                #expect(
                    reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0,
                    "\(shape) \(kind) \(reading.video.count)")
            }
        }
    }

    /// A segment that a server has not got yet is asked for once more, and never read behind its failure. One that it does not get is passed by.
    @Test(arguments: [SegmentedVideo.Shape.transport, .fragments])
    func aSegmentThatIsMissingAtFirstCostsNoFrame(_ shape: SegmentedVideo.Shape) throws {
        let film = try SegmentedVideo(shape)
        try film.rewrite("l0.m3u8") { $0.replacing("\ns0_2", with: "\n/~fail=404:1/s0_2") }
        try film.rewrite("l1.m3u8") { $0.replacing("\ns1_1", with: "\n/~fail=404:2/s1_1") }
        let origin = try film.origin(), reading = try StreamReading(.url(origin.address + "/master.m3u8"))
        #expect(reading.hasEveryFrame() && !reading.isAudioWhole && reading.damage == 1, "\(reading.video.count)")
        let asked = origin.requests.map(\.target)
        #expect(asked.filter { $0.contains("/s0_2") }.count == 2 && asked.filter { $0.contains("/s1_1") }.count == 2)
    }

    /// The first answer is empty: a cache that has begun to fetch a segment, and does not have it yet.
    @Test(arguments: [SegmentedVideo.Shape.transport, .fragments, .parts, .dashNumbers, .dashFiles, .dashIndexed])
    func anEmptyAnswerCostsNoFrame(_ shape: SegmentedVideo.Shape) throws {
        let film = try SegmentedVideo(shape), origin = try film.origin()
        let reading = try StreamReading(.url(origin.address + "/~empties=1,only=segment/\(shape.manifest)"))
        #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0, "\(reading.video.count)")
    }

    /// Playlists that lie compressed on the server, which sends them so to whoever asks.
    @Test(arguments: [SegmentedVideo.Shape.transport, .dashNumbers])
    func compressedDocumentsAreUnpacked(_ shape: SegmentedVideo.Shape) throws {
        let film = try SegmentedVideo(shape)
        for name in try FileManager.default.contentsOfDirectory(atPath: film.folder.url.path)
        where name.hasSuffix("m3u8") || name.hasSuffix("mpd") {
            #expect(try Command(["gzip", film.path(name)]).status == 0)
            #expect(try Command(["mv", film.path(name) + ".gz", film.path(name)]).status == 0)
        }
        let origin = try film.origin()
        let reading = try StreamReading(.url(origin.address + "/~gzip,only=manifest+playlist/\(shape.manifest)"))
        #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0, "\(reading.video.count)")
    }

    /// Walls before a network and servers that are overrun answer with a page, and with the file the next time. That an address which a person
    /// gave is a page is said at once.
    @Test(arguments: [SegmentedVideo.Shape.transport, .ciphered])
    func aPageInTheFirstAnswersPlaceCostsNoFrame(_ shape: SegmentedVideo.Shape) throws {
        let film = try SegmentedVideo(shape), origin = try film.origin()
        for kind in Self.kinds.dropFirst() {
            let reading = try StreamReading(.url(origin.address + "/~pages=1,only=\(kind)/\(shape.manifest)"))
            #expect(reading.hasEveryFrame() && reading.isAudioWhole, "\(kind) \(reading.video.count)")
            // A page that is deciphered looks like damage.
            #expect(reading.damage == 0 || shape == .ciphered && kind == "segment", "\(kind) \(reading.damage)")
        }
        #expect(throws: MediaError.self) { try StreamReading(.url(origin.address + "/~page/\(shape.manifest)")) }
    }
}
