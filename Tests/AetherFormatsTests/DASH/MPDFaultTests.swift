import AetherFormats
import Testing

/// Documents that are refused, each with its reason.
struct MPDFaultTests {
    @Test(arguments: [
        ("<!DOCTYPE MPD [<!ENTITY a \"b\">]><MPD/>", StreamFault.Kind.documentType),
        ("<MPD><Period/><!entity x></MPD>", .documentType),
        ("<MPD><Period></MPD>", .markup), ("<MPD><Period>", .cutOff), ("<MPD><Period/>", .cutOff), ("", .empty),
        ("hello", .markup),
        ("<html><body/></html>", .webPage), ("<SmoothStreamingMedia/>", .notAManifest("SmoothStreamingMedia")),
        ("<MPD/>", .nothingToPlay),
        ("<MPD/><MPD/>", .markup),
        ("<MPD mediaPresentationDuration=\"-PT1S\"><Period/></MPD>", .number("MPD@mediaPresentationDuration")),
        ("<MPD mediaPresentationDuration=\"PT1e309S\"/>", .number("MPD@mediaPresentationDuration")),
        (String(repeating: "<a>", count: 70), .tooMany("levels")),
        ("<MPD>" + String(repeating: "<Period/>", count: 1001) + "</MPD>", .tooMany("periods")),
    ])
    func documents(text: String, kind: StreamFault.Kind) {
        #expect { try MPD.document(text) } throws: { ($0 as? StreamFault)?.kind == kind }
    }

    @Test(arguments: [
        ("<SegmentTemplate media=\"$Number$\"/>", "PT0S"), ("<SegmentTemplate media=\"x\" duration=\"0\"/>", "PT1S"),
        ("<SegmentTemplate media=\"x\" duration=\"1\" timescale=\"0\"/>", "PT1S"),
        ("<SegmentTemplate media=\"x\" duration=\"-1\"/>", "PT1S"),
        ("<SegmentTemplate media=\"x\" duration=\"1\" startNumber=\"9223372036854775807\"/>", "PT1S"),
        ("<SegmentList duration=\"1\"><SegmentURL mediaRange=\"9-1\"/></SegmentList>", "PT1S"),
    ])
    func addressing(inside: String, length: String) {
        #expect { try MPD.presentation(MPD.one(inside, length: length)) } throws: { $0 is StreamFault }
    }

    /// A representation that cannot be read is left out; the others are played.
    @Test func aBrokenRepresentationLeavesTheOthers() throws {
        let presentation = try MPD.presentation(
            """
            <MPD mediaPresentationDuration="PT4S"><Period><AdaptationSet mimeType="video/mp4">
            <Representation id="bad"><SegmentTemplate media="$Number$" duration="x"/></Representation>
            <Representation id="good"><SegmentTemplate media="$Number$" duration="2"/></Representation></AdaptationSet></Period></MPD>
            """)
        #expect(presentation.renditions.map(\.id) == ["good"])
    }

    @Test func whatBeginsLikeAManifest() {
        let begins = { (text: String) in MPDDocument.begins(Array(text.utf8)) }
        #expect(begins("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- c --> <MPD xmlns=\"x\">") && begins("<m:MPD/>"))
        #expect(!begins("#EXTM3U") && !begins("<html>") && !begins("") && !begins("x <MPD>"))
    }

    @Test(arguments: [true, false], [true, false]) func manifestsOfUTF16AreRead(isBig: Bool, isMarked: Bool) throws {
        let text = MPD.one("<BaseURL>Höhe.mp4</BaseURL>")
        let units = (isMarked ? [0xFEFF] : []) + Array(text.utf16)
        let bytes = units.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(MPDDocument.begins(bytes))
        let document = try MPDDocument(bytes, address: #require(MPD.address))
        let segments = try #require(try Presentation(document, now: nil).rendition("v")?.index)
        #expect(segments.segment(1)?.address.text.hasSuffix(".mp4") == true)
        #expect(throws: StreamFault.self) { try MPDDocument(Array(bytes.dropLast(9)), address: #require(MPD.address)) }
    }
}
