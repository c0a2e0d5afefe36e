import AetherCore
import AetherFormats
import AetherTestSupport
import Foundation
import Testing

@testable import AetherDiscs

/// Sheets and images of compact discs, written by hand.
struct CompactDiscTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(filePath: folder.path(name)))
        return folder.path(name)
    }

    private func disc(_ name: String) throws -> CompactDisc? { try CompactDisc(name, in: DiscFolder(path: folder.url.path)) }

    private func open(_ sheet: String, _ files: [String: [UInt8]]) throws -> CompactDisc {
        for (name, bytes) in files { _ = try write(name, bytes) }
        _ = try write("disc.cue", Array(sheet.utf8))
        return try #require(try disc("disc.cue"))
    }

    private func samples(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// The bytes of a title behind its header, read in pieces of an odd size.
    private func data(_ disc: CompactDisc, title: Int? = nil, piece: Int = 7001) throws -> [UInt8] {
        let reader = try disc.reader(title: title)
        var bytes: [UInt8] = [], room = [UInt8](repeating: 0, count: piece)
        while true {
            let count = try room.withUnsafeMutableBytes { try reader.read($0) }
            if count == 0 { break }
            bytes += room[..<count]
        }
        #expect(Int64(bytes.count) == reader.size)
        return Array(bytes.dropFirst(reader.header.count))
    }

    private static let threeTracks = """
        PERFORMER "Band"
        TITLE "Album"
        FILE "a.bin" BINARY
        TRACK 01 AUDIO
        TITLE "One"
        INDEX 01 00:00:00
        TRACK 02 AUDIO
        PERFORMER "Guest"
        TITLE "Two"
        INDEX 00 00:01:50
        INDEX 01 00:02:00
        TRACK 03 AUDIO
        INDEX 01 00:04:10
        """

    @Test func audioIsTheImageByteForByte() throws {
        let bytes = samples(2352 * 400 + 103), disc = try open(Self.threeTracks, ["a.bin": bytes])
        #expect(disc.kind == .audio && disc.titles.count == 1 && disc.performer == "Band")
        // Three bytes are no sample.
        #expect(try data(disc) == Array(bytes[..<(bytes.count - 3)]))
        let chapters = disc.titles[0].chapters
        #expect(chapters.map(\.name) == ["One", "Guest – Two", "Track 3"])
        #expect(chapters.map(\.start.nanoseconds) == [0, 2_000_000_000, 4_133_333_333])
    }

    @Test func aSwappedImageIsSwappedBack() throws {
        let bytes = samples(2352 * 311)
        var swapped = bytes
        for place in stride(from: 0, to: bytes.count, by: 2) { swapped.swapAt(place, place + 1) }
        let disc = try open(Self.threeTracks.replacingOccurrences(of: "BINARY", with: "MOTOROLA"), ["a.bin": swapped])
        for piece in [1, 2, 3, 4999, 1 << 20] {
            #expect(try data(disc, piece: piece) == bytes, "in pieces of \(piece)")
        }
    }

    @Test func filesJoinWithoutGapAndWithTheSheetsSilence() throws {
        let first = samples(2352 * 30), second = samples(2352 * 40, seed: 9)
        let disc = try open(
            """
            FILE "one.bin" BINARY
            TRACK 01 AUDIO
            PREGAP 00:02:00
            INDEX 01 00:00:00
            FILE "two.bin" BINARY
            TRACK 02 AUDIO
            INDEX 00 00:00:00
            INDEX 01 00:00:10
            POSTGAP 00:00:02
            TRACK 03 AUDIO
            PREGAP 00:00:03
            INDEX 01 00:00:20
            """, ["one.bin": first, "two.bin": second])
        let silence = [UInt8](repeating: 0, count: 2352 * 5)
        #expect(try data(disc) == first + second[..<(2352 * 20)] + silence + second[(2352 * 20)...])
        let frames = disc.titles[0].chapters.map { Int(($0.start.seconds * 75).rounded()) }
        #expect(frames == [0, 40, 55], "the pause is the former track's; no real player has one before the first")
    }

    /// A pack of CD-Text with its sum.
    private static func pack(_ kind: UInt8, track: UInt8, number: UInt8, _ text: String, block: UInt8 = 0) -> [UInt8] {
        let letters = Array(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        let pack = [kind, track, number, block << 4] + letters + [UInt8](repeating: 0, count: 12 - letters.count)
        var sum = UInt16(0)
        for byte in pack {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x1021 : sum << 1 }
        }
        return pack + [UInt8(~sum >> 8), UInt8(~sum & 255)]
    }

    @Test(arguments: [false, true]) func textsOfTheDiscStandInWhereTheSheetHasNone(_ hasHead: Bool) throws {
        let bytes = samples(2352 * 400)
        let sheet =
            "CDTEXTFILE \"A.CDT\"\nFILE \"a.bin\" BINARY\nTRACK 1 AUDIO\nINDEX 1 00:00:00\nTRACK 2 AUDIO\nTITLE \"Own\"\n"
            + "INDEX 1 00:02:00\nTRACK 3 AUDIO\nINDEX 1 00:03:00"
        // A text goes on in the next pack, and one may begin in the middle; a tabulator is the text of the track before.
        var text =
            Self.pack(0x80, track: 0, number: 0, "Caf\u{E9}\u{0}A long ")
            + Self.pack(0x80, track: 1, number: 1, "name\u{0}Two\u{0}Thr")
        text += Self.pack(0x80, track: 3, number: 2, "ee") + Self.pack(0x81, track: 0, number: 3, "Band\u{0}Band\u{0}\t")
        text += Self.pack(0x80, track: 0, number: 0, "Anders", block: 1)
        var broken = Self.pack(0x80, track: 0, number: 0, "Wrong")
        broken[5] ^= 1
        let disc = try open(sheet, ["a.bin": bytes, "a.cdt": (hasHead ? [0, 92, 0, 0] : []) + broken + text])
        #expect(disc.name == "Caf\u{E9}" && disc.performer == "Band")
        #expect(disc.titles[0].chapters.map(\.name).map { $0.contains("A long name") } == [true, false, false])
        #expect(
            disc.titles[0].chapters.map(\.name)[1].contains("Own") && disc.titles[0].chapters.map(\.name)[2].contains("Three"))
        #expect(try open(sheet.replacingOccurrences(of: "A.CDT", with: "../lost.cdt"), [:]).name.isEmpty)
    }

    @Test func dataBeforeAudioIsNotHeard() throws {
        let files = [UInt8](repeating: 0x55, count: 2048 * 20), audio = samples(2352 * 20)
        let disc = try open(
            """
            FILE "a.bin" BINARY
            TRACK 01 MODE1/2048
            INDEX 01 00:00:00
            TRACK 02 AUDIO
            INDEX 00 00:00:20
            INDEX 01 00:00:25
            """, ["a.bin": files + audio])
        #expect(try data(disc) == Array(audio[(2352 * 5)...]))
    }

    @Test func anImageIsFoundByOtherNamesButNeverElsewhere() throws {
        let bytes = samples(2352 * 400)
        for name in ["C:\\\\rips\\\\A.BIN", "/mnt/old/a.bin", "A.Bin"] {
            let sheet = Self.threeTracks.replacingOccurrences(of: "\"a.bin\"", with: "\"\(name)\"")
            #expect(try data(open(sheet, ["a.bin": bytes])) == bytes, "\(name)")
        }
        _ = try write("disc.bin", bytes)
        #expect(try data(open(Self.threeTracks.replacingOccurrences(of: "a.bin", with: "lost.bin"), [:])) == bytes)
        #expect(try disc("disc.bin")?.titles.count == 1, "the image leads to its sheet")
        _ = try write("Album.cue", Array(Self.threeTracks.replacingOccurrences(of: "a.bin", with: "album.bin").utf8))
        _ = try write("ALBUM.BIN", bytes)
        #expect(try disc("ALBUM.BIN")?.titles.count == 1, "whatever the case of the letters")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.bin"), withDestinationPath: "/etc/passwd")
        let two =
            "FILE \"a.bin\" BINARY\nTRACK 1 AUDIO\nINDEX 1 00:00:00\n"
            + "FILE \"link.bin\" BINARY\nTRACK 2 AUDIO\nINDEX 1 00:00:00"
        for outside in [two, two.replacingOccurrences(of: "link.bin", with: "../../../../etc/passwd")] {
            let error = try #require(throws: DiscError.self) { try open(outside, [:]) }
            guard case .compact(.missing) = error else {
                Issue.record("\(error)")
                continue
            }
        }
    }

    @Test func whatCannotBePlayedIsSaid() throws {
        let sheet = "FILE \"x.bin\" BINARY\nTRACK 1 MODE1/2352\nINDEX 1 00:00:00"
        #expect(throws: DiscError.compact(.missing("x.bin"))) { try open(sheet, [:]) }
        #expect(throws: DiscError.compact(.filesOnly)) { try open(sheet, ["x.bin": samples(2352 * 20)]) }
        #expect(throws: DiscError.compact(.empty)) { try open(sheet, ["x.bin": []]) }
        #expect(throws: DiscError.compact(.list)) { try open(sheet.replacingOccurrences(of: "BINARY", with: "FLAC"), [:]) }
        #expect(throws: DiscError.compact(.noTitle(of: 1))) {
            try open(Self.threeTracks, ["a.bin": samples(2352 * 400)]).reader(title: 2)
        }
        _ = try write("note.txt", Array("FILE it under letters".utf8))
        #expect(try disc("note.txt") == nil && disc("nothing") == nil)
    }

    @Test func aVideoTrackIsItsStream() throws {
        let streams = try [4, 2].map { seconds in
            Array(try Data(contentsOf: URL(filePath: Self.clip(seconds))))
        }
        let (image, sheet) = DiscImage.videoCD(streams, entries: [[0, 0.5], [0]], file: "a.bin")
        let disc = try open(sheet, ["a.bin": image])
        #expect(disc.kind == .video && disc.name == "FIXTURE" && disc.titles.map(\.chapters.count) == [2, 1])
        #expect(disc.mainTitle?.id == 1)
        for (number, stream) in streams.enumerated() {
            let data = try data(disc, title: number + 1)
            // The last sector is filled up.
            #expect(data.starts(with: stream) && data.count - stream.count < 2324)
            #expect(data.dropFirst(stream.count).allSatisfy { $0 == 0 })
        }
        #expect(zip(disc.titles, [4, 2]).allSatisfy { abs(($0.duration ?? .zero).seconds - $1) < 0.1 })
        let chapters = disc.titles[0].chapters.map(\.start)
        #expect(chapters.count == 2 && abs((chapters[chapters.count - 1] - chapters[0]).seconds - 2) < 0.6, "\(chapters)")
    }

    private static func clip(_ seconds: Int) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=352x288:r=25:d=\(seconds)", "-f", "lavfi", "-i", "sine=r=44100:d=\(seconds)",
                "-target", "pal-vcd",
            ], ext: "mpg")
    }

    @Test func aHundredDamagedSheetsAreBounded() throws {
        _ = try write("a.bin", samples(2352 * 400))
        var random = SeededRandom(seed: 3)
        for number in 0..<100 {
            var bytes = Array(Self.threeTracks.utf8)
            for _ in 0...(number / 10) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 30)], at: place)
                }
            }
            do {
                _ = try write("disc.cue", bytes)
                guard let disc = try disc("disc.cue") else { continue }
                let size = try #require(disc.reader(title: nil).size)
                #expect(size > 0 && disc.titles[0].chapters.count <= 99)
                #expect(zip(disc.titles[0].chapters, disc.titles[0].chapters.dropFirst()).allSatisfy { $0.start < $1.start })
            } catch let error as DiscError {
                #expect(!error.reason.isEmpty)
            }
        }
    }
}
