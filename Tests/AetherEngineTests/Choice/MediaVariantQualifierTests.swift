import AetherCore
import AetherFormats
import FoundationEssentials
import Testing

@testable import AetherEngine

@Suite struct MediaVariantQualifierTests {
    private func left(_ wishes: [String], _ isRequired: Bool = false, _ list: String = VariantFixtures.ladder) throws -> String? {
        let qualifiers = try wishes.map { try MediaVariantQualifier($0) }
        return VariantChoice(qualifiers, isRequired: isRequired).left(of: try VariantFixtures.hls(list))?.map(\.id).joined(
            separator: " ")
    }
    private static let all = "360 720 1080 pq uhd hlg alac audio"

    @Test(
        arguments: [
            ([], false, all), (["auto"], true, all), (["best"], false, "hlg"), (["worst"], false, "360"), (["3"], false, "1080"),
            // The first that leaves something.
            (["peak > 20M", "range == PQ", "best"], false, "pq uhd"), (["range == PQ && peak > 20M", "2"], false, "720"),
            // Nothing is left: all are, or none where one is required. A number was counted in a list.
            (["peak > 20M"], false, all), (["peak > 20M"], true, nil), (["peak > 20M", "height > 5000"], true, nil),
            (["9"], false, nil),
            (["9", "best"], false, "hlg"), (["peak > 20M", "9"], false, nil), (["9", "peak > 20M"], false, all),
        ] as [([String], Bool, String?)])
    func theFirstThatLeavesSomethingCounts(_ wishes: [String], _ isRequired: Bool, _ found: String?) throws {
        #expect(try left(wishes, isRequired) == found)
    }

    @Test func whyNothingIsLeftIsOneSentence() throws {
        func words(_ wishes: [String]) throws -> String {
            VariantChoice(try wishes.map { try MediaVariantQualifier($0) }).refusal(of: 8)
        }
        #expect(try words(["9"]) == "unknown quality 9: the list has 8")
        #expect(try words(["peak > 20M"]) == "none of its 8 qualities meets ‘peak > 20M’")
        #expect(try words(["peak > 20M", "id == '\u{1B}[2J'"]) == "none of its 8 qualities meets ‘peak > 20M’ or ‘id == '[2J'’")
    }

    @Test func inCode() throws {
        let variants = try VariantFixtures.hls(VariantFixtures.ladder)
        func ids(_ qualifier: MediaVariantQualifier) -> [String] { qualifier.left(of: variants, playable: variants).map(\.id) }
        let pq = MediaVariant.VideoRange.pq
        let isCheap = #Predicate<MediaVariant> { $0.videoAttributes?.videoRange == pq && ($0.peakBitRate ?? 0) < 5_000_000 }
        #expect(ids(MediaVariantQualifier(predicate: isCheap)) == ["pq"])
        #expect(try ids(MediaVariantQualifier(predicateFormat: "videoRange == PQ && peakBitRate < 5M")) == ["pq"])
        #expect(ids(MediaVariantQualifier(variant: variants[2])) == ["1080"])
        #expect(ids(.maximumValue(\.peakBitRate)) == ["uhd"] && ids(.minimumValue(\.averageBitRate)) == ["360"])
        #expect(ids(MediaVariantQualifier { $0.score != nil }) == ["hlg"])
        #expect(MediaVariantQualifier.maximumValue(\.score).left(of: variants, playable: []) == [])
    }

    /// VVC has no decoder here; the second variant is the only one that nothing speaks against.
    @Test func whatCannotBePlayedIsLeftOutUnlessItWasNamed() throws {
        let list = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="ac-4",RESOLUTION=640x360
            a
            #EXT-X-STREAM-INF:BANDWIDTH=8,CODECS="avc1.4d401e,mp4a.40.2",RESOLUTION=640x360
            b
            #EXT-X-STREAM-INF:BANDWIDTH=7,CODECS="avc1.4d401e,ac-4",RESOLUTION=640x360
            c

            """
        #expect(try VariantFixtures.hls(list).map(\.obstacle) == [.undecodable("Dolby AC-4"), nil, .undecodable("Dolby AC-4")])
        #expect(try left([], false, list) == "b")
        #expect(try left(["best"], false, list) == "b")
        #expect(try left(["peak == 9"], true, list) == nil)
        #expect(try left(["1"], true, list) == "a")
        // Nothing else is there: it is tried.
        let alone = list.split(separator: "\n").prefix(3).joined(separator: "\n") + "\n"
        #expect(try left([], false, alone) == "a")
    }

    @Test func theProtectedIsLeftOutWhereSomethingElseIsThere() throws {
        let text = """
            <MPD><Period duration="PT4S"><AdaptationSet mimeType="video/mp4">
            <Representation id="v1" bandwidth="800000" width="640" height="360"><SegmentTemplate media="a$Number$" duration="2"/></Representation>
            <Representation id="v2" bandwidth="6000000" width="1920" height="1080">
            <ContentProtection schemeIdUri="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"/>
            <SegmentTemplate media="b$Number$" duration="2"/></Representation></AdaptationSet></Period></MPD>
            """
        let variants = try VariantFixtures.dash(text)
        #expect(variants.map(\.obstacle) == [nil, .protected("Widevine")])
        #expect(VariantChoice([.best]).left(of: variants)?.map(\.size?.height) == [360])
        let report = try VariantReport(variants, name: "x", qualifiers: [], isRequired: false)
        #expect(report.rows.map(\.refusal) == [nil, "protected by Widevine"])
    }

    @Test func attributesAreTheManifests() throws {
        let variants = try VariantFixtures.hls(VariantFixtures.talk)
        let dolby = try #require(variants.last)
        #expect(dolby.url == "https://h/dv" && dolby.peakBitRate == 34_516_883 && dolby.averageBitRate == nil)
        #expect(dolby.videoAttributes?.videoRange == .pq && dolby.videoAttributes?.codecTypes == ["dvh1.05.06"])
        #expect(dolby.videoAttributes?.nominalFrameRate == 23.976 && dolby.size == PixelSize(width: 3840, height: 1920))
        #expect(dolby.audioAttributes?.formatIDs == ["ec-3"])
        #expect(dolby.audioAttributes?.renditions.map(\.channelCount) == [16, 16])
        #expect(dolby.audioAttributes?.renditions.allSatisfy(\.isImmersive) == true)
    }

    @Test func theTableAndTheListMarkWhatIsChosen() throws {
        let variants = try VariantFixtures.hls(VariantFixtures.talk)
        let report = try VariantReport(
            variants, name: "x", qualifiers: [try MediaVariantQualifier("videoRange == PQ")], isRequired: true)
        #expect(
            report.text == """
                   #  quality                      size       fps     peak         codecs                            audio
                   1  1080p                        1920x1080  23.976  14.5 Mbit/s  H.264, AAC                        en 2, fr 2    does not meet ‘videoRange == PQ’
                *  2  1920p 4K Dolby Vision Atmos  3840x1920  23.976  34.5 Mbit/s  Dolby Vision, Dolby Digital Plus  en 16, fr 16
                """)
        let rows = try #require(report.json.values)
        #expect(rows.map { $0["isChosen"]?.flag } == [false, true])
        #expect(rows[1]["videoAttributes"]?["presentationSize"]?["width"] == .integer(3840))
        #expect(rows[0]["refusal"]?.text == "does not meet ‘videoRange == PQ’" && rows[1]["refusal"] == .null)
        let fallback = try VariantReport(
            variants, name: "x", qualifiers: [try MediaVariantQualifier("peak < 5M")], isRequired: false)
        #expect(fallback.rows.map(\.isChosen) == [true, true])
        #expect(fallback.text.hasSuffix("\n\nnone of its 2 qualities meets ‘peak < 5M’: all that can be played are left"))
        #expect(throws: MediaError.self) {
            try VariantReport(variants, name: "x", qualifiers: [try MediaVariantQualifier("peak < 5M")], isRequired: true)
        }
    }
}
