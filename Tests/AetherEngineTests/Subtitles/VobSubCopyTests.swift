import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// The two files of a VobSub on a server.
@Suite struct VobSubCopyTests {
    /// A pair with two subtitles, at 1 and at 3 s.
    private static func pair(_ folder: TemporaryFolder) throws -> (index: [UInt8], images: [UInt8]) {
        let boxes = [1.0, 3].map { PGSStream.Box(x: 100, y: 400, width: 200, height: 40, start: $0, end: $0 + 1) }
        try Data(PGSStream(width: 720, height: 576, boxes).bytes).write(to: folder.url.appending(path: "a.sup"))
        let made = try Command([
            "ffmpeg", "-nostdin", "-v", "error", "-i", folder.path("a.sup"), "-c:s", "dvdsub", "-f", "dvd", "-packetsize", "2048",
            folder.path("film.sub"),
        ])
        try #require(made.status == 0, "\(made.standardError)")
        let images = Array(try Data(contentsOf: folder.url.appending(path: "film.sub")))
        // The sectors in which a subtitle begins: a pack, and in it private stream 1 with a time.
        let places = stride(from: 0, to: images.count - 2047, by: 2048).filter { sector in
            Array(images[sector + 14..<sector + 18]) == [0, 0, 1, 0xBD] && images[sector + 21] & 0x80 != 0
        }
        try #require(places.count == 2, "\(places)")
        let lines = zip(["00:00:01:000", "00:00:03:000"], places).map {
            "timestamp: \($0), filepos: \(String(format: "%09X", $1))\n"
        }
        let index =
            "# VobSub index file, v7\nsize: 720x576\npalette: " + [String](repeating: "ffffff", count: 16).joined(separator: ", ")
            + "\nid: de, index: 0\n" + lines.joined()
        return (Array(index.utf8), images)
    }

    @Test func aPairOnAServerIsReadAndItsCopyIsGone() throws {
        let folder = try TemporaryFolder(), pair = try Self.pair(folder)
        let origin = try TestOrigin(["/film.de.idx": .bytes(pair.index), "/film.de.sub": .bytes(pair.images)])
        let location = MediaLocation.url(origin.address + "/film.de.idx?key=1")
        let file = SubtitleFile(location: location, formatHint: nil, frameRate: nil, interrupt: Interrupt())
        let streams = try file.read()
        #expect(streams.count == 1 && streams[0].isBitmap && streams[0].language == "de")
        let starts = streams[0].subtitles.filter { $0.body != nil }.map(\.start.seconds)
        #expect(starts.count == 2 && abs(starts[0] - 1) < 0.1 && abs(starts[1] - 3) < 0.1, "\(starts)")
        #expect(origin.requests.map(\.target).contains("/film.de.sub?key=1"))
    }

    @Test func aPairWithoutImagesIsAnErrorAndNothingStays() throws {
        let folder = try TemporaryFolder(), pair = try Self.pair(folder)
        let origin = try TestOrigin(["/a.idx": .bytes(pair.index)])
        let error = #expect(throws: MediaError.self) {
            let copy = try VobSubCopy.of(.url(origin.address + "/a.idx"), HTTPOptions(), Interrupt())
            Issue.record("\(copy.index)")
        }
        #expect(error.map { "\($0)" }?.contains("a.sub") ?? false)
    }

    @Test func theCopyIsGoneWithItsValue() throws {
        let origin = try TestOrigin(["/a.IDX": .bytes([1]), "/a.SUB": .bytes([2, 3])])
        var path = ""
        do {
            let copy = try VobSubCopy.of(.url(origin.address + "/a.IDX"), HTTPOptions(), Interrupt())
            path = copy.index
            #expect(try Array(Data(contentsOf: URL(filePath: path))) == [1])
            #expect(try Array(Data(contentsOf: URL(filePath: path.dropLast(3) + "sub"))) == [2, 3])
        }
        #expect(!path.isEmpty && !FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
    }

    @Test(arguments: [
        ("smb://nas/films/a#1.idx", "smb://nas/films/a#1.sub"), ("http://h/a.IDX?k=.idx", "http://h/a.SUB?k=.idx"),
        ("http://h/a.srt?x.idx", nil), ("http://h/a.sub", nil),
    ])
    func theImagesLieBesideTheIndex(_ index: String, _ images: String?) {
        #expect(MediaLocation.url(index).imagesOfIndex == images.map { .url($0) })
        #expect(MediaLocation.file(index).imagesOfIndex == nil)
    }
}
