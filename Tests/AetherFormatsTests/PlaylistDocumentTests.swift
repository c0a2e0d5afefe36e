import AetherCore
import AetherFormats
import AetherTestSupport
import Testing

@Suite struct PlaylistDocumentTests {
    private func list(_ text: String, _ format: PlaylistDocument.Format) -> [String] {
        PlaylistDocument(Array(text.utf8), format: format).entries.map { entry in
            let part = [entry.start, entry.end].map { $0.map { String(Int(($0.seconds * 75).rounded())) } ?? "" }.joined(
                separator: "-")
            return "\(entry.location)|\(entry.title)" + (part == "-" ? "" : "|\(part)")
        }
    }

    @Test(arguments: [
        ("a.mkv\nb c.mkv\r\n\n# x\nhttp://h/x.mp3", ["a.mkv|", "b c.mkv|", "http://h/x.mp3|"]),
        ("#EXTM3U\n#EXTINF:12,Artist - Song\na.mp3\nb.mp3", ["a.mp3|Artist - Song", "b.mp3|"]),
        ("\u{FEFF}#EXTM3U\n#EXTINF:-1 tvg-name=\"A, B\" x=\"y\",Channel\nhttp://h/1", ["http://h/1|Channel"]),
        ("#EXTINF:1,Lost\n#EXTINF:2,Kept\nx", ["x|Kept"]), ("", []), ("#EXTM3U\n", []),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\ns.ts", []),
    ])
    func m3u(_ text: String, _ expected: [String]) { #expect(list(text, .m3u) == expected) }

    @Test func aStreamInSegmentsIsNoList() {
        #expect(PlaylistDocument(Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8".utf8), format: .m3u).isStream)
        #expect(!PlaylistDocument(Array("a.mkv".utf8), format: .m3u).isStream)
    }

    @Test func latin1IsRead() {
        #expect(
            PlaylistDocument([0x67, 0x72, 0xFC, 0x6E, 0x2E, 0x6D, 0x70, 0x33], format: .m3u).entries.first?.location == "grün.mp3"
        )
    }

    @Test(arguments: [
        ("[playlist]\nFile2=b.mp3\nTitle1=One\nFile1=a.mp3\nLength1=3\nNumberOfEntries=2", ["a.mp3|One", "b.mp3|"]),
        ("file1 = a b.mp3 \r\nFILE1=other", ["a b.mp3|"]), ("FileX=a\nFile=b\n=c", []),
    ])
    func pls(_ text: String, _ expected: [String]) { #expect(list(text, .pls) == expected) }

    @Test func xspf() {
        let text = """
            <?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>List</title><trackList>
            <track><location>file:///music/a%20b.flac</location><creator>X &amp; Y</creator><title>Song</title></track>
            <track><location>sub/gr%C3%BCn%20b.ogg</location><location>second.ogg</location></track>
            <track><title>no place</title></track></trackList></playlist>
            """
        #expect(list(text, .xspf) == ["file:///music/a%20b.flac|X & Y – Song", "sub/grün b.ogg|"])
        #expect(list("<playlist><trackList><track><location>a", .xspf) == [])
    }

    @Test func xspfWithABase() {
        let text = """
            <x:playlist version="1" xmlns:x="http://xspf.org/ns/0/" xml:base="file:///music/one/">
            <x:trackList xml:base="../two/list.xspf">
            <x:track><x:location>gr%C3%BCn.flac</x:location></x:track>
            <x:track xml:base="sub/"><x:location>a.flac</x:location></x:track>
            <x:track><x:location>/b.flac</x:location></x:track>
            <x:track><x:location>http://host/c.flac</x:location></x:track>
            </x:trackList></x:playlist>
            """
        #expect(
            list(text, .xspf) == [
                "file:///music/one/../two/gr%C3%BCn.flac|", "file:///music/one/../two/sub/a.flac|", "file:///b.flac|",
                "http://host/c.flac|",
            ])
        #expect(
            list("<playlist><trackList base=\"cd%201/\"><track><location>a%20b</location></track></trackList></playlist>", .xspf)
                == ["cd 1/a b|"])
    }

    @Test func cue() {
        let text = """
            REM GENRE Rock
            PERFORMER "Band"
            TITLE "Album"
            FILE "disc one.flac" WAVE
              TRACK 01 AUDIO
                TITLE "First"
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "Second"
                PERFORMER "Guest"
                INDEX 00 03:58:10
                INDEX 01 04:00:37
              TRACK 03 MODE1/2352
                INDEX 01 06:00:00
            FILE two.flac WAVE
              TRACK 04 AUDIO
                INDEX 01 00:02:00
            """
        #expect(
            list(text, .cue) == [
                "disc one.flac|Band – First|-18037", "disc one.flac|Guest – Second|18037-27000", "two.flac||150-",
            ])
        #expect(list("TRACK 01 AUDIO\nINDEX 01 xx", .cue) == [] && list("FILE", .cue) == [])
    }

    /// A file for each track, and the pause before a track at the end of the file before: so programs that copy discs write it.
    @Test func cueWithPausesInTheFileBefore() {
        let text = """
            FILE "01.flac" WAVE
              TRACK 01 AUDIO
                TITLE "First"
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "Second"
                INDEX 00 00:03:00
            FILE "02.flac" WAVE
                INDEX 01 00:00:00
              TRACK 03 AUDIO
                TITLE "Third"
                INDEX 00 00:05:00
            FILE "03.flac" WAVE
                INDEX 01 00:00:00
            """
        #expect(list(text, .cue) == ["01.flac|First", "02.flac|Second", "03.flac|Third"])
    }

    @Test func cueWithNamesWithoutQuotes() {
        let text = "  FILE 01 my  x.flac WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE y.flac\nTRACK 02 AUDIO\nINDEX 01 00:00:00"
        #expect(list(text, .cue) == ["01 my  x.flac|", "y.flac|"])
    }

    /// Both orders of bytes, with a mark and without.
    @Test(arguments: [(false, true), (false, false), (true, true), (true, false)])
    func utf16IsRead(isBig: Bool, hasMark: Bool) {
        func bytes(_ text: String) -> [UInt8] {
            ((hasMark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return isBig ? [high, low] : [low, high]
            }
        }
        let list = PlaylistDocument(bytes("#EXTM3U\r\n#EXTINF:1,Größe\r\nгрün 🎵.mp3\r\n"), format: .m3u)
        #expect(list.entries == [PlaylistDocument.Entry(location: "грün 🎵.mp3", title: "Größe")] && list.letters == nil)
        let sheet = PlaylistDocument(bytes("FILE \"я.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00"), format: .cue)
        #expect(sheet.entries.map(\.location) == ["я.flac"])
        // A letter that was cut off in the middle ends the text.
        #expect(PlaylistDocument(bytes("a.mp3") + [0x41], format: .m3u).entries.map(\.location) == ["a.mp3"])
        let disc = CueSheet(bytes("FILE \"я.bin\" BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00"))
        #expect(disc?.files.map(\.name) == ["я.bin"] && disc?.letters == nil)
    }

    @Test func xspfInUTF16IsRead() {
        let text = "\u{FEFF}<playlist><trackList><track><location>я.flac</location></track></trackList></playlist>"
        let bytes = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(PlaylistDocument(bytes, format: .xspf).entries.map(\.location) == ["я.flac"])
    }

    /// In Windows-1251; the names are turned back into their bytes, for files that are still called so.
    @Test func cyrillicListsAreRead() throws {
        // Кино – Звезда, Ёлка.flac
        let name: [UInt8] = [0xA8, 0xEB, 0xEA, 0xE0] + Array(".flac".utf8)
        let sheet =
            Array("PERFORMER \"".utf8) + [0xCA, 0xE8, 0xED, 0xEE] + Array("\"\nFILE \"".utf8) + name
            + Array("\" WAVE\nTRACK 01 AUDIO\nTITLE \"".utf8) + [0xC7, 0xE2, 0xE5, 0xE7, 0xE4, 0xE0]
            + Array("\"\nINDEX 01 00:00:00".utf8)
        let list = PlaylistDocument(sheet, format: .cue)
        #expect(list.entries == [PlaylistDocument.Entry(location: "Ёлка.flac", title: "Кино – Звезда")])
        #expect(list.letters?.bytes(of: "Ёлка.flac") == name)
        #expect(try #require(CueSheet(sheet)).performer == "Кино")
    }

    @Test(arguments: [
        ("a.M3U8", PlaylistDocument.Format.m3u), ("x.y.cue", .cue), ("a.xspf", .xspf), ("b.PLS", .pls), ("a.mkv", nil),
        ("m3u", nil),
    ])
    func formatsAreKnownByTheirEnding(_ name: String, _ expected: PlaylistDocument.Format?) {
        #expect(PlaylistDocument.Format(fileName: name) == expected)
    }

    @Test func whatAStrangerWroteIsBounded() {
        let many = PlaylistDocument(Array(String(repeating: "a\n", count: PlaylistDocument.entryLimit + 10).utf8), format: .m3u)
        #expect(many.entries.count == PlaylistDocument.entryLimit)
        let evil = PlaylistDocument(
            Array("#EXTINF:1,a\u{1B}[2J\u{202E}b\nx\u{1B}y\n\(String(repeating: "z", count: 5000))\nok".utf8), format: .m3u)
        #expect(evil.entries.map(\.location) == ["ok"])
        var random = SeededRandom(seed: 3)
        let pieces = [
            "FILE ", "TRACK 01 AUDIO", "INDEX 01 ", "00:01:02", "\"", "\n", "<track>", "<location>", "</", ">", "File1=",
            "#EXTINF:", ",", "%", "é", "\u{0}",
        ]
        for format in PlaylistDocument.Format.allCases {
            for _ in 0..<500 {
                let text = (0..<Int.random(in: 0..<30, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
                for entry in PlaylistDocument(Array(text.utf8), format: format).entries {
                    #expect(!entry.location.isEmpty && entry.title.unicodeScalars.allSatisfy { !DisplayText.isUnsafe($0) })
                }
            }
        }
    }
}
