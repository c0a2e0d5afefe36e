import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct InfoTests {
    @Test(arguments: [
        (23.976, "23.976"), (24000.0 / 1001, "23.976"), (23.98, "23.976"), (24.0, "24"), (25.001, "25"), (29.97, "29.97"),
        (59.94006, "59.94"), (12.5, "12.500"), (15, "15"), (119.88, "119.88"),
    ])
    func ratesHaveTheirUsualNames(_ rate: Double, _ name: String) {
        #expect(InfoLines.rate(rate) == name)
    }

    @Test func thePaneSaysWhatIsKnown() throws {
        var snapshot = film()
        snapshot.sourceVideoFormat = .hdr10
        snapshot.metadata = MediaMetadata(title: "The Demo", artist: "Someone\u{1B}[2J")
        let (model, _) = pressing([KeyStroke(.character("i"), .control)], model(snapshot, columns: 100, rows: 40))
        let text = try screen(model)
        for word in [
            "Information", "The Demo", "Matroska", "1:30:00", "H.264", "1280×720, 720p", "23.976 fps", "HDR10", "AC-3 5.1",
            "German", "(selected)", "SRT",
        ] {
            #expect(text.contains(word), "\(word)")
        }
        #expect(!text.contains("\u{1B}"))
        #expect(pressing([KeyStroke(.escape)], model).0.layers[InfoLayer.self] == nil)
    }

    @Test(arguments: [
        ("matroska,webm", "a.mkv", "Matroska"), ("matroska,webm", "/x/b.WEBM", "WebM"), ("mov,mp4,m4a,3gp,3g2,mj2", "c", "MP4"),
        ("mov,mp4,m4a,3gp,3g2,mj2", "c.mov", "QuickTime"), ("mpegts", "", "MPEG transport stream"), ("nut", "d.nut", "nut"),
    ])
    func containersHaveTheirUsualNames(_ name: String, _ path: String, _ words: String) {
        #expect(ContainerName.words(name, path: path) == words)
    }

    @Test func aPartOfAFileHasTheTitleOfTheList() throws {
        var snapshot = film()
        snapshot.metadata = MediaMetadata()
        var model = model(snapshot, columns: 100, rows: 40)
        _ = model.update(.playlist(PlaylistPosition(title: "Band – Second part", path: "album.flac")), now: at(1))
        let (shown, _) = pressing([KeyStroke(.character("i"), .alt)], model)
        #expect(try screen(shown).contains("Band – Second part"))
    }

    @Test func aLowScreenScrolls() throws {
        let (model, effects) = pressing(
            [KeyStroke(.character("i"), .control), KeyStroke(.end)], model(columns: 40, rows: 10))
        #expect(effects.isEmpty && (model.layers[InfoLayer.self]?.top ?? 0) > 0)
        let text = try screen(model)
        #expect(text.contains("Device") || text.contains("Track 2"))
    }

    @Test func aListIsWrittenAsAPlaylist() {
        let items = [
            Playlist.Item(location: .file("a.mkv")), Playlist.Item(location: .file("/films/b\n%.mkv"), title: "B"),
            Playlist.Item(location: .url("https://example.org/c.m3u8")),
        ]
        let text = PlaylistText.document(Playlist(items: items), in: "/home/me")
        #expect(
            text == "#EXTM3U\n#EXTINF:-1,a.mkv\n/home/me/a.mkv\n#EXTINF:-1,B\nfile:///films/b%0a%25.mkv\n"
                + "#EXTINF:-1,c.m3u8\nhttps://example.org/c.m3u8\n")
        // Of a file several parts may be meant; a name need not be UTF-8.
        let name = PathText.text([UInt8(ascii: "/"), 0xE9])
        let parts = [
            Playlist.Item(location: .file("/a.flac"), title: "1", end: .seconds(90.5)),
            Playlist.Item(location: .file("/a.flac"), title: "2", start: .seconds(90.5)), Playlist.Item(location: .file(name)),
        ]
        let sheet = PlaylistText.document(Playlist(items: parts), in: "/")
        let read = PlaylistDocument(Array(sheet.utf8), format: .m3u)
        #expect(read.entries.map(\.location) == ["/a.flac", "/a.flac", "file:///%e9"])
        #expect(
            read.entries.map(\.start) == [nil, .seconds(90.5), nil] && read.entries.map(\.end) == [.seconds(90.5), nil, nil])
        #expect(MediaLocation.parse("file:///%e9") == .file(name))
        var model = model()
        _ = model.update(.playlist(PlaylistPosition(count: 2)), now: at(0))
        #expect(model.update(.action(.savePlaylist), now: at(1)).contains(.savePlaylist))
    }

    @Test func namesOfTheListAreThoseOfTheTags() {
        var list = Playlist(items: [Playlist.Item(location: .file("/a.flac")), Playlist.Item(location: .file("/b.mkv"))])
        #expect(list.untold(0...1) == ["/a.flac", "/b.mkv"])
        let facts = [
            "/a.flac": FileFacts(title: "Song", artist: "Singer"),
            "/b.mkv": FileFacts(size: PixelSize(width: 1, height: 1), title: "Film", artist: "lavf"),
        ]
        let hasChanged = list.note(facts)
        #expect(hasChanged && list.names == ["Singer – Song", "Film"] && list.untold(0...1).isEmpty)
        let changesAgain = list.note(["/c": FileFacts()])
        #expect(!changesAgain)
    }

    @Test func theSongsOfAStationAreListedTheLatestFirst() {
        var snapshot = film()
        #expect(!InfoLines.of(model(snapshot).scene).contains { $0.label == "Songs" })
        snapshot.songs = ["One – First", "Two – \u{1B}[31mSecond"]
        let lines = InfoLines.of(model(snapshot).scene), start = lines.firstIndex { $0.label == "Songs" }
        let songs = start.map { lines[($0 + 1)...].prefix(2).map { "\($0.label): \($0.value)" } }
        #expect(songs?.first?.hasPrefix("Song 2: Two – ") == true && songs?.last == "Song 1: One – First", "\(songs ?? [])")
        #expect(songs?.first?.contains("\u{1B}") == false)
    }
}
