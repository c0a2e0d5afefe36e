import AetherCore
import AetherFormats
import Testing

@testable import AetherEngine

private func moment(_ seconds: Double) -> HostTime { HostTime(nanoseconds: TimeSpan.seconds(seconds).nanoseconds) }

/// A list of segments of a length each, in milliseconds.
private func segmentIndex(_ lengths: [Int], gaps: Set<Int> = []) throws -> SegmentList {
    let lines = lengths.enumerated().map { number, length in
        (gaps.contains(number) ? "#EXT-X-GAP\n" : "") + "#EXTINF:\(Double(length) / 1000),\n\(number).ts\n"
    }
    let text = "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n\(lines.joined())#EXT-X-ENDLIST\n"
    let address = try #require(StreamAddress("https://h/m.m3u8"))
    return try HLSPlaylist(Array(text.utf8), address: address).segmentList().segments
}

@Suite struct SegmentFailoverTests {
    private func rendition(_ id: String, _ rate: Int64, hosts: [String] = ["a"], gaps: Set<Int> = []) throws -> Rendition {
        var rendition = Rendition(id: id)
        rendition.peakBitRate = rate
        rendition.addresses = hosts.compactMap { StreamAddress("https://\($0)/\(id).m3u8") }
        rendition.index = try segmentIndex([2000, 2000, 2000], gaps: gaps)
        return rendition
    }

    @Test func otherServersThenOtherRenditionsThenAGap() throws {
        var group = Group(id: "video", kind: .video)
        group.renditions = [
            try rendition("low", 1, gaps: [1]), try rendition("middle", 2), try rendition("high", 3, hosts: ["a", "b"]),
            try rendition("top", 4),
        ]
        var failover = SegmentFailover()
        let high = group.renditions[2], now = moment(0), time = Ticks(3, timescale: 1)
        func next(_ addresses: Set<Int>, _ renditions: Set<String>) -> SegmentFailover.Place {
            failover.next(
                after: high, triedAddresses: addresses, triedRenditions: renditions, group: group, at: time, now: now)
        }
        #expect(next([0], []) == .address(1))
        #expect(next([0, 1], []) == .rendition("middle"))
        #expect(next([0, 1], ["middle"]) == .rendition("top"), "the low one has a gap there")
        #expect(next([0, 1], ["middle", "top"]) == .gap)
        failover.ban("middle", now: now)
        #expect(next([0, 1], []) == .rendition("top"))
        #expect(!failover.isOpen("middle", now: moment(59)) && failover.isOpen("middle", now: moment(60)))
    }

    @Test func bansOfAddressesEnd() throws {
        let rendition = try rendition("v", 1, hosts: ["a", "b"])
        var failover = SegmentFailover()
        #expect(failover.address(of: rendition, now: moment(0)) == 0)
        failover.ban(rendition.addresses[0], now: moment(0))
        #expect(failover.address(of: rendition, now: moment(1)) == 1)
        failover.ban(rendition.addresses[1], now: moment(10))
        #expect(failover.address(of: rendition, now: moment(20)) == 0, "the one whose ban ends first")
        #expect(failover.address(of: rendition, now: moment(301)) == 0)
    }
}

@Suite struct PlaylistRefreshTests {
    private func list(_ count: Int, first: Int = 0, isEnded: Bool = false) throws -> HLSSegmentList {
        let segments = (0..<count).map { "#EXTINF:4,\n\(first + $0).ts\n" }.joined()
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n\(segments)" + (isEnded ? "#EXT-X-ENDLIST\n" : "")
        return try HLSPlaylist(Array(text.utf8), address: try #require(StreamAddress("https://h/m"))).segmentList()
    }

    @Test func aTargetDurationAfterAChangeAndHalfAfterNone() throws {
        var refresh = PlaylistRefresh(now: moment(0))
        #expect(refresh.next == moment(0))
        refresh.arrived(try list(3), after: nil, asked: moment(0), now: moment(0.3))
        #expect(refresh.next == moment(4))
        refresh.arrived(try list(3), after: try list(3), asked: moment(4), now: moment(4.3))
        #expect(refresh.next == moment(6))
        refresh.arrived(try list(4), after: try list(3), asked: moment(6), now: moment(12))
        #expect(refresh.next == moment(12), "a slow answer is followed at once")
        refresh.arrived(try list(4, isEnded: true), after: try list(4), asked: moment(12), now: moment(12))
        #expect(refresh.next == nil && refresh.state == .ended)
    }

    @Test func aListIsLateAfterTwoAndAHalfSegmentsOrTwoFailures() throws {
        var refresh = PlaylistRefresh(now: moment(0))
        refresh.arrived(try list(3), after: nil, asked: moment(0), now: moment(0))
        #expect(!refresh.isLate(now: moment(9.9)) && refresh.isLate(now: moment(10)))
        refresh.failed(now: moment(4))
        #expect(!refresh.isLate(now: moment(4)))
        refresh.failed(now: moment(8))
        #expect(refresh.isLate(now: moment(8)))
        refresh.arrived(try list(4), after: try list(3), asked: moment(9), now: moment(9))
        #expect(!refresh.isLate(now: moment(9)))
        refresh.arrived(try list(4, isEnded: true), after: try list(4), asked: moment(12), now: moment(12))
        #expect(!refresh.isLate(now: moment(60)))
        // Its segments are longer than it says.
        var wrong = PlaylistRefresh(now: moment(0))
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:12,\n0.ts\n"
        let long = try HLSPlaylist(Array(text.utf8), address: try #require(StreamAddress("https://h/m"))).segmentList()
        wrong.arrived(long, after: nil, asked: moment(0), now: moment(0))
        #expect(!wrong.isLate(now: moment(29)) && wrong.isLate(now: moment(30)))
    }

    @Test func whatStandsStillIsAskedMoreRarelyAndNeverEnds() throws {
        var refresh = PlaylistRefresh(now: moment(0))
        refresh.arrived(try list(3), after: nil, asked: moment(0), now: moment(0))
        var requests = 0, now = 4.0
        while now < 600 {
            refresh.arrived(try list(3), after: try list(3), asked: moment(now), now: moment(now))
            requests += 1
            #expect(refresh.state == (now >= 24 ? .stalled : .fresh))
            now = try #require(refresh.next?.nanoseconds).seconds
        }
        #expect((20...40).contains(requests), "\(requests)")
        refresh.arrived(try list(4), after: try list(3), asked: moment(now), now: moment(now))
        #expect(refresh.state == .fresh)
    }

    @Test func failuresAreBorne() throws {
        var refresh = PlaylistRefresh(now: moment(0))
        refresh.arrived(try list(3), after: nil, asked: moment(0), now: moment(0))
        var pauses: [Double] = []
        for _ in 0..<5 {
            refresh.failed(now: moment(4))
            pauses.append(try #require(refresh.next?.nanoseconds).seconds - 4)
        }
        #expect(pauses == [4, 8, 16, 30, 30])
    }

    @Test func twoRequestsATargetDurationAtMost() throws {
        var refresh = PlaylistRefresh(now: moment(0))
        refresh.arrived(try list(3), after: nil, asked: moment(0), now: moment(0))
        refresh.arrived(try list(3), after: try list(3), asked: moment(4), now: moment(4))
        #expect(try #require(refresh.next) - moment(4) >= .seconds(2))
    }

    @Test func numbersThatGoBackwardsAreBelievedTheThirdTime() throws {
        var refresh = PlaylistRefresh(now: moment(0))
        let before = try list(3, first: 100), anew = try list(3, first: 0)
        let lists = [anew, try list(4, first: 100), anew, anew, anew]
        var verdicts: [Bool] = []
        for list in lists { verdicts.append(refresh.beginsAnew(list, after: before)) }
        #expect(verdicts == [false, false, false, false, true])
    }
}

extension Int64 {
    fileprivate var seconds: Double { Double(self) / 1e9 }
}

@Suite struct VariantPickerTests {
    private func variants(_ sizes: [(Int, Int, Int64)]) -> [Variant] {
        sizes.enumerated().map { number, size in
            var variant = Variant(id: "\(number)", rendition: "\(number)", peakBitRate: size.2)
            variant.size = StatedSize(width: size.0, height: size.1)
            return variant
        }
    }

    static let ladder =
        [(640, 360, 1), (1280, 720, 3), (1920, 1080, 6), (3840, 2160, 16), (1920, 1080, 5)] as [(Int, Int, Int64)]

    @Test(
        arguments: [
            (200, 100, "0"), (640, 360, "1"), (1000, 560, "1"), (1280, 720, "2"), (1600, 2000, "3"), (8000, 4000, "3"),
            (400, 2000, "0"),
            (512, 2000, "0"), (513, 2000, "1"),
        ] as [(Int, Int, String)])
    func theLargestThatTheWindowCanShow(_ width: Int, _ height: Int, _ id: String) {
        let picker = VariantPicker(variants(Self.ladder))
        #expect(picker.start(in: VariantPicker.Window(width: width, height: height))?.id == id)
    }

    @Test func ofNothingNothing() { #expect(VariantPicker([]).start(in: nil) == nil) }

    @Test func withoutSizesTheMakersFirst() {
        let picker = VariantPicker(variants([(0, 0, 5), (0, 0, 9)]))
        #expect(picker.start(in: VariantPicker.Window(width: 100, height: 100))?.id == "0")
        #expect(picker.start(in: nil)?.id == "0")
    }

    @Test func audioAloneIsNoVideoAndTheUnusableIsLeftOut() {
        var all = variants(Self.ladder)
        var audio = Variant(id: "audio", rendition: "audio", peakBitRate: 0)
        audio.codecs = [CodecName("mp4a.40.2")]
        all.insert(audio, at: 0)
        #expect(VariantPicker([audio]).start(in: VariantPicker.Window(width: 1, height: 1))?.id == "audio")
        #expect(VariantPicker(all) { $0.id != "3" }.start(in: VariantPicker.Window(width: 8000, height: 4000))?.id == "2")
    }
}
