import AetherCore
import AetherTestSupport
import Testing

@testable import AetherUI

@Suite struct TrackLabelTests {
    @Test func aLanguageThatBelongsToATrackIsNamed() {
        var track = TrackInfo(id: TrackID(1), kind: .audio, codec: "aac", name: "Radio", language: "no", channels: 2)
        #expect(TrackLabel.full(track) == "Norwegian, Radio, AAC stereo" && TrackLabel.name(track) == "Norwegian – Radio")
        track.associatedLanguage = "da"
        #expect(TrackLabel.full(track) == "Norwegian (with Danish), Radio, AAC stereo")
        #expect(TrackLabel.name(track) == "Norwegian (with Danish) – Radio")
        track.name = "Norwegian"
        #expect(TrackLabel.name(track) == "Norwegian (with Danish)")
        track.associatedLanguage = "no"
        #expect(TrackLabel.name(track) == "Norwegian")
    }
}
