import AetherCore
import AetherEngine
import AetherLibrary
import AetherSources
import AetherTerminal
import ArgumentParser
import Testing

@testable import AetherUI

/// `set`, `add` and `cycle`, and the places that one can go back to.
@Suite struct SettingStepTests {
    private func doing(_ texts: String..., on model: AppModel = AetherUITests.model()) throws -> (AppModel, [AppEffect]) {
        var model = model, effects: [AppEffect] = []
        for text in texts {
            let action = try #require(try ActionName.action(text))
            #expect(ActionName.text(action) == text)
            effects += model.update(.action(action), now: at(1)).filter { $0 != .redraw }
        }
        return (model, effects)
    }

    @Test func aSettingIsSetByItsName() throws {
        let rows: [(text: String, change: SettingChange, says: String)] = [
            ("set speed 1.5", .rate(1.5), "Speed 1.50×"), ("set volume 62", .volume(0.62), "Volume 62 %"),
            ("set rotate 90", .rotation(90), "Rotate: 90"), ("set flip horizontal", .flip(.horizontal), "Flip: horizontal"),
            ("set crossfeed yes", .crossfeed(true), "Crossfeed: on"),
            ("set deinterlace off", .deinterlacing(Deinterlacing(mode: .off)), "Deinterlace: off"),
            ("set vf hflip", .videoFilters(try FilterGraph("hflip", .video)), "Video filters: hflip"),
            ("set vf none", .videoFilters(nil), "Video filters: none"),
            (
                "set af bass=g=6,acompressor", .audioFilters(try FilterGraph("bass=g=6,acompressor", .audio)),
                "Audio filters: bass=g=6,acompressor"
            ),
            ("set aspect 1.5", .aspect(1.5), "Aspect: 1.5"), ("set tone-map hable", .toneMapping(.hable), "Tone map: hable"),
        ]
        for row in rows {
            let (model, effects) = try doing(row.text)
            #expect(
                effects == [.send(.set(row.change))] && model.message?.text == row.says,
                "\(row.text): \(model.message?.text ?? "")")
        }
        var look = SubtitleLook()
        (look.colour, look.font) = (0xFFE000, "DejaVu Sans")
        #expect(try doing("set subtitle-colour #FFE000", "set subtitle-font DejaVu Sans").0.snapshot.subtitleLook == look)
    }

    @Test func numbersGoInStepsAndNoFurtherThanTheirRange() throws {
        #expect(try doing("add volume -2").1 == [.send(.set(.volume(0.98)))])
        #expect(try doing("add panscan 0.1", "add panscan 0.1").0.snapshot.videoLook.view.panscan == 0.2)
        #expect(try doing("add speed 100").0.snapshot.rate == 4)
        #expect(try doing("add subtitle-font-size 4").0.snapshot.subtitleLook.size == 20)
        #expect(try doing("add brightness -5").0.snapshot.videoLook.adjustment.brightness == -5)
    }

    @Test func listsOfValuesGoRound() throws {
        let turned = try doing("cycle rotate", "cycle rotate").0
        #expect(turned.snapshot.videoLook.view.rotation == 180)
        #expect(try doing("cycle rotate", "cycle rotate", on: turned).0.snapshot.videoLook.view.rotation == 0)
        #expect(try doing("cycle deinterlace").0.snapshot.deinterlacing.mode == .off)
        #expect(try doing("cycle subtitle-override").0.snapshot.subtitleLook.overridesScripts)
        #expect(try doing("cycle muted").0.snapshot.isMuted)
    }

    @Test(arguments: [
        ("set sped 1", "did you mean \"speed\""), ("set speed 9", "speed takes 0.25 to 4"), ("add fit 1", "add takes"),
        ("cycle volume", "cycle takes"), ("add volume", "add takes"), ("set rotate 45", "rotate takes"), ("cycle", "cycle takes"),
        ("set subtitle-colour red", "takes a colour"),
    ])
    func whatIsNoSettingIsRefused(_ text: String, _ reason: String) {
        do throws(ActionName.Problem) {
            _ = try ActionName.action(text)
            Issue.record("\(text) is taken")
        } catch {
            #expect(error.reason.contains(reason), "\(error.reason)")
        }
    }

    @Test func everyNameSaysAndTakesItsValueAgain() throws {
        for setting in RemoteSetting.all {
            let value = setting.value(in: PlaybackSettings())
            guard value != .null else { continue }
            #expect(setting.change(to: value) != nil, "\(setting.name)")
            for choice in setting.choices { #expect(setting.change(to: .string(choice)) != nil, "\(setting.name) \(choice)") }
        }
        #expect(Set(RemoteSetting.all.map(\.setting)).isSuperset(of: Set(Setting.allCases).subtracting([.pan])))
    }

    @Test func oneGoesBackToWhereOneWas() throws {
        let (model, effects) = try doing("seek-percent 50", "revert-seek")
        #expect(effects.last == .send(.seek(to: .seconds(1810), .exact)))
        // And back again from there.
        #expect(try doing("revert-seek", on: model).1.last == .send(.seek(to: .seconds(2710), .exact)))
        let marked = try doing("mark-place", "seek 60", "seek 60").0
        #expect(try doing("revert-seek", on: marked).1 == [.send(.seek(to: .seconds(1810), .exact))])
        #expect(try doing("revert-seek").0.message?.text == "No place to go back to")
    }

    @Test func aBarThatStaysDoesNotHide() throws {
        var (model, _) = try doing("bar-stays")
        _ = model.update(.tick, now: at(60))
        #expect(model.isBarVisible)
        model = try doing("bar-stays", on: model).0
        _ = model.update(.tick, now: at(120))
        #expect(!model.isBarVisible)
    }

    @Test func theTelemetryIsSeenForAMoment() throws {
        var (model, _) = try doing("telemetry-glance")
        #expect(model.showsTelemetry)
        _ = model.update(.tick, now: at(6))
        #expect(!model.showsTelemetry)
    }

    @Test func subtitlesAreMovedToWhatIsSaidNow() throws {
        var snapshot = film()
        snapshot.activeSubtitleTrack = TrackID(.container, 3)
        let (asked, effects) = try doing("subtitle-align 1", on: AetherUITests.model(snapshot))
        #expect(effects == [.alignCue(TrackID(.container, 3), 1)])
        var model = asked
        let cues = [1800.0, 1812.5, 1830].enumerated().map { number, start in
            SubtitleCue(
                id: number, track: TrackID(.container, 3), start: .seconds(start), end: .seconds(start + 2), body: .text("x"))
        }
        let listing = CueListing(track: TrackID(.container, 3), revision: 1, cues: cues, spans: [.zero...(.seconds(5000))])
        #expect(model.update(.cueAlign(listing, 1), now: at(2)).contains(.send(.set(.subtitleDelay(.seconds(-2.5))))))
        #expect(model.update(.cueAlign(listing, -1), now: at(3)).contains(.send(.set(.subtitleDelay(.seconds(10))))))
    }

    @Test func theEqualizerIsKeptForAllFilesOnRequest() throws {
        var (model, _) = pressing([KeyStroke("E"), KeyStroke(.tab), KeyStroke(.enter)], AetherUITests.model())
        let kept = try #require(model.screenChoices.equalizer)
        #expect(EqualizerCurve(kept) == model.snapshot.equalizer && model.message?.text.contains("all files") == true)
        model = AetherUITests.model()
        let effects = model.update(.screenChoices(.init(equalizer: kept)), now: at(1))
        let curve = try #require(EqualizerCurve(kept))
        #expect(effects.contains(.send(.set(.equalizer(curve)))))
        // A curve that counts for the file already stays.
        var own = film()
        own.equalizer = EqualizerCurve([3])
        model = AetherUITests.model(own)
        #expect(
            !model.update(.screenChoices(.init(equalizer: kept)), now: at(1)).contains {
                if case .send = $0 { true } else { false }
            })
    }

    /// A filter that libavfilter refuses is reported before it is used, with its place; the former filters stay.
    @Test func filtersThatCannotBeAreRefusedWithTheirPlace() throws {
        let (model, effects) = try doing("set vf hflip", "set vf hflip,eq=contrst=2")
        #expect(effects.count == 1 && model.snapshot.videoFilters?.text == "hflip")
        #expect(model.message?.text.contains("character 7: Option not found") == true, "\(model.message?.text ?? "")")
        for (text, reason) in [
            ("set vf hflop", "vf: character 1: hflop is not a filter that can be used here; did you mean \"hflip\"?"),
            ("set vf hflip,movie=a", "character 7: movie brings media of its own"), ("set af hflip", "filter for video"),
        ] {
            #expect { try ActionName.action(text) } throws: {
                ($0 as? ActionName.Problem)?.reason.contains(reason) == true
            }
        }
        #expect { try PlayerOptions.parse(["--vf=vflip,hflop", "film.mkv"]) } throws: {
            PlayerOptions.message(for: $0).contains("--vf: character 7: hflop")
        }
        #expect { try PlayerOptions.parse(["--af=bass=gian=6", "film.mkv"]) } throws: {
            PlayerOptions.message(for: $0).contains("character 1: Option not found")
        }
        let settings = PlaybackSettings(try PlayerOptions.parse(["--vf=vflip", "--af=bass=g=3", "film.mkv"]))
        #expect(settings.videoFilters?.text == "vflip" && settings.audioFilters?.text == "bass=g=3")
    }

    @Test func optionsAreSettings() throws {
        let options = try PlayerOptions.parse([
            "--rotate=90", "--flip=both", "--crossfeed", "--sub-color=#FFE000", "--sub-font-size=20", "--no-video",
            "--keys=mpv", "film.mkv",
        ])
        let settings = PlaybackSettings(options)
        #expect(settings.videoLook.view.rotation == 90 && settings.videoLook.view.flip == .both && settings.hasCrossfeed)
        #expect(settings.subtitleLook.colour == 0xFFE000 && settings.subtitleLook.size == 20)
        #expect(options.face.preset == .mpv && options.look.noVideo)
        for wrong in ["--rotate=45", "--sub-color=red", "--sub-border=99", "--keys=emacs", "--sub-font=a,b"] {
            #expect(throws: (any Error).self) { try PlayerOptions.parse([wrong, "film.mkv"]) }
        }
        let loading = LoadOptions(options, isPlain: false, item: Playlist.Item(location: .file("film.mkv")), carried: nil)
        #expect(loading.isAudioPreferred)
    }
}
