import AetherCore
import Testing

@testable import AetherEngine

@Suite struct SegmentTimelineTests {
    private func at(_ seconds: Double) -> MediaTime { .seconds(seconds) }

    @Test func audioTakesTheOffsetOfVideo() {
        var timeline = SegmentTimeline()
        let early = timeline.begin(
            stamp: at(10.021), continuity: 0, expected: at(0), length: .seconds(2), isPrimary: false, isTransportStream: false)
        #expect(early == .unknown)
        let video = timeline.begin(
            stamp: at(10), continuity: 0, expected: at(0), length: .seconds(2), isPrimary: true, isTransportStream: false)
        #expect(video == .at(at(0)))
        let audio = timeline.begin(
            stamp: at(10.021), continuity: 0, expected: at(0), length: .seconds(2), isPrimary: false, isTransportStream: false)
        #expect(audio == .at(at(0.021)), "21 ms of priming stay where they are")
    }

    @Test func stampsAreTrustedWithinAContinuity() {
        var timeline = SegmentTimeline()
        _ = timeline.begin(
            stamp: at(0), continuity: 0, expected: at(0), length: .seconds(2), isPrimary: true, isTransportStream: false)
        let next = timeline.begin(
            stamp: at(2.1), continuity: 0, expected: at(2), length: .seconds(2), isPrimary: true, isTransportStream: false)
        #expect(next == .at(at(2.1)))
        #expect(timeline.drift(stamp: at(2.1), continuity: 0, expected: at(2), isTransportStream: false) == .seconds(0.1))
    }

    /// A clock that begins anew within a continuity: the run goes on where the one before it ended, and other renditions take that over.
    @Test func aClockThatBeginsAnewGoesOnWhereTheRunEnded() {
        var timeline = SegmentTimeline()
        func begin(_ stamp: Double, _ expected: Double, _ following: Double?, isPrimary: Bool = true) -> SegmentTimeline.Reading {
            timeline.begin(
                stamp: at(stamp), continuity: 0, expected: at(expected), length: .seconds(1), isPrimary: isPrimary,
                isTransportStream: false, following: following.map { at($0) }, isRestart: true)
        }
        _ = timeline.begin(
            stamp: at(7), continuity: 0, expected: at(0), length: .seconds(1), isPrimary: true, isTransportStream: false)
        // By the old clock it would lie a segment before: not more than a segment, and no frame of it would be seen.
        #expect(begin(7, 1, 1.02) == .leap(to: at(1.02)))
        #expect(begin(7.01, 1, 1.04, isPrimary: false) == .at(at(1.03)))
        #expect(begin(8.03, 2, 2.04) == .at(at(2.05)), "the clock is the same after all")
        #expect(begin(90, 3, 3.1, isPrimary: false) == .leap(to: at(3.1)))
        #expect(begin(90.02, 3, 3.1) == .at(at(3.12)))
        #expect(begin(0, 4, nil) == .leap(to: at(4)), "where the run before is not known, the list says it")
    }

    @Test func eachContinuityHasItsClock() {
        var timeline = SegmentTimeline()
        let readings = [(100.0, 0, 0.0), (1.4, 1, 8.4), (50, 2, 14.0)].map { stamp, continuity, expected in
            timeline.begin(
                stamp: at(stamp), continuity: Int64(continuity), expected: at(expected), length: .seconds(2), isPrimary: true,
                isTransportStream: true)
        }
        #expect(readings == [.at(at(0)), .at(at(8.4)), .at(at(14))])
        #expect(timeline.time(of: at(2.4), continuity: 1, near: at(8.4), isTransportStream: true) == at(9.4))
        #expect(timeline.time(of: at(2.4), continuity: 9, near: at(8.4), isTransportStream: true) == nil)
    }

    /// A discontinuity that is none: the clock goes on, and the segment begins with audio from before the border.
    @Test func aClockThatGoesOnIsKept() {
        var timeline = SegmentTimeline()
        let wrap = Double(1 << 33) / 90_000
        let readings = [(wrap - 1, 0, 0.0), (0.81, 1, 2.0), (3.2, 2, 4.0), (0, 3, 6.0)].map { stamp, continuity, expected in
            timeline.begin(
                stamp: at(stamp), continuity: Int64(continuity), expected: at(expected), length: .seconds(2), isPrimary: true,
                isTransportStream: true)
        }
        let places = readings.map { reading -> Double in
            guard case .at(let place) = reading else { return -1 }
            return place.seconds
        }
        #expect(zip(places, [0, 1.81, 4.2, 6]).allSatisfy { abs($0 - $1) < 1e-6 }, "\(places)")
        // Behind an advertisement of 10 s with a clock of its own the programme's goes on; a seek may come there first.
        var programme = SegmentTimeline()
        let spliced = [(1.4, 0, 0.0), (50, 1, 8), (19.6, 2, 18), (95, 4, 94)].map { stamp, continuity, expected in
            programme.begin(
                stamp: at(stamp), continuity: Int64(continuity), expected: at(expected), length: .seconds(2), isPrimary: true,
                isTransportStream: true)
        }
        #expect(spliced == [.at(at(0)), .at(at(8)), .at(at(18.2)), .at(at(93.6))])
        // A clip of 0.4 s that begins at 0 again is another clip.
        var short = SegmentTimeline()
        for (continuity, expected) in [0.0, 0.4, 0.8].enumerated() {
            let reading = short.begin(
                stamp: at(0), continuity: Int64(continuity), expected: at(expected), length: .seconds(0.4), isPrimary: true,
                isTransportStream: false)
            #expect(reading == .at(at(expected)))
        }
    }

    /// The run before has ended elsewhere than the playlist says.
    @Test(
        arguments: [
            // A clock of its own: behind what was read, also where the list is off by more than a segment.
            (0.0, 9.6, 9.6), (0, 7.2, 7.2), (0, 8.01, 8.01), (0, 14, 14),
            // That is no rounding any more.
            (0, 60, 8),
            // The clock of before goes on: a hole stays, an overlap is none.
            (18.1, 8.0, 8.1), (18.1, 8.102, 8.1), (18.1, 8.3, 8.3),
        ] as [(Double, Double, Double)])
    func aRunFollowsTheOneBeforeIt(_ stamp: Double, _ end: Double, _ place: Double) {
        var timeline = SegmentTimeline()
        _ = timeline.begin(
            stamp: at(10), continuity: 0, expected: at(0), length: .seconds(2), isPrimary: true, isTransportStream: true)
        let reading = timeline.begin(
            stamp: at(stamp), continuity: 1, expected: at(8), length: .seconds(2), isPrimary: true, isTransportStream: true,
            following: at(end))
        #expect(reading == .at(at(place)))
        // In the middle of a continuity what follows on what was read is no leap, however far the list is off.
        let next = timeline.begin(
            stamp: at(stamp + 6), continuity: 1, expected: at(12), length: .seconds(2), isPrimary: true, isTransportStream: true,
            following: at(place + 6))
        #expect(next == .at(at(place + 6)))
    }

    @Test func aStampOfAnUnknownContinuityIsPlacedByTheNearestClock() {
        var timeline = SegmentTimeline()
        #expect(timeline.time(of: at(10), near: at(0), isTransportStream: true) == nil)
        for (continuity, stamp, expected) in [(4, 100.0, 0.0), (5, 5000, 60)] {
            _ = timeline.begin(
                stamp: at(stamp), continuity: Int64(continuity), expected: at(expected), length: .seconds(2), isPrimary: true,
                isTransportStream: true)
        }
        #expect(timeline.time(of: at(102), near: at(0), isTransportStream: true) == at(2))
        #expect(timeline.time(of: at(5001), near: at(60), isTransportStream: true) == at(61))
        #expect(timeline.time(of: at(900), near: at(60), isTransportStream: true) == nil)
    }

    @Test func aLeapWithoutAMarkIsSeen() {
        var timeline = SegmentTimeline()
        _ = timeline.begin(
            stamp: at(0), continuity: 0, expected: at(0), length: .seconds(2), isPrimary: true, isTransportStream: false)
        let leap = timeline.begin(
            stamp: at(900), continuity: 0, expected: at(4), length: .seconds(2), isPrimary: true, isTransportStream: false)
        #expect(leap == .leap(to: at(4)))
        #expect(timeline.time(of: at(901), continuity: 0, near: at(4), isTransportStream: false) == at(5))
    }

    @Test func clocksOf33BitsWrap() {
        var timeline = SegmentTimeline()
        let wrap = Double(1 << 33) / 90_000
        _ = timeline.begin(
            stamp: at(wrap - 1), continuity: 0, expected: at(6), length: .seconds(2), isPrimary: true, isTransportStream: true)
        guard
            case .at(let time) = timeline.begin(
                stamp: at(1), continuity: 0, expected: at(8), length: .seconds(2), isPrimary: true, isTransportStream: true)
        else {
            Issue.record("a wrap is no leap")
            return
        }
        #expect((time - at(8)).magnitude <= TimeSpan(nanoseconds: 2))
        let back = timeline.time(of: at(wrap - 1), continuity: 0, near: at(6), isTransportStream: true)
        #expect(back.map { ($0 - at(6)).magnitude <= TimeSpan(nanoseconds: 2) } == true)
    }

    @Test func hostileStampsTrapNothing() {
        var timeline = SegmentTimeline()
        let edge = MediaTime(nanoseconds: .max), other = MediaTime(nanoseconds: .min)
        for (number, stamp) in [edge, other, edge].enumerated() {
            _ = timeline.begin(
                stamp: stamp, continuity: Int64(number % 2), expected: number == 1 ? edge : other, length: .zero, isPrimary: true,
                isTransportStream: true)
            _ = timeline.time(of: stamp, continuity: 0, near: edge, isTransportStream: true)
        }
    }
}
