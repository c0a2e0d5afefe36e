import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

private typealias Picture = DecodePolicy.Shape

/// Decoding work that is skipped for the size alone.
@Suite struct InvisibleEffortTests {
    struct Row: Sendable {
        let codec: String
        let shrink: Double
        var isInterlaced = false
        var isExact = false
        let effort: DecodeEffort
    }

    @Test(arguments: [
        Row(codec: "h264", shrink: 1, effort: DecodeEffort()), Row(codec: "h264", shrink: 1.9, effort: DecodeEffort()),
        Row(codec: "h264", shrink: 2, effort: DecodeEffort(skipLoopFilter: .nonReference)),
        Row(codec: "hevc", shrink: 3.9, effort: DecodeEffort(skipLoopFilter: .nonReference)),
        Row(codec: "h264", shrink: 4, effort: DecodeEffort(skipLoopFilter: .bidirectional)),
        Row(codec: "hevc", shrink: 4, effort: DecodeEffort(skipLoopFilter: .bidirectional)),
        Row(codec: "h264", shrink: 11.9, effort: DecodeEffort(skipLoopFilter: .bidirectional)),
        Row(codec: "h264", shrink: 12, effort: DecodeEffort(skipLoopFilter: .all)),
        Row(codec: "hevc", shrink: 12, effort: DecodeEffort(skipLoopFilter: .all)),
        Row(codec: "hevc", shrink: 12, isExact: true, effort: DecodeEffort()),
        Row(codec: "h264", shrink: 12, isExact: true, effort: DecodeEffort()),
        Row(codec: "mpeg2video", shrink: 3.9, effort: DecodeEffort()),
        Row(codec: "mpeg2video", shrink: 4, effort: DecodeEffort(halvings: 1)),
        Row(codec: "mjpeg", shrink: 12, effort: DecodeEffort(halvings: 2)),
        Row(codec: "mpeg2video", shrink: 12, isInterlaced: true, effort: DecodeEffort()),
        Row(codec: "av1", shrink: 2.9, effort: DecodeEffort()),
        Row(codec: "av1", shrink: 3, effort: DecodeEffort(omitsFilmGrain: true)),
        Row(codec: "av1", shrink: 3, isExact: true, effort: DecodeEffort()),
        Row(codec: "ffv1", shrink: 100, effort: DecodeEffort()),
    ])
    func isAsMeasured(row: Row) {
        let target = PixelSize(width: 100, height: 100)
        let side = Int(100 * row.shrink)
        let picture = Picture(
            codec: row.codec, source: PixelSize(width: side, height: side), target: target, isInterlaced: row.isInterlaced,
            isExact: row.isExact)
        #expect(DecodePolicy.effort(picture) == row.effort)
    }

    @Test func theDirectionThatShrinksLessDecides() {
        #expect(
            Picture(codec: "", source: PixelSize(width: 800, height: 200), target: PixelSize(width: 100, height: 100)).shrink == 2
        )
        #expect(Picture(codec: "", source: PixelSize(width: 800, height: 200), target: nil).shrink == 1)
        #expect(Picture(codec: "", source: PixelSize(width: 0, height: 0), target: PixelSize(width: 0, height: 0)).shrink == 1)
    }
}

/// Decoding work that is skipped for lack of time.
@Suite struct LatenessTests {
    private let film = Picture(codec: "h264", source: PixelSize(width: 100, height: 100), target: nil)

    private func arrival(late milliseconds: Double?, cost: Double = 40, backlog: Bool = true) -> DecodePolicy.Arrival {
        DecodePolicy.Arrival(
            lateness: milliseconds.map { .milliseconds($0) }, cost: .milliseconds(cost), interval: .milliseconds(40),
            hasBacklog: backlog)
    }

    private func pressed() -> DecodePolicy {
        var policy = DecodePolicy()
        for _ in 0..<40 { policy.note(arrival(late: 100, cost: 60)) }
        return policy
    }

    @Test func aSlowDecoderLeavesOutWhatNothingNeeds() {
        let policy = pressed()
        #expect(policy.isPressed && policy.load > 1)
        #expect(policy.effort(film).discard == .nonReference)
        #expect(DecodePolicy().effort(film) == DecodeEffort())
    }

    @Test func theLoopFiltersGoOnlyWhereTheSizeHidesThem() {
        func filter(_ codec: String, _ side: Int) -> DecodeEffort.LoopFilterSkip {
            let target = PixelSize(width: 100, height: 100)
            return pressed().effort(Picture(codec: codec, source: PixelSize(width: side, height: side), target: target))
                .skipLoopFilter
        }
        #expect(filter("h264", 199) == .none && filter("h264", 200) == .all)
        #expect(filter("av1", 299) == .none && filter("av1", 300) == .all)
    }

    @Test func aSlowSourceAStallAndAStandingClockAreNoSlowDecoder() {
        var policy = DecodePolicy()
        for _ in 0..<100 { policy.note(arrival(late: 300, cost: 60, backlog: false)) }
        #expect(!policy.isPressed)
        var quick = DecodePolicy()
        for _ in 0..<100 { quick.note(arrival(late: 300, cost: 10)) }
        #expect(!quick.isPressed)
        var standing = DecodePolicy()
        for _ in 0..<100 { standing.note(arrival(late: nil, cost: 60)) }
        #expect(!standing.isPressed)
    }

    @Test func fewLateFramesAreAnAccident() {
        var policy = DecodePolicy()
        for _ in 0..<40 { policy.note(arrival(late: -20)) }
        for _ in 0..<DecodePolicy.pressureLimit - 1 { policy.note(arrival(late: 10)) }
        #expect(!policy.isPressed)
        policy.note(arrival(late: 10))
        #expect(policy.isPressed)
    }

    @Test func withoutHopeTheRestOfTheGroupIsLeftOutUpToTheNextKey() {
        var policy = pressed()
        #expect(policy.admit(isKey: false, nextKey: .milliseconds(400)) == .decode)
        policy.note(arrival(late: 1100, cost: 60))
        #expect(policy.admit(isKey: false, nextKey: .milliseconds(400)) == .leaveOut)
        #expect(policy.admit(isKey: false, nextKey: .milliseconds(400)) == .leaveOut)
        #expect(policy.admit(isKey: true, nextKey: nil) == .decodeAfresh)
        #expect(policy.admit(isKey: false, nextKey: nil) == .decode)
    }

    @Test func withoutAKeyInSightNothingMoreIsLeftOut() {
        var policy = pressed()
        policy.note(arrival(late: 5000, cost: 60))
        #expect(policy.admit(isKey: false, nextKey: nil) == .decode)
    }

    /// The picture may stand for a second, not for the rest of a long group.
    @Test(arguments: [(1100.0, 2000.0, true), (1100, 2200, false), (600, 1600, true), (600, 9000, false), (9000, 9000, true)])
    func theGroupIsLeftOutOnlyWhereItsEndIsNear(late: Double, next: Double, isLeftOut: Bool) {
        var policy = pressed()
        policy.note(arrival(late: late, cost: 60))
        #expect(policy.admit(isKey: false, nextKey: .milliseconds(next)) == (isLeftOut ? .leaveOut : .decode))
    }

    @Test func aSeekForgetsTheLatenessButNotTheSlowness() {
        var policy = pressed()
        policy.note(arrival(late: 1100, cost: 60))
        policy.begin()
        #expect(policy.admit(isKey: false, nextKey: .milliseconds(400)) == .decode)
        #expect(policy.isPressed)
    }

    @Test func afterSomePatienceEverythingIsTriedAgainAndEachFailureCostsMore() {
        var policy = pressed()
        var waited: [Int] = []
        for _ in 0..<6 {
            var count = 0
            while policy.isPressed {
                policy.note(arrival(late: -20, cost: 30))
                count += 1
            }
            waited.append(count)
            while !policy.isPressed { policy.note(arrival(late: 20, cost: 60)) }
        }
        #expect(waited == [24, 48, 96, 192, 384, 384])
        // Long calm makes it forget.
        while policy.isPressed { policy.note(arrival(late: -20, cost: 30)) }
        for _ in 0..<1000 { policy.note(arrival(late: -20, cost: 20)) }
        while !policy.isPressed { policy.note(arrival(late: 20, cost: 60)) }
        var count = 0
        while policy.isPressed {
            policy.note(arrival(late: -20, cost: 30))
            count += 1
        }
        #expect(count == 24)
    }

    @Test func whatASeekLandsOnIsExactAlsoUnderPressure() {
        let policy = pressed()
        #expect(policy.effort(film, isLanding: true) == DecodeEffort())
        #expect(policy.effort(film, isLanding: true, isCovered: true).discard == .nonReference)
        #expect(policy.effort(film).discard == .nonReference)
    }

    /// Later frames up to the next key frame refer to the landing frame, and a person looks at it for longer.
    @Test(arguments: ["h264", "hevc"]) func whatASeekLandsOnKeepsTheFiltersOfWhatOthersNeed(_ codec: String) {
        let picture = Picture(
            codec: codec, source: PixelSize(width: 1920, height: 1080), target: PixelSize(width: 160, height: 90))
        #expect(DecodePolicy().effort(picture).skipLoopFilter == .all)
        #expect(DecodePolicy().effort(picture, isLanding: true).skipLoopFilter == .nonReference)
        #expect(pressed().effort(picture, isLanding: true).skipLoopFilter == .nonReference)
        var exact = picture
        exact.isExact = true
        #expect(DecodePolicy().effort(exact, isLanding: true) == DecodeEffort())
    }

    @Test func whatIsExactLeavesNothingOut() {
        let policy = pressed()
        var exact = film
        exact.isExact = true
        #expect(policy.effort(exact) == DecodeEffort())
        // Except on the way to a landing, where it is covered.
        #expect(policy.effort(exact, isCovered: true).discard == .nonReference)
    }
}
