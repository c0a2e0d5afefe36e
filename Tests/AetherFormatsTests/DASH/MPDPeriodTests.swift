import AetherFormats
import Testing

/// Several periods, and how tracks go from one to the next.
struct MPDPeriodTests {
    private func set(_ id: String, _ attributes: String, _ representations: String) -> String {
        "<AdaptationSet id=\"\(id)\" \(attributes)><SegmentTemplate media=\"$RepresentationID$-$Number$\" duration=\"2\"/>\(representations)</AdaptationSet>"
    }

    private func representation(_ id: String, _ rate: Int) -> String { "<Representation id=\"\(id)\" bandwidth=\"\(rate)\"/>" }

    @Test func numbersAndTimesGoOn() throws {
        let video = "mimeType=\"video/mp4\""
        let text = """
            <MPD><Period id="a" duration="PT4S">\(set("1", video, representation("v", 1)))</Period>
            <Period id="b" start="PT6S" duration="PT3S"><AdaptationSet id="1" \(video)>
            <SegmentTemplate media="b-$Number$" duration="2" startNumber="40" presentationTimeOffset="8"/>\(representation("v", 1))</AdaptationSet></Period></MPD>
            """
        let presentation = try MPD.presentation(text), segments = try MPD.segments(text)
        #expect(segments.map(\.name) == ["v-1", "v-2", "b-40", "b-41"] && segments.map(\.number) == [1, 2, 3, 4])
        #expect(segments.map(\.seconds) == [[0, 2], [2, 4], [6, 8], [8, 9]])
        #expect(
            segments.map(\.continuity) == [0, 0, 6000, 6000] && segments.map(\.isDiscontinuity) == [false, false, true, false])
        #expect(segments.map(\.mediaOffset?.seconds) == [0, 0, -2, -2])
        #expect(presentation.sections.map(\.id) == ["a", "b"] && presentation.duration == Ticks(9, timescale: 1))
        let index = try #require(presentation.rendition("v")?.index)
        #expect(index.number(at: Ticks(5, timescale: 1)) == 3, "in a hole the one behind it")
        #expect(index.number(at: Ticks(39, timescale: 10)) == 2 && index.number(at: Ticks(90, timescale: 1)) == 4)
    }

    /// The first segment of the second period begins before it: its frames come twice, and a decoder may not go on.
    @Test func continuityInTheMiddleOfASegmentIsNone() throws {
        let text = """
            <MPD><Period id="a" duration="PT3S">\(set("1", "mimeType=\"video/mp4\"", representation("v", 1)))</Period>
            <Period id="b" duration="PT3S"><AdaptationSet id="1" mimeType="video/mp4">
            <SupplementalProperty schemeIdUri="urn:mpeg:dash:period-continuity:2015" value="a"/>
            <SegmentTemplate media="$Time$" presentationTimeOffset="3"><SegmentTimeline><S t="2" d="2" r="1"/></SegmentTimeline></SegmentTemplate>
            \(representation("v", 1))</AdaptationSet></Period></MPD>
            """
        let segments = try MPD.segments(text)
        #expect(
            segments.map(\.continuity) == [0, 0, 3000, 3000] && segments.map(\.seconds) == [[0, 2], [2, 3], [3, 4], [4, 6]])
    }

    @Test func signalledContinuityIsOne() throws {
        let text = """
            <MPD><Period id="a" duration="PT4S">\(set("1", "mimeType=\"video/mp4\"", representation("v", 1)))</Period>
            <Period id="b" duration="PT4S"><AdaptationSet id="1" mimeType="video/mp4">
            <SupplementalProperty schemeIdUri="urn:mpeg:dash:period-continuity:2015" value="a"/>
            <SegmentTemplate media="$Number$" duration="2" startNumber="3" presentationTimeOffset="4"/>\(representation("v", 1))</AdaptationSet></Period></MPD>
            """
        let segments = try MPD.segments(text)
        #expect(segments.map(\.continuity) == [0, 0, 0, 0] && segments.allSatisfy { !$0.isDiscontinuity })
        #expect(segments.map(\.mediaOffset?.seconds) == [0, 0, 0, 0])
    }

    /// Main, an advertisement in one language with fewer renditions and other ids, main again with a language more.
    @Test func tracksFindWhatIsMostLikeThem() throws {
        let video = "mimeType=\"video/mp4\"", audio = "mimeType=\"audio/mp4\""
        let main =
            set("v", video, representation("lo", 500_000) + representation("mid", 1_500_000) + representation("hi", 5_000_000))
            + set("e", audio + " lang=\"en\"", representation("en", 64_000))
            + set("f", audio + " lang=\"fr\"", representation("fr", 64_000))
        let ad =
            set("1", audio, representation("x", 96_000))
            + set("2", video, representation("a1", 600_000) + representation("a2", 4_000_000))
        let text = """
            <MPD><Period id="1" duration="PT2S">\(main)</Period><Period id="2" duration="PT2S">\(ad)</Period>
            <Period id="3" duration="PT2S">\(main)\(set("g", audio + " lang=\"de\"", representation("de", 64_000)))
            \(set("t", "mimeType=\"text/vtt\" lang=\"de\"", representation("sub", 1)))</Period></MPD>
            """
        let presentation = try MPD.presentation(text)
        let names = { (id: String) in try MPD.segments(text, id).map(\.name) }
        #expect(try names("lo") == ["lo-1", "a1-1", "lo-1"] && names("mid") == ["mid-1", "a1-1", "mid-1"])
        #expect(try names("hi") == ["hi-1", "a2-1", "hi-1"])
        #expect(try names("en") == ["en-1", "x-1", "en-1"] && names("fr") == ["fr-1", "x-1", "fr-1"])
        #expect(try names("de") == ["en-1", "x-1", "de-1"] && names("sub") == ["sub-1"])
        #expect(presentation.renditions.map(\.id).sorted() == ["de", "en", "fr", "hi", "lo", "mid", "sub"])
        #expect(presentation.rendition("sub")?.index?.start == Ticks(4, timescale: 1))
    }

    @Test func remoteElementsAndEmptyPeriods() throws {
        let one = set("1", "mimeType=\"video/mp4\"", representation("v", 1))
        let text = """
            <MPD xmlns:xlink="x" mediaPresentationDuration="PT8S"><Period id="0" xlink:href="urn:mpeg:dash:resolve-to-zero:2013">\(one)</Period>
            <Period id="1" duration="PT4S">\(one)</Period><Period id="e" duration="PT0S">\(one)</Period>
            <Period id="r" xlink:href="https://elsewhere/"/><Period id="2">\(one)</Period></MPD>
            """
        #expect(try MPD.presentation(text).sections.map(\.id) == ["1", "2"])
        #expect(try MPD.segments(text).map(\.seconds) == [[0, 2], [2, 4], [4, 6], [6, 8]])
    }
}
