import AetherCore
import AetherEngine
import AetherFormats
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct InspectorTests {
    private func opened() -> AppModel { ScreenPane.inspector.model(ScreenShape(name: "", columns: 100, rows: 24)) }

    private func pressing(_ keys: [KeyStroke], _ model: AppModel) -> (AppModel, [AppEffect]) {
        AetherUITests.pressing(keys, model)
    }

    @Test func tabAsksForTheFileAndClosesAgain() throws {
        var model = model(columns: 80, rows: 24)
        _ = model.update(.playlist(PlaylistPosition(index: 0, count: 1, name: "a.mp4", path: "/a.mp4")), now: at(0))
        let (open, effects) = pressing([KeyStroke(.tab)], model)
        #expect(effects.contains(.inspect(.open)) && open.layers[Inspector.self] != nil)
        let (closed, more) = pressing([KeyStroke(.tab)], open)
        #expect(more.contains(.inspect(.close)) && closed.layers[Inspector.self] == nil)
        #expect(try rendered(open).joined().contains("Reading"))
        // An answer that comes when it is closed changes nothing.
        var late = closed
        #expect(late.update(.inspected(.failed("no")), now: at(2)) == [])
    }

    @Test(arguments: [40, 80, 100, 200]) func theFootIsNeverCut(_ columns: Int) throws {
        for tab in 1...6 {
            var model = ScreenPane.inspector.model(ScreenShape(name: "", columns: columns, rows: 24))
            (model, _) = pressing([KeyStroke(Character("\(tab)"))], model)
            let bar = try #require(model.scene.barRect)
            let foot = try rendered(model)[bar.row - 1]
            #expect(foot.contains("Tab player") && !foot.contains("…"), "\(foot)")
        }
    }

    /// A manifest has no parts, and yet samples: a demuxer is asked for them, or it is said that there are none.
    @Test func whatHasNoPartsIsAskedForItsSamples() throws {
        var model = model(columns: 80, rows: 24)
        _ = model.update(.playlist(PlaylistPosition(index: 0, count: 1, name: "a.m3u8", path: "/a.m3u8")), now: at(0))
        (model, _) = pressing([KeyStroke(.tab)], model)
        #expect(model.update(.inspected(.failed("no parts")), now: at(2)).contains(.inspect(.samples)))
        #expect(try rendered(model).joined().contains("no parts"))
        (model, _) = pressing([KeyStroke("2")], model)
        #expect(try rendered(model).joined().contains("Reading"))
        #expect(!model.update(.inspected(.samples(nil)), now: at(3)).contains(.inspect(.samples)))
        #expect(try rendered(model).joined().contains("cannot be read beside the player"))
    }

    /// Offsets count from the start of each segment: the bytes are those of the row.
    @Test func segmentsOfAStreamHaveBytesOfTheirOwn() throws {
        var model = model(columns: 120, rows: 24)
        _ = model.update(.playlist(PlaylistPosition(index: 0, count: 1, name: "a.m3u8", path: "/a.m3u8")), now: at(0))
        (model, _) = pressing([KeyStroke(.tab)], model)
        let rows = (0..<3).map { number in
            var box = InspectedBox("segment", title: "\(number) at \(number) s, v\(number).m4s", offset: 0, size: 500)
            box.children = [InspectedBox("moof", title: "Movie Fragment", offset: 0, size: 100)]
            return box
        }
        let parts = InspectorFind.parts(format: "3 of 9 segments", boxes: rows, samples: nil, isStream: true)
        let first = model.update(.inspected(parts), now: at(1))
        #expect(first.contains(.inspect(.bytes(offset: 0, count: 1024, segment: 0))) && first.contains(.inspect(.samples)))
        #expect(try rendered(model).joined().contains("1 at 1 s, v1.m4s"))
        let (next, effects) = pressing([KeyStroke(.down), KeyStroke(.right), KeyStroke(.down)], model)
        #expect(next.layers[Inspector.self]?.box?.type == "moof" && next.layers[Inspector.self]?.segment == 1)
        #expect(effects.contains(.inspect(.bytes(offset: 0, count: 1024, segment: 1))))
        // Those of another segment are not drawn as its own.
        var late = next
        _ = late.update(.inspected(.bytes(offset: 0, bytes: Array("other".utf8), segment: 0)), now: at(2))
        #expect(try !rendered(late).joined().contains("6f 74 68 65"))
        _ = late.update(.inspected(.bytes(offset: 0, bytes: Array("other".utf8), segment: 1)), now: at(3))
        #expect(try rendered(late).joined().contains("6f 74 68 65"))
    }

    @Test func arrowsFoldAndTheBytesOfTheSelectionAreAskedFor() throws {
        let (model, effects) = pressing([KeyStroke(.up)], opened())
        #expect(effects.contains(.inspect(.bytes(offset: 124, count: 1024))))
        let open = try #require(model.layers[Inspector.self])
        #expect(open.tree.rows.map(\.box.type) == ["ftyp", "moov", "mvhd", "trak"])
        let folded = pressing([KeyStroke(.left)], model).0.layers[Inspector.self]
        #expect(folded?.tree.rows.map(\.box.type) == ["ftyp", "moov"])
        // From a part without parts, to what holds it.
        let up = pressing([KeyStroke(.left)], opened()).0.layers[Inspector.self]
        #expect(up?.box?.type == "moov")
    }

    @Test func aSearchFindsNamesFieldsAndBytes() {
        func found(_ words: String) -> String? {
            let keys = [KeyStroke(.home), KeyStroke("/")] + words.map { KeyStroke($0) } + [KeyStroke(.enter)]
            return pressing(keys, opened()).0.layers[Inspector.self]?.box?.type
        }
        #expect(found("trak") == "trak" && found("timescale") == "mvhd" && found("@130") == "moov" && found("@140") == "mvhd")
    }

    @Test func aSampleIsGoneToAndThatOnTheScreenIsSelected() throws {
        let (model, _) = pressing([KeyStroke("2")], opened())
        let open = try #require(model.layers[Inspector.self])
        let list = try #require(open.samples), row = try #require(open.sample)
        let time = MediaTime(ticks: try #require(row.pts), in: list.timeBase(0))
        #expect(time <= model.shownPosition || row.number == 1)
        let (_, effects) = pressing([KeyStroke(.home), KeyStroke(.down), KeyStroke(.enter)], model)
        let first = try #require(list.rows[1].pts)
        #expect(effects.contains(.send(.seek(to: MediaTime(ticks: first, in: list.timeBase(0)), .exact))), "\(effects)")
    }

    @Test func aFileThatRepeatsLeavesItOpen() {
        var model = opened()
        _ = model.update(.playlist(model.playlist), now: at(3))
        #expect(model.layers[Inspector.self]?.tree.rows.isEmpty == false)
    }

    @Test func anotherFileClosesIt() {
        var model = opened()
        _ = model.update(.playlist(PlaylistPosition(index: 2, count: 3, name: "b.mp4", path: "/b.mp4")), now: at(3))
        #expect(model.layers[Inspector.self] == nil)
    }

    /// A million samples must be drawn within 16 ms: only the visible rows are looked at.
    @Test func aMillionSamplesAreScrolledByTheRowsThatAreSeen() throws {
        var model = opened()
        let stream = SampleStream(index: 0, kind: "video", timeBase: TimeBase(1, 24))
        let rows = (0..<1_000_000).map {
            SampleRow(
                stream: 0, number: $0 + 1, pts: Int64($0), dts: Int64($0), duration: 1, position: Int64($0), size: 1, isKey: false
            )
        }
        _ = model.update(
            .inspected(
                .parts(
                    format: "x", boxes: [InspectedBox("moov", offset: 0, size: 8)],
                    samples: SampleList(streams: [stream], rows: rows))),
            now: at(2))
        model = pressing([KeyStroke("2"), KeyStroke(.end)], model).0
        let pane = try #require(model.layers[Inspector.self]?.pane(in: model.scene))
        #expect(pane.runs.contains { $0.text == "#1000000" } && pane.runs.count < 400)
    }
}
