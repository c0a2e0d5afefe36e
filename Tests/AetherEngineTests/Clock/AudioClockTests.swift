import AetherCore
import AetherMedia
import Testing

@testable import AetherEngine

/// The clock over a device of its own quartz, in virtual time and to the millisecond.
@Suite struct AudioClockTests {
    private static func heard(_ frames: Double) -> MediaTime { .seconds(frames / 48000) }

    @Test(arguments: [-200.0, 0, 200], [48, 960, 1920, 4080])
    func followsADeviceOfAnySpeedAndPeriod(partsPerMillion: Double, period: Int) throws {
        let bench = try ClockBench {
            $0.partsPerMillion = partsPerMillion
            $0.period = period
            $0.jitter = .milliseconds(5)
        }
        try bench.start()
        try bench.run(milliseconds: 200_000, truth: Self.heard)
        let trace = bench.trace
        #expect(trace.largestRetreat == .zero)
        #expect(trace.largestStep < .milliseconds(5))
        #expect(trace.worst(10_000..<200_000) < .milliseconds(5))
        #expect(bench.clockSteps == 0)
        #expect(bench.script.xrunCount == 0)
    }

    @Test(arguments: [-200.0, 200])
    func doesNotDriftInHalfAnHour(partsPerMillion: Double) throws {
        let bench = try ClockBench {
            $0.partsPerMillion = partsPerMillion
            $0.period = 960
            $0.jitter = .milliseconds(5)
        }
        try bench.start()
        try bench.run(milliseconds: 1_800_000, truth: Self.heard)
        let late = bench.trace.mean(1_740_000..<1_800_000)
        let early = bench.trace.mean(60_000..<120_000)
        #expect(late.magnitude < .milliseconds(1))
        #expect((late - early).magnitude < .milliseconds(1))
    }

    @Test(arguments: [-200.0, 200])
    func learnsTheSpeedOfTheDevice(partsPerMillion: Double) throws {
        let bench = try ClockBench { $0.partsPerMillion = partsPerMillion }
        try bench.start()
        try bench.run(milliseconds: 60_000, truth: Self.heard)
        let learnt = try #require(bench.driftPPM)
        #expect(abs(learnt - partsPerMillion) < 5)
        #expect(bench.trace.worst(30_000..<60_000) < .milliseconds(0.1))
    }

    /// A device that words an old position as if it were new: the clock is behind by the time between two reports at most, never by
    /// a period, and does not hunt.
    @Test(arguments: [960, 1920, 4080], [7, 20])
    func isSteadyOverADeviceThatReportsOldPositions(period: Int, interval: Int) throws {
        let bench = try ClockBench {
            $0.partsPerMillion = 100
            $0.period = period
            $0.stamp = .now
        }
        bench.reportInterval = interval
        try bench.start()
        try bench.run(milliseconds: 200_000, truth: Self.heard)
        #expect(bench.trace.largestRetreat == .zero)
        #expect(bench.trace.largestStep < .milliseconds(5))
        #expect(bench.trace.worst(10_000..<200_000) < .milliseconds(Double(interval) + 1))
        #expect(bench.clockSteps == 0)
    }

    @Test func pausingStandsOnTheLastSampleHeardAndNothingIsLostOrRepeated() throws {
        let bench = try ClockBench()
        try bench.start(at: .seconds(100))
        for round in 0..<20 {
            try bench.run(milliseconds: 37 + 61 * round)
            let stood = try #require(try bench.pause())
            let heard = bench.script.heard.count
            #expect((stood - (.seconds(100) + .seconds(Double(heard) / 48000))).magnitude < .milliseconds(0.05))
            bench.time.advance(by: .seconds(3))
            #expect(bench.script.heard.count == heard)
            try bench.resume()
            let resumed = try #require(bench.clock).time(at: bench.time.now())
            #expect((resumed - stood).magnitude < .milliseconds(0.05))
        }
        let samples = bench.script.heard
        #expect(samples.count > 48000)
        #expect(samples == Array(0..<Int32(samples.count)))
    }

    @Test func aFlushForgetsEverythingUntilNewSamplesCome() throws {
        let bench = try ClockBench()
        try bench.start()
        try bench.run(milliseconds: 500)
        try bench.renderer.flush()
        #expect(bench.isEmpty)
        #expect(!bench.isRunning)
        #expect(try bench.observe() == nil)
        #expect(try bench.pause() == nil)
        let before = bench.script.heard
        #expect(before == Array(0..<24000))
        let next = bench.produced
        try bench.start(at: .seconds(50))
        let clock = try #require(bench.clock)
        #expect((clock.time(at: bench.time.now()) - .seconds(50)).magnitude < .milliseconds(0.05))
        try bench.run(milliseconds: 100)
        #expect(bench.script.heard.dropFirst(24000).first == next)
    }

    @Test func anUnderrunStandsAfterTheLastSampleAndGoesOnFromThere() throws {
        let bench = try ClockBench()
        try bench.start()
        try bench.run(milliseconds: 1000, isFed: false)
        #expect(!bench.isRunning)
        #expect(bench.clock == nil)
        #expect(bench.script.xrunCount == 1)
        #expect(bench.endOfHeard == .milliseconds(200))
        #expect(!bench.hasUnheard)
        try bench.feed(9600)
        _ = try bench.renderer.write()
        #expect(bench.hasUnheard)
        try bench.resume()
        let resumed = try #require(bench.clock).time(at: bench.time.now())
        #expect((resumed - .milliseconds(200)).magnitude < .milliseconds(0.05))
        try bench.run(milliseconds: 100)
        #expect(bench.script.heard == Array(0..<14400))
    }

    @Test func aLostDeviceThrows() throws {
        let bench = try ClockBench()
        try bench.start()
        try bench.run(milliseconds: 100)
        bench.script.unplug()
        let now = bench.time.now()
        do throws(MediaError) {
            _ = try bench.renderer.observe(now: now)
            Issue.record("a device that is gone has no position")
        } catch {
            #expect(error.code == .audioDevice)
            #expect(error.cause == -19)
        }
    }

    @Test(arguments: [(1.0, 2.0), (2.0, 1.0), (1.0, 4.0), (4.0, 0.25), (1.0, 0.5)], [1, 960])
    func aNewTempoIsTheSlopeFromItsFirstSample(_ rates: (from: Double, to: Double), period: Int) throws {
        let bench = try ClockBench { $0.period = period }
        let boundary = Double(48333 + 9600)
        let truth: (Double) -> MediaTime = { frames in
            .seconds((min(frames, boundary) * rates.from + max(0, frames - boundary) * rates.to) / 48000)
        }
        try bench.start(rate: rates.from)
        // Everything before the boundary is queued; the device hears it 180 ms later at the latest.
        try bench.feed(48333)
        bench.renderer.beginSegment(media: truth(boundary), rate: rates.to)
        try bench.feed(96000)
        try bench.run(milliseconds: 2900, truth: truth)
        #expect(bench.trace.largestRetreat < .milliseconds(5))
        #expect(bench.trace.largestStep < .milliseconds(5))
        #expect(bench.trace.worst(500..<2900) < .milliseconds(5))
        #expect(bench.clockSteps == 0)
    }

    @Test func aJumpOfTheSourceMovesTheClockAtOnceAndTeachesNoDrift() throws {
        let bench = try ClockBench()
        let truth: (Double) -> MediaTime = { $0 < 57933 ? .seconds($0 / 48000) : .seconds(1000 + ($0 - 57933) / 48000) }
        try bench.start()
        try bench.feed(48333)
        bench.renderer.beginSegment(media: .seconds(1000), rate: 1)
        try bench.feed(480_000)
        try bench.run(milliseconds: 8000, truth: truth)
        #expect(bench.trace.worst(1230..<8000) < .milliseconds(1))
        let learnt = try #require(bench.driftPPM)
        #expect(abs(learnt) < 5)
    }

    /// A suspended sink: it says that it runs, holds what it has and plays none of it. The clock stands with it, and goes on with it.
    @Test func aDeviceThatStandsStopsTheClock() throws {
        let bench = try ClockBench()
        try bench.start()
        try bench.run(milliseconds: 1000, truth: Self.heard)
        bench.script.stand()
        try bench.run(milliseconds: 2500, truth: Self.heard)
        // It is noticed after 150 ms, by which the clock was ahead meanwhile.
        #expect(bench.trace.worst(1200..<3500) < .milliseconds(0.1))
        #expect(bench.trace.worst(0..<1200) < .milliseconds(190))
        bench.script.goOn()
        try bench.run(milliseconds: 1000, truth: Self.heard)
        #expect(bench.trace.worst(3550..<4500) < .milliseconds(21))
        #expect(bench.isRunning && bench.script.xrunCount == 0)
    }

    @Test func aDeviceThatStandsForLongIsNone() throws {
        let bench = try ClockBench()
        try bench.start()
        try bench.run(milliseconds: 1000)
        bench.script.stand()
        try bench.run(milliseconds: 2900)
        #expect(throws: MediaError.self) { try bench.run(milliseconds: 300) }
        #expect(bench.isStuck)
    }

    /// The player itself was stopped for ten seconds, by Ctrl-Z or a machine under load: nobody has watched the device stand.
    @Test func aPlayerThatWasStoppedDoesNotBlameTheDevice() throws {
        let bench = try ClockBench()
        try bench.start()
        try bench.run(milliseconds: 1000)
        bench.script.stand()
        try bench.run(milliseconds: 40)
        bench.time.advance(by: .seconds(10))
        try bench.run(milliseconds: 40)
        bench.script.goOn()
        try bench.run(milliseconds: 1000)
        #expect(bench.isRunning && !bench.isStuck)
    }

    /// A device that has played for a second and was not fed since, for longer than it holds; and the clock's line from before.
    private func dry(for milliseconds: Int) throws -> (bench: ClockBench, line: ClockAnchor) {
        let bench = try ClockBench()
        try bench.start()
        try bench.run(milliseconds: 1000)
        let line = try #require(bench.clock)
        try bench.run(milliseconds: milliseconds, isFed: false)
        bench.noteUnderrun()
        return (bench, line)
    }

    /// A device that takes a second to start again after an underrun, as a null sink that nobody listens to: no picture waits for it, and
    /// then what is heard is what the clock says.
    @Test func afterAnUnderrunTheClockRunsOnAndAudioCatchesUp() throws {
        let bench = try ClockBench()
        try bench.start()
        try bench.run(milliseconds: 1000)
        // Nobody feeds it, for longer than it holds.
        try bench.run(milliseconds: 400, isFed: false)
        #expect(!bench.isRunning)
        bench.noteUnderrun()
        try bench.feed(9600)
        try bench.resume()
        bench.script.stand()
        let before = try #require(bench.clock?.time(at: bench.time.now()))
        try bench.run(milliseconds: 1000)
        let after = try #require(bench.clock?.time(at: bench.time.now()))
        #expect(((after - before) - .seconds(1)).magnitude < .milliseconds(30))
        bench.script.goOn()
        try bench.run(milliseconds: 1000)
        let now = bench.time.now(), clock = try #require(bench.clock?.time(at: now))
        #expect(((clock - before) - .seconds(2)).magnitude < .milliseconds(60))
        let heard = try #require(bench.script.heard.last)
        #expect(abs(Double(heard) / 48_000 - clock.seconds) < 0.005, "\(heard) heard, the clock at \(clock.seconds)")
    }

    /// The audio thread was late by more than the device holds, and samples wait: the clock has gone on, and audio joins it there.
    @Test func audioThatIsLateJoinsTheClock() throws {
        let (bench, line) = try dry(for: 400)
        try bench.feed(48_000)
        // It was given some of it before the underrun was seen.
        _ = try bench.renderer.write()
        let clock = line.time(at: bench.time.now())
        #expect(try bench.renderer.join(clock))
        try bench.resume()
        let joined = try #require(bench.clock?.time(at: bench.time.now()))
        #expect((joined - clock).magnitude < .milliseconds(1), "\(joined.seconds) in place of \(clock.seconds)")
        try bench.run(milliseconds: 500)
        let heard = try #require(bench.script.heard.last), now = try #require(bench.clock?.time(at: bench.time.now()))
        #expect(abs(Double(heard) / 48_000 - now.seconds) < 0.005, "\(heard) heard, the clock at \(now.seconds)")
    }

    /// The same with another tempo behind what the device was given: the clock is past the border.
    @Test func audioThatIsLateJoinsTheClockBehindAnotherTempo() throws {
        let (bench, line) = try dry(for: 400)
        let end = try #require(bench.endOfHeard)
        try bench.feed(2400)
        bench.renderer.beginSegment(media: end + .milliseconds(50), rate: 2)
        try bench.feed(48_000)
        let clock = line.time(at: bench.time.now())
        #expect(clock - end > .milliseconds(50))
        #expect(try bench.renderer.join(clock))
        try bench.resume()
        let joined = try #require(bench.clock)
        #expect((joined.time(at: bench.time.now()) - clock).magnitude < .milliseconds(1) && joined.rate > 1.9)
    }

    /// Who reads the clock behind the border of a tempo has the new speed, although nobody has looked at the device since.
    @Test func theNextTempoIsInTheLineBeforeItIsHeard() throws {
        let bench = try ClockBench()
        bench.renderer.beginSegment(media: .zero, rate: 2)
        try bench.feed(4800)
        bench.renderer.beginSegment(media: .milliseconds(200), rate: 0.5)
        try bench.feed(9600)
        _ = try bench.renderer.write()
        try bench.resume()
        let line = try #require(bench.clock), start = bench.time.now()
        #expect((line.time(at: start + .milliseconds(50)) - .milliseconds(100)).magnitude < .milliseconds(1))
        #expect((line.time(at: start + .milliseconds(140)) - .milliseconds(220)).magnitude < .milliseconds(1))
        #expect(line.bend?.rate == 0.5)
    }

    /// A pause that finds a device run dry leaves the clock where it has gone, and audio joins it there.
    @Test func aPauseOfADeviceThatHasRunDryDoesNotTurnTheClockBack() throws {
        let bench = try ClockBench()
        try bench.start()
        try bench.run(milliseconds: 1000)
        let line = try #require(bench.clock)
        try bench.feed(48_000)
        bench.time.advance(by: .milliseconds(600))
        // The device has told of it, nobody has asked.
        _ = try bench.renderer.write()
        #expect(try bench.pause() == nil)
        let clock = line.time(at: bench.time.now())
        #expect(try bench.renderer.join(clock))
        try bench.resume()
        let joined = try #require(bench.clock?.time(at: bench.time.now()))
        #expect((joined - clock).magnitude < .milliseconds(1))
    }

    /// Fewer samples wait than the clock has passed: none of them is started, and what comes next is cut by the rest.
    @Test func whatTheClockHasPassedIsLeftOut() throws {
        let (bench, line) = try dry(for: 600)
        try bench.feed(480)
        #expect(try !bench.renderer.join(line.time(at: bench.time.now())))
        #expect(bench.renderer.pendingFrames == 0 && bench.renderer.takeOwedFrames() > 480)
    }

    /// Once a device has started as it should after an underrun, it is a device like any other: the clock stands with it.
    @Test func longAfterAnUnderrunTheClockStandsWithItsDevice() throws {
        let bench = try dry(for: 400).bench
        try bench.feed(9600)
        try bench.resume()
        try bench.run(milliseconds: 1000)
        bench.script.stand()
        // It is noticed within a quarter of a second.
        try bench.run(milliseconds: 300)
        let before = try #require(bench.clock?.time(at: bench.time.now()))
        try bench.run(milliseconds: 1000)
        #expect(bench.clock?.time(at: bench.time.now()) == before)
    }
}
