import AetherCore
import Testing

@testable import AetherEngine

@Suite struct AudioSpliceTests {
    private struct Row: Sendable {
        let pts, expected: Double?
        let isFirst: Bool
        let decision: AudioSplice
        init(_ pts: Double?, _ expected: Double, first: Bool = false, _ decision: AudioSplice) {
            (self.pts, self.expected, isFirst, self.decision) = (pts, expected, first, decision)
        }
    }

    /// Pieces of 20 ms.
    private static let table: [Row] = [
        Row(nil, 5, .join), Row(nil, 5, first: true, .join),
        // In mid-stream stamps are a check only: 100 ms either way mean nothing.
        Row(5, 5, .join), Row(5.0009, 5, .join), Row(5.1, 5, .join), Row(4.9, 5, .join),
        Row(5.101, 5, .silence(.milliseconds(101))), Row(15, 5, .silence(.seconds(10))),
        Row(15.001, 5, .silence(.milliseconds(10_001))),
        Row(4.89, 5, .discard), Row(4.899, 5, .discard), Row(-5, 5, .discard), Row(-5.001, 5, .restart),
        Row(3605, 5, .silence(.seconds(3600))), Row(-1e9, 5, .restart),
        // The first piece is placed to the sample.
        Row(5, 5, first: true, .join), Row(5.001, 5, first: true, .join), Row(5.002, 5, first: true, .silence(.milliseconds(2))),
        Row(8, 5, first: true, .silence(.seconds(3))), Row(605, 5, first: true, .silence(.seconds(600))),
        Row(605.1, 5, first: true, .restart), Row(4.99, 5, first: true, .trim(.milliseconds(10))),
        Row(4.98, 5, first: true, .discard), Row(4.5, 5, first: true, .discard), Row(-595, 5, first: true, .discard),
        Row(-595.1, 5, first: true, .restart),
    ]

    @Test(arguments: table.indices) func decides(row: Int) {
        let row = Self.table[row]
        let decision = AudioSplice.decide(
            pts: row.pts.map { .seconds($0) }, duration: .milliseconds(20), expected: .seconds(row.expected ?? 0),
            isFirst: row.isFirst)
        #expect(decision == row.decision, "\(row)")
    }

    @Test func aLongPieceOverTheEdgeIsTrimmedInMidStreamToo() {
        let decision = AudioSplice.decide(pts: .seconds(4.5), duration: .seconds(1), expected: .seconds(5), isFirst: false)
        #expect(decision == .trim(.milliseconds(500)))
    }
}

@Suite struct FrameTimingTests {
    @Test func aJumpThatLastsIsNoDamage() {
        var timing = FrameTiming(frameRate: 1)
        for second in [1.0, 2, 100, 105, 112] {
            #expect(timing.place(pts: .seconds(second), duration: nil, origin: .zero).pts == .seconds(second))
        }
        #expect(timing.place(pts: .seconds(3), duration: nil, origin: .zero).pts == .seconds(113))
    }

    @Test func keepsGoodStampsAndTheirDurations() {
        var timing = FrameTiming(frameRate: 25)
        #expect(timing.place(pts: .seconds(1), duration: .milliseconds(40), origin: .zero) == (.seconds(1), .seconds(1.04)))
        #expect(
            timing.place(pts: .seconds(1.04), duration: .milliseconds(500), origin: .zero) == (.seconds(1.04), .seconds(1.54)))
        #expect(timing.repaired == 0)
    }

    @Test func missingEqualAndBackwardStampsFollowByTheCadence() {
        var timing = FrameTiming(frameRate: 25)
        _ = timing.place(pts: .seconds(1), duration: nil, origin: .zero)
        let made = [MediaTime?.none, .seconds(1.04), .seconds(0.5), .seconds(-9)].map {
            timing.place(pts: $0, duration: nil, origin: .zero).pts
        }
        #expect(made == [.seconds(1.04), .seconds(1.08), .seconds(1.12), .seconds(1.16)])
        #expect(timing.repaired == 4)
        #expect(timing.place(pts: .seconds(2), duration: nil, origin: .zero).pts == .seconds(2))
    }

    /// A stamp 26 hours ahead does not push all later frames behind it.
    @Test func aDamagedStampIsForgottenWithTheNextFrame() {
        var timing = FrameTiming(frameRate: 25)
        let made = [1, 1.04, 95_444, 95_444.04, 1.12, 1.16].map {
            timing.place(pts: .seconds($0), duration: nil, origin: .zero).pts
        }
        #expect(made == [.seconds(1), .seconds(1.04), .seconds(95_444), .seconds(95_444.04), .seconds(1.12), .seconds(1.16)])
    }

    @Test func aFirstFrameWithoutAStampBeginsAtTheOrigin() {
        var timing = FrameTiming(frameRate: nil)
        #expect(timing.place(pts: nil, duration: nil, origin: .seconds(7)) == (.seconds(7), .seconds(7.04)))
        timing.reset()
        #expect(timing.place(pts: nil, duration: nil, origin: .seconds(3)).pts == .seconds(3))
    }

    @Test(arguments: [
        TimeSpan.zero, .milliseconds(-40), .seconds(.infinity), .seconds(-.infinity), .seconds(.nan), .seconds(11),
        TimeSpan(nanoseconds: 1), TimeSpan(nanoseconds: .max), TimeSpan(nanoseconds: .min),
    ])
    func absurdDurationsAreNotBelieved(duration: TimeSpan) {
        var timing = FrameTiming(frameRate: 50)
        #expect(timing.place(pts: .seconds(1), duration: duration, origin: .zero).end == .seconds(1.02))
    }

    @Test(arguments: [0, -25, 0.05, 1001, Double.nan, .infinity])
    func absurdRatesAreNotBelieved(rate: Double) {
        var timing = FrameTiming(frameRate: rate)
        #expect(timing.place(pts: .seconds(1), duration: nil, origin: .zero).end == .seconds(1.04))
        // The last distance between two frames is better than a guess.
        _ = timing.place(pts: .seconds(1.1), duration: nil, origin: .zero)
        #expect(timing.place(pts: .seconds(1.2), duration: nil, origin: .zero).end == .seconds(1.3))
    }

    @Test func stampsAtTheEndsOfTheRangeDoNotTrap() {
        var timing = FrameTiming(frameRate: 25)
        for ticks in [Int64.min, .max, 0, .min + 1, .max - 1] {
            let place = timing.place(pts: MediaTime(nanoseconds: ticks), duration: nil, origin: .zero)
            #expect(place.end >= place.pts)
        }
    }
}

@Suite struct SeekPlanTests {
    private func keyframe(_ tolerance: Double, floor: Double? = nil, ceiling: Double? = nil) -> SeekPlan.Landing {
        .keyframe(tolerance: .seconds(tolerance), floor: floor.map { .seconds($0) }, ceiling: ceiling.map { .seconds($0) })
    }

    @Test func theDemuxerIsSentToTheKeyFrameAtOrBeforeTheTarget() {
        #expect(SeekPlan(target: .seconds(5), landing: .exact).demuxTarget == .seconds(5))
        #expect(SeekPlan(target: .seconds(5), landing: .frameBefore).demuxTarget == .seconds(4.999))
        #expect(
            SeekPlan(target: .seconds(5), landing: .keyframe(tolerance: .seconds(1), floor: nil, ceiling: nil)).demuxTarget
                == .seconds(5))
    }

    @Test func theFirstFrameShownFollowsThePolicy() {
        let table: [(landing: SeekPlan.Landing, first: Double, shown: Double)] = [
            (.exact, 3, 10), (.exact, 12, 10), (.frameBefore, 3, 10), (keyframe(2.5), 8, 8), (keyframe(2.5), 7.5, 7.5),
            (keyframe(2.5), 7.4, 10), (keyframe(2.5), 12, 12), (keyframe(2.5, floor: 9), 8, 10), (keyframe(2.5, floor: 8), 8, 10),
            (keyframe(2.5, floor: 7.9), 8, 8),
        ]
        for row in table {
            let plan = SeekPlan(target: .seconds(10), landing: row.landing)
            #expect(plan.firstShown(firstFrame: .seconds(row.first)) == .seconds(row.shown), "\(row)")
        }
    }

    @Test func theKeyFrameBehindTheTargetIsTakenWhereTheOneBeforeCannotBe() {
        let table: [(landing: SeekPlan.Landing, before: Double, after: Double?, end: Double?, target: Double)] = [
            // The one before will do.
            (keyframe(2.5), 8, 11, nil, 10), (keyframe(2.5, floor: 7), 8, 11, nil, 10), (keyframe(2.5), 10, 11, nil, 10),
            // It is too far away, or the skip would go back.
            (keyframe(2.5), 7, 11, nil, 11), (keyframe(2.5, floor: 9), 8, 12.5, nil, 12.5),
            // The later one is too far away, unknown, where a skip back came from, or behind the end.
            (keyframe(2.5), 7, 12.6, nil, 10), (keyframe(2.5), 7, nil, nil, 10), (keyframe(2.5, ceiling: 11), 7, 11, nil, 10),
            (keyframe(2.5, ceiling: 11.1), 7, 11, nil, 11), (keyframe(2.5), 7, 11, 11, 10), (keyframe(2.5), 7, 11, 12, 11),
            (.exact, 7, 11, nil, 10), (.frameBefore, 7, 11, nil, 10),
        ]
        for row in table {
            let plan = SeekPlan(target: .seconds(10), landing: row.landing, end: row.end.map { .seconds($0) })
            let snapped = plan.snapped(keyBefore: .seconds(row.before), keyAfter: row.after.map { .seconds($0) })
            #expect(snapped.target == .seconds(row.target), "\(row)")
            #expect(snapped.landing == row.landing && snapped.end == plan.end, "\(row)")
        }
    }
}
