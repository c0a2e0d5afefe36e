import AetherCore
import Testing

@testable import AetherFormats

/// Lists behind web addresses.
@Suite struct WebListTests {
    private func list(_ text: String, at address: String = "http://host/music/list.m3u", allowsOther: Bool = false) throws
        -> WebList?
    {
        WebList(Array(text.utf8), at: try #require(StreamAddress(address)), allowsOther: allowsOther)
    }

    private func entries(_ list: WebList?) throws -> [PlaylistDocument.Entry] {
        guard case .playlist(let entries) = try #require(list) else { return [] }
        return entries
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXTINF:3,One\na.mp3\n", "http://host/music/list.m3u"),
        ("\u{FEFF}#EXTM3U\r\n#EXTINF:3,One\r\na.mp3", "http://host/music/get?id=3"),
        ("[playlist]\nFile1=a.mp3\nTitle1=One\n", "http://host/music/x"),
        ("[Playlist]\nTitle1=One\nFile1=a.mp3\n", "http://host/music/"),
        (
            "<?xml version=\"1.0\"?><playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList><track><title>One</title><location>a.mp3</location></track></trackList></playlist>",
            "http://host/music/x"
        ),
    ])
    func eachKindIsToldByItsContent(_ text: String, _ address: String) throws {
        #expect(WebList.mayBegin(Array(text.utf8), at: try #require(StreamAddress(address))))
        #expect(try entries(list(text, at: address)).map { "\($0.title) \($0.location)" } == ["One http://host/music/a.mp3"])
    }

    @Test func aListWithoutAMarkIsToldByItsName() throws {
        #expect(try entries(list("# comment\na.mp3\nb.mp3\n")).count == 2)
        #expect(try entries(list("File1=a.mp3\n", at: "http://host/list.pls?x=1")).count == 1)
        #expect(try list("a.mp3\n", at: "http://host/list.txt") == nil)
        #expect(try list("ID3\u{3}\u{0}\u{0}", at: "http://host/list.m3u") == nil)
    }

    @Test func aSheetOfAudioFilesIsAList() throws {
        let sheet =
            "REM x\r\nFILE \"Song #1 50%.flac\" WAVE\r\nTRACK 01 AUDIO\r\nINDEX 01 00:00:00\r\nTRACK 02 AUDIO\r\nINDEX 01 00:02:00"
        let entries = try entries(list(sheet, at: "http://host/a/disc.cue"))
        #expect(entries.map(\.location) == Array(repeating: "http://host/a/Song %231 50%25.flac", count: 2))
        #expect(entries.map(\.start) == [nil, .seconds(2)])
        #expect(try list(sheet, at: "http://host/a/disc.txt") == nil && list("a.mp3\n", at: "http://host/disc.cue") == nil)
    }

    @Test func listsOfChannelsAreToldByTheirWords() throws {
        guard case .channels(let channels) = try list("#EXTM3U\n#EXTINF:-1 tvg-id=\"a\",A\nhttp://host/a\n") else {
            Issue.record("no channels")
            return
        }
        #expect(channels.count == 1 && channels.name(0) == "A")
    }

    /// HLS is a stream, whatever it is called.
    @Test(arguments: [
        "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n",
        "#EXTM3U\r\n#EXTINF:6,\r\na.ts\r\n#EXT-X-ENDLIST", "#EXTM3U\n#EXT-X-VERSION:3\n",
        "#EXTM3U\n  #EXT-X-MEDIA-SEQUENCE:1\na.ts",
    ])
    func hlsIsNoList(_ text: String) throws { #expect(try list(text) == nil) }

    @Test(arguments: [
        ("b/c.mp3", "http://host/music/b/c.mp3"), ("../c.mp3", "http://host/c.mp3"), ("/c.mp3", "http://host/c.mp3"),
        ("//other/c.mp3", "http://other/c.mp3"), ("https://other/c.mp3?x=1", "https://other/c.mp3?x=1"),
        ("b\\c.mp3", "http://host/music/b/c.mp3"),
        // Paths of this machine are paths of the server there.
        ("/etc/passwd", "http://host/etc/passwd"), ("-", "http://host/music/-"),
        ("subfile,,start,0,,:x", "http://host/music/subfile,,start,0,,:x"), ("~/x", "http://host/music/~/x"),
    ])
    func addressesCountFromTheList(_ written: String, _ meant: String) throws {
        #expect(try entries(list("#EXTM3U\n\(written)\n")).map(\.location) == [meant])
    }

    @Test(arguments: [
        "file:///etc/passwd", "FILE:///etc/passwd", "concat:a|b", "data:audio/mpeg,x", "pipe:0", "C:\\Music\\a.mp3",
        "fd:0", "http:///etc/passwd", "udp://239.0.0.1:1234", "rtsp://192.168.1.1/live", "javascript:x", "unix:/tmp/s",
    ])
    func whatLeadsToThisMachineIsLeftOut(_ written: String) throws {
        #expect(try entries(list("#EXTM3U\n\(written)\na.mp3\n")).map(\.location) == ["http://host/music/a.mp3"])
    }

    @Test func otherProtocolsAreTakenFromPrivateListsAlone() throws {
        let text = "#EXTM3U\nudp://239.0.0.1:1234\nrtsp://host/live\nfile:///x\n"
        #expect(try entries(list(text)).isEmpty)
        #expect(try entries(list(text, allowsOther: true)).map(\.location) == ["udp://239.0.0.1:1234", "rtsp://host/live"])
    }

    @Test func aFoldersPageIsAList() throws {
        guard case .folder(let index, let address)? = try list(WebIndexTests.python, at: "http://host/films/d/") else {
            Issue.record("no folder")
            return
        }
        #expect(index.entries.count == 7 && address.text == "http://host/films/d/")
        #expect(try list("<html><title>News</title></html>") == nil)
    }

    @Test func aListIsBounded() throws {
        let many = "#EXTM3U\n" + String(repeating: "http://a/b\n", count: 300_000)
        #expect(try entries(list(many)).count == PlaylistDocument.entryLimit)
        let large = "#EXTM3U\n" + String(repeating: "# x\n", count: WebList.listLimit / 4) + "a.mp3\n"
        #expect(try entries(list(large)).isEmpty)
    }
}
