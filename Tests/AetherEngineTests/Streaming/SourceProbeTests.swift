import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherMedia

@Suite struct SourceProbeTests {
    @Test(arguments: [SegmentedVideo.Shape.transport, .parts, .dashTimeline])
    func theFirstSegmentOfEachTrackIsAskedForAlone(_ shape: SegmentedVideo.Shape) throws {
        let film = try SegmentedVideo(shape), origin = try film.origin(), interrupt = Interrupt()
        let address = origin.address + "/" + shape.manifest
        let report = try SourceProbe.report(try MediaInput(.location(.url(address)), interrupt: interrupt), name: address)
        let streams = try #require(report.json["streams"]?.values)
        #expect(streams.map { $0["codec_type"]?.text } == ["video", "audio"])
        #expect(streams.map { $0["codec_name"]?.text } == ["h264", "aac"])
        #expect(streams.map { $0["index"]?.integer } == [0, 1])
        #expect(streams[0]["width"]?.integer == 96 && streams[1]["sample_rate"]?.text == "48000")
        #expect(report.json["format"]?["format_name"]?.text == (shape.isDASH ? "dash" : "hls"))
        #expect(abs((report.json["format"]?["duration"]?.number ?? 0) - 4) < 0.1)
        #expect(report.text.contains("stream 1  audio  aac"))
        // Nobody reads on.
        let later = origin.requests.filter { $0.target.contains("_3.") || $0.target.contains("-00004.") }
        #expect(later.isEmpty, "\(origin.requests.map(\.target))")
    }

    @Test func theTitleIsTheManifests() throws {
        let film = try SegmentedVideo(.transport)
        try film.rewrite("master.m3u8") {
            $0.replacing(
                "#EXT-X-VERSION:",
                with: "#EXT-X-SESSION-DATA:DATA-ID=\"com.example.title\",VALUE=\"A film\"\n#EXT-X-VERSION:")
        }
        let source = try StreamReading.open(.file(film.path("master.m3u8")))
        #expect(source.description.info.metadata.title == "A film")
    }

    @Test func aSourceIsReportedOnWithoutBeingPlayed() async throws {
        let film = try SegmentedVideo(.transport), origin = try film.origin()
        let report = try await AetherEngine.probe(.location(.url(origin.address + "/master.m3u8")))
        #expect(report.json["format"]?["format_name"]?.text == "hls")
        await #expect(throws: MediaError.self) { try await AetherEngine.probe(.location(.file("/nowhere/film.mkv"))) }
    }
}
