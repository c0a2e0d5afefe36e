import AetherCore
import AetherTestSupport
import Testing

@testable import AetherFormats

/// Each rule of the checker with something that breaks it.
@Suite struct ValidationTests {
    private static let list =
        "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MAP:URI=\"i.mp4\"\n"
        + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n#EXTINF:2.0,\na.m4s\n#EXTINF:2.0,\nb.m4s\n#EXT-X-ENDLIST\n"
    private static let master =
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"en\",DEFAULT=YES,URI=\"en.m3u8\"\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS=\"avc1.4d401e,mp4a.40.2\",RESOLUTION=640x360,AUDIO=\"a\"\nv.m3u8\n"

    private static func rules(_ text: String) throws -> [ValidationRule] {
        let address = try #require(StreamAddress("https://h/l.m3u8"))
        return PlaylistCheck(Array(text.utf8), subject: address).findings.map(\.rule)
    }

    /// Sentences are translated; rules, paragraphs and the names of tags are what they are.
    @Test(arguments: ["de", "fr"]) func theReportIsInTheLanguageOfThePerson(_ language: String) throws {
        let catalogue = try SourceTree.catalogue(language + ".po").catalogue
        let address = try #require(StreamAddress("https://h/l.m3u8"))
        let text = Language.$catalogue.withValue(catalogue) {
            var report = ValidationReport()
            let broken = Self.list.replacing("#EXT-X-ENDLIST\n", with: "").replacing("VERSION:6", with: "VERSION:5")
            for finding in PlaylistCheck(Array(broken.utf8), subject: address).findings { report.take(finding) }
            return report.text
        }
        let word = try #require(catalogue.sentences["validation\u{4}error"]?.first)
        let sentence = try #require(catalogue.sentences["the list is VOD and has no EXT-X-ENDLIST"]?.first)
        let lines = text.split(separator: "\n")
        #expect(
            lines.contains { $0.hasPrefix("\(word): https://h/l.m3u8") && $0.hasSuffix("\(sentence) [end-missing, 4.4.3.5]") })
        #expect(lines.contains { $0.hasSuffix("[version-too-low, 8]") && !$0.contains("needs") })
        #expect(lines.last?.contains("error") == false)
    }

    @Test func goodListsBreakNothing() throws {
        #expect(try Self.rules(Self.list).isEmpty && Self.rules(Self.master).isEmpty)
    }

    @Test(
        arguments: [
            ("#EXT-X-VERSION:6\n", "#EXT-X-VERSION:6\n#EXT-X-VERSION:6\n", .versionRepeated),
            ("VERSION:6", "VERSION:5", .versionTooLow), ("#EXT-X-TARGETDURATION:2\n", "", .targetDurationMissing),
            ("TARGETDURATION:2", "TARGETDURATION:1", .targetDurationExceeded), ("#EXT-X-ENDLIST\n", "", .endMissing),
            ("#EXTINF:2.0,\nb", "#EXT-X-MEDIA-SEQUENCE:4\n#EXTINF:2.0,\nb", .sequenceBehindSegments),
            ("#EXTINF:2.0,\nb", "b", .extinfMissing), ("#EXTINF:2.0,\na", "#EXTINF:-2,\na", .unreadable),
            ("#EXTINF:2.0,\nb", "#EXT-X-STREAM-INF:BANDWIDTH=1\n#EXTINF:2.0,\nb", .wrongPlaylistTags),
            ("#EXT-X-ENDLIST", "#EXT-X-DATERANGE:ID=\"x\"\n#EXT-X-ENDLIST", .dateRangeIncomplete),
            ("#EXTINF:2.0,\nb", "#EXT-X-PROGRAM-DATE-TIME:2025-01-01T00:00:00Z\n#EXTINF:2.0,\nb", .dateGoesBack),
        ] as [(String, String, ValidationRule)])
    func aListThatBreaksARule(_ part: String, _ other: String, _ rule: ValidationRule) throws {
        #expect(try Self.rules(Self.list.replacing(part, with: other, maxReplacements: 1)).contains(rule))
    }

    @Test(
        arguments: [
            ("BANDWIDTH=800000,", "", .bandwidthMissing), (",CODECS=\"avc1.4d401e,mp4a.40.2\"", "", .codecsMissing),
            (",RESOLUTION=640x360", "", .resolutionMissing), ("AUDIO=\"a\"\n", "AUDIO=\"b\"\n", .groupUnknown),
            (
                "#EXT-X-STREAM", "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"en\",URI=\"x.m3u8\"\n#EXT-X-STREAM", .nameRepeated
            ),
            (
                "#EXT-X-STREAM", "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"fr\",DEFAULT=YES,URI=\"x.m3u8\"\n#EXT-X-STREAM",
                .defaultRepeated
            ),
        ] as [(String, String, ValidationRule)])
    func aListOfVariantsThatBreaksARule(_ part: String, _ other: String, _ rule: ValidationRule) throws {
        #expect(try Self.rules(Self.master.replacing(part, with: other, maxReplacements: 1)).contains(rule))
    }

    private static func segment(_ start: Int64, _ change: (inout SegmentFacts) -> Void = { _ in }) -> SegmentFacts {
        let second = 1_000_000_000 as Int64
        var facts = SegmentFacts(
            "s\(start)", duration: 2 * second, continuity: 0, size: 200_000,
            streams: [
                .init(
                    isVideo: true, codec: "avc1", size: StatedSize(width: 640, height: 360), start: start * second,
                    end: (start + 2) * second)
            ])
        change(&facts)
        return facts
    }

    @Test func goodMediaBreaksNothing() {
        #expect(MediaCheck.findings([Self.segment(0), Self.segment(2)], isIndependent: true).isEmpty)
    }

    @Test func mediaThatBreaksARule() {
        func rules(_ change: (inout SegmentFacts) -> Void) -> [ValidationRule] {
            MediaCheck.findings([Self.segment(0), Self.segment(2, change)], isIndependent: true).map(\.rule)
        }
        #expect(rules { $0.streams[0].beginsWithKey = false } == [.keyFrameMissing])
        #expect(rules { $0.duration = 1_500_000_000 } == [.durationUntrue])
        let later = Self.segment(3).streams
        #expect(rules { $0.streams = later } == [.timestampsJump])
        #expect(rules { ($0.streams, $0.continuity) = (later, 1) } == [])
    }

    @Test func aVariantThatIsNotAsItSays() {
        func rules(_ change: (inout Variant) -> Void) -> [ValidationRule] {
            var variant = Variant(id: "v", rendition: "v", peakBitRate: 800_000)
            (variant.codecs, variant.size, variant.averageBitRate) = (
                [CodecName("avc1.4d401e")], StatedSize(width: 640, height: 360), 800_000
            )
            change(&variant)
            return MediaCheck.findings(variant, [Self.segment(0), Self.segment(2)], audio: [], subject: "v").map(\.rule)
        }
        #expect(rules { _ in }.isEmpty)
        #expect(rules { $0.codecs = [CodecName("hvc1.1")] } == [.codecsUntrue])
        #expect(rules { $0.size = StatedSize(width: 1280, height: 720) } == [.resolutionUntrue])
        #expect(rules { $0.peakBitRate = 700_000 } == [.bandwidthExceeded])
        #expect(rules { $0.averageBitRate = 700_000 } == [.averageExceeded])
    }

    private static func parsed(_ segments: String, head: String = "", ended: Bool = true) throws -> HLSSegmentList {
        try HLSSegmentListTests.read("#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(head)\(segments)\(ended ? "#EXT-X-ENDLIST\n" : "")")
    }

    @Test func variantsThatDoNotFitTogether() throws {
        func rules(_ other: String) throws -> [ValidationRule] {
            let first = try Self.parsed("#EXTINF:2,\na\n#EXTINF:2,\nb\n#EXTINF:2,\nc\n")
            return MediaCheck.alignment([("a", first.segments), ("b", try Self.parsed(other).segments)]).map(\.rule)
        }
        #expect(try rules("#EXTINF:2,\nx\n#EXTINF:2,\ny\n#EXTINF:2,\nz\n") == [])
        // A border that is a frame of 40 ms off is one border.
        #expect(try rules("#EXTINF:2.04,\nx\n#EXTINF:1.96,\ny\n#EXTINF:2,\nz\n") == [])
        #expect(try rules("#EXTINF:1.5,\nx\n#EXTINF:2,\ny\n#EXTINF:2,\nz\n") == [.variantsUnaligned])
        #expect(try rules("#EXTINF:2,\nx\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\ny\n#EXTINF:2,\nz\n") == [.discontinuitiesDiffer])
    }

    @Test func textThatIsOutsideOfItsSegment() throws {
        let list = try Self.parsed("#EXTINF:2,\na.vtt\n#EXTINF:2,\nb.vtt\n"), segment = try #require(list.segments.segment(1))
        func rules(_ head: String, _ cue: String, count: Int = 2) -> [ValidationRule] {
            MediaCheck.findings(text: Array("WEBVTT\n\(head)\n\(cue)\nText\n".utf8), segment, count: count).map(\.rule)
        }
        #expect(rules("X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n", "00:02.500 --> 00:03.000") == [])
        #expect(rules("", "00:02.500 --> 00:03.000") == [.cueClockMissing])
        #expect(rules("", "00:09.000 --> 00:10.000") == [.cueClockMissing, .cueOutside])
        // One file for all of it needs no clock.
        #expect(rules("", "00:09.000 --> 00:10.000", count: 1) == [])
    }

    @Test func broadcastsThatBreakARule() throws {
        func rules(_ after: String, _ head: String, ended: Bool = false) throws -> [ValidationRule] {
            let before = try Self.parsed("#EXTINF:2,\na\n#EXTINF:2,\nb\n", head: "#EXT-X-MEDIA-SEQUENCE:4\n", ended: false)
            return MediaCheck.refresh(before, try Self.parsed(after, head: head, ended: ended)).map(\.rule)
        }
        #expect(try rules("#EXTINF:2,\nb\n#EXTINF:2,\nc\n", "#EXT-X-MEDIA-SEQUENCE:5\n") == [])
        #expect(try rules("#EXTINF:2,\na\n#EXTINF:2,\nb\n", "#EXT-X-MEDIA-SEQUENCE:4\n") == [.listStale])
        #expect(try rules("#EXTINF:2,\na\n#EXTINF:2,\nb\n", "#EXT-X-MEDIA-SEQUENCE:4\n", ended: true) == [])
        #expect(try rules("#EXTINF:2,\na\n#EXTINF:2,\nx\n#EXTINF:2,\nc\n", "#EXT-X-MEDIA-SEQUENCE:4\n") == [.segmentChanged])
        #expect(
            try rules(
                "#EXTINF:2,\nm\n#EXTINF:2,\nn\n#EXTINF:2,\no\n#EXTINF:2,\np\n#EXTINF:2,\na\n#EXTINF:2,\nb\n#EXTINF:2,\nc\n", "")
                == [
                    .sequenceGoesBack
                ])
    }

    @Test func everyRuleHasANameAndAParagraph() {
        #expect(Set(ValidationRule.allCases.map(\.name)).count == ValidationRule.allCases.count)
        #expect(ValidationRule.allCases.allSatisfy { !$0.paragraph.isEmpty } && ValidationRule.endMissing.name == "end-missing")
    }
}
