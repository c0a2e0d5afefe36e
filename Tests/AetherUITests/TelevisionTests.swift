import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import AetherTerminal
import AetherTestSupport
import ArgumentParser
import Foundation
import Testing

@testable import AetherUI

/// 2023-11-14 22:13:20 in UTC.
private let wall: Int64 = 1_700_000_000

private let text = """
    #EXTM3U
    #EXTINF:-1 tvg-id="one" group-title="News" catchup="append" catchup-source="?utc={utc}" catchup-days="1",One
    http://host/one.m3u8
    #EXTINF:-1 tvg-id="two" group-title="Sport",Two Sport HD
    http://host/two.m3u8
    #EXTINF:-1 tvg-id="three" tvg-chno="30" group-title="News;Late",Thrée of News
    #EXTVLCOPT:http-user-agent=Box/1
    http://host/three.m3u8|X-Key=1
    """

private let guide = """
    <tv><programme start="20231114210000" stop="20231114220000" channel="one"><title>Morning</title></programme>
    <programme start="20231114220000" stop="20231114230000" channel="one"><title>The News</title><desc>All of it.</desc></programme>
    <programme start="20231114230000" stop="20231115000000" channel="one"><title>A Film</title></programme>
    <programme start="20231114220000" stop="20231114230000" channel="two"><title>Match</title></programme></tv>
    """

private func book(_ source: String = "/tv/list.m3u") -> ChannelBook { ChannelBook(ChannelList(Array(text.utf8)), source: source) }

private func read(_ list: ChannelList) -> Guide {
    var reader = XMLTVReader(GuideLinks(list, folding: FoldedText.of), around: wall, folding: FoldedText.of)
    _ = reader.feed(Array(guide.utf8))
    return reader.finish()
}

/// A model that plays the first channel of the list, with its pane open.
private func watching(_ columns: Int = 80, _ rows: Int = 24, isUnicode: Bool = true) -> AppModel {
    var model = model(columns: columns, rows: rows, isUnicode: isUnicode)
    let book = book()
    let playlist = Playlist(items: [book.item(0)].compactMap { $0 })
    _ = model.update(.playlist(playlist.position), now: at(1))
    _ = model.update(.snapshot(film()), now: at(1))
    _ = model.update(.television(.list(book)), now: at(1))
    model.setClock(at(1), (wall, 3600))
    _ = model.update(.television(.names(ChannelNames(book.list), of: book)), now: at(1))
    _ = model.update(.television(.guide(read(book.list), of: book)), now: at(1))
    return model
}

private func played(_ effects: [AppEffect]) -> [TelevisionRequest] {
    effects.compactMap { if case .television(let request) = $0 { request } else { nil } }
}

/// Channels of a list on the screen.
@Suite struct TelevisionTests {
    @Test(arguments: [(120, 30), (80, 24), (40, 12)])
    func thePanesAreDrawn(_ columns: Int, _ rows: Int) throws {
        var model = watching(columns, rows)
        expectGolden(text: try screen(model), "channels-\(columns)x\(rows)")
        (model, _) = pressing([KeyStroke(.tab)], model)
        expectGolden(text: try screen(model), "guide-\(columns)x\(rows)")
    }

    @Test(arguments: [(0, [Int]()), (1, [1]), (2, [1, 2]), (4, [1, 2])])
    func theChannelsThatAreLikelyNextAreTheNeighbours(_ limit: Int, _ expected: [Int]) throws {
        #expect(watching().scene.television?.likelyNext(limit) == expected)
    }

    /// Two hours of a channel, its edge now: 22:13:20. Its programmes begin at 21:00, 22:00 and 23:00.
    private func broadcast() -> EngineSnapshot {
        var snapshot = film()
        (snapshot.startTime, snapshot.duration, snapshot.position) = (.seconds(0), .seconds(7200), .seconds(7000))
        (snapshot.liveEdge, snapshot.edgeStep, snapshot.isSeekable) = (.seconds(7200), .seconds(2), true)
        snapshot.chapters = []
        return snapshot
    }

    @Test func theBarMarksWhereProgrammesBegin() throws {
        var model = watching(100, 24)
        #expect(model.scene.programmeBorders == [], "a film has none")
        _ = model.update(.snapshot(broadcast()), now: at(1))
        #expect(model.scene.programmeBorders == [.seconds(2800), .seconds(6400)])
        let ticks = TransportBar.pane(model.scene)?.runs.map(\.text).joined().filter { $0 == "│" }
        #expect(ticks?.count == 2)
        // By the broadcaster's own clock: half an hour later than ours.
        model.snapshot.wallZero = (wall - 7200 + 1800) * 1_000_000_000
        #expect(model.scene.programmeBorders == [.seconds(1000), .seconds(4600)])
        // What is gone to in the past has no clock of now.
        model.snapshot.liveEdge = nil
        #expect(model.scene.programmeBorders == [])
    }

    @Test func aStreamThatAnnouncesItsProgrammesHasTheirBorders() throws {
        var model = model(columns: 100, rows: 24), snapshot = broadcast()
        snapshot.onAir = NowNext(
            [
                GuideProgramme(start: wall - 1200, stop: wall - 10, title: "Now", summary: ""),
                GuideProgramme(start: wall - 10, stop: wall + 3600, title: "Next", summary: ""),
            ], at: wall - 100)
        _ = model.update(.snapshot(snapshot), now: at(1))
        #expect(model.scene.programmeBorders == [], "no clock yet")
        model.setClock(at(1), (wall, 0))
        #expect(model.scene.programmeBorders == [.seconds(6000), .seconds(7190)])
    }

    @Test func theListStandsOnTheChannelThatPlays() {
        let model = watching()
        #expect(model.layers[Channels.self]?.found == [0, 1, 2] && model.layers[Channels.self]?.channel == 0)
    }

    @Test func groupsAreGoneThrough() {
        var (model, _) = pressing([KeyStroke(.right)], watching())
        #expect(model.layers[Channels.self]?.found == [0, 2])
        (model, _) = pressing([KeyStroke(.right), KeyStroke(.right)], model)
        #expect(model.layers[Channels.self]?.found == [2])
        (model, _) = pressing([KeyStroke(.right)], model)
        #expect(model.layers[Channels.self]?.found == [0, 1, 2])
        (model, _) = pressing([KeyStroke(.left)], model)
        #expect(model.layers[Channels.self]?.found == [2])
    }

    @Test(arguments: [
        ("sport", [1]), ("three", [2]), ("news", [2]), ("tspt", [1]), ("o", [0, 2, 1]), ("news three", [2]), ("zz", []),
    ])
    func channelsAreFoundByTheirLetters(_ typed: String, _ expected: [Int]) {
        let (model, _) = pressing(typed.map { KeyStroke($0) }, watching())
        #expect(model.layers[Channels.self]?.found == expected)
    }

    @Test func enterPlaysTheSelectedChannelAndClosesTheList() {
        let (model, effects) = pressing([KeyStroke(.down), KeyStroke(.enter)], watching())
        #expect(played(effects) == [.play(1)] && model.layers[Channels.self] == nil)
    }

    @Test func digitsAreAChannelsNumber() {
        var (model, effects) = pressing([KeyStroke("3"), KeyStroke("0")], watching())
        #expect(played(effects).isEmpty)
        effects = model.update(.tick, now: at(10))
        #expect(played(effects) == [.play(2)])
        (model, effects) = pressing([KeyStroke("2"), KeyStroke(.enter)], model)
        #expect(played(effects) == [.play(1)])
        (model, effects) = pressing([KeyStroke("9"), KeyStroke(.enter)], model)
        #expect(played(effects).isEmpty && model.message?.text == "No channel 9")
        (model, effects) = pressing([KeyStroke("2"), KeyStroke(.escape)], model)
        effects = model.update(.tick, now: at(20))
        #expect(played(effects).isEmpty)
    }

    @Test func withoutChannelsDigitsSeek() {
        let (_, effects) = pressing([KeyStroke("5")], model())
        #expect(played(effects).isEmpty && effects.contains { if case .send = $0 { true } else { false } })
    }

    @Test func channelsAreSteppedThroughRoundTheEnds() {
        var (model, effects) = pressing([KeyStroke(.escape), KeyStroke(.pageUp, .shift)], watching())
        #expect(played(effects) == [.play(1)])
        (model, effects) = pressing([KeyStroke(.pageDown, .shift)], model)
        #expect(played(effects) == [.play(2)])
        (model, effects) = pressing([KeyStroke(">")], model)
        #expect(played(effects) == [.play(1)])
    }

    @Test func theLastChannelComesBack() throws {
        var model = watching()
        let other = Playlist(items: [try #require(book().item(2))])
        _ = model.update(.playlist(other.position), now: at(3))
        #expect(model.scene.television?.present == 2 && model.scene.television?.last == 0)
        let (_, effects) = pressing([KeyStroke(.escape), KeyStroke("`")], model)
        #expect(played(effects) == [.play(0)])
    }

    @Test func aFavouriteIsKeptAndHasAGroup() {
        var (model, effects) = pressing([KeyStroke(.down), KeyStroke("*")], watching())
        #expect(played(effects) == [.keep(book().memoryKey(1), true)])
        (model, _) = pressing([KeyStroke(.right)], model)
        #expect(model.layers[Channels.self]?.found == [1])
        (model, effects) = pressing([KeyStroke("*")], model)
        #expect(played(effects) == [.keep(book().memoryKey(1), false)])
        #expect(model.layers[Channels.self]?.found == [])
    }

    @Test func theGuideStandsOnWhatIsOnAndPlaysWhatIsOver() {
        var (model, _) = pressing([KeyStroke(.tab)], watching())
        #expect(model.layers[GuideList.self]?.choice?.title == "The News")
        var effects: [AppEffect]
        let past = GuideProgramme(start: 1_699_995_600, stop: 1_699_999_200, title: "Morning")
        let (_, again) = pressing([KeyStroke(.up), KeyStroke(.enter)], model)
        #expect(played(again) == [.playPast(0, past)])
        (model, effects) = pressing([KeyStroke(.down), KeyStroke(.enter)], model)
        #expect(played(effects).isEmpty && model.message?.text == "Begins at 00:00")
    }

    @Test func theTitleSaysWhatIsOn() { #expect(watching().title == "One – The News") }

    @Test func withoutAListTheKeysSaySo() {
        let (model, effects) = pressing([KeyStroke(.character("c"), .alt)], model())
        #expect(played(effects).isEmpty && model.message?.text == "No list of channels is open")
    }

    // MARK: - What is played

    @Test func aChannelIsAnItemWithItsHeaders() throws {
        let item = try #require(book().item(2))
        #expect(item.location == .url("http://host/three.m3u8") && item.title == "Thrée of News")
        #expect(item.channel?.userAgent == "Box/1" && item.channel?.headers == ["X-Key": "1"])
        let loading = LoadOptions(try PlayerOptions.parse([]), isPlain: false, item: item, carried: nil)
        #expect(loading.http.userAgent == "Box/1" && loading.http.hosts.first?.headers == ["X-Key": "1"])
        #expect(loading.liveJoinProfile == .fastZap)
    }

    @Test func thePastIsAnAddressOfTheServer() throws {
        let past = GuideProgramme(start: wall - 3600, stop: wall, title: "Morning")
        let item = try #require(book().pastItem(0, past, now: wall))
        #expect(item.location == .url("http://host/one.m3u8?utc=\(wall - 3600)") && item.title == "One: Morning")
        #expect(book().pastItem(1, past, now: wall) == nil)
    }

    @Test func listsOfTheWebLeadToNoFiles() {
        let list = ChannelList(
            Array("#EXTM3U url-tvg=\"guide.xml\"\n#EXTINF:-1 tvg-id=\"a\",A\nfile:///etc/passwd\n#EXTINF:-1,B\n../b.ts\n".utf8))
        let book = ChannelBook(list, source: "http://host/tv/list.m3u", allowsOther: false)
        #expect(book.item(0) == nil && book.item(1)?.location == .url("http://host/b.ts"))
        #expect(book.guides == ["http://host/tv/guide.xml"])
    }

    @Test func aFileOfChannelsIsToldFromAPlaylist() throws {
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: URL(filePath: folder.path("tv.m3u8")))
        let playlist = try Playlist(arguments: [folder.path("tv.m3u8")])
        #expect(playlist.channels?.list.count == 3 && playlist.items.map(\.title) == ["One"])
    }

    @Test func memoryHoldsNoAddress() { #expect(!book().memoryKey(0).contains("host")) }

    // MARK: - From outside

    @Test func theRemoteControlSeesChannelsAndGuide() throws {
        let model = watching()
        let properties = RemoteProperties(
            snapshot: model.snapshot, playlist: Playlist(items: []), title: "", television: model.scene.television)
        #expect(properties.value("channel")?["name"]?.text == "One")
        #expect(properties.value("channel")?["now"]?["title"]?.text == "The News")
        #expect(properties.value("channel-list")?.values?.count == 3)
        #expect(properties.value("guide")?.values?.compactMap { $0["title"]?.text } == ["Morning", "The News", "A Film"])
        #expect(try RemoteCommands.order("zap", [.number(30)], start: .zero) == .zap(30))
        #expect(RemoteOrder.zap(30).obstacle(in: model.scene.television) == nil)
        #expect(RemoteOrder.zap(9).obstacle(in: model.scene.television) == "no channel 9")
        #expect(RemoteOrder.zap(1).obstacle(in: nil) == "no list of channels is open")
    }

    @Test func plainLinesSayWhatIsOn() throws {
        let television = try #require(watching().scene.television)
        #expect(
            PlainChannels.channels(television) == [
                "3 channels", "1 One: The News (playing)", "2 Two Sport HD: Match", "30 Thrée of News",
            ])
        #expect(PlainChannels.guide(television) == ["One", "23:00 The News", "00:00 A Film"])
    }
}
