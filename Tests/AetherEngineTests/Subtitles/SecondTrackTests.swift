import AetherCore
import AetherMedia
import Testing

@testable import AetherEngine

@Suite struct SecondTrackTests {
    /// A script is drawn into the picture for the first track only: of the second its words are shown.
    @Test func wordsOfASecondScriptAreShownBesideTheDrawnOne() {
        let store = CueStore(), first = TrackID(.container, 2), second = TrackID(.container, 3)
        for track in [first, second] {
            let line = DecodedSubtitle(
                start: .seconds(1), end: .seconds(4), body: .text("Line of \(track.number)"), placement: nil,
                markup: "0,Default,,0,0,0,,{\\k20}Line of \(track.number)")
            store.add(line, track: track)
        }
        var snapshot = EngineSnapshot()
        (snapshot.activeSubtitleTrack, snapshot.activeSecondarySubtitleTrack) = (first, second)
        snapshot.position = .seconds(2)
        for (burning, count) in [(SubtitleBurning.none, 1), (.images, 0), (.styled, 0)] {
            snapshot.takeCues(of: store, burning: burning, forcedOnly: false, keepsMarkup: false)
            #expect(snapshot.visibleCues.count == count, "\(burning)")
            #expect(snapshot.secondaryCues.flatMap(\.lines) == ["Line of 3"], "\(burning)")
        }
    }
}
