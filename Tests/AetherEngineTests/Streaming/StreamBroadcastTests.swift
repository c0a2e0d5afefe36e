import AetherCore
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// The clock of a broadcast by DASH, and its manifest's next versions.
@Suite struct StreamBroadcastTests {
    private static let manifest = """
        <MPD id="m" type="dynamic" availabilityStartTime="2024-01-01T00:00:00Z" publishTime="2024-01-01T00:00:10Z" minimumUpdatePeriod="PT2S">
        <PatchLocation ttl="1000000000">patch.mpp</PatchLocation><UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-head:2014" value="CLOCK"/>
        <Period id="1" start="PT0S"><AdaptationSet id="a" mimeType="video/mp4"><SegmentTemplate media="$Time$"><SegmentTimeline><S t="0" d="2" r="1"/>
        </SegmentTimeline></SegmentTemplate><Representation id="v"/></AdaptationSet></Period></MPD>
        """

    /// Without patches.
    private static var whole: String {
        manifest.replacingOccurrences(of: "<PatchLocation ttl=\"1000000000\">patch.mpp</PatchLocation>", with: "")
    }

    private static func patch(from: Int, to: Int) -> String {
        """
        <Patch mpdId="m" originalPublishTime="2024-01-01T00:00:\(from)Z" publishTime="2024-01-01T00:00:\(to)Z">
        <replace sel="/MPD/@publishTime">2024-01-01T00:00:\(to)Z</replace>
        <add sel="/MPD/Period/AdaptationSet/SegmentTemplate/SegmentTimeline"><S d="2"/></add></Patch>
        """
    }

    private func write(_ text: String, _ folder: TemporaryFolder, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
    }

    /// Opens the manifest of an origin.
    private func open(_ origin: TestOrigin, _ time: ManualTime) throws -> (StreamBroadcast, Presentation, StreamFetch) {
        let interrupt = Interrupt()
        let input = try MediaInput(.location(.url(origin.address + "/m.mpd")), follows: true, interrupt: interrupt)
        let document = try #require(try StreamDocument(input)), fetch = StreamFetch(document, interrupt: interrupt)
        let manifest = try MPDDocument(document.bytes, address: document.address)
        let live = try #require(StreamBroadcast(manifest, now: time.now()))
        return (live, try Presentation(manifest, now: live.moment(time.now())), fetch)
    }

    private func renewed(
        _ live: inout StreamBroadcast, _ presentation: Presentation, _ fetch: StreamFetch, _ time: ManualTime
    ) throws -> Presentation {
        let timing = try #require(presentation.live), found = try live.renew(timing, fetch, time: time)
        return try #require(found)
    }

    /// Without UTCTiming the manifest's newest answer tells the time, less what a cache held it; one that is right again ends what was learnt.
    @Test func theManifestsNewestAnswerIsTheClock() throws {
        let folder = try TemporaryFolder(), time = ManualTime()
        let plain = Self.whole.replacingOccurrences(
            of: "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:http-head:2014\" value=\"CLOCK\"/>",
            with: "<Location>/~date=Mon;+01+Jan+2024+00:01:00+GMT/m.mpd</Location>")
        try write(plain, folder, "m.mpd")
        let origin = try TestOrigin(["/m.mpd": .file(folder.path("m.mpd"))])
        let interrupt = Interrupt(), own: Int64 = 1_704_067_200_000_000_000
        let input = try MediaInput(
            .location(.url(origin.address + "/~date=Mon;+01+Jan+2024+00:00:30+GMT/m.mpd")), follows: true, interrupt: interrupt)
        let document = try #require(try StreamDocument(input)), fetch = StreamFetch(document, interrupt: interrupt)
        let manifest = try MPDDocument(document.bytes, address: document.address)
        var live = try #require(StreamBroadcast(manifest, now: time.now(), wall: own))
        let presentation = try Presentation(manifest, now: own)
        try live.learn([], date: document.date, fetch, time: time)
        #expect(live.moment(time.now()) == own + 30_000_000_000)
        time.advance(by: .seconds(59))
        _ = try renewed(&live, presentation, fetch, time)
        // It was 31 s ahead, and is one now: within what a whole second tells it is ours.
        time.advance(by: .seconds(600))
        try live.learn([], fetch, time: time)
        #expect(live.moment(time.now()) == own + 659_000_000_000)
    }

    /// A version that is there already is not sent once more, and the next one is asked for in its time.
    @Test func aManifestThatIsTheSameIsNotSentAgain() throws {
        let folder = try TemporaryFolder(), time = ManualTime()
        try write(Self.whole.replacingOccurrences(of: "CLOCK", with: "clock"), folder, "m.mpd")
        let origin = try TestOrigin(["/m.mpd": .file(folder.path("m.mpd"))]), interrupt = Interrupt()
        let input = try MediaInput(.location(.url(origin.address + "/~etag=a/m.mpd")), follows: true, interrupt: interrupt)
        let document = try #require(try StreamDocument(input)), fetch = StreamFetch(document, interrupt: interrupt)
        let manifest = try MPDDocument(document.bytes, address: document.address)
        var live = try #require(StreamBroadcast(manifest, now: time.now()))
        let presentation = try Presentation(manifest, now: live.moment(time.now())), timing = try #require(presentation.live)
        time.advance(by: .seconds(2))
        _ = try renewed(&live, presentation, fetch, time)
        for _ in 0..<3 {
            #expect(!live.isAskedFor(time.now()))
            time.advance(by: .seconds(2))
            #expect(live.isAskedFor(time.now()))
            let found = try live.renew(timing, fetch, time: time)
            #expect(found == nil)
        }
        let last = origin.requests.suffix(3)
        #expect(last.map(\.status) == [304, 304, 304] && last.allSatisfy { $0.sent == 0 })
    }

    @Test func theClockIsThatOfTheServersAnswer() throws {
        let folder = try TemporaryFolder(), time = ManualTime()
        try write(
            Self.manifest.replacingOccurrences(of: "CLOCK", with: "/~date=Mon;+01+Jan+2024+00:00:12+GMT/clock"), folder, "m.mpd")
        let origin = try TestOrigin(["/m.mpd": .file(folder.path("m.mpd")), "/clock": .bytes([1, 2, 3])])
        var (live, presentation, fetch) = try open(origin, time)
        try live.learn(presentation.live?.clocks ?? [], fetch, time: time)
        // Of a whole second only the begin is sure.
        #expect(live.moment(time.now()) == 1_704_067_212_000_000_000)
        let asked = origin.requests.filter { $0.target.hasSuffix("/clock") }
        #expect(asked.map(\.method) == ["HEAD"] && asked.map(\.sent) == [0])
    }

    @Test func changesAloneAreAskedForWhereTheManifestSaysWhere() throws {
        let folder = try TemporaryFolder(), time = ManualTime()
        try write(Self.manifest, folder, "m.mpd")
        try write(Self.patch(from: 10, to: 12), folder, "patch.mpp")
        let origin = try TestOrigin(["/m.mpd": .file(folder.path("m.mpd")), "/patch.mpp": .file(folder.path("patch.mpp"))])
        var (live, presentation, fetch) = try open(origin, time)
        let count = { (presentation: Presentation) in presentation.rendition("v")?.index?.numbers.count }
        #expect(count(presentation) == 2)
        for (from, to, segments) in [(10, 12, 3), (12, 14, 4)] {
            try write(Self.patch(from: from, to: to), folder, "patch.mpp")
            presentation = try renewed(&live, presentation, fetch, time)
            #expect(count(presentation) == segments)
        }
        #expect(origin.requests.map(\.target) == ["/m.mpd", "/patch.mpp", "/patch.mpp"])
        // One that is for another version: the whole manifest is read, and then patches again.
        try write(
            Self.manifest.replacingOccurrences(of: "00:00:10Z", with: "00:00:16Z").replacingOccurrences(
                of: "r=\"1\"", with: "r=\"5\""), folder,
            "m.mpd")
        presentation = try renewed(&live, presentation, fetch, time)
        #expect(count(presentation) == 6)
        try write(Self.patch(from: 16, to: 18), folder, "patch.mpp")
        presentation = try renewed(&live, presentation, fetch, time)
        #expect(count(presentation) == 7)
        #expect(origin.requests.map(\.target).suffix(3) == ["/patch.mpp", "/m.mpd", "/patch.mpp"])
    }
}
