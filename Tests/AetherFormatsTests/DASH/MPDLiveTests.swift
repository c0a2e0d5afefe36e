import AetherFormats
import Testing

/// Broadcasts: windows by the server's clock, which is an argument, and the manifest that is read again.
struct MPDLiveTests {
    /// 2024-01-01T00:00:00Z.
    private static let zero: Int64 = 1_704_067_200_000_000_000

    private func at(_ seconds: Double) -> Int64 { Self.zero + Int64(seconds * 1e9) }

    private func mpd(_ template: String, attributes: String = "", more: String = "", periods: String? = nil) -> String {
        """
        <MPD type="dynamic" availabilityStartTime="2024-01-01T00:00:00Z" minimumUpdatePeriod="PT2S" timeShiftBufferDepth="PT10S" \(attributes)>
        \(more)\(periods ?? "<Period id=\"p\" start=\"PT0S\"><AdaptationSet id=\"1\" mimeType=\"video/mp4\">\(template)<Representation id=\"v\"/></AdaptationSet></Period>")</MPD>
        """
    }

    private func numbers(_ presentation: Presentation) throws -> [Int64] {
        Array(try #require(presentation.rendition("v")?.index).numbers)
    }

    private func chain(_ presentation: Presentation) throws -> PeriodChain {
        try #require(presentation.rendition("v")?.index as? PeriodChain)
    }

    @Test func onlyWhatIsWholeIsThere() throws {
        let text = mpd("<SegmentTemplate duration=\"2\" startNumber=\"10\" media=\"$Number$\"/>")
        var presentation = try MPD.presentation(text, now: at(1.9))
        #expect(try numbers(presentation).isEmpty && presentation.kind == .live)
        #expect(try chain(presentation).nextAvailability() == Ticks(2, timescale: 1))
        presentation.advance(to: at(2))
        #expect(try numbers(presentation) == [10])
        presentation.advance(to: at(31))
        #expect(try numbers(presentation) == Array(20...24), "the window of 10 s reaches to 21 s")
        #expect(try chain(presentation).nextAvailability() == Ticks(32, timescale: 1))
        let first = try #require(presentation.rendition("v")?.index?.segment(20))
        #expect(first.address.text == "https://h/a/20" && first.start == Ticks(20, timescale: 1) && first.wallClock == at(20))
    }

    @Test func someMayBeAskedForEarlier() throws {
        let base = "<BaseURL availabilityTimeOffset=\"0.5\">x/</BaseURL>"
        let text = mpd(
            "<SegmentTemplate duration=\"2\" media=\"$Number$\" availabilityTimeOffset=\"1\" availabilityTimeComplete=\"false\"/>",
            more: base)
        let presentation = try MPD.presentation(text, now: at(0.5))
        #expect(try numbers(presentation) == [1] && presentation.rendition("v")?.isChunked == true)
        #expect(try chain(presentation).nextAvailability() == Ticks(5, timescale: 2))
        let always = mpd("<SegmentTemplate duration=\"2\" endNumber=\"3\" media=\"$Number$\" availabilityTimeOffset=\"INF\"/>")
        #expect(try numbers(MPD.presentation(always, now: at(0))) == [1, 2, 3])
    }

    /// A listed timeline is what there is, whatever the clock says; one that repeats without an end goes by the clock.
    @Test func timelines() throws {
        let listed = mpd(
            "<SegmentTemplate media=\"$Time$\"><SegmentTimeline><S t=\"0\" d=\"2\" r=\"9\"/></SegmentTimeline></SegmentTemplate>")
        #expect(try numbers(MPD.presentation(listed, now: at(15))) == Array(3...10))
        #expect(try chain(MPD.presentation(listed, now: at(15))).nextAvailability() == nil)
        #expect(try numbers(MPD.presentation(listed, now: at(3600))) == Array(6...10), "a clock that is an hour ahead")
        #expect(try numbers(MPD.presentation(listed, now: at(-3600))) == Array(1...10))
        let open = mpd(
            "<SegmentTemplate media=\"$Time$\"><SegmentTimeline><S t=\"0\" d=\"2\" r=\"-1\"/></SegmentTimeline></SegmentTemplate>"
        )
        var presentation = try MPD.presentation(open, now: at(15))
        #expect(try numbers(presentation) == Array(3...7))
        presentation.advance(to: at(600))
        #expect(try numbers(presentation) == Array(296...300))
    }

    /// Numbers stay when the window moves out of a period, although the next period counts from 1 again.
    @Test func numbersStayAcrossPeriods() throws {
        let set =
            "<AdaptationSet id=\"1\" mimeType=\"video/mp4\"><SegmentTemplate duration=\"2\" media=\"$Number$\"/><Representation id=\"v\"/></AdaptationSet>"
        let text = mpd(
            "", periods: "<Period id=\"a\" start=\"PT0S\">\(set)</Period><Period id=\"b\" start=\"PT20S\">\(set)</Period>")
        var presentation = try MPD.presentation(text, now: at(22))
        #expect(try numbers(presentation) == Array(7...11))
        let segment = try #require(presentation.rendition("v")?.index?.segment(11))
        #expect(segment.address.text == "https://h/a/1" && segment.continuity == 20_000 && segment.isDiscontinuity)
        for second in stride(from: 22.0, through: 60, by: 0.5) {
            presentation.advance(to: at(second))
            let index = try #require(presentation.rendition("v")?.index)
            for number in index.numbers { #expect(index.segment(number)?.start == Ticks((number - 1) * 2, timescale: 1)) }
        }
        #expect(try numbers(presentation) == Array(26...30))
    }

    /// A later version has lost segments at its front and counts from 1; another has a period more.
    @Test func versionsFollowOneAnother() throws {
        let timeline = { (start: Int) in
            "<SegmentTemplate media=\"$Time$\"><SegmentTimeline><S t=\"\(start)\" d=\"2\" r=\"4\"/></SegmentTimeline></SegmentTemplate>"
        }
        let first = try MPD.presentation(mpd(timeline(0)), now: at(10))
        let second = try MPD.presentation(mpd(timeline(6)), now: at(16)).following(first)
        #expect(try numbers(first) == Array(1...5) && numbers(second) == Array(4...8))
        #expect(second.rendition("v")?.index?.segment(4)?.address.text == "https://h/a/6")
        #expect(
            try numbers(MPD.presentation(mpd(timeline(90)), now: at(100)).following(second)) == Array(9...13), "nothing in common"
        )
    }

    /// A broadcast that began before its first period ends: as a static manifest it has the same axis, and alone its own.
    @Test func aBroadcastThatEndsKeepsItsAxis() throws {
        func text(_ type: String) -> String {
            let timeline = "<SegmentTimeline><S t=\"0\" d=\"2\" r=\"4\"/></SegmentTimeline>"
            return """
                <MPD type="\(type)" availabilityStartTime="2024-01-01T00:00:00Z" minimumUpdatePeriod="PT2S"><Period id="1" start="PT1000S">
                <AdaptationSet id="1" mimeType="video/mp4"><SegmentTemplate media="$Time$">\(timeline)</SegmentTemplate>
                <Representation id="v"/></AdaptationSet></Period></MPD>
                """
        }
        let first = try MPD.document(text("dynamic")), bytes = Array(text("static").utf8)
        let ended = try MPDDocument(bytes, address: first.address, following: first)
        let live = try Presentation(first, now: at(1010))
        let last = try Presentation(MPDDocument(bytes, address: first.address, following: ended), now: nil).following(live)
        #expect(try numbers(live) == numbers(last) && !numbers(last).isEmpty && last.live == nil)
        let index = try #require(last.rendition("v")?.index), moment = index.segment(index.numbers.lowerBound)?.wallClock
        #expect(index.start == Ticks(1000, timescale: 1) && index.end == Ticks(1010, timescale: 1))
        #expect(moment == at(1000))
        #expect(try MPD.presentation(text("static")).rendition("v")?.index?.start == Ticks(0, timescale: 1))
    }

    /// A timeline that goes on by itself, in a period whose end is known: what is to come is not there yet.
    @Test func aTimelineThatRepeatsIsThereByTheClock() throws {
        let template =
            "<SegmentTemplate media=\"$Time$\"><SegmentTimeline><S t=\"0\" d=\"2\" r=\"-1\"/></SegmentTimeline></SegmentTemplate>"
        let set = "<AdaptationSet mimeType=\"video/mp4\">\(template)<Representation id=\"v\"/></AdaptationSet>"
        let text = mpd("", periods: "<Period id=\"1\" start=\"PT0S\" duration=\"PT60S\">\(set)</Period>")
        var presentation = try MPD.presentation(text, now: at(11))
        #expect(try numbers(presentation).last == 5, "ends at 10 s")
        presentation.advance(to: at(65))
        #expect(try numbers(presentation).last == 30)
    }

    @Test func theClockworkIsRead() throws {
        let presentation = try MPD.presentation(
            mpd(
                "<SegmentTemplate duration=\"2\" media=\"$Number$\"/>",
                attributes: "suggestedPresentationDelay=\"PT6S\" publishTime=\"2024-01-01T00:00:10Z\"",
                more: """
                    <Location>x.mpd</Location><PatchLocation ttl="30">p</PatchLocation><ServiceDescription><Latency target="3500" min="2000"/>
                    <PlaybackRate min="0.96" max="1.04"/></ServiceDescription><ContentSteering defaultServiceLocation="beta">https://steer/</ContentSteering>
                    <UTCTiming schemeIdUri="urn:mpeg:dash:utc:ntp:2014" value="pool"/><UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-head:2014" value="/t"/>
                    <UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="2024-01-01T00:00:00Z"/>
                    <BaseURL serviceLocation="alpha">https://one/</BaseURL><BaseURL serviceLocation="beta">https://two/</BaseURL>
                    """))
        let live = try #require(presentation.live)
        #expect(live.delay == Ticks(6, timescale: 1) && live.updatePeriod == Ticks(2, timescale: 1))
        #expect(live.latency?.target == Ticks(7, timescale: 2) && live.latency?.slowest == 960 && live.latency?.fastest == 1040)
        #expect(live.clocks.map(\.method) == [.head(try #require(StreamAddress("https://h/t"))), .direct(Self.zero)])
        #expect(live.locations.map(\.text) == ["https://h/a/x.mpd"] && live.patch?.until == at(40))
        #expect(presentation.steering?.pathway == "beta" && presentation.rendition("v")?.services == ["alpha", "beta"])
    }

    @Test(arguments: [
        ("2024-01-01T00:00:00Z", true), ("\"2024-01-01T00:00:00.000Z\"", true), ("  2024-01-01T01:00:00+01:00\n", true),
        ("no", false), ("", false),
    ])
    func momentsInAnswers(body: String, isGood: Bool) {
        #expect(UTCTiming.moment(body: Array(body.utf8)) == (isGood ? Self.zero : nil))
    }

    @Test(arguments: [
        ("Mon, 01 Jan 2024 00:00:00 GMT", true), ("Mon, 1 Jan 2024 00:00:00 GMT", true), ("Mon, 01 Foo 2024 00:00:00 GMT", false),
        ("", false),
    ])
    func momentsInHeaders(header: String, isGood: Bool) {
        #expect(UTCTiming.moment(header: header) == (isGood ? Self.zero : nil))
    }

    @Test func theServersClock() {
        var clock = ServerClock()
        #expect(clock.isOld(0) && clock.moment(at(0)) == at(0))
        clock.learn(at(20), asked: at(0), answered: at(0.2))
        #expect(clock.moment(at(10)) == at(29.9) && !clock.isOld(at(599)) && clock.isOld(at(601)))
        clock.learn(at(5), asked: at(1), answered: at(2), isCoarse: true)
        #expect(clock.moment(at(10)) == at(29.9), "a worse measurement changes nothing")
        clock.learn(at(700), asked: at(700), answered: at(700), isCoarse: true)
        #expect(clock.moment(at(700)) == at(700), "the old one is too old")
        // It may have been a moment before the next whole second, or the very begin of this one: only that is sure.
        var coarse = ServerClock()
        coarse.learn(at(10), asked: at(0), answered: at(0.2), isCoarse: true)
        #expect(coarse.moment(at(1)) == at(10.8))
        #expect(UTCTiming.isCoarse(body: Array("2024-01-01T00:00:00Z".utf8)))
        #expect(!UTCTiming.isCoarse(body: Array("2024-01-01T00:00:00.250Z".utf8)))
    }

    @Test func versionsAreReadAgain() throws {
        let address = try #require(MPD.address), second: Int64 = 1_000_000_000
        let version = { (attributes: String, more: String) in
            try MPD.document(
                "<MPD type=\"dynamic\" availabilityStartTime=\"2024-01-01T00:00:00Z\" \(attributes)>\(more)<Period/></MPD>")
        }
        var refresh = MPDRefresh(address)
        #expect(try refresh.arrived(version("minimumUpdatePeriod=\"PT5S\" publishTime=\"2024-01-01T00:00:05Z\"", ""), asked: 0))
        #expect(refresh.next == 5 * second && refresh.address == address)
        let stale = try version("minimumUpdatePeriod=\"PT5S\" publishTime=\"2024-01-01T00:00:04Z\"", "")
        #expect(!refresh.arrived(stale, asked: 5 * second) && refresh.next == 7 * second, "a cache gave an older one")
        #expect(
            try refresh.arrived(
                version("minimumUpdatePeriod=\"PT0S\" maxSegmentDuration=\"PT4S\"", "<Location>b.mpd</Location>"),
                asked: 7 * second))
        #expect(refresh.next == 9 * second && refresh.address.text == "https://h/a/b.mpd")
        for _ in 0..<3 { refresh.failed(now: 10 * second) }
        #expect(refresh.next == 18 * second && refresh.address == address, "back to where it began")
        #expect(try refresh.arrived(version("", ""), asked: 20 * second) && refresh.next == nil)
    }

    /// Each period names its representations anew: what is played goes on under its first name when that period has gone.
    @Test func periodsWithNamesOfTheirOwn() throws {
        func text(_ periods: Range<Int>) -> String {
            let all = periods.map { period in
                """
                <Period id="p\(period)" start="PT\(period * 10)S"><AdaptationSet mimeType="video/mp4">
                <SegmentTemplate duration="2" startNumber="\(period * 5 + 1)" media="$RepresentationID$-$Number$"/>
                <Representation id="v\(period)" bandwidth="1000"/><Representation id="w\(period)" bandwidth="2000"/></AdaptationSet></Period>
                """
            }
            return mpd("", periods: all.joined())
        }
        var presentation = try MPD.presentation(text(0..<2), now: at(12))
        for period in 1..<20 {
            presentation.advance(to: at(Double(period * 10 + 2)))
            let now = at(Double(period * 10 + 4)), last = Int64(period * 5 + 2)
            presentation = try MPD.presentation(text(period..<period + 2), now: now).following(presentation)
            #expect(presentation.variants.map(\.id) == ["v0", "w0"] && presentation.variants.map(\.rendition) == ["v0", "w0"])
            for (name, written) in [("v0", "v"), ("w0", "w")] {
                let index = try #require(presentation.rendition(name)?.index)
                #expect(index.numbers.last == last)
                #expect(index.segment(last)?.address.text == "https://h/a/\(written)\(period)-\(last)")
            }
        }
    }

    /// Two languages have one successor, which has both names, until both are there again; a language that came later and goes leaves no name.
    @Test func twoTracksThatBecomeOne() throws {
        func text(_ periods: Range<Int>) -> String {
            let all = periods.map { period in
                let languages = [0, 7].contains(period) ? ["en", "fr"] : period == 3 ? ["en", "de"] : ["en"]
                let sets = languages.map { language in
                    """
                    <AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.2" lang="\(language)">
                    <SegmentTemplate duration="2" media="$RepresentationID$-$Number$"/>
                    <Representation id="\(language)\(period)" bandwidth="1000"/></AdaptationSet>
                    """
                }
                return "<Period id=\"p\(period)\" start=\"PT\(period * 10)S\">\(sets.joined())</Period>"
            }
            return mpd("", periods: all.joined())
        }
        var presentation = try MPD.presentation(text(0..<2), now: at(12))
        for period in 1..<8 {
            let now = at(Double(period * 10 + 4))
            presentation = try MPD.presentation(text(period..<period + 2), now: now).following(presentation)
            for (name, language) in [("en0", "en"), ("fr0", period == 7 ? "fr" : "en")] {
                let segment = try #require(presentation.rendition(name)?.index.flatMap { $0.segment($0.numbers.upperBound - 1) })
                #expect(segment.address.text == "https://h/a/\(language)\(period)-2", "\(name)")
            }
            #expect(presentation.renditions.count == ([2, 3].contains(period) ? 3 : 2), "\(presentation.renditions.map(\.id))")
        }
    }

    /// The encoder says that media time 4 s was made at 1 s past the whole.
    @Test func theEncodersClock() throws {
        let presentation = try MPD.presentation(
            mpd(
                """
                <ProducerReferenceTime id="0" type="encoder" wallClockTime="2024-01-01T00:00:05Z" presentationTime="4000"/>
                <SegmentTemplate duration="2000" timescale="1000" media="$Number$"/>
                """), now: at(10))
        #expect(presentation.rendition("v")?.index?.segment(3)?.wallClock == at(5))
    }

    /// Ten minutes in steps of a tenth of a second: no segment is ever there before its time, and each is there at it.
    @Test func tenMinutesOfBroadcast() throws {
        var presentation = try MPD.presentation(mpd("<SegmentTemplate duration=\"2\" media=\"$Number$\"/>"), now: at(0))
        var seen: Int64 = 0
        for step in 0...6000 {
            let now = Double(step) / 10
            presentation.advance(to: at(now))
            let last = try #require(presentation.rendition("v")?.index).numbers.last ?? 0
            #expect(last == Int64(now / 2) && last - seen <= 1)
            seen = last
        }
        #expect(seen == 300)
    }

    /// As mpd-parser and dash.js take it: segment 1 of 2 s ends at 00:00:02 of 1970.
    @Test func aBroadcastWithoutAZeroBeginsIn1970() throws {
        let text = """
            <MPD type="dynamic" timeShiftBufferDepth="PT4S" minimumUpdatePeriod="PT2S"><Period start="PT0S">
            <AdaptationSet mimeType="video/mp4"><SegmentTemplate duration="2" media="$Number$"/><Representation id="v" bandwidth="1"/>
            </AdaptationSet></Period></MPD>
            """
        let index = try #require(try MPD.presentation(text, now: 10_000_000_000).rendition("v")?.index)
        #expect(index.numbers.last == 5)
        #expect(index.segment(5)?.start.seconds == 8)
    }
}
