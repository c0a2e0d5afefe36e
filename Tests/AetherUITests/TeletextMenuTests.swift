import AetherCore
import AetherEngine
import Testing

@testable import AetherUI

/// The pages of teletext in the menu of subtitles.
@Suite struct TeletextMenuTests {
    private static let texts = TrackID(.container, 2), teletext = TrackID(.container, 3)

    private static func snapshot(_ pages: [TeletextPage], page: Int? = nil, active: TrackID? = teletext) -> EngineSnapshot {
        var snapshot = film()
        snapshot.subtitleTracks = [
            TrackInfo(id: texts, kind: .subtitle, codec: "subrip"),
            TrackInfo(id: teletext, kind: .subtitle, codec: "dvb_teletext"),
        ]
        (snapshot.teletextPages, snapshot.teletextPage, snapshot.activeSubtitleTrack) = (pages, page, active)
        return snapshot
    }

    private static func choices(_ snapshot: EngineSnapshot) -> [(label: String, isPresent: Bool)] {
        MenuContent.items(.subtitles, snapshot, position: .zero).compactMap { item in
            if case .teletextPage = item.choice { (item.label, item.isPresent) } else { nil }
        }
    }

    @Test func pagesThatWereSentCanBeChosen() {
        let pages = [TeletextPage(100, isSubtitle: false), TeletextPage(888, isSubtitle: true)]
        #expect(
            Self.choices(Self.snapshot(pages)).map(\.label) == ["Pages for subtitles", "Teletext page 100", "Teletext page 888"])
        #expect(Self.choices(Self.snapshot(pages)).map(\.isPresent) == [true, false, false])
        #expect(Self.choices(Self.snapshot(pages, page: 100)).map(\.isPresent) == [false, true, false])
        #expect(Self.choices(Self.snapshot([])).isEmpty)
    }

    @Test func aPageThatIsChosenIsShown() {
        let pages = [TeletextPage(150, isSubtitle: false)], now = HostTime(nanoseconds: 0)
        var model = model(Self.snapshot(pages), columns: 80, rows: 24)
        #expect(model.choose(.teletextPage(150), now) == [.send(.setTeletextPage(150))])
        #expect(model.message?.text == "Teletext page 150" && model.snapshot.teletextPage == 150)
        var other = AetherUITests.model(Self.snapshot(pages, active: Self.texts), columns: 80, rows: 24)
        #expect(
            other.choose(.teletextPage(150), now) == [.send(.setTeletextPage(150)), .send(.selectSubtitleTrack(Self.teletext))])
    }
}
