import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Programmes of a multiplex: one is played at a time, with its own clock.
@Suite(.serialized) struct TitleTests {
    @Test(arguments: [0.0, 5000]) func anotherProgrammeGoesOnAtTheSamePoint(_ shift: Double) async throws {
        let folder = try TemporaryFolder()
        let (path, parts) = try Multiplex.twoProgrammes(in: folder, shift: shift)
        let screening = try await Screening.of(path) {
            $0.autoplay = false
            $0.subtitleLanguages = ["de"]
            // Of the other programme: it does not count here.
            $0.audioLanguages = ["de"]
        }
        let first = screening.snapshot
        #expect(first.titles.map(\.id) == [1, 2] && first.titles.map(\.name) == ["Station 1", "Station 2"])
        #expect(first.activeTitle == 1 && first.videoTracks.count == 1 && first.audioTracks.map(\.language) == ["eng"])
        #expect((first.titles[1].startTime - first.titles[0].startTime - .seconds(shift)).magnitude < .seconds(1))
        #expect(await screening.say(.seek(to: first.startTime + .seconds(2), .exact)))
        #expect(await screening.say(.selectTitle(2)))
        let second = screening.snapshot
        #expect(second.activeTitle == 2 && second.audioTracks.map(\.language) == ["ger"])
        #expect(second.videoSize == PixelSize(width: 64, height: 96) && second.startTime == first.titles[1].startTime)
        #expect((second.duration ?? .zero) - .seconds(6) < .seconds(0.5))
        #expect(
            second.activeAudioTrack == second.audioTracks.first?.id && second.activeVideoTrack == second.videoTracks.first?.id)
        // The picture of that programme, where one was in the other.
        let frame = try #require(screening.frames.last)
        let own = try reference(parts[1]).map { (($0.pts - frame.pts).magnitude, $0.hash) }.min { $0.0 < $1.0 }
        #expect(own?.1 == frame.hash)
        let place = shift == 0 ? first.startTime + .seconds(2) : second.startTime + .seconds(2)
        #expect((frame.pts - place).magnitude < .milliseconds(60), "\(frame.pts.seconds) \(place.seconds)")
        // It plays to its end, picture and sound.
        screening.engine.play()
        #expect(await screening.reaches(.ended))
        #expect(((screening.times.last ?? .zero) - second.startTime).seconds > 5.7)
        #expect(await screening.say(.selectTitle(1)))
        #expect(screening.snapshot.videoSize == PixelSize(width: 96, height: 64))
        await screening.engine.stop()
    }

    @Test func aProgrammeCanBeAskedForAtTheStart() async throws {
        let folder = try TemporaryFolder()
        let screening = try await Screening.of(try Multiplex.twoProgrammes(in: folder, shift: 5000).path) {
            $0.autoplay = false
            $0.title = 2
        }
        #expect(await screening.eventually { $0.snapshot.hasFirstFrame })
        #expect(screening.snapshot.activeTitle == 2 && screening.snapshot.videoSize == PixelSize(width: 64, height: 96))
        #expect((screening.times.first ?? .zero) >= .seconds(5000))
        await screening.engine.stop()
    }

    @Test func filmsHaveNone() async throws {
        for path in [try Clips.twoPictures(), try Clips.broadcast()] {
            let screening = try await Screening.of(path) { $0.autoplay = false }
            #expect(screening.snapshot.titles.isEmpty && screening.snapshot.activeTitle == nil)
            screening.engine.send(.selectTitle(1))
            await screening.engine.stop()
        }
    }
}

@Suite struct DeviceChoiceTests {
    @Test func theListOfDevicesIsALSAs() async throws {
        let screening = Screening()
        #expect(screening.snapshot.audioDevices == nil)
        screening.engine.findAudioDevices()
        screening.engine.findAudioDevices()
        #expect(await screening.eventually { $0.snapshot.audioDevices != nil })
        #expect(try screening.snapshot.audioDevices == AudioDeviceHint.all())
        await screening.engine.stop()
    }

    @Test func theDeviceThatWasAskedForIsKnownWhereAudioHasOne() async throws {
        let screening = try await Screening.of(try Clips.tone()) {
            $0.autoplay = false
            $0.audioOutput = .alsa(device: "null")
        }
        #expect(screening.snapshot.audioDevice == "null")
        screening.engine.setAudioDevice("hw:99")
        #expect(await screening.eventually { $0.snapshot.audioDevice == "hw:99" })
        try await screening.engine.load(.location(.file(try Clips.tone())), options: Screening.options())
        screening.engine.setAudioDevice("hw:99")
        screening.engine.send(.set(.volume(0.5)))
        #expect(await screening.eventually { $0.snapshot.volume == 0.5 })
        #expect(screening.snapshot.audioDevice == nil)
        await screening.engine.stop()
    }
}
