import AetherFormats
import Testing

/// Addresses and times of segments by every way of addressing.
struct MPDSegmentTests {
    @Test(arguments: [
        ("s-$Number$.m4s", "s-7.m4s"), ("$Number%05d$", "00007"), ("$Time$/$Number$", "700/7"),
        ("$RepresentationID$-$Bandwidth$", "v-1000"),
        ("$$$Number$$$", "$7$"), ("$Bandwidth%06d$", "001000"), ("a$Unknown$b", "a$Unknown$b"), ("$Number%x$", "$Number%x$"),
        ("open$Number", "open$Number"), ("$Time%04d$", "0700"), ("$Foo$Number$", "$Foo7"), ("$SubNumber$", "1"), ("", "m.mpd"),
    ])
    func templates(written: String, expected: String) throws {
        let text = MPD.one(
            "<SegmentTemplate media=\"\(written)\" startNumber=\"7\" timescale=\"100\" duration=\"1000\" presentationTimeOffset=\"700\"/>"
        )
        #expect(try MPD.segments(text).map(\.name) == [Substring(expected)])
    }

    @Test func byDuration() throws {
        let segments = try MPD.segments(
            MPD.one("<SegmentTemplate media=\"$Number$\" initialization=\"$RepresentationID$.mp4\" duration=\"4\"/>"))
        #expect(segments.map(\.name) == ["1", "2", "3"] && segments.map(\.number) == [1, 2, 3])
        #expect(segments.map(\.seconds) == [[0, 4], [4, 8], [8, 10]], "the last one is cut at the period's end")
        #expect(segments.allSatisfy { $0.map?.address.text == "https://h/a/v.mp4" && $0.mediaOffset == .zero })
    }

    /// 30 030 ticks and a rest of 14 µs, as rounding leaves it; 10 ms more are a segment.
    @Test(arguments: [("PT1.0010000467300415S", 1), ("PT1.011S", 2), ("PT0.5S", 1)])
    func aRestOfRoundingIsNoSegment(length: String, count: Int) throws {
        let text = MPD.one("<SegmentTemplate media=\"$Number$\" timescale=\"30000\" duration=\"30030\"/>", length: length)
        #expect(try MPD.segments(text).count == count)
    }

    @Test func theEndByNumber() throws {
        #expect(
            try MPD.segments(MPD.one("<SegmentTemplate media=\"$Number$\" duration=\"1\" startNumber=\"3\" endNumber=\"5\"/>"))
                .map(\.number) == [3, 4, 5])
        let text = MPD.one(
            """
            <SupplementalProperty schemeIdUri="http://dashif.org/guidelines/last-segment-number" value="2"/>
            <SegmentTemplate media="$Number$" duration="1"/>
            """)
        #expect(try MPD.segments(text).count == 2)
    }

    @Test func byTimeline() throws {
        let segments = try MPD.segments(
            MPD.one(
                """
                <SegmentTemplate media="$Time$-$Number$" timescale="10" startNumber="5" presentationTimeOffset="100"><SegmentTimeline>
                <S t="100" d="20" r="1"/><S d="10"/><S t="160" d="20" r="-1"/></SegmentTimeline></SegmentTemplate>
                """))
        #expect(segments.map(\.name) == ["100-5", "120-6", "140-7", "160-8", "180-9"])
        #expect(segments.map(\.seconds) == [[0, 2], [2, 4], [4, 5], [6, 8], [8, 10]])
        #expect(segments.allSatisfy { $0.mediaOffset == Ticks(-10, timescale: 1) })
    }

    @Test func aNegativeRepeatGoesToTheNextEntry() throws {
        let segments = try MPD.segments(
            MPD.one(
                "<SegmentTemplate media=\"$Time$\"><SegmentTimeline><S t=\"0\" d=\"2\" r=\"-1\"/><S t=\"5\" d=\"5\"/></SegmentTimeline></SegmentTemplate>"
            ))
        #expect(segments.map(\.name) == ["0", "2", "4", "5"])
    }

    /// S@k: one number and one time for several segments.
    @Test func sequences() throws {
        let segments = try MPD.segments(
            MPD.one(
                "<SegmentTemplate media=\"$Number$-$Time$-$SubNumber$\" timescale=\"10\"><SegmentTimeline><S t=\"0\" d=\"25\" k=\"2\" r=\"1\"/></SegmentTimeline></SegmentTemplate>"
            ))
        #expect(segments.map(\.name) == ["1-0-1", "1-0-2", "2-25-1", "2-25-2"])
        #expect(segments.map(\.seconds) == [[0, 1.2], [1.2, 2.5], [2.5, 3.7], [3.7, 5]])
    }

    @Test func aHugeRepeatCostsNothing() throws {
        let index = try #require(
            try MPD.presentation(
                MPD.one(
                    "<SegmentTemplate media=\"$Time$\"><SegmentTimeline><S t=\"0\" d=\"1\" r=\"900000000\"/></SegmentTimeline></SegmentTemplate>",
                    length: "P5000D")
            ).rendition("v")?.index)
        #expect(index.numbers.count == 5000 * 86_400)
        #expect(index.number(at: Ticks(400_000_000, timescale: 1)) == 400_000_001)
        #expect(index.segment(400_000_001)?.name == "400000000")
    }

    @Test(arguments: [
        "<S t=\"0\" d=\"1\" r=\"9223372036854775807\"/>", "<S t=\"4611686018427387904\" d=\"4611686018427387904\"/>",
        "<S t=\"0\" d=\"0\"/>",
        "<S t=\"0\"/>", "<S t=\"-1\" d=\"1\"/>", "<S t=\"5\" d=\"1\"/><S t=\"4\" d=\"1\"/>", "<S t=\"0\" d=\"1e309\"/>",
        "<S t=\"0\" d=\"1\" k=\"99999999\"/>",
    ])
    func timesThatMakeNoSense(entries: String) throws {
        #expect {
            try MPD.segments(
                MPD.one("<SegmentTemplate media=\"$Time$\"><SegmentTimeline>\(entries)</SegmentTimeline></SegmentTemplate>"))
        } throws: { ($0 as? StreamFault)?.kind == .number("S") }
    }

    /// A timeline that begins before the period and goes on behind it.
    @Test func whatLiesOutsideIsLeftOut() throws {
        let segments = try MPD.segments(
            MPD.one(
                "<SegmentTemplate media=\"$Time$\" presentationTimeOffset=\"5\"><SegmentTimeline><S t=\"0\" d=\"2\" r=\"20\"/></SegmentTimeline></SegmentTemplate>"
            ))
        #expect(segments.map(\.name) == ["4", "6", "8", "10", "12", "14"] && segments.map(\.number) == Array(3...8))
        #expect(segments.first?.seconds == [0, 1] && segments.last?.seconds == [9, 10])
        #expect(segments.first?.bounds == SegmentBounds(start: .zero, end: Ticks(101, timescale: 10)))
    }

    /// The length that ffmpeg writes is without the time before the first frame. A second of it, or more, is a hole.
    @Test(arguments: [(56, 10_156), (0, 10_100), (1000, 10_100)])
    func theTimeBeforeTheFirstFrameFollowsTheEnd(_ start: Int, _ end: Int64) throws {
        let segments = try MPD.segments(
            MPD.one(
                "<SegmentTemplate media=\"$Time$\" timescale=\"1000\"><SegmentTimeline><S t=\"\(start)\" d=\"2000\" r=\"4\"/></SegmentTimeline></SegmentTemplate>"
            ))
        #expect(segments.last?.bounds == SegmentBounds(start: .zero, end: Ticks(end, timescale: 1000)))
    }

    @Test func theFirstSegmentMayBeginEarlier() throws {
        let segments = try MPD.segments(MPD.one("<SegmentTemplate media=\"$Number$\" duration=\"4\" eptDelta=\"-1\"/>"))
        #expect(segments.map(\.seconds) == [[0, 3], [3, 7], [7, 10]])
    }

    @Test func byList() throws {
        let segments = try MPD.segments(
            MPD.one(
                """
                <BaseURL>f.mp4</BaseURL><SegmentList duration="5" startNumber="0"><Initialization range="0-99"/>
                <SegmentURL mediaRange="100-199"/><SegmentURL media="other.mp4?a=1&amp;b=2"/></SegmentList>
                """))
        #expect(segments.map(\.name) == ["f.mp4", "other.mp4?a=1&b=2"] && segments.map(\.number) == [0, 1])
        #expect(segments.map(\.range) == [ByteRange(offset: 100, length: 100), nil])
        #expect(
            segments[0].map
                == InitSection(
                    address: try #require(StreamAddress("https://h/a/f.mp4")), range: ByteRange(offset: 0, length: 100)))
    }

    /// Attributes come from the level that has them: the period's template, the set's, the representation's.
    @Test func inheritance() throws {
        let segments = try MPD.segments(
            """
            <MPD mediaPresentationDuration="PT4S"><Period><SegmentTemplate timescale="2" startNumber="9" duration="4" media="p-$Number$"/>
            <AdaptationSet mimeType="video/mp4"><SegmentTemplate media="s-$Number$" initialization="i"/>
            <Representation id="v"><SegmentTemplate duration="2"/></Representation></AdaptationSet></Period></MPD>
            """)
        #expect(segments.map(\.name) == ["s-9", "s-10", "s-11", "s-12"] && segments[0].map?.address.text == "https://h/a/i")
    }

    @Test func servers() throws {
        let presentation = try MPD.presentation(
            """
            <MPD mediaPresentationDuration="PT4S"><BaseURL>https://one/</BaseURL><BaseURL>https://two/x/</BaseURL><Period><BaseURL>p/</BaseURL>
            <AdaptationSet mimeType="video/mp4"><BaseURL>s/</BaseURL><Representation id="v"><BaseURL>r/</BaseURL>
            <SegmentTemplate media="$Number$" duration="2" initialization="i"/></Representation></AdaptationSet></Period></MPD>
            """)
        let rendition = try #require(presentation.rendition("v")), index = try #require(rendition.index)
        #expect(rendition.addresses.map(\.text) == ["https://one/p/s/r/", "https://two/x/p/s/r/"])
        #expect(index.segment(2)?.address.text == "https://one/p/s/r/2")
        #expect(index.segment(2, address: 1)?.address.text == "https://two/x/p/s/r/2")
        #expect(index.segment(2, address: 1)?.map?.address.text == "https://two/x/p/s/r/i")
    }

    @Test func indexesByNumberAndTimeAgree() throws {
        for addressing in [
            "<SegmentTemplate media=\"$Number$\" timescale=\"44100\" duration=\"88200\" startNumber=\"4\"/>",
            "<SegmentTemplate media=\"$Time$\" timescale=\"3\"><SegmentTimeline><S t=\"0\" d=\"4\" r=\"3\"/><S d=\"1\" r=\"13\"/></SegmentTimeline></SegmentTemplate>",
        ] {
            let index = try #require(try MPD.presentation(MPD.one(addressing)).rendition("v")?.index)
            var end = Ticks.zero
            for number in index.numbers {
                let segment = try #require(index.segment(number))
                #expect(segment.start == end && index.number(at: segment.start) == number)
                #expect(index.number(at: segment.end - Ticks(1, timescale: 1_000_000)) == number)
                end = segment.end
            }
            #expect(index.number(at: Ticks(-5, timescale: 1)) == index.numbers.lowerBound)
            #expect(index.number(at: Ticks(500, timescale: 1)) == index.numbers.upperBound - 1)
            #expect(end == Ticks(10, timescale: 1))
        }
    }
}
