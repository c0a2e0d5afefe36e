import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherDiscs

/// Compact discs in a drive: what their tables become, and that they are what their images are.
@Suite struct CompactDriveTests {
    private typealias Track = DriveTable.Track

    @Test(arguments: [
        // All of the music is one title; a pause that the table does not know belongs to the song before it.
        ([Track(1, .audio, start: 0), Track(2, .audio, start: 300)], nil as Int?, [0..<300, 300..<30_000]),
        // What lies before the first song has no track to be played by.
        ([Track(1, .audio, start: 32), Track(2, .audio, start: 300)], nil, [32..<300, 300..<30_000]),
        // Data before the music, and a session of data behind it.
        ([Track(1, .files, start: 0), Track(2, .audio, start: 300)], nil, [300..<30_000]),
        ([Track(1, .audio, start: 0), Track(2, .mixed, start: 20_000)], 20_000, [0..<8_600]),
    ])
    func theMusicIsOneTitle(_ tracks: [DriveTable.Track], _ session: Int?, _ songs: [Range<Int>]) throws {
        let table = try #require(DriveTable(tracks, leadOut: 30_000, session: session, title: "Al\u{1B}bum", performer: "Band"))
        let sheet = try #require(CueSheet(table)), size = Int64(table.leadOut) * 2352
        #expect(sheet.title == DisplayText.singleLine("Al\u{1B}bum", limit: 200) && sheet.performer == "Band")
        let map = TrackMap(sheet, sizes: [size])
        #expect(map.places.allSatisfy { $0.start == Int64($0.sector) * 2352 })
        let title = try #require(CompactTitle(id: 1, audioOf: sheet, map))
        let runs = title.runs.map { Int($0.offset / 2352)..<Int(($0.offset + $0.count) / 2352) }
        #expect(runs == songs)
        var passed = 0
        for (chapter, song) in zip(title.chapters, songs) {
            #expect(chapter.start == MediaTime(ticks: Int64(passed), in: TimeBase(1, 75)))
            passed += song.count
        }
        #expect(title.chapters.count == songs.count)
    }

    @Test(.enabled(if: DriveProgram.find() != nil, "aether-disc is not built"))
    func anAudioCDIsItsImageSampleForSample() throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 11)
        try Data((0..<(2352 * 400)).map { _ in UInt8.random(in: 0...255, using: &random) }).write(
            to: URL(filePath: folder.path("a.bin")))
        let sheet = """
            PERFORMER "Band"
            TITLE "Album"
            FILE "a.bin" BINARY
            TRACK 01 AUDIO
            TITLE "One"
            INDEX 01 00:00:00
            TRACK 02 AUDIO
            PERFORMER "Guest"
            TITLE "Two"
            INDEX 01 00:02:00
            TRACK 03 AUDIO
            INDEX 01 00:04:10
            """
        try Data(sheet.utf8).write(to: URL(filePath: folder.path("a.cue")))
        let image = try #require(try CompactDisc("a.cue", in: DiscFolder(path: folder.url.path)))
        let drive = try CompactDisc(drive: DriveReader(path: folder.path("a.cue"), program: DriveProgram.required()))
        #expect(drive.kind == .audio && drive.name == "Album" && drive.performer == "Band")
        #expect(drive.titles.map(\.chapters) == image.titles.map(\.chapters))
        #expect(drive.titles.map(\.duration) == image.titles.map(\.duration))
        let ours = try drive.reader(title: nil), theirs = try image.reader(title: nil)
        #expect(try ours.bytes(limit: .max) == theirs.bytes(limit: .max))
        #expect(ours.lostSectors == 0 && ours.makeIndependentReader() == nil)
        try ours.seek(to: 500_001)
        try theirs.seek(to: 500_001)
        #expect(try ours.bytes(limit: 99_999) == theirs.bytes(limit: 99_999))
    }

    @Test(.enabled(if: DriveProgram.find() != nil, "aether-disc is not built"))
    func aVideoCDIsItsImageByteForByte() throws {
        let folder = try TemporaryFolder()
        let clip = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=352x288:r=25:d=2", "-f", "lavfi", "-i", "sine=f=440:r=44100:d=2", "-target",
                "pal-vcd",
            ], ext: "mpg")
        let stream = [UInt8](try Data(contentsOf: URL(filePath: clip)))
        let (image, sheet) = DiscImage.videoCD([stream, stream], entries: [[0, 0.5], [0]], file: "film.bin")
        try Data(image).write(to: URL(filePath: folder.path("film.bin")))
        try Data(sheet.utf8).write(to: URL(filePath: folder.path("film.cue")))
        let other = try #require(try CompactDisc("film.cue", in: DiscFolder(path: folder.url.path)))
        let drive = try CompactDisc(drive: DriveReader(path: folder.path("film.cue"), program: DriveProgram.required()))
        #expect(drive.kind == .video && drive.name == "FIXTURE" && drive.titles.count == 2)
        #expect(drive.titles[0].chapters == other.titles[0].chapters && drive.titles[0].duration == other.titles[0].duration)
        for title in 1...2 {
            #expect(try drive.reader(title: title).bytes(limit: stream.count) == stream)
        }
    }

    @Test func theReasonIsTold() throws {
        let folder = try TemporaryFolder()
        let reader = DriveReader(path: "/dev/sr0", program: folder.path("nothing"))
        #expect(throws: DiscError.drive(.noProgram("does not start"))) { try CompactDisc(drive: reader) }
        #expect(DiscError.drive(.empty).reason == "no disc in the drive")
    }
}
