import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// The two files of a VobSub.
@Suite struct VobSubFileTests {
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

    @Test func aPairOnAServerIsRead() throws {
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

    private static func streams(_ location: MediaLocation) throws(MediaError) -> [SubtitleFile.Stream] {
        try SubtitleFile(location: location, formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
    }

    @Test func aPairWithoutImagesIsAnErrorThatNamesThem() throws {
        let folder = try TemporaryFolder(), pair = try Self.pair(folder)
        let origin = try TestOrigin(["/a.idx": .bytes(pair.index)])
        try Data(pair.index).write(to: folder.url.appending(path: "b.idx"))
        for (location, name) in [(MediaLocation.url(origin.address + "/a.idx"), "a.sub"), (.file(folder.path("b.idx")), "b.sub")]
        {
            let error = #expect(throws: MediaError.self) { try Self.streams(location) }
            #expect(error.map { "\($0)" }?.contains(name) ?? false, "\(error.map { "\($0)" } ?? "")")
        }
    }

    @Test func ofImagesThatAreCutOffTheFirstAreRead() throws {
        let folder = try TemporaryFolder(), pair = try Self.pair(folder)
        let lines = String(decoding: pair.index, as: UTF8.self).split(separator: "\n")
        let second = try #require(lines.last.flatMap { Int($0.suffix(9), radix: 16) })
        let origin = try TestOrigin(["/a.idx": .bytes(pair.index), "/a.sub": .bytes(Array(pair.images.prefix(second)))])
        let found = try Self.streams(.url(origin.address + "/a.idx"))[0].subtitles.filter { $0.body != nil }.map(\.start.seconds)
        #expect(found.count == 1 && abs(found[0] - 1) < 0.1, "\(found)")
    }

    /// A disc's languages lie among each other: the packets of one subtitle have others between them.
    @Test func languagesAmongEachOtherAreTakenApart() throws {
        let folder = try TemporaryFolder(), pair = try Self.pair(folder)
        // The second language has the same images, whose packets say so.
        var other = pair.images
        for sector in stride(from: 0, to: other.count - 2047, by: 2048)
        where Array(other[sector + 14..<sector + 18]) == [0, 0, 1, 0xBD] {
            other[sector + 23 + Int(other[sector + 22])] = 0x21
        }
        var mixed: [UInt8] = []
        for sector in stride(from: 0, to: other.count, by: 2048) {
            mixed += pair.images[sector..<min(pair.images.count, sector + 2048)] + other[sector..<min(other.count, sector + 2048)]
        }
        let index = String(decoding: pair.index, as: UTF8.self)
        let cues = index.split(separator: "\n").filter { $0.hasPrefix("timestamp") }
        let head = String(index[..<index.range(of: "id: de")!.lowerBound])
        func moved(by sectors: Int) -> String {
            cues.map { line in
                let offset = Int(line.suffix(9), radix: 16)! * 2 + sectors * 2048
                return "\(line.dropLast(9))\(String(format: "%09X", offset))\n"
            }.joined()
        }
        let second = "id: fr, index: 1\nalt: Sourds\ndelay: 00:00:00:500\n"
        let text = head + "id: de, index: 0\n" + moved(by: 0) + second + moved(by: 1)
        try Data(text.utf8).write(to: folder.url.appending(path: "m.idx"))
        try Data(mixed).write(to: folder.url.appending(path: "m.sub"))
        try Data(pair.index).write(to: folder.url.appending(path: "s.idx"))
        try Data(pair.images).write(to: folder.url.appending(path: "s.sub"))
        let alone = try Self.streams(.file(folder.path("s.idx"))), both = try Self.streams(.file(folder.path("m.idx")))
        #expect(both.map(\.language) == ["de", "fr"] && alone.count == 1)
        let bodies = alone[0].subtitles.map(\.body)
        #expect(!bodies.isEmpty && both.allSatisfy { $0.subtitles.map(\.body) == bodies })
        let late = zip(both[0].subtitles, both[1].subtitles).map { ($1.start - $0.start).seconds }
        #expect(late.allSatisfy { abs($0 - 0.5) < 0.001 }, "\(late)")
    }

    /// The subtitles that libavformat reads of the same two files.
    @Test func subtitlesAreThoseOfLibavformat() throws {
        let folder = try TemporaryFolder(), pair = try Self.pair(folder)
        try Data(pair.index).write(to: folder.url.appending(path: "s.idx"))
        try Data(pair.images).write(to: folder.url.appending(path: "s.sub"))
        var paths = [folder.path("s.idx")]
        if let corpus = Fixtures.shared?.appending(path: "corpus/mpv/img_sub.idx").path,
            FileManager.default.fileExists(atPath: corpus)
        {
            paths.append(corpus)
        }
        for path in paths {
            var options = OpenOptions(analysis: .full)
            options.box = nil
            var demuxer = try Demuxer(.url("file:" + path), options: options, interrupt: Interrupt())
            let info = try #require(demuxer.info.decodable(.subtitle).first)
            var packets = try SubtitlePackets(info, room: SubtitleRoom())
            var wanted: [DecodedSubtitle] = []
            do throws(MediaError) {
                while true { wanted += try packets.decode(try demuxer.read(epoch: Epoch())).subtitles }
            } catch {
                try #require(error.code == .endOfMedia)
            }
            let found = try Self.streams(.file(path))[0].subtitles
            #expect(found.map(\.start) == wanted.map(\.start) && found.map(\.body) == wanted.map(\.body), "\(path)")
            #expect(!found.isEmpty)
        }
    }

    @Test(arguments: [
        ("smb://nas/films/a#1.idx", "smb://nas/films/a#1.sub"), ("http://h/a.IDX?k=.idx", "http://h/a.SUB?k=.idx"),
        ("http://h/a.srt?x.idx", nil), ("http://h/a.sub", nil),
    ])
    func theImagesLieBesideTheIndex(_ index: String, _ images: String?) {
        #expect(MediaLocation.url(index).imagesOfIndex == images.map { .url($0) })
        let name = index.drop { $0 != ":" }
        #expect((MediaLocation.file(String(name)).imagesOfIndex != nil) == name.lowercased().hasSuffix(".idx"))
    }
}
