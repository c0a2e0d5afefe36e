import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// The whole engine with small films and a silent device that keeps real time.
@Suite(.serialized) struct PlayingTests {
    @Test func showsWhatTheDecoderAndTheScalerMake() async throws {
        let path = try Clips.film(2)
        let screening = try await Screening.of(path) {
            $0.isUntimed = true; $0.audioOutput = .none
        }
        #expect(await screening.reaches(.ended))
        #expect(screening.frames == (try reference(path)))
        #expect(screening.frames.count == 50)
        await screening.engine.stop()
    }

    @Test func playsAVideoInItsTimeAndStandsAtItsEnd() async throws {
        let path = try Clips.film(2)
        let begun = SystemTime().now()
        let screening = try await Screening.of(path)
        let duration = try #require(screening.snapshot.duration)
        #expect((duration - .seconds(2)).magnitude < .milliseconds(50))
        // Its rate, between two moments in the middle of it.
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.3) })
        let first = screening.reading
        #expect(await screening.eventually { $0.snapshot.position > first.position + .seconds(0.5) })
        let second = screening.reading
        let (passed, played) = (second.host - first.host, second.position - first.position)
        let slack = screening.punctuality.worst.scaled(by: 4)
        let isInTime = (passed - played).magnitude < .milliseconds(100) + slack
        #expect(isInTime || second.position >= .seconds(2), "\(played) in \(passed)")
        #expect(await screening.reaches(.ended))
        #expect(SystemTime().now() - begun > .seconds(1.9))
        #expect((screening.snapshot.position - .seconds(2)).magnitude < .milliseconds(50))
        #expect(screening.times.last == .seconds(1.96))
        #expect(screening.times == screening.times.sorted())
        #expect(screening.neverRanDry)
        await screening.engine.stop()
        #expect(screening.snapshot.phase == .idle)
    }

    @Test(arguments: [0.0, 0.5, 1.0, 1.01, 1.039, 1.04, 2.5, 3.96, 3.99, 9])
    func anExactSeekShowsTheFrameThatIsOnScreenAtTheTarget(target: Double) async throws {
        let path = try Clips.film(4)
        let screening = try await Screening.of(path) { $0.autoplay = false }
        #expect(await screening.shows(.zero))
        #expect(await screening.say(.seek(to: .seconds(target), .exact)))
        // Only what lies at the end or behind it leads to a little before it.
        let point = target < 4 ? target : 3.9
        let frame = (point * 25 + 0.01).rounded(.down)
        #expect(await screening.shows(.seconds(frame / 25)))
        let expected = try reference(path)
        #expect(screening.frames.last?.hash == expected[Int(frame)].hash)
        #expect((screening.snapshot.position - .seconds(point)).magnitude < .milliseconds(2))
        await screening.engine.stop()
    }

    /// Pictures are left out on the way to the target, and none is awaited behind it: what is shown must be the same.
    @Test func exactSeeksAndStepsInUnevenVideosShowWhatADecoderShows() async throws {
        let path = try Clips.unevenFilm()
        let all = try reference(path)
        let screening = try await Screening.of(path) { $0.autoplay = false }
        #expect(await screening.shows(.zero))
        var random = SeededRandom(seed: 3)
        for _ in 0..<15 {
            let target = MediaTime.seconds(Double(random.below(5800)) / 1000)
            let index = try #require(all.lastIndex { $0.pts <= target })
            #expect(await screening.say(.seek(to: target, .exact)))
            #expect(await screening.eventually { $0.frames.last == all[index] }, "at \(target)")
            #expect(await screening.say(.stepFrame(-1)))
            #expect(await screening.eventually { $0.frames.last == all[max(0, index - 1)] }, "back from \(target)")
        }
        await screening.engine.stop()
    }

    @Test func aKeyFrameSeekLandsOnTheKeyFrameAndTheClockGoesOnThere() async throws {
        let screening = try await Screening.of(try Clips.film(4)) { $0.autoplay = false }
        // All of it is held, so that what is known of key frames does not depend on how far reading got.
        #expect(await screening.holds(upTo: 3.7))
        #expect(await screening.say(.seek(to: .seconds(2.7), .keyframe)))
        #expect(await screening.shows(.seconds(2)))
        #expect(screening.snapshot.position == .seconds(2))
        // A skip forward by key frames must not go back: it goes to the next one, and behind the last to the target itself.
        #expect(await screening.say(.skip(by: .seconds(0.6), .keyframe)))
        #expect(await screening.shows(.seconds(3)))
        #expect(screening.snapshot.position == .seconds(3))
        #expect(await screening.say(.skip(by: .seconds(0.6), .keyframe)))
        #expect(await screening.shows(.seconds(3.6)))
        // Nor one back forward.
        #expect(await screening.say(.skip(by: .seconds(-0.6), .keyframe)))
        #expect(await screening.shows(.seconds(3)))
        await screening.engine.stop()
    }

    /// The key frame before is too far, the one behind is near, and neither was read yet: the file's index knows.
    @Test(arguments: ["mkv", "mp4"]) func aKeyFrameSeekFindsTheNearerOneInTheIndex(ext: String) async throws {
        let screening = try await Screening.of(try Clips.distantKeys(ext)) { $0.autoplay = false }
        #expect(await screening.shows(.zero))
        #expect(await screening.say(.seek(to: .seconds(8.5), .keyframe)))
        #expect(await screening.shows(.seconds(10)))
        #expect(screening.snapshot.position == .seconds(10))
        // Within 2.5 s of the one before, that one.
        #expect(await screening.say(.seek(to: .seconds(6.5), .keyframe)))
        #expect(await screening.shows(.seconds(5)))
        // Nothing near behind it.
        #expect(await screening.say(.seek(to: .seconds(15.2), .keyframe)))
        #expect(await screening.shows(.seconds(15)))
        await screening.engine.stop()
    }

    @Test func seeksInABroadcastAreExactToo() async throws {
        let path = try Clips.broadcast()
        let screening = try await Screening.of(path) { $0.autoplay = false }
        let start = screening.snapshot.startTime
        let all = try reference(path)
        for number in [60, 10, 99, 37] {
            #expect(await screening.say(.seek(to: all[number].pts + .milliseconds(5), .exact)))
            #expect(await screening.shows(all[number].pts) || number == 99)
        }
        #expect(start > .seconds(1))
        await screening.engine.stop()
    }

    @Test func stepsOneFrameOnAndBack() async throws {
        let screening = try await Screening.of(try Clips.film(4))
        #expect(await screening.eventually { $0.frames.count > 5 })
        screening.engine.pause()
        #expect(await screening.reaches(.paused))
        #expect(await screening.say(.seek(to: .seconds(2), .exact)))
        #expect(await screening.shows(.seconds(2)))
        for step in 1...5 {
            screening.engine.send(.stepFrame(1))
            #expect(await screening.shows(.seconds(2 + 0.04 * Double(step))))
            #expect(await screening.eventually { $0.snapshot.position == $0.times.last })
        }
        for step in (-2...4).reversed() {
            #expect(await screening.say(.stepFrame(-1)))
            #expect(await screening.shows(.seconds(2 + 0.04 * Double(step))))
        }
        #expect(screening.snapshot.phase == .paused)
        screening.engine.play()
        #expect(await screening.eventually { $0.snapshot.position > .seconds(2.3) })
        await screening.engine.stop()
    }

    @Test func pauseStandsAndPlayGoesOn() async throws {
        let screening = try await Screening.of(try Clips.film(4))
        for _ in 0..<5 {
            let before = screening.snapshot.position
            #expect(await screening.eventually { $0.snapshot.position > before + .milliseconds(150) })
            screening.engine.pause()
            #expect(await screening.reaches(.paused))
            #expect(await screening.eventually { $0.clockRate == 0 })
            let stood = screening.snapshot.position
            let frames = screening.frames.count
            #expect(
                !(await screening.passes(.milliseconds(120)) { $0.snapshot.position != stood || $0.frames.count > frames + 1 }))
            screening.engine.play()
        }
        #expect(screening.times == screening.times.sorted())
        await screening.engine.stop()
    }

    @Test(arguments: [0.5, 2, 4])
    func otherSpeedsMoveTheClockAtTheirs(rate: Double) async throws {
        // Long enough to be looked at before its end.
        let screening = try await Screening.of(try Clips.film(60)) { $0.rate = rate }
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.1) })
        let clock = try #require(screening.clock)
        #expect(abs(clock.rate / rate - 1) < 0.06)
        #expect(screening.snapshot.rate == rate)
        await screening.engine.stop()
    }

    @Test func absurdSpeedsOfTheOptionsAreBroughtInside() async throws {
        let screening = try await Screening.of(try Clips.film(2)) {
            $0.rate = .nan
            $0.volume = -3
        }
        #expect(screening.snapshot.rate == 1)
        #expect(screening.snapshot.volume == 0)
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.3) })
        await screening.engine.stop()
    }

    @Test func aLoopGoesRoundAndThenOn() async throws {
        let screening = try await Screening.of(try Clips.film(4))
        #expect(await screening.eventually { $0.snapshot.position > .seconds(0.5) })
        screening.engine.send(.markLoop)
        #expect(await screening.eventually { $0.snapshot.position > .seconds(1) })
        screening.engine.send(.markLoop)
        #expect(await screening.eventually { $0.snapshot.loopEnd != nil })
        let marks = screening.snapshot
        let start = try #require(marks.loopStart), end = try #require(marks.loopEnd)
        let first = marks.epoch
        let before = screening.frames.count
        #expect(await screening.eventually { $0.snapshot.epoch.number >= first.number + 3 })
        let round = screening.times.dropFirst(before + 2)
        #expect(round.allSatisfy { $0 > start - .milliseconds(41) && $0 < end })
        screening.engine.send(.markLoop)
        #expect(await screening.reaches(.ended))
        #expect(screening.times.last == .seconds(3.96))
        await screening.engine.stop()
    }

    @Test func aVideoThatRepeatsNeverEnds() async throws {
        let screening = try await Screening.of(try Clips.film(1)) { $0.autoplay = false }
        screening.engine.send(.setRepeating(true))
        let first = screening.snapshot.epoch
        screening.engine.play()
        #expect(await screening.eventually { $0.snapshot.epoch.number >= first.number + 2 && $0.snapshot.phase == .playing })
        // A busy machine may drop the first frame of a round.
        #expect(await screening.eventually { zip($0.times, $0.times.dropFirst()).count { $1 < $0 } >= 2 })
        screening.engine.send(.setRepeating(false))
        #expect(await screening.reaches(.ended))
        await screening.engine.stop()
    }

    @Test func everySeekOfABurstIsAccountedFor() async throws {
        let screening = try await Screening.of(try Clips.film(4))
        let events = screening.engine.seekEvents
        for target in [1.0, 2, 3, 0.52] { screening.engine.seek(to: .seconds(target)) }
        #expect(await screening.eventually { $0.times.contains(.seconds(0.52)) && $0.snapshot.phase == .playing })
        await screening.engine.stop()
        var ends: [Int: Int] = [:]
        var landed: MediaTime?
        for await event in events where event.outcome != .began {
            ends[event.id, default: 0] += 1
            if case .landed(let time) = event.outcome { landed = time }
        }
        #expect(ends == [1: 1, 2: 1, 3: 1, 4: 1])
        #expect(landed == .seconds(0.52))
    }

    @Test func playsFromTheStartToTheEndThatWereAskedFor() async throws {
        let screening = try await Screening.of(try Clips.film(4)) {
            $0.start = .time(.seconds(1))
            $0.end = .time(.seconds(2))
        }
        #expect(await screening.reaches(.ended))
        #expect(screening.times.first == .seconds(1))
        #expect(screening.times.last == .seconds(1.96))
        #expect((screening.snapshot.position - .seconds(2)).magnitude < .milliseconds(100))
        await screening.engine.stop()
    }
}

extension Screening {
    /// The line of the clock.
    var clock: ClockAnchor? { engine.session?.synchronizer.anchor(epoch: snapshot.epoch) }
    var clockRate: Double? { clock?.rate }

    /// Whether a condition comes true within a span; for what must not happen.
    func passes(_ span: TimeSpan, _ condition: @escaping @Sendable (Screening) -> Bool) async -> Bool {
        let end = SystemTime().now() + span
        let happened = Monitor(false)
        _ = await eventually { screening in
            if condition(screening) {
                happened.update { $0 = true }
                return true
            }
            return SystemTime().now() > end
        }
        return happened.read { $0 }
    }
}
