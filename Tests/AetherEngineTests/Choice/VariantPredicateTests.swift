import Testing

@testable import AetherEngine

@Suite struct VariantPredicateTests {
    private static func ids(_ expression: String, _ list: String = VariantFixtures.ladder) throws -> String {
        try VariantPredicate(expression).filter(try VariantFixtures.hls(list)).map(\.id).joined(separator: " ")
    }

    /// A cap below both variants leaves none; HDR is the Dolby Vision one; nothing of it is lossless.
    @Test(arguments: [
        ("peakBitRate < 5000000", ""), ("videoAttributes.videoRange == PQ", "dv"),
        ("videoAttributes.videoRange == PQ && peakBitRate < 5000000", ""), ("1634492771 IN audioAttributes.formatIDs", ""),
        ("alac IN audioAttributes.formatIDs", ""), ("peakBitRate < 20000000", "sdr"),
        ("'ec-3' IN audioAttributes.formatIDs", "dv"),
    ])
    func thePredicatesOfTheTalk(_ expression: String, _ found: String) throws {
        #expect(try Self.ids(expression, VariantFixtures.talk) == found)
    }

    @Test(arguments: [
        // Apple's four, where something is left.
        ("peakBitRate < 5000000", "360 720 pq audio"), ("videoAttributes.videoRange == PQ", "pq uhd"),
        ("videoRange == PQ && peakBitRate < 5000000", "pq"), ("1634492771 IN audioAttributes.formatIDs", "alac"),
        // Numbers, units, both sides, short names in any case.
        ("peak<=2.5M", "360 720 audio"), ("5M <= peak", "1080 uhd hlg alac"), ("PEAK = 800k", "360"), ("avg < 1Mbps", "360"),
        ("bitrate <> 5M and bitrate >= 4.8M", "pq uhd hlg alac"), ("peak => 16M", "uhd"), ("peak =< 64kbps", "audio"),
        ("height <= 720p", "360 720 alac"), ("lines == 1080p", "1080 pq hlg"), ("height > 1080", "uhd hlg"),
        ("presentationSize.width >= 1920px", "1080 pq uhd"), ("fps > 30fps", "1080"), ("frameRate >= 59.94", "1080"),
        ("peak == avg", ""), ("avg < peak", "360 720"), ("score >= 2", "hlg"), ("height IN {360, 720p}", "360 720 alac"),
        ("1080 IN height", "1080 pq"), ("channels >= 6", "360 720 1080 pq uhd hlg"), ("channels == 16", "uhd"),
        ("channels CONTAINS 2", "360 720 1080 pq hlg alac"),
        // An attribute that a variant does not state is unequal to all values, and nil.
        ("avg != 600k", "720 1080 pq uhd hlg alac audio"), ("avg == nil", "1080 pq uhd hlg alac audio"),
        ("avg != NULL", "360 720"), ("height == nil", "audio"), ("range == nil", "audio"),
        ("fps < 1000", "360 720 1080 pq uhd alac"),
        // Words.
        ("range == HDR", "pq uhd hlg"), ("range != sdr", "pq uhd hlg audio"), ("hlg = range", "hlg"),
        ("range IN {SDR, HLG}", "360 720 1080 hlg alac"),
        ("codec == hvc1", "pq uhd"), ("codec == hevc", "pq uhd hlg"), ("codec == 'H.265'", "pq uhd hlg"),
        ("hev1 IN codecTypes", "hlg"),
        ("codec == avc1.64001f", "720 alac"), ("codec IN {h264, av1}", "360 720 1080 alac"),
        ("formatIDs CONTAINS mp4a.40", "360 720 1080 pq hlg audio"),
        ("formats == ac-3", ""), ("formats == eac3", "uhd"), ("1633772320 IN formatIDs", "360 720 1080 pq hlg audio"),
        ("codec != hevc", "360 720 1080 alac audio"), ("lang == de", "360 720 1080 pq hlg"),
        ("lang == ger", "360 720 1080 pq hlg"),
        ("lang == en", "360 720 1080 pq uhd hlg alac"), ("lang == en-GB", "360 720 1080 pq hlg"), ("id == \"720\"", "720"),
        ("'1080' = id", "1080"), ("atmos", "uhd"), ("isBinaural == YES", "alac"), ("downmix == 1 && !atmos", "alac"),
        ("atmos == false && lang == en && peak > 6M", "alac"),
        // The precedence of operators.
        ("range == PQ || range == HLG && peak > 6M", "pq uhd"), ("(range == PQ || range == HLG) && peak >= 6M", "uhd hlg"),
        ("NOT range == SDR AND NOT height == nil", "pq uhd hlg"), ("!(peak > 1M)", "360 audio"), ("!!atmos", "uhd"),
        // The largest and the smallest, of what stands before them.
        ("max(peakBitRate)", "uhd"), ("min(peak)", "audio"), ("range == PQ && min(peak)", "pq"),
        ("max(peak) && range == SDR", ""),
        ("peak == max(peak)", "uhd"), ("peak < max(avg)", "360 audio"), ("height < max(height) && max(lines)", "1080 pq hlg"),
        ("max(height) >= 2160p && peak < 1M", "360 audio"), ("max (score)", "hlg"), ("range == SDR && max(score)", ""),
        ("max(channels)", "uhd"), ("!max(peak) && range == PQ", "pq"),
    ])
    func whatAnExpressionLeaves(_ expression: String, _ found: String) throws { #expect(try Self.ids(expression) == found) }

    @Test func ofDASHAlike() throws {
        let list = try VariantFixtures.dash(
            """
            <MPD><Period duration="PT4S"><AdaptationSet mimeType="video/mp4">
            <Representation id="v1" bandwidth="800000" width="640" height="360" codecs="avc1.4d401e" frameRate="25">
            <SegmentTemplate media="a$Number$" duration="2"/></Representation>
            <Representation id="v2" bandwidth="6000000" width="1920" height="1080" codecs="hvc1.2.4.L123.B0" frameRate="50">
            <SupplementalProperty schemeIdUri="urn:mpeg:mpegB:cicp:TransferCharacteristics" value="16"/>
            <SegmentTemplate media="b$Number$" duration="2"/></Representation></AdaptationSet>
            <AdaptationSet mimeType="audio/mp4" lang="de"><Representation id="a" bandwidth="100000" codecs="ec-3">
            <AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="6"/>
            <SegmentTemplate media="c$Number$" duration="2"/></Representation></AdaptationSet></Period></MPD>
            """)
        #expect(list.count == 2)
        func heights(_ expression: String) throws -> [Int?] {
            try VariantPredicate(expression).filter(list).map { $0.size?.height }
        }
        #expect(try heights("videoRange == PQ") == [1080])
        #expect(try heights("peak < 1M") == [360])
        #expect(try heights("fps == 50") == [1080])
        #expect(try heights("ec-3 IN formatIDs && channels == 6 && lang == ger") == [360, 1080])
    }

    @Test(arguments: [
        ("", 0, "an expression is missing"), ("   ", 3, "an expression is missing"),
        ("peekBitRate < 5M", 0, "unknown key path ‘peekBitRate’: is it peakBitRate?"),
        ("frobnicate == 1", 0, "unknown key path ‘frobnicate’, but"),
        ("PQ == vidoRange", 0, "unknown key path ‘PQ’"), ("5 < 6", 0, "a value is compared with a value"),
        ("0", 0, "a number alone is a place in the list, from 1"),
        ("peak", 4, "a comparison is missing here, for example peak < 5M"),
        ("peak <", 6, "a value or a key path is missing at the end"), ("peak < ()", 7, "a value or a key path is missing here"),
        ("peak < 5M &&", 12, "missing at the end"), ("peak < 5M peak > 1M", 10, "&& or || is missing"),
        ("(peak < 5M", 10, "a closing parenthesis is missing"),
        ("peak < 5M)", 9, "unmatched )"), ("range == PX", 9, "‘PX’ is not a video range"),
        ("range < PQ", 6, "this has no order"),
        ("height <= 4K", 10, "‘K’ is not a unit of this: lines take p, as in 720p"),
        ("peak < 720p", 7, "‘p’ is not a unit of this: bits a second take K, M or G"),
        ("width == 720p", 9, "pixels take px"), ("score > 5M", 8, "it takes none"), ("peak < PQ", 7, "a number is missing here"),
        ("codec == 5M", 9, "a name is missing here"),
        ("1 IN formatIDs", 0, "not a four-letter code"), ("peak < height", 7, "another kind of number"),
        ("range == codec", 9, "both sides are key paths"),
        ("codec IN {hvc1 av01}", 15, "a comma or } is missing"), ("codec IN {hvc1,", 15, "a value is missing here"),
        ("codec IN {}", 10, "a value is missing here"),
        ("peak == {1, 2}", 8, "a list is compared by IN alone"), ("codec == 'hvc1", 9, "this quotation has no end"),
        ("peak < 5M & range == PQ", 10, "‘&’ is not understood"),
        ("peak < é", 7, "‘é’ is not understood"), ("videoRange == %@", 14, "‘%’ has no value here"),
        ("max(peak", 8, "a closing parenthesis is missing"),
        ("max(codec)", 4, "a key path of numbers"), ("max(5)", 4, "take a key path"),
        ("max(pek)", 4, "unknown key path ‘pek’: is it peak?"),
        ("atmos == 3", 9, "YES or NO is missing"), ("avg > nil", 4, "nil has no order"),
        ("peak < 99999999999999999999", 7, "this number is too large"),
        ("foo IN {1}", 0, "unknown key path ‘foo’"), ("peak IN avg", 8, "both sides are key paths"),
    ])
    func anErrorSaysWhereItIs(_ expression: String, _ place: Int, _ reason: String) {
        do throws(PredicateFault) {
            _ = try VariantPredicate(expression)
            Issue.record("‘\(expression)’ was understood")
        } catch {
            #expect(error.place == place && error.reason.contains(reason), "\(error)")
        }
    }

    @Test func theCaretStandsBelowThePlace() throws {
        let fault = #expect(throws: PredicateFault.self) { try VariantPredicate("range == PQ && heigt < 720p") }
        #expect(
            fault?.description == """
                unknown key path ‘heigt’: is it height?
                  range == PQ && heigt < 720p
                                 ^
                """)
        // Wide characters take two cells; what a terminal would obey is shown as a question mark.
        let wide = #expect(throws: PredicateFault.self) { try VariantPredicate("id == '東京\u{1B}' $") }
        #expect(wide?.description.hasSuffix("\n  id == '東京?' $\n                ^") == true, "\(wide?.description ?? "")")
    }

    @Test func lengthAndDepthAreBounded() throws {
        let long = #expect(throws: PredicateFault.self) {
            try VariantPredicate(String(repeating: "peak < 5M && ", count: 400) + "atmos")
        }
        #expect(long?.reason == "an expression has 4096 bytes at most")
        #expect(try Self.ids(String(repeating: "(", count: 64) + "atmos" + String(repeating: ")", count: 64)) == "uhd")
        for text in [String(repeating: "(", count: 65) + "atmos", String(repeating: "!", count: 4000) + "atmos"] {
            let deep = #expect(throws: PredicateFault.self) { try VariantPredicate(text) }
            #expect(deep?.place == 64 && deep?.reason == "more than 64 parentheses lie in one another")
        }
        #expect(try Self.ids("id IN {" + Array(repeating: "a", count: 1500).joined(separator: ",") + ",\"720\"}") == "720")
    }
}
