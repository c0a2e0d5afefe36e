import AetherFormats
import Testing

/// Patches of a manifest: what they change, and what does not fit.
struct MPDPatchTests {
    private let base = """
        <MPD id="m" type="dynamic" availabilityStartTime="2024-01-01T00:00:00Z" publishTime="2024-01-01T00:00:10Z" minimumUpdatePeriod="PT2S">
        <Period id="1" start="PT0S"><AdaptationSet id="a" mimeType="video/mp4"><SegmentTemplate media="$Time$"><SegmentTimeline><S t="0" d="2" r="1"/>
        </SegmentTimeline></SegmentTemplate><Representation id="v"/></AdaptationSet></Period></MPD>
        """

    private func patched(_ operations: String, for version: String = "2024-01-01T00:00:10Z", id: String = "m") throws
        -> MPDDocument
    {
        let patch = """
            <Patch mpdId="\(id)" originalPublishTime="\(version)" publishTime="2024-01-01T00:00:12Z">
            <replace sel="/MPD/@publishTime">2024-01-01T00:00:12Z</replace>\(operations)</Patch>
            """
        return try MPD.document(base).patched(by: Array(patch.utf8))
    }

    private func names(_ document: MPDDocument) throws -> [Substring] {
        let index = try #require(try Presentation(document, now: 1_704_067_300_000_000_000).rendition("v")?.index)
        return index.numbers.compactMap { index.segment($0)?.name }
    }

    private static let timeline = "/MPD/Period[@id=\"1\"]/AdaptationSet[@id=\"a\"]/SegmentTemplate/SegmentTimeline"

    @Test(arguments: [
        ("<add sel='\(timeline)'><S t='4' d='2'/><S d='3'/></add>", ["0", "2", "4", "6"]),
        (
            "<add sel='\(timeline)/S[1]' pos='before'><S t='0' d='1'/></add><replace sel='\(timeline)/S[2]'><S t='5' d='1'/></replace>",
            ["0", "5"]
        ),
        ("<add sel='\(timeline)' pos='prepend'><S t='0' d='1'/></add><remove sel='\(timeline)/S[2]'/>", ["0"]),
        ("<add sel='\(timeline)/S' pos='after'><S t='8' d='1'/></add><replace sel='\(timeline)/S/@r'>0</replace>", ["0", "8"]),
        ("<remove sel='\(timeline)/S/@r'/>", ["0"]), ("<add sel='/MPD/Period[1]' type='@duration'>PT2S</add>", ["0"]),
        ("<replace sel='/MPD/Period/AdaptationSet/SegmentTemplate/@media'>x&amp;$Time$</replace>", ["x&0", "x&2"]),
    ])
    func changes(operations: String, expected: [String]) throws {
        let document = try patched(operations)
        #expect(try names(document) == expected.map { Substring($0) } && document.publishTime == 1_704_067_212_000_000_000)
    }

    @Test func patchesFollowPatches() throws {
        let first = try patched("<add sel='\(Self.timeline)'><S t='4' d='2'/></add>")
        let second = """
            <Patch mpdId="m" originalPublishTime="2024-01-01T00:00:12Z"><add sel='\(Self.timeline)'><S d="2"/></add><remove sel='\(Self.timeline)/S[1]'/></Patch>
            """
        #expect(try names(first.patched(by: Array(second.utf8))) == ["4", "6"])
    }

    @Test(arguments: [
        "<add sel='/MPD/Period[@id=\"9\"]'><S/></add>", "<remove sel='/MPD'/>", "<remove sel='/MPD/@nothing'/>",
        "<replace sel='MPD'/>", "<add/>",
        "<add sel='/MPD/Period'/>", "<move sel='/MPD/Period'><x/></move>", "<add sel='//Period'><x/></add>",
        "<add sel='/MPD/Period[' ><x/></add>",
        "<add sel='/MPD/Period/text()'>x</add>", "<replace sel='/MPD/Period[2]'><Period/></replace>",
    ])
    func whatDoesNotFit(operation: String) {
        #expect { try patched(operation) } throws: { ($0 as? StreamFault)?.kind == .updateMismatch }
    }

    @Test func patchesOfOthersAreRefused() {
        #expect(throws: StreamFault.self) { try patched("", for: "2024-01-01T00:00:09Z") }
        #expect(throws: StreamFault.self) { try patched("", id: "other") }
        #expect { try MPD.document(base).patched(by: Array("<!DOCTYPE x><Patch/>".utf8)) } throws: {
            ($0 as? StreamFault)?.kind == .documentType
        }
    }
}
