import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Audio in a rendition of its own beside that of the video's segments.
@Suite(.serialized) struct AudioRenditionTests {
    /// All is read, so that nothing has to be fetched for the other track: left and chosen once more, the rendition is fetched again all the same.
    @Test func aRenditionThatIsChosenOnceMoreIsHeard() async throws {
        let film = try SegmentedVideo(.muxedLadder)
        let media =
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"main\",DEFAULT=YES\n"
            + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"other\",LANGUAGE=\"de\",URI=\"l1.m3u8\"\n"
        try film.write("m.m3u8", "#EXTM3U\n" + media + "#EXT-X-STREAM-INF:BANDWIDTH=900000,AUDIO=\"g\"\nl0.m3u8\n")
        let listening = try Listening(film.path("m.m3u8")) { $0.readAhead = .seconds(30) }
        let other = StreamID(source: 1, number: 0), point = listening.start + .seconds(1)
        let own = try #require(listening.pipeline.state.read { $0.intent.activeAudio })
        listening.begin(1, at: listening.start.seconds)
        #expect(await listening.eventually { $0.pipeline.state.read { $0.lanes[own]?.hasEnded ?? false } })
        for turn in 1...3 {
            listening.pipeline.switchAudio(to: other, at: point)
            let isHeld = await listening.eventually { listening in
                listening.pipeline.state.read { state in
                    guard let lane = state.lanes[other], lane.hasEnded else { return false }
                    return lane.oldest.map { $0 <= point } ?? false && lane.newest.map { $0 > point + .seconds(2.5) } ?? false
                }
            }
            try #require(isHeld, "choice \(turn)")
            listening.pipeline.switchAudio(to: own, at: point)
            // The first time the reader hears of that; behind it, both changes come at once.
            if turn == 1 { #expect(await listening.eventually { $0.pipeline.state.read { $0.lanes[other] == nil } }) }
        }
        listening.end()
    }
}
