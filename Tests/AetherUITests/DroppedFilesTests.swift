import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct DroppedFilesTests {
    static let table: [(text: String, paths: [String])] = [
        ("/a/film.mkv", ["/a/film.mkv"]), ("'/a/my film.srt' ", ["/a/my film.srt"]), ("/a/my\\ film.srt\n", ["/a/my film.srt"]),
        ("\"/a/b c\" /d", ["/a/b c", "/d"]), ("/a/my film.srt", ["/a/my film.srt"]),
        ("/a/x.srt /b/y.srt", ["/a/x.srt", "/b/y.srt"]),
        ("file:///a/my%20film.srt\r\nfile:///b.srt\r\n", ["/a/my film.srt", "/b.srt"]), ("'/it'\\''s.srt'", ["/it's.srt"]),
        ("hello world", []), ("", []), ("'", []), ("/a hello 'b'", []), ("rm -rf /", []),
    ]

    @Test(arguments: table.indices) func pathsAreTakenAsTerminalsGiveThem(_ index: Int) {
        #expect(DroppedFiles(Self.table[index].text).locations == Self.table[index].paths.map { .file($0) })
    }

    @Test func longTextsAndManyWordsAreBounded() {
        #expect(DroppedFiles(String(repeating: "/x ", count: 10_000)).locations.count == 64)
        #expect(DroppedFiles("/" + String(repeating: "x", count: 1 << 20)).locations.isEmpty)
    }

    private func taking(_ text: String, _ model: inout AppModel) -> [AppEffect] {
        model.update(.paste(text), now: at(1)).filter { $0 != .redraw }
    }

    @Test func subtitlesAreShownAndVideosArePlayed() {
        var model = model()
        #expect(
            taking("'/a/film \u{1B}[31m.SRT'", &model)
                == [.send(.addSubtitles(ExternalSubtitleTrack(.file("/a/film \u{1B}[31m.SRT"))))])
        #expect(model.message?.text == "Subtitles: film [31m.SRT")
        #expect(
            taking("https://x.org/a.vtt", &model) == [.send(.addSubtitles(ExternalSubtitleTrack(.url("https://x.org/a.vtt"))))])
        #expect(taking("/a.mkv /b.mkv", &model) == [.browse(.play(["/a.mkv", "/b.mkv"], from: 0))])
        // One of them may be a directory, a list or an address: it is opened as on the command line.
        for place in ["/a", "/a.m3u", "https://x.org/v"] { #expect(taking(place, &model) == [.browse(.open(place))]) }
        #expect(taking("just words", &model).isEmpty)
        // Text belongs to the field that is being typed into.
        _ = model.update(.key(KeyStroke(":")), now: at(1))
        #expect(taking("/a.srt", &model).isEmpty && model.palette?.query == "/a.srt")
    }

    @Test func pastedWordsGoIntoTheFieldThatIsOpen() {
        func opened(_ keys: [KeyStroke]) -> AppModel {
            var model = pressing(keys, AetherUITests.model()).0
            #expect(taking("Two\nwords", &model).isEmpty)
            return model
        }
        let slash = KeyStroke("/")
        #expect(opened([slash]).cueList?.query == "Twowords")
        #expect(opened([KeyStroke("f"), slash]).browser?.query == "Twowords")
        #expect(opened([KeyStroke("T"), slash]).menu?.filter?.text == "Twowords")
        #expect(opened([KeyStroke("e"), slash]).layers[NoticeList.self]?.filter?.text == "Twowords")
        // A list in which nothing is typed has no field.
        #expect(opened([KeyStroke("f")]).browser?.query == "")
        #expect(opened([KeyStroke("L")]).cueList?.query == nil)
    }

    @Test func filesAreDroppedOntoABrowserThatFilters() {
        var model = pressing([KeyStroke("f"), KeyStroke("/")], AetherUITests.model()).0
        #expect(taking("/a.m3u", &model) == [.browse(.open("/a.m3u"))] && model.browser == nil)
    }
}
