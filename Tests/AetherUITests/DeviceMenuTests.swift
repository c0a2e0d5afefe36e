import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal
import ArgumentParser
import Testing

@testable import AetherUI

@Suite struct DeviceMenuTests {
    private let now = at(1)

    private func film(devices: [AudioDeviceHint]?, present: String? = "default") -> EngineSnapshot {
        var snapshot = AetherUITests.film()
        (snapshot.audioDevice, snapshot.audioDevices) = (present, devices)
        return snapshot
    }
    private let hints = [
        AudioDeviceHint(name: "sys", description: ["Cards"]), AudioDeviceHint(name: "default", description: []),
        AudioDeviceHint(name: "hw:1", description: ["HDA Intel PCH", "ALC892\u{1B}[31m"]),
    ]

    private func taking(_ model: inout AppModel, _ message: AppMessage) -> [AppEffect] {
        model.update(message, now: now).filter { $0 != .redraw }
    }

    @Test func theMenuOpensWhenItsListHasComeIn() {
        var model = model(film(devices: nil))
        #expect(taking(&model, .key(KeyStroke("d"))) == [.listDevices] && model.menu == nil)
        #expect(taking(&model, .snapshot(film(devices: nil))).isEmpty && model.menu == nil)
        #expect(taking(&model, .snapshot(film(devices: hints))).isEmpty)
        #expect(model.menu?.kind == .devices && model.menu?.choice == .device("default"))
        // A device that is plugged in while the menu is open appears in it.
        #expect(taking(&model, .snapshot(film(devices: hints + [AudioDeviceHint(name: "usb", description: [])]))).isEmpty)
        #expect(model.menu?.items.filter { if case .device = $0.choice { true } else { false } }.count == 4)
    }

    @Test func theNextTimeItOpensAtOnceAndAsksAgain() {
        var model = model(film(devices: hints))
        #expect(taking(&model, .action(.showMenu(.devices))) == [.listDevices] && model.menu?.kind == .devices)
        #expect(taking(&model, .key(KeyStroke(.down))).isEmpty)
        #expect(taking(&model, .key(KeyStroke(.enter))) == [.send(.setAudioDevice("sys"))])
        #expect(model.snapshot.audioDevice == "sys" && model.menu == nil)
        #expect(model.message?.text.contains("sys") == true)
    }

    @Test func whatIsPresentIsListedWhateverALSASays() {
        let all = hints + [AudioDeviceHint(name: "null", description: ["Discard all samples"])]
        let items = MenuContent.items(.devices, film(devices: all, present: "plug:mine"), position: .zero)
        #expect(items.prefix(4).map(\.choice) == ["plug:mine", "default", "sys", "hw:1"].map { .device($0) })
        #expect(items.prefix(4).map(\.isPresent) == [true, false, false, false])
        #expect(items[3].label == "HDA Intel PCH, ALC892[31m" && items[3].detail == "hw:1")
    }

    @Test func plugInsAreFoldedAwayUntilTheyAreAskedFor() {
        let all =
            hints
            + ["lavrate", "samplerate", "speexrate", "upmix", "vdownmix", "pulse", "null"].map {
                AudioDeviceHint(name: $0, description: [])
            }
        var model = model(film(devices: all))
        _ = taking(&model, .action(.showMenu(.devices)))
        #expect(
            model.menu?.items.prefix(5).map(\.label) == [
                "default", "Cards", "HDA Intel PCH, ALC892[31m", "pulse", "ALSA plug-ins…",
            ])
        _ = taking(&model, .key(KeyStroke("a")))
        #expect(taking(&model, .key(KeyStroke(.enter))).isEmpty && model.menu?.kind == .devices)
        #expect(model.menu?.items.contains { $0.choice == .device("speexrate") } == true)
        // The next time it is folded again, but for the one that plays.
        let items = MenuContent.items(.devices, film(devices: all, present: "upmix"), position: .zero)
        #expect(items.contains { $0.choice == .device("upmix") } && !items.contains { $0.choice == .device("lavrate") })
    }

    @Test func theMenuThatAClickHasAskedForOpensThereWhenItsListComes() throws {
        var snapshot = film(devices: nil, present: "hw:1")
        var model = model(snapshot)
        let row = TitleRow(model.scene, columns: 80)
        let word = try #require(row.words.first { $0.action == .showMenu(.devices) })
        let bar = try #require(model.scene.barRect)
        #expect(taking(&model, .mouse(MouseEvent(.press, .left, x: word.column, y: bar.row))) == [.listDevices])
        snapshot.audioDevices = hints
        _ = taking(&model, .snapshot(snapshot))
        #expect(model.menu?.anchor == word.column)
    }

    @Test func theLayoutIsChosenBelowTheDevices() {
        var snapshot = film(devices: hints)
        snapshot.channels = .surround51
        let items = MenuContent.items(.devices, snapshot, position: .zero).dropFirst(3)
        #expect(items.prefix(5).map(\.label) == ["Channels", "Those of the source", "Stereo", "5.1", "7.1"])
        #expect(items.prefix(5).map(\.isPresent) == [false, false, false, true, false])
        var model = model(snapshot)
        _ = taking(&model, .action(.showMenu(.devices)))
        // From "default" past two devices to the second layout.
        for _ in 0..<4 { _ = taking(&model, .key(KeyStroke(.down))) }
        #expect(taking(&model, .key(KeyStroke(.enter))) == [.send(.set(.channels(.stereo)))])
        #expect(model.snapshot.channels == .stereo && model.message?.text == "Channels: stereo")
    }

    @Test func theDownmixIsChosenBelowTheChannels() {
        var snapshot = film(devices: hints)
        snapshot.downmix = .safe
        let items = MenuContent.items(.devices, snapshot, position: .zero).dropFirst(8)
        #expect(items.map(\.label) == ["Mixed into fewer channels", "As loud as stereo", "Lowered until nothing clips"])
        #expect(items.map(\.isPresent) == [false, false, true])
        #expect(items.last?.choice == .setting(.downmix(.safe)))
        var model = model(snapshot)
        _ = taking(&model, .action(.showMenu(.devices)))
        // From "default" past two devices and four layouts.
        for _ in 0..<7 { _ = taking(&model, .key(KeyStroke(.down))) }
        #expect(taking(&model, .key(KeyStroke(.enter))) == [.send(.set(.downmix(.loud)))])
        #expect(model.snapshot.downmix == .loud && model.message?.text == "Downmix: loud")
    }

    @Test func whereAudioIsOffThereIsNothingToChoose() {
        var model = model(film(devices: hints, present: nil))
        #expect(taking(&model, .key(KeyStroke("d"))).isEmpty && model.menu == nil)
        #expect(model.message?.text == "No audio device")
    }

    @Test func theNextFileSoundsOnTheChosenDevice() throws {
        var model = model(film(devices: hints, present: "hw:1"))
        _ = taking(&model, .playlist(PlaylistPosition()))
        #expect(model.snapshot.audioDevice == "hw:1")
        let options = try LoadOptions(
            PlayerOptions.parse(["film.mkv"]), isPlain: false, item: Playlist.Item(location: .file("film.mkv")),
            carried: model.snapshot)
        #expect(options.audioOutput == .alsa(device: "hw:1"))
    }

    // MARK: - Programmes

    private func multiplex() -> EngineSnapshot {
        var snapshot = AetherUITests.film()
        snapshot.titles = [
            TitleInfo(id: 3, name: "First\u{202E}", startTime: .zero, duration: .seconds(3600), tracks: []),
            TitleInfo(id: 9, name: "", startTime: .zero, duration: nil, tracks: []),
        ]
        snapshot.activeTitle = 3
        return snapshot
    }

    @Test func programmesAreChosenInTheirMenu() {
        var model = model(multiplex())
        #expect(taking(&model, .key(KeyStroke("D"))).isEmpty && model.menu?.kind == .titles)
        #expect(model.menu?.items.map(\.label) == ["First", "Program 9"] && model.menu?.items[0].isPresent == true)
        _ = taking(&model, .key(KeyStroke(.down)))
        #expect(taking(&model, .key(KeyStroke(.enter))) == [.send(.selectTitle(9))])
        _ = taking(&model, .key(KeyStroke("D")))
        #expect(taking(&model, .key(KeyStroke(.enter))).isEmpty)
    }

    @Test func theBarSaysWhichProgrammeAndWhichDevice() throws {
        var snapshot = multiplex()
        snapshot.audioDevice = "hw:1"
        let model = model(snapshot, columns: 160, rows: 24)
        let bar = try rendered(model)[22]
        #expect(bar.contains("Program 1/2") && bar.contains("→ hw:1"))
        #expect(try !rendered(self.model(columns: 160)).joined().contains("→"))
    }

    private func model(columns: Int) -> AppModel { AetherUITests.model(film(devices: nil), columns: columns, rows: 24) }
    private func model(_ snapshot: EngineSnapshot, columns: Int = 80, rows: Int = 24) -> AppModel {
        AetherUITests.model(snapshot, columns: columns, rows: rows)
    }
}
