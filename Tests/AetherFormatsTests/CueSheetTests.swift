import AetherFormats
import Testing

/// Sheets as programs write them.
struct CueSheetTests {
    private func sheet(_ text: String) throws -> CueSheet { try #require(CueSheet(Array(text.utf8))) }

    @Test func textsCodesAndPlacesAreRead() throws {
        let sheet = try sheet(
            "\u{FEFF}REM DATE 1999\r\nCATALOG 0123456789012\r\nPERFORMER \"The  Band\"\r\n"
                + "TITLE \"A\u{1B}[2J\"\r\nFILE \"my disc.bin\" BINARY\r\n"
                + "  TRACK 01 AUDIO\r\n    ISRC GBAYE0000351\r\n    PREGAP 00:02:00\r\n    INDEX 01 00:00:00\r\n    INDEX 02 00:00:74\r\n"
        )
        #expect(sheet.catalog == "0123456789012" && sheet.title == "A[2J" && sheet.isDisc && sheet.letters == nil)
        #expect(sheet.files == [CueSheet.File(name: "my disc.bin", kind: .binary)])
        let track = try #require(sheet.tracks.first)
        #expect(track.isrc == "GBAYE0000351" && track.pregap == 150 && track.indices == [0, 74] && track.layout == .audio)
    }

    @Test func namesWithoutQuotesAndInLatin1() throws {
        let file = try sheet("FILE my old disc.wav WAVE\nTRACK 1 AUDIO\nINDEX 1 0:0:0").files[0]
        #expect(file == CueSheet.File(name: "my old disc.wav", kind: .wave))
        let bytes = Array("FILE \"caf".utf8) + [0xE9] + Array(".bin\" BINARY\nTRACK 1 AUDIO\nINDEX 1 00:00:00".utf8)
        let sheet = try #require(CueSheet(bytes))
        #expect(sheet.letters == .latin1 && sheet.files[0].name == "café.bin")
    }

    @Test func namesInUTF16AreRead() throws {
        let text = "\u{FEFF}REM x\r\nFILE \"диск.bin\" BINARY\r\nTRACK 1 AUDIO\r\nINDEX 1 00:00:00"
        let bytes = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        // A head of 512 bytes decides whether it is one.
        #expect(CueSheet.isSheet(Array(bytes.prefix(21))))
        let sheet = try #require(CueSheet(bytes))
        #expect(sheet.letters == nil && sheet.files[0].name == "диск.bin")
    }

    @Test(arguments: [
        "", "TRACK 1 AUDIO\nINDEX 1 00:00:00", "FILE a BINARY\nTRACK 1 AUDIO",
        "FILE a BINARY\nTRACK 100 AUDIO\nINDEX 1 00:00:00",
    ])
    func whatHasNoTrackIsNone(_ text: String) { #expect(CueSheet(Array(text.utf8)) == nil) }

    @Test(arguments: ["00:60:00", "00:00:75", "-1:00:00", "00:00", "99999:00:00", "0:0:0:0", "a:b:c", "::"])
    func timesThatCannotBeAreLeftOut(_ time: String) {
        #expect(CueSheet(Array("FILE a BINARY\nTRACK 1 AUDIO\nINDEX 1 \(time)".utf8)) == nil)
    }

    @Test func tracksNeitherOverlapNorLeaveAGap() throws {
        let sheet = try sheet(
            "FILE a BINARY\nTRACK 1 MODE1/2048\nINDEX 1 00:00:00\nTRACK 2 AUDIO\nINDEX 0 00:00:10\n"
                + "INDEX 1 00:00:12\nTRACK 3 AUDIO\nINDEX 1 00:00:20\n"
                + "TRACK 4 AUDIO\nINDEX 1 00:00:15\nTRACK 5 AUDIO\nINDEX 1 09:00:00")
        let size: Int64 = 2048 * 10 + 2352 * 15, places = TrackMap(sheet, sizes: [size]).places
        #expect(places.map(\.track) == [0, 1, 2], "one before its predecessor and one behind the end are none")
        #expect(places.map(\.pause) == [0, 20480, 20480 + 2352 * 10] && places[1].start == 20480 + 4704)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0.end == $1.pause } && places[2].end == size)
    }

    @Test func timesOfBothKindsOfPacketAreRead() {
        let first: [UInt8] = [
            0, 0, 1, 0xBA, 0x21, 0, 1, 0, 1, 0x80, 0, 1, 0, 0, 1, 0xE0, 0, 9, 0x60, 0x2E, 0x21, 0, 1, 0x5F, 0x91, 0, 0,
        ]
        let second: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 0, 0, 1, 0xC0, 0, 9, 0x80, 0x80, 5, 0x21, 0, 3, 0x5F, 0x91, 0]
        let old = PackClock([7] + first), new = PackClock(second)
        #expect(old.hasPacks && !old.isMPEG2 && old.firstVideo == 12232 && old.earliest == 12232)
        #expect(new.hasPacks && new.isMPEG2 && new.firstVideo == nil && new.latest == 45_000)
        #expect(PackClock([]).latest == nil && !PackClock([0, 0, 1]).hasPacks)
    }
}
