import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// The source that the engine goes on with by itself.
@Suite struct FollowingTests {
    private func song(_ seconds: Double, tone: Int = 440) throws -> MediaSource {
        .location(
            .file(try Fixtures.clip(["-f", "lavfi", "-i", "sine=f=\(tone):r=48000:d=\(seconds)", "-c:a", "flac"], ext: "flac")))
    }

    @Test func theNextSongTakesOverWithItsOwnTimeAndWhatWasSet() async throws {
        let screening = Screening(), options = Screening.options { $0.autoplay = false }
        let first = try song(1), second = try song(4, tone: 880)
        let stream = screening.engine.installAudioTap()
        try await screening.engine.load(first, options: options)
        screening.engine.setNext(second, options: options)
        screening.engine.send(.set(.volume(0.5)))
        screening.engine.send(.set(.muted(true)))
        let bass = try #require(EqualizerCurve("bass"))
        screening.engine.send(.set(.equalizer(bass)))
        let name = screening.snapshot.source
        screening.engine.play()
        // As it was when that was seen: who looks afterwards looks too late on a busy machine.
        let seen = Monitor<EngineSnapshot?>(nil)
        #expect(
            await screening.eventually {
                let snapshot = $0.snapshot
                guard snapshot.advances == 1 else { return false }
                seen.update { $0 = snapshot }
                return true
            })
        let after = try #require(seen.read { $0 })
        // The first one's time would be 1 s at least.
        let isAtOnce = screening.punctuality.kept(.milliseconds(200))
        #expect(after.source != name && (after.position < .seconds(1) || !isAtOnce) && after.duration == .seconds(4))
        #expect(after.volume == 0.5 && after.isMuted && after.equalizer == bass)
        #expect(screening.engine.hasOpened)
        var places: [Double] = [], counts = [0]
        for await buffer in stream {
            if buffer.discontinuity {
                places.append(buffer.sourceTime)
                if places.count > 1 { counts.append(0) }
            }
            counts[counts.count - 1] += buffer.samples.count
            if counts.count == 2, counts[1] >= 24_000 { break }
        }
        #expect(places == [0, 0] && counts[0] == 48_000)
        #expect(await screening.eventually { $0.snapshot.phase == .ended })
        #expect(abs(screening.snapshot.position.seconds - 4) < 0.01)
        #expect(screening.snapshot.advances == 1)
        await screening.engine.stop()
    }

    @Test func manySongsFollowOneAnother() async throws {
        let screening = Screening(), options = Screening.options { $0.autoplay = false }
        let songs = try (0...3).map { try song(4, tone: 100 + 100 * $0) }
        try await screening.engine.load(songs[0], options: options)
        for number in 1...3 {
            screening.engine.setNext(songs[number], options: options)
            // The last half second of each is heard. The one that follows lasts 4 s: so long there is to hold it.
            #expect(await screening.say(.seek(to: .seconds(3.5), .exact)))
            screening.engine.play()
            #expect(await screening.eventually { $0.snapshot.advances == number })
            screening.engine.pause()
            #expect(await screening.reaches(.paused))
        }
        #expect(await screening.say(.seek(to: .seconds(3.5), .exact)))
        screening.engine.play()
        #expect(await screening.eventually { $0.snapshot.phase == .ended })
        // And back: what has ended is played again on a seek.
        screening.engine.send(.seek(to: .zero, .exact))
        #expect(await screening.eventually { $0.snapshot.phase == .playing })
        await screening.engine.stop()
    }

    @Test func aSeekBackFromTheLastMomentIsNotTheEnd() async throws {
        let first = try song(4), second = try song(1)
        // Once more where the machine held up this thread, or the one that hears the wish, until the second played.
        for _ in 0..<5 {
            let screening = Screening(), options = Screening.options()
            try await screening.engine.load(first, options: options)
            screening.engine.setNext(second, options: options)
            #expect(await screening.eventually { $0.snapshot.position > .seconds(3.1) || $0.snapshot.advances == 1 })
            let before = screening.snapshot.epoch
            screening.engine.send(.seek(to: .seconds(2), .exact))
            let isBack = await screening.eventually {
                $0.snapshot.advances == 1 || $0.snapshot.epoch > before && $0.snapshot.phase == .playing
            }
            let isMissed = screening.snapshot.advances == 1 && !screening.punctuality.kept(.milliseconds(200))
            if !isMissed {
                #expect(isBack && screening.snapshot.advances == 0)
                #expect(await screening.eventually { $0.snapshot.advances == 1 })
            }
            await screening.engine.stop()
            if !isMissed { return }
        }
    }

    @Test func videosBrokenFilesAndNothingAreLeftToTheCaller() async throws {
        let film = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=1", "-c:v", "libx264", "-preset", "ultrafast"], ext: "mkv")
        for next in [MediaSource.location(.file(film)), .location(.file("/nowhere/at/all.flac")), nil] {
            let screening = Screening(), options = Screening.options()
            let first = try song(0.4)
            try await screening.engine.load(first, options: options)
            screening.engine.setNext(next, options: options)
            #expect(await screening.eventually { $0.snapshot.phase == .ended })
            #expect(screening.snapshot.advances == 0)
            await screening.engine.stop()
        }
    }

    /// Its audio comes in pieces of 200 ms: a tap keeps 64 of them for whoever listens late.
    private func video(_ seconds: Double, tone: Int = 440, rate: Int = 48_000) throws -> MediaSource {
        .location(
            .file(
                try Fixtures.clip(
                    [
                        "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=\(seconds)", "-f", "lavfi", "-i",
                        "sine=f=\(tone):r=\(rate):d=\(seconds),asetnsamples=\(rate / 5)", "-c:v", "libx264", "-preset",
                        "ultrafast",
                        "-c:a", "pcm_s16le",
                    ], ext: "mkv")))
    }

    @Test func aVideoFollowsAVideoInTheSameDevice() async throws {
        let screening = Screening(), options = Screening.options()
        let stream = screening.engine.installAudioTap()
        try await screening.engine.load(try video(2), options: options)
        screening.engine.setNext(try video(3, tone: 880), options: options)
        let name = screening.snapshot.source
        #expect(await screening.eventually { $0.snapshot.advances == 1 })
        #expect(screening.snapshot.source != name && screening.snapshot.duration == .seconds(3))
        #expect(await screening.eventually { $0.snapshot.phase == .ended })
        #expect(screening.snapshot.advances == 1)
        // Ends the tap, too.
        await screening.engine.stop()
        var places: [Double] = [], counts: [Int] = []
        for await buffer in stream {
            if buffer.discontinuity {
                places.append(buffer.sourceTime)
                counts.append(0)
            }
            if !counts.isEmpty { counts[counts.count - 1] += buffer.samples.count }
        }
        #expect(places == [0, 0] && counts == [96_000, 144_000])
        // The frames of the first to its last one, then those of the second from its first on; on a machine that holds up threads for
        // longer than a frame lasts, some are left out.
        let times = screening.times, turn = zip(times, times.dropFirst()).filter { $0 > $1 }
        #expect(turn.count == 1 && turn.first?.0 == .seconds(1.96) && times.last == .seconds(2.96))
        #expect(turn.first?.1 == .zero || !screening.punctuality.kept(.milliseconds(20)))
    }

    @Test func aVideoThatIsRepeatedFollowsItself() async throws {
        let screening = Screening(), options = Screening.options { $0.start = .time(.seconds(1)) }
        try await screening.engine.load(try video(2), options: options)
        screening.engine.send(.setRepeating(true))
        screening.engine.send(.set(.subtitleDelay(.seconds(1))))
        @Sendable func turns(_ times: [MediaTime]) -> Int { zip(times, times.dropFirst()).count { $0 > $1 } }
        #expect(await screening.eventually { turns($0.times) == 3 })
        let snapshot = screening.snapshot, times = screening.times
        // No seek of the same session, which would be the next epoch, and no other file.
        #expect(snapshot.epoch.number > 3000 && snapshot.advances == 0 && snapshot.subtitleDelay == .seconds(1))
        // It begins where the file does, not where playing began, and ends with its last frame.
        let joints = zip(times, times.dropFirst()).filter { $0 > $1 }
        #expect(times.first == .seconds(1) && joints.allSatisfy { $0.0 == .seconds(1.96) })
        #expect(joints.allSatisfy { $0.1 == .zero } || !screening.punctuality.kept(.milliseconds(20)))
        // A source that is repeated has not ended.
        #expect(!screening.engine.takeNews().contains { if case .ended = $0.turn { true } else { false } })
        screening.engine.send(.setRepeating(false))
        #expect(await screening.eventually { $0.snapshot.phase == .ended })
        await screening.engine.stop()
    }

    /// Facts that are known of a source are kept when the source plays once more.
    @Test func aRepeatKeepsCuesAndStills() async throws {
        let lines = "1\n00:00:00,200 --> 00:00:00,400\none\n\n2\n00:00:02,600 --> 00:00:02,800\ntwo\n"
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=3", "-f", "lavfi", "-i", "sine=r=48000:d=3", "-f", "srt", "-i",
                "data:text/plain;base64," + Data(lines.utf8).base64EncodedString(), "-map", "0", "-map", "1", "-map", "2", "-c:v",
                "libx264", "-preset", "ultrafast", "-c:a", "pcm_s16le", "-c:s", "srt",
            ], ext: "mkv")
        let screening = try await Screening.of(path)
        screening.engine.send(.setRepeating(true))
        let track = TrackID(.container, 2)
        screening.engine.selectSubtitleTrack(id: track)
        let origin = try #require(screening.engine.session).stillOrigin
        #expect(await screening.eventually { zip($0.times, $0.times.dropFirst()).contains { $0 > $1 } })
        #expect(screening.engine.session?.cues.cues(track: track).map(\.lines) == [["one"], ["two"]])
        // Who has asked for stills before finds those of the session that plays now, with its settings.
        screening.engine.send(.set(.toneMapping(.off)))
        #expect(await screening.eventually { _ in origin.look().toneMapping == .off && origin.held(.zero, true) != nil })
        await screening.engine.stop()
    }

    @Test func anotherLoadForgetsWhatWasToFollow() async throws {
        let screening = Screening(), options = Screening.options()
        let songs = [try song(0.6), try song(1), try song(0.4)]
        try await screening.engine.load(songs[0], options: options)
        screening.engine.setNext(songs[1], options: options)
        try await screening.engine.load(songs[2], options: options)
        #expect(await screening.eventually { $0.snapshot.phase == .ended })
        #expect(screening.snapshot.advances == 0)
        await screening.engine.stop()
    }
}
