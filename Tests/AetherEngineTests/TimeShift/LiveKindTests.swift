import AetherCore
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Which sources have no end.
@Suite struct LiveKindTests {
    /// A file in a form whose times may leap, as a broadcast's, or not.
    private func info(leaps: Bool) throws -> SourceInfo {
        let path = leaps ? try Clips.broadcast() : try Clips.silentVideo()
        let reader = try #require(try MediaLocation.file(path).openReader())
        return try Demuxer(.reader(reader, name: path), interrupt: Interrupt()).info
    }

    private func isLive(
        _ location: MediaLocation, _ container: String, seekable: Bool, duration: TimeSpan?, stated: Bool? = nil,
        traits: IOReaderTraits = .pipe
    ) throws -> Bool {
        var info = try info(leaps: container == "mpegts")
        (info.container, info.isSeekable, info.duration) = (container, seekable, duration)
        return LiveKind.isLive(stated, source: .location(location), SourceDescription(info, traits: traits))
    }

    @Test(arguments: ["udp://h:1", "rtp://h:1", "srt://h:1", "http://h/x", "rtmp://h/live/x", "RTSP://h/x"])
    func whatComesOverANetworkWithoutALengthIsLive(url: String) throws {
        #expect(try isLive(.url(url), "mpegts", seekable: false, duration: nil))
        #expect(try !isLive(.url(url), "mpegts", seekable: false, duration: nil, stated: false))
        #expect(try !isLive(.url(url), "mov,mp4", seekable: false, duration: .seconds(10)))
    }

    @Test func aFileOfAServerThatKnowsNoPartsHasItsEnd() throws {
        let path = try Clips.broadcast(), origin = try TestOrigin(["/film": .file(path)])
        for (fault, expected) in [("norange", false), ("norange,chunked", true)] {
            let reader = try HTTPReader("\(origin.address)/~\(fault)/film")
            try reader.open()
            #expect(try isLive(.url("http://h/x"), "mpegts", seekable: false, duration: nil, traits: reader.traits) == expected)
        }
    }

    @Test func aChannelThatSaysItCanBeGoneToIsLiveWhereItHasNoLength() throws {
        #expect(try isLive(.url("rtmp://h/live/x"), "flv", seekable: true, duration: nil))
        #expect(try isLive(.url("rtsp://h/x"), "rtsp", seekable: true, duration: nil))
        #expect(try !isLive(.url("rtsp://h/film"), "rtsp", seekable: true, duration: .seconds(60)))
        #expect(try !isLive(.url("http://h/x"), "mpegts", seekable: true, duration: nil))
    }

    @Test func filesAreLiveWhereTheyDescribeASessionOrAreBroadcastsInAPipe() throws {
        #expect(try isLive(.file("/x/a.sdp"), "sdp", seekable: true, duration: nil))
        #expect(try !isLive(.file("/x/a.ts"), "mpegts", seekable: true, duration: nil))
        #expect(try isLive(.file("/x/fifo"), "mpegts", seekable: false, duration: nil))
        #expect(try isLive(.standardInput, "mpegts", seekable: false, duration: nil))
        #expect(try !isLive(.standardInput, "matroska,webm", seekable: false, duration: nil))
        #expect(try isLive(.standardInput, "matroska,webm", seekable: false, duration: nil, stated: true))
    }
}
