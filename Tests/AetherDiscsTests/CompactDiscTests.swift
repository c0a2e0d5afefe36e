import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherDiscs

/// Images of compact discs: the bytes of their tracks, whole and in their order.
@Suite struct CompactDiscTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder.path(name)))
    }

    private func all(_ reader: CompactReader, from start: Int64 = 0, piece: Int = 10_000) throws -> [UInt8] {
        try reader.seek(to: start)
        var bytes: [UInt8] = [], room = [UInt8](repeating: 0, count: piece)
        while true {
            let count = try room.withUnsafeMutableBytes { try reader.read($0) }
            if count == 0 { return bytes }
            bytes += room[..<count]
        }
    }

    /// Numbers that tell where a sample came from.
    private static func samples(_ frames: Int) -> [UInt8] {
        (0..<frames * 588 * 2).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static let audioSheet = """
        REM DATE 1999
        PERFORMER "The Band"
        TITLE "The \u{1B}[31mAlbum"
        FILE "ALBUM.BIN" BINARY
          TRACK 01 AUDIO
            TITLE "One"
            INDEX 00 00:00:00
            INDEX 01 00:00:30
          TRACK 02 AUDIO
            TITLE "Two"
            PERFORMER "A Guest"
            INDEX 00 00:01:00
            INDEX 01 00:01:20
          TRACK 03 AUDIO
            INDEX 01 00:02:00

        """

    /// A pause before a track sounds behind the track before it; that of the first one is not heard.
    @Test(arguments: [false, true]) func audioTracksAreOneTitleWithoutGaps(_ isSwapped: Bool) throws {
        let samples = Self.samples(225),
            sheet = isSwapped ? Self.audioSheet.replacing("BINARY", with: "MOTOROLA") : Self.audioSheet
        // Named in other letters than on the disk.
        try write(
            isSwapped ? stride(from: 0, to: samples.count, by: 2).flatMap { [samples[$0 + 1], samples[$0]] } : samples,
            "album.bin")
        try write(Array(sheet.utf8), "a.cue")
        for name in ["a.cue", "album.bin"] where name == "a.cue" || !isSwapped {
            if name == "album.bin" {
                try FileManager.default.moveItem(atPath: folder.path("a.cue"), toPath: folder.path("album.cue"))
            }
            let disc = try #require(try CompactDisc(path: folder.path(name)))
            #expect(
                disc.kind == .audio && disc.performer == "The Band" && disc.titles.count == 1 && !disc.name.contains("\u{1B}"))
            let title = try #require(disc.mainTitle)
            #expect(title.isAudio && title.chapters.map(\.name) == ["One", "A Guest – Two", "Track 3"])
            #expect(title.chapters.map(\.start) == [0, 65, 120].map { MediaTime(ticks: $0, in: TimeBase(1, 75)) })
            #expect(title.duration == TimeSpan(nanoseconds: 195 * 1_000_000_000 / 75))
            let reader = try disc.reader(title: nil), wanted = Array(samples[(30 * 2352)...])
            let bytes = try all(reader)
            #expect(bytes.starts(with: "RIFF".utf8) && bytes.count == Int(reader.size ?? 0))
            #expect(Array(bytes.suffix(wanted.count)) == wanted, "\(bytes.count) \(wanted.count)")
            // From any place, in any pieces.
            for (start, piece) in [(1, 7), (3, 2352), (wanted.count - 5, 4), (wanted.count - 9, 1)] {
                let from = Int64(reader.header.count + start)
                #expect(try all(reader, from: from, piece: piece) == Array(wanted[start...]), "\(start)")
            }
        }
    }

    @Test func aVideoTrackIsItsProgramStream() throws {
        let stream = try #require(try Self.stream()), image = CompactImage.video(stream, album: "HOLIDAYS", entries: [0, 40])
        try write(image, "film.bin")
        try write(Array(CompactImage.videoSheet("film.bin").utf8), "film.cue")
        let disc = try #require(try CompactDisc(path: folder.path("film.cue")))
        #expect(disc.kind == .video && disc.name.hasPrefix("HOLIDAYS") && disc.titles.map(\.isAudio) == [false])
        let title = try #require(disc.mainTitle), reader = try disc.reader(title: 1)
        let bytes = try all(reader)
        #expect(bytes.starts(with: stream) && bytes[stream.count...].allSatisfy { $0 == 0 } && bytes.count - stream.count < 2324)
        #expect(
            title.chapters.count == 2 && (1.5...2.5).contains(title.duration?.seconds ?? 0),
            "\(title.duration as Any) \(title.chapters)")
        #expect(try all(reader, from: 5000, piece: 3000) == Array(bytes[5000...]))
        let other = try #require(reader.makeIndependentReader() as? CompactReader)
        #expect(try all(other, piece: 100_000) == bytes)
        #expect(throws: DiscError.compact(.noTitle(of: 1))) { try disc.reader(title: 2) }
    }

    /// Two seconds of MPEG-1 in packs of a Video CD.
    static func stream() throws -> [UInt8]? {
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=352x288:r=25:d=2", "-f", "lavfi", "-i", "sine=f=440:r=44100:d=2", "-target",
                "pal-vcd",
            ], ext: "mpg")
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    @Test func whatIsMissingIsNamed() throws {
        try write(Array(Self.audioSheet.utf8), "a.cue")
        #expect(throws: DiscError.compact(.missing("ALBUM.BIN"))) { try CompactDisc(path: folder.path("a.cue")) }
        // The folder is not left, whatever the sheet says.
        try write(Self.samples(225), "secret.bin")
        try FileManager.default.createDirectory(atPath: folder.path("below"), withIntermediateDirectories: false)
        try write(Array(Self.audioSheet.replacing("ALBUM.BIN", with: "../secret.bin").utf8), "below/b.cue")
        #expect(throws: DiscError.compact(.missing("../secret.bin"))) { try CompactDisc(path: folder.path("below/b.cue")) }
        // An image that ends before the first track.
        try write([1, 2, 3], "album.bin")
        #expect(throws: DiscError.compact(.empty)) { try CompactDisc(path: folder.path("a.cue")) }
    }

    @Test(arguments: [
        "FILE \"a.flac\" WAVE\n TRACK 01 AUDIO\n INDEX 01 00:00:00\n", "hello", "", "TRACK 01 AUDIO\n INDEX 01 00:00:00\n",
    ])
    func otherFilesAreNoDisc(_ text: String) throws {
        try write(Array(text.utf8), "x.cue")
        #expect(!CompactDisc.isThere(folder.path("x.cue")) && !CompactDisc.isThere(folder.path("none.cue")))
    }
}
