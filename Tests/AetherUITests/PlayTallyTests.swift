import AetherCore
import AetherEngine
import AetherSources
import Testing

@testable import AetherUI

/// With which status a list of files ends, and which file of it a turn is about.
@Suite struct PlayTallyTests {
    private static let broken = MediaError(.readFailed, "play all of", subject: "a")
    private static let missing = MediaError(.cannotOpen, "open", subject: "b")
    private static let lost = MediaError(.decodeFailed, "decode", subject: "c")

    @Test(
        arguments: [
            ([.began, .ended(nil)], .played, nil), ([], .played, nil),
            ([.began, .ended(broken), .began, .ended(nil)], .playbackFailed, broken),
            ([.failed(missing, midway: false), .began, .ended(nil)], .cannotOpen, missing),
            // The worst counts, wherever it stands in the list.
            ([.ended(broken), .failed(missing, midway: false), .ended(nil)], .cannotOpen, missing),
            ([.failed(missing, midway: false), .ended(broken)], .cannotOpen, missing),
            ([.began, .failed(lost, midway: true), .ended(broken)], .playbackFailed, lost),
        ] as [([PlaybackNews.Turn], AetherUI.ExitStatus, MediaError?)])
    func theWorstOfAListCounts(_ turns: [PlaybackNews.Turn], _ status: AetherUI.ExitStatus, _ failure: MediaError?) {
        var tally = PlayTally()
        for turn in turns { tally.note(turn) }
        #expect(tally.status == status && tally.failure == failure)
    }

    @Test func aTurnIsOfTheFileThatWasLoaded() {
        var places = PlayedPlaces()
        func news(_ load: Int, _ advance: Int) -> PlaybackNews { PlaybackNews(load: load, advance: advance, turn: .ended(nil)) }
        // Before anything is known it is the present one.
        #expect(places.index(of: news(1, 0), present: 4) == 4)
        places.note(load: 3, advance: 0, index: 2)
        places.goOn(advance: 1, index: 3)
        #expect(places.index(of: news(3, 0), present: 3) == 2)
        // The list was sorted meanwhile: the latest is where it stands.
        #expect(places.index(of: news(3, 1), present: 7) == 7)
        places.note(load: 4, advance: 0, index: 8)
        #expect(places.index(of: news(3, 1), present: 8) == 3)
    }
}
