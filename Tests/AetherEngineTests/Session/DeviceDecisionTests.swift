import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

private func exact(_ seconds: Double) -> SeekPlan { SeekPlan(target: .seconds(seconds), landing: .exact) }

/// The effects of another device, another delay and another title.
@Suite struct DeviceDecisionTests {
    private let sound = TrackID(.container, 1)

    private func say(_ command: PlayerCommand, _ play: inout Play, at position: Double = 12, held: Holdings) -> [PlaybackEffect] {
        play.handle(.command(command, position: .seconds(position), shown: nil, held: held))
    }

    private func holdings(isHeld: Bool) -> Holdings {
        Holdings(range: isHeld ? .seconds(2)...MediaTime.seconds(20) : nil, audio: isHeld ? [1] : [], activeAudio: 1)
    }

    @Test func audioThatIsInMemoryJoinsTheClockOnTheOtherDevice() {
        var play = Play.landed()
        #expect(
            say(.setAudioDevice("x"), &play, held: holdings(isHeld: true))
                == [.setAudioDevice("x"), .runMonotonic(from: nil, rate: 1), .switchAudio(sound)])
        // Primed, it drives the clock again.
        _ = play.handle(.primed(.audio, play.machine.epoch, .seconds(12.1)))
        #expect(play.say(.pause) == [.runAudio(false)])
        #expect(
            say(.setAudioDevice("y"), &play, held: holdings(isHeld: true)) == [.setAudioDevice("y"), .switchAudio(sound)])
    }

    @Test func whatIsNotInMemoryBeginsAnewHere() {
        var play = Play.landed()
        #expect(
            say(.setAudioDevice("x"), &play, held: holdings(isHeld: false))
                == [.setAudioDevice("x"), .selectAudio(sound), .begin(Epoch(2), exact(12))])
        // On the way there: the goal stays.
        _ = play.land()
        _ = play.say(.seek(to: .seconds(50), .exact), at: 12)
        #expect(say(.setAudioDevice("y"), &play, at: 0, held: holdings(isHeld: true)).last == .begin(Epoch(4), exact(50)))
    }

    @Test func withoutAudioTheNameIsKeptForLater() {
        var shape = Play.film
        (shape.hasAudio, shape.canPlayAudio) = (false, false)
        var play = Play.landed(shape)
        #expect(say(.setAudioDevice("x"), &play, held: Holdings()) == [.setAudioDevice("x")])
        play = Play.landed()
        _ = play.finish(.video)
        _ = play.finish(.audio)
        #expect(say(.setAudioDevice("x"), &play, held: holdings(isHeld: true)) == [.setAudioDevice("x")])
    }

    @Test func aLongDelayIsASeekToHere() {
        var play = Play.landed()
        #expect(play.say(.set(.audioDelay(.seconds(0.9))), at: 12) == [.set(.audioDelay(.seconds(0.9)))])
        #expect(
            play.say(.set(.audioDelay(.seconds(2.5))), at: 12) == [.set(.audioDelay(.seconds(2.5))), .begin(Epoch(2), exact(12))])
        // On the way somewhere the landing takes it.
        #expect(play.say(.set(.audioDelay(.seconds(-3))), at: 12) == [.set(.audioDelay(.seconds(-3)))])
        _ = play.land()
        #expect(
            play.say(.set(.audioDelay(.seconds(-30))), at: 13) == [.set(.audioDelay(.seconds(-10))), .begin(Epoch(3), exact(13))])
    }

    @Test func anotherLayoutOpensTheDeviceAnew() {
        var play = Play.landed()
        let stereo = SettingChange.channels(.stereo)
        #expect(
            say(.set(stereo), &play, held: holdings(isHeld: true))
                == [.set(stereo), .runMonotonic(from: nil, rate: 1), .switchAudio(sound)])
        // The same once more asks nothing of it.
        _ = play.handle(.primed(.audio, play.machine.epoch, .seconds(12.1)))
        #expect(say(.set(stereo), &play, held: holdings(isHeld: true)) == [.set(stereo)])
        let wide = SettingChange.channels(.surround71)
        #expect(
            say(.set(wide), &play, held: holdings(isHeld: false))
                == [.set(wide), .selectAudio(sound), .begin(Epoch(2), exact(12))])
        var early = Play(unopened: ())
        #expect(say(.set(wide), &early, held: Holdings()) == [.set(wide)])
    }

    // MARK: - Titles

    private func multiplex(secondAt start: Double) -> SourceShape {
        var shape = Play.film
        shape.titles = [
            TitleShape(id: 7, startTime: .zero, duration: .seconds(100), hasVideo: true, hasAudio: true, videoStreams: [0]),
            TitleShape(
                id: 8, startTime: .seconds(start), duration: .seconds(90), hasVideo: false, hasAudio: true, videoStreams: []),
        ]
        shape.title = 7
        return shape
    }

    @Test func aTitleBeginsWhereOneIsInItsOwnTime() {
        var play = Play.landed(multiplex(secondAt: 5000))
        #expect(play.say(.selectTitle(8), at: 12) == [.selectTitle(8), .begin(Epoch(2), exact(5012))])
        #expect(play.machine.awaited == [.audio] && play.machine.shape.startTime == .seconds(5000))
        #expect(play.say(.selectTitle(8), at: 5012) == [])
        #expect(play.say(.selectTitle(9), at: 5012) == [])
        _ = play.land()
        // On the way somewhere: to the same place of the other.
        _ = play.say(.seek(to: .seconds(5050), .exact), at: 5013)
        #expect(play.say(.selectTitle(7), at: 5013).last == .begin(Epoch(4), exact(50)))
        #expect(play.machine.shape.hasVideo)
        // Recorded together they count alike.
        play = Play.landed(multiplex(secondAt: 0.4))
        #expect(play.say(.selectTitle(8), at: 12).last == .begin(Epoch(2), exact(12)))
    }

    @Test func aDiscIsOpenedAnewForAnotherTitle() {
        var shape = multiplex(secondAt: 0)
        shape.titles = shape.titles.map {
            TitleShape(
                id: $0.id, kind: .disc, startTime: $0.startTime, duration: $0.duration, hasVideo: false, hasAudio: false,
                videoStreams: [])
        }
        var play = Play.landed(shape)
        #expect(play.say(.selectTitle(8), at: 12) == [.selectTitle(8)])
        #expect(play.say(.selectTitle(7), at: 12) == [] && play.machine.shape.title == 7)
    }

    @Test func aPipeStaysWithItsTitle() {
        var shape = multiplex(secondAt: 0)
        shape.isSeekable = false
        var play = Play.landed(shape)
        #expect(play.say(.selectTitle(8), at: 12) == [.notice("this source cannot seek")])
        #expect(play.machine.shape.title == 7)
    }
}
