import AetherCore
import Testing

@testable import AetherEngine

@Suite struct AdaptationTests {
    /// 180p 0.4, 360p 0.8, 720p 2.5, 1080p 5, 2160p 15 Mbit/s.
    static let ladder: [MediaVariant] = [(320, 180, 0.4), (640, 360, 0.8), (1280, 720, 2.5), (1920, 1080, 5), (3840, 2160, 15)]
        .map {
            MediaVariant(id: "\($1)p", size: PixelSize(width: $0, height: $1), peakBitRate: $2 * 1e6)
        }
    private func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

    private func choice(
        _ active: String, link: Double?, buffer: Double, window: PixelSize? = nil, now: Double = 100, speed: Double = 1,
        capacity: Double = 30,
        liveOffset: Double? = nil, latency: Double = 0
    ) -> (String, AdaptationReason, Adaptation.Entry) {
        var adaptation = Adaptation(AdaptationLadder(Self.ladder, window: window), active: active)
        let state = Adaptation.Situation(
            buffer: .seconds(buffer), capacity: .seconds(capacity), link: link.map { $0 * 1e6 }, latency: .seconds(latency),
            segment: .seconds(4), speed: speed, liveOffset: liveOffset.map { .seconds($0) })
        let decision = adaptation.decide(at(now), state)
        return (decision.variant, decision.reason, decision.entry)
    }

    @Test(arguments: [
        // While the buffer fills, it rises to what the link carries: its estimate is the lower of two, so a little more is dared.
        ("360p", 20.0, 5.0, "2160p", AdaptationReason.link, Adaptation.Entry.behind), ("360p", 4.7, 5, "720p", .link, .behind),
        ("360p", 4.8, 5, "1080p", .link, .behind),
        // With a safe buffer to what the link carries; what is held is fetched anew where that costs half of the link.
        ("360p", 20, 11, "2160p", .link, .behind), ("360p", 5.2, 11, "1080p", .link, .behind),
        ("360p", 13, 11, "1080p", .link, .replacing(from: .seconds(6))),
        // Its own variant is kept a little longer than it would be chosen.
        ("720p", 2.4, 5, "720p", .link, .none), ("720p", 2.2, 5, "360p", .link, .behind),
        // A full buffer raises it above the link.
        ("720p", 4, 22, "1080p", .buffer, .behind),
        // A nearly empty buffer falls at once; a full one carries on for a while.
        ("1080p", 1, 2, "360p", .emergency, .behind), ("1080p", 4, 28, "1080p", .buffer, .none),
        // Nothing carries it: the lowest.
        ("1080p", 0.1, 1, "180p", .emergency, .behind),
    ])
    func theLinkAndTheBufferChoose(
        _ active: String, _ link: Double, _ buffer: Double, _ chosen: String, _ reason: AdaptationReason,
        _ entry: Adaptation.Entry
    ) {
        let found = choice(active, link: link, buffer: buffer)
        #expect(found == (chosen, reason, entry))
    }

    /// A rung that the buffer has raised is left where five seconds more would not carry it either: it does not go up and down with each segment.
    @Test func aBufferThatShrinksALittleKeepsTheQuality() {
        let risen = choice("720p", link: 4, buffer: 22)
        #expect(risen == ("1080p", .buffer, .behind))
        let held = (10...22).map { choice("1080p", link: 4, buffer: Double($0)).0 }
        let fresh = (10...22).map { choice("720p", link: 4, buffer: Double($0)).0 }
        #expect(held.count { $0 == "1080p" } == fresh.count { $0 == "1080p" } + 5 && held.first == "720p", "\(held) \(fresh)")
    }

    @Test func nobodyKnowsTheLinkAtFirst() {
        #expect(choice("720p", link: nil, buffer: 20) == ("720p", .unknown, .none))
    }

    @Test func theWindowIsTheCeiling() {
        let cells = PixelSize(width: 160, height: 90)
        // 180 lines fill 90 with a quarter to spare.
        #expect(AdaptationLadder(Self.ladder, window: cells).variants.map(\.id) == ["180p"])
        #expect(AdaptationLadder(Self.ladder, window: PixelSize(width: 512, height: 288)).variants.count == 2)
        #expect(AdaptationLadder(Self.ladder, window: PixelSize(width: 640, height: 360)).variants.count == 3)
        // A window that shrinks is left for its own variant at once, and one that grows waits for nothing but the buffer.
        #expect(choice("1080p", link: 20, buffer: 20, window: cells) == ("180p", .ladder, .behind))
        #expect(choice("180p", link: 100, buffer: 20).0 == "2160p")
    }

    /// Two thirds of what the server gave last time; of 4 Mbit/s where nobody knows.
    @Test(
        arguments: [
            (nil, false, "720p"), (1.5e6, false, "360p"), (9e6, false, "1080p"), (60e6, false, "2160p"), (60e6, true, "360p"),
            (0.1e6, true, "180p"),
        ] as [(Double?, Bool, String)])
    func itBeginsWithWhatTheServerGaveLastTime(_ rate: Double?, _ isLowData: Bool, _ chosen: String) {
        var options = AdaptationOptions()
        (options.expectedRate, options.isLowData) = (rate, isLowData)
        #expect(options.first(of: Self.ladder, window: nil, isRemote: true, decoding: .unlimited) == chosen)
    }

    @Test func speedAndLatencyTakeTheirShare() {
        #expect(choice("360p", link: 6, buffer: 10.5, speed: 2).0 == "720p")
        // Half of each segment's time is spent waiting.
        #expect(choice("360p", link: 6, buffer: 10.5, latency: 2).0 == "720p")
    }

    @Test func aBufferThatCannotBeLargeStopsNoRise() {
        #expect(choice("360p", link: 20, buffer: 5, capacity: 6).0 == "2160p")
        // Four seconds behind the edge of a broadcast, three are safe.
        #expect(choice("360p", link: 20, buffer: 3.2, liveOffset: 4).0 == "2160p")
    }

    @Test func aBufferThatRaisedInVainTooOftenRaisesNoMore() {
        var adaptation = Adaptation(AdaptationLadder(Self.ladder, window: nil), active: "720p"), reasons: [AdaptationReason] = []
        for second in 0..<40 {
            // Every other segment the buffer is full, and then it is not safe: the link carries 720 lines alone.
            let state = Adaptation.Situation(buffer: .seconds(second % 2 == 0 ? 24 : 6), link: 4e6, segment: .seconds(1))
            reasons.append(adaptation.decide(at(Double(second)), state).reason)
        }
        // Twelve rises, each followed by a fall; then it stays.
        #expect(reasons.count { $0 == .buffer } == 12 && reasons[24...].allSatisfy { $0 != .buffer })
        #expect(reasons[24] == .settling)
        // Three minutes after the first of those falls it may rise again.
        let state = Adaptation.Situation(buffer: .seconds(24), link: 4e6, segment: .seconds(1))
        #expect(adaptation.decide(at(194), state).reason == .buffer)
    }

    @Test func aSegmentThatComesTooLateIsGivenUp() throws {
        func decision(elapsed: Double, done: Double, buffer: Double, active: String = "1080p") -> String? {
            var adaptation = Adaptation(AdaptationLadder(Self.ladder, window: nil), active: active)
            let state = Adaptation.Situation(buffer: .seconds(buffer), link: 5e6, segment: .seconds(4))
            let size: Int64 = 2_500_000
            let load = Adaptation.Load(
                elapsed: .seconds(elapsed), bytes: Int64(Double(size) * done), size: size, duration: .seconds(4))
            return adaptation.decide(at(100), state, load)?.variant
        }
        // 1 Mbit/s: 20 s for a segment of 4 s; one of 360 lines takes 3.2 s of the six that are held.
        #expect(decision(elapsed: 2, done: 0.1, buffer: 6) == "360p")
        #expect(decision(elapsed: 2, done: 0.1, buffer: 2) == "180p")
        // Enough is held, or the rest is near, or nobody can know yet.
        #expect(decision(elapsed: 2, done: 0.1, buffer: 25) == nil)
        #expect(decision(elapsed: 8, done: 0.95, buffer: 1) == nil)
        #expect(decision(elapsed: 0.3, done: 0.001, buffer: 1) == nil)
        #expect(decision(elapsed: 2, done: 0, buffer: 1) == nil)
        #expect(decision(elapsed: 2, done: 0.1, buffer: 1, active: "180p") == nil)
    }

    @Test func limitsScoresAndBansLeaveSomething() {
        func left(_ limits: AdaptationLadder.Limits = .init(), decoding: DecodingBudget = .unlimited, banned: Set<String> = [])
            -> [String]
        {
            AdaptationLadder(Self.ladder, window: nil, limits: limits, decoding: decoding, banned: banned).variants.map(\.id)
        }
        #expect(left(.init(bitRate: 3e6)) == ["180p", "360p", "720p"])
        #expect(left(.init(height: 360)) == ["180p", "360p"] && left(.init(isLowData: true)) == ["180p", "360p"])
        #expect(left(.init(bitRate: 1000)) == ["180p"])
        #expect(left(banned: ["1080p"]) == ["180p", "360p", "720p", "2160p"])
        #expect(left(banned: Set(Self.ladder.map(\.id))) == ["180p"])
        let scored = [("a", 5e6, 1.0), ("b", 2e6, 2)].map { MediaVariant(id: $0, size: nil, peakBitRate: $1, score: $2) }
        #expect(AdaptationLadder(scored, window: nil).variants.map(\.id) == ["a", "b"])
    }

    @Test func twoCoresBeginWithNothingTheyCannotDecode() {
        func allows(_ codec: String, _ width: Int, _ height: Int, _ rate: Double, cores: Int = 2) -> Bool {
            DecodingBudget(cores: cores).allows(
                MediaVariant(
                    id: "x", size: PixelSize(width: width, height: height), peakBitRate: nil, codecTypes: [codec], frameRate: rate
                ))
        }
        #expect(!allows("av01.0.12M.08", 3840, 2160, 24) && !allows("hvc1.2.4.L153", 3840, 2160, 60))
        #expect(
            allows("av01.0.08M.08", 1920, 1080, 60) && allows("avc1.640028", 1920, 1080, 60)
                && allows("hvc1.1.6.L123", 1920, 1080, 60))
        #expect(allows("av01.0.12M.08", 3840, 2160, 24, cores: 8))
        #expect(DecodingBudget.unlimited.allows(Self.ladder[4]))
    }

    @Test func theFirstChoiceIsWhatTheLinkWasLastTime() {
        var options = AdaptationOptions()
        func first(_ window: PixelSize? = nil, isRemote: Bool = true) -> String? {
            options.first(of: Self.ladder, window: window, isRemote: isRemote, decoding: .unlimited)
        }
        #expect(first() == "720p" && first(isRemote: false) == "2160p")
        options.expectedRate = 30e6
        #expect(first() == "2160p" && first(PixelSize(width: 160, height: 90)) == "180p")
        options.expectedRate = 0.1e6
        #expect(first() == "180p")
    }
}

@Suite struct DropWatchTests {
    private func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

    private func isBanned(_ watch: inout DropWatch, dropped: Int, shown: Int, of variant: String, now: HostTime) -> Bool {
        watch.note(dropped: dropped, shown: shown, of: variant, now: now)
    }

    @Test func aVariantThatDropsIsBannedForAWhileAndLongerEachTime() {
        var watch = DropWatch()
        #expect(!isBanned(&watch, dropped: 0, shown: 0, of: "a", now: at(0)))
        #expect(!isBanned(&watch, dropped: 30, shown: 30, of: "a", now: at(1)))
        #expect(isBanned(&watch, dropped: 30, shown: 30, of: "a", now: at(2)))
        #expect(watch.banned(at(31)) == ["a"] && watch.banned(at(33)).isEmpty)
        _ = isBanned(&watch, dropped: 30, shown: 30, of: "a", now: at(40))
        #expect(isBanned(&watch, dropped: 60, shown: 60, of: "a", now: at(42)))
        #expect(watch.banned(at(101)) == ["a"] && watch.banned(at(103)).isEmpty)
    }

    @Test func fewDropsAndPausesBanNothing() {
        var watch = DropWatch()
        _ = isBanned(&watch, dropped: 0, shown: 0, of: "a", now: at(0))
        #expect(!isBanned(&watch, dropped: 7, shown: 50, of: "a", now: at(2)))
        // Hardly a frame: it was paused. And the counts of another variant are its own.
        #expect(!isBanned(&watch, dropped: 12, shown: 51, of: "a", now: at(10)))
        #expect(!isBanned(&watch, dropped: 80, shown: 90, of: "b", now: at(12)))
        #expect(watch.banned(at(12)).isEmpty)
    }
}

@Suite struct LinkEstimateTests {
    @Test func theLowerOfTwoAveragesCounts() throws {
        var estimate = LinkEstimate()
        #expect(estimate.rate == nil)
        estimate.add(LinkSample(bytes: 1000, span: .seconds(1)))
        #expect(estimate.rate == nil)
        estimate.add(LinkSample(bytes: 1_000_000, span: .seconds(1)))
        #expect(abs(try #require(estimate.rate) - 8e6) < 1)
        // It falls fast and rises slowly.
        estimate.add(LinkSample(bytes: 100_000, span: .seconds(2)))
        let fallen = try #require(estimate.rate)
        #expect(fallen < 4e6)
        estimate.add(LinkSample(bytes: 2_000_000, span: .seconds(2)))
        #expect(try #require(estimate.rate) < 6e6)
        // Memory is no link of infinite speed.
        var fast = LinkEstimate()
        fast.add(LinkSample(bytes: 20_000, span: .zero))
        #expect(try #require(fast.rate) == 32e6)
    }
}
