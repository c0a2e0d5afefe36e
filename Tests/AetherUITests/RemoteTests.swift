import AetherCore
import AetherDesktop
import AetherEngine
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherUI

/// The commands of a remote control, and their meaning.
@Suite struct RemoteTests {
    private let start = MediaTime.seconds(10)

    private func properties(_ change: (inout EngineSnapshot) -> Void = { _ in }) -> RemoteProperties {
        var snapshot = film()
        change(&snapshot)
        return RemoteProperties(
            snapshot: snapshot, playlist: Playlist(items: [.init(location: .file("a.mkv")), .init(location: .file("b.mkv"))]),
            title: "A")
    }

    /// Standard input is the keyboard's.
    @Test func theDesktopCannotOpenStandardInput() {
        #expect(RemoteOrder(.open("-"), start: .zero) == .load(.file("-"), .instead))
        #expect(RemoteOrder(.open("file:///a%20b"), start: .zero) == .load(.file("/a b"), .instead))
    }

    @Test func everyActionOfTheBindingTableHasWordsThatMeanIt() throws {
        for binding in Keymap.standard.entries.flatMap(\.bindings) {
            let words = ActionName.text(binding.action)
            #expect(try ActionName.action(words) == binding.action, "\(words)")
            // The words survive the way through a line.
            let line = RemoteRequest(.action(words), id: .number(1)).line
            #expect(try RemoteRequest(line: Array(line.utf8)).verb == .action(words))
        }
    }

    /// Each has an effect that can be told: a command for the engine, another file, the end, or something else on the screen.
    @Test func everyActionOfTheBindingTableHasAnEffectWithoutAKey() {
        for binding in Keymap.standard.entries.flatMap(\.bindings) {
            var model = AppModel(size: CellSize(columns: 80, rows: 24), now: at(0))
            _ = model.update(.playlist(PlaylistPosition(index: 0, count: 2)), now: at(0))
            _ = model.update(.files(["a", "b"]), now: at(0))
            var snapshot = film()
            snapshot.isSeekable = true
            snapshot.rate = 1.5
            _ = model.update(.snapshot(snapshot), now: at(1))
            let before = ChromeView.panes(model)
            let effects = model.update(.action(binding.action), now: at(2)).filter { $0 != .redraw }
            #expect(!effects.isEmpty || ChromeView.panes(model) != before, "\(ActionName.text(binding.action))")
        }
    }

    /// `file` 1 of 2 plays.
    @Test(
        arguments: [
            (.goToFile(1), nil), (.goToFile(2), "no file 3: the list has 2"), (.remove(1), nil),
            (.remove(0), "file 1 plays: it cannot be taken out"), (.remove(7), "no file 8: the list has 2"),
            (.move(0, to: 1), nil), (.move(5, to: 0), "no file 6: the list has 2"),
            (.move(0, to: 5), "no file 6: the list has 2"), (.action(.stepFile(1)), nil),
            (.action(.stepFile(-1)), "the list ends here"), (.command(.play), nil),
        ] as [(RemoteOrder, String?)])
    func whatTheListDoesNotHaveIsRefused(_ order: RemoteOrder, _ reason: String?) {
        #expect(order.obstacle(in: properties().playlist) == reason)
    }

    @Test func commandsAreOrders() throws {
        func order(_ name: String, _ values: JSON...) throws -> RemoteOrder {
            try RemoteCommands.order(name, values, start: start)
        }
        #expect(try order("play") == .command(.play))
        #expect(try order("seek", .number(63.5)) == .command(.seek(to: .seconds(73.5), .exact)))
        #expect(try order("seek", .string("63.5"), .string("keyframe")) == .command(.seek(to: .seconds(73.5), .keyframe)))
        #expect(try order("skip", .string("-5")) == .command(.skip(by: .seconds(-5), .exact)))
        #expect(try order("seek-percent", .number(50)) == .command(.seekToFraction(0.5)))
        #expect(try order("go-to-file", .number(2)) == .goToFile(1))
        #expect(try order("load", .string("b.mkv"), .string("append")) == .load(.file("b.mkv"), .atEnd))
        #expect(try order("load", .string("b.mkv"), .string("next")) == .load(.file("b.mkv"), .next))
        #expect(try order("load", .string("b.mkv")) == .load(.file("b.mkv"), .instead))
        #expect(try order("remove", .number(2)) == .remove(1) && order("move", .number(3), .string("1")) == .move(2, to: 0))
        #expect(try order("show", .string("a\u{1B}b\nc")) == .notice("ab c"))
    }

    @Test(arguments: [
        ("sek", [JSON](), "sek is not a command; did you mean \"seek\"?"),
        ("seek", [], "seek takes seconds from the start, and exact or keyframe"),
        ("seek", [.number(.infinity)], "seek takes seconds from the start, and exact or keyframe"),
        ("seek", [.number(1), .string("often")], "seek takes seconds from the start, and exact or keyframe"),
        ("play", [.number(1)], "play takes no value"),
        ("load", [.string("-")], "load takes a file or URL, and replace, next or append"),
        ("frame", [.number(2)], "frame takes 1 or -1"), ("seek-percent", [.number(101)], "seek-percent takes 0 to 100"),
    ])
    func whatCannotBeDoneIsSaidInWords(_ name: String, _ values: [JSON], _ reason: String) {
        #expect(throws: RemoteCommands.Problem(reason: reason)) { try RemoteCommands.order(name, values, start: start) }
    }

    /// A quality by its name, at the next border of segments or at once; none that the source does not have.
    @Test func qualitiesAreChosenByTheirNames() throws {
        let properties = self.properties { snapshot in
            snapshot.variants = ["low", "high"].map {
                MediaVariant(id: $0, badges: [$0], size: nil, peakBitRate: 800_000, codecs: ["H.264"])
            }
            (snapshot.activeVariant, snapshot.adaptsVariant, snapshot.offersAdaptation) = ("low", false, true)
        }
        #expect(properties.value("quality") == .string("low"))
        #expect(
            properties.value("qualities")?.line.contains(
                #""active":true,"angle":null,"bit-rate":800000,"codecs":["H.264"],"id":"low""#)
                == true,
            "\(properties.value("qualities")?.line ?? "")")
        #expect(try properties.order(setting: "quality", to: .string("high")) == .command(.selectVariant("high")))
        #expect(try properties.order(setting: "quality", to: .string("auto")) == .command(.selectVariant(nil)))
        #expect(throws: RemoteCommands.Problem(reason: "quality takes the id of a quality, or auto")) {
            try properties.order(setting: "quality", to: .string("gone"))
        }
        let now = try RemoteCommands.order("quality", [.string("high"), .string("now")], start: start)
        #expect(now == .command(.selectVariant("high", .atOnce)) && now.obstacle(in: properties.snapshot) == nil)
        let gone = try RemoteCommands.order("quality", [.string("gone")], start: start)
        #expect(gone == .command(.selectVariant("gone")) && gone.obstacle(in: properties.snapshot) == "no such quality")
        #expect(throws: RemoteCommands.Problem.self) {
            try RemoteCommands.order("quality", [.string("high"), .string("soon")], start: start)
        }
    }

    @Test func aTrackHasTheLanguageThatBelongsToIt() {
        let properties = self.properties { snapshot in
            var track = TrackInfo(id: TrackID(1), kind: .audio, codec: "aac", language: "no")
            track.associatedLanguage = "da"
            snapshot.audioTracks = [track]
        }
        let line = properties.value("tracks")?.line ?? ""
        #expect(line.contains(#""associated-language":"da""#) && line.contains("Norwegian (with Danish)"), "\(line)")
    }

    @Test func everyPropertyHasAValueAlsoWhereNothingPlays() {
        let nothing = RemoteProperties(
            snapshot: EngineSnapshot(), playlist: Playlist(items: [.init(location: .file("a"))]), title: "")
        for name in RemoteProperties.names {
            #expect(properties().value(name) != nil, "\(name)")
            #expect(nothing.value(name) != nil, "\(name)")
        }
        #expect(properties().value("mood") == nil)
        #expect(properties { $0.volume = 0.8 }.value("volume") == .number(80))
        #expect(properties().value("files") == .number(2))
    }

    @Test func propertiesAreSetWithinTheirRange() throws {
        let properties = self.properties { $0.startTime = .seconds(10) }
        #expect(try properties.order(setting: "volume", to: .number(80)) == .command(.set(.volume(0.8))))
        #expect(try properties.order(setting: "volume", to: .string("80")) == .command(.set(.volume(0.8))))
        #expect(try properties.order(setting: "channels", to: .string("5.1")) == .command(.set(.channels(.surround51))))
        #expect(properties.value("channels") == .string("auto") && properties.value("downmix") == .string("loud"))
        #expect(try properties.order(setting: "downmix", to: .string("safe")) == .command(.set(.downmix(.safe))))
        #expect(try properties.order(setting: "paused", to: .bool(true)) == .command(.pause))
        #expect(try properties.order(setting: "position", to: .number(5)) == .command(.seek(to: .seconds(15), .exact)))
        #expect(try properties.order(setting: "subtitle-track", to: .null) == .command(.selectSubtitleTrack(nil)))
        let audio = try #require(properties.snapshot.audioTracks.last)
        #expect(
            try properties.order(setting: "audio-track", to: .string(audio.id.description))
                == .command(.selectAudioTrack(audio.id)))
        for (name, value, reason) in [
            ("volume", JSON.number(151), "volume takes 0 to 150"), ("speed", .string("fast"), "speed takes 0.25 to 4"),
            ("channels", .string("6"), "channels takes auto, stereo, 5.1 or 7.1"),
            ("audio-track", .string("container:99"), "audio-track takes the id of an audio track"),
            ("duration", .number(1), "duration can only be read"), ("mood", .null, "unknown property mood"),
        ] {
            #expect(throws: RemoteCommands.Problem(reason: reason)) { try properties.order(setting: name, to: value) }
        }
    }

    @Test func aTrackIsNamedByItsOriginAndNumber() {
        #expect(TrackID("container:2") == TrackID(.container, 2) && TrackID(.external, 0).description == "external:0")
        for text in ["", "container", "container:", "container:-1", "container:1:2", "elsewhere:1"] {
            #expect(TrackID(text) == nil)
        }
    }
}
