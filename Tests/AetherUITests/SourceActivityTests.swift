import AetherCore
import AetherEngine
import AetherSources
import Testing

@testable import AetherUI

/// The reason why a source is waited for: the words, the bar and the remote control's properties.
@Suite struct SourceActivityTests {
    private func waiting(_ change: (inout EngineSnapshot) -> Void) -> EngineSnapshot {
        var snapshot = film(phase: .rebuffering)
        snapshot.wantsToPlay = true
        change(&snapshot)
        return snapshot
    }

    @Test func aLostServerIsToldWithTheAttempt() {
        let attempt = ReconnectAttempt(number: 2, limit: 5)
        let snapshot = waiting {
            $0.reconnecting = attempt
            $0.phase = .stalled(reconnecting: attempt)
            $0.bufferFill = BufferFill(fraction: 0.1, remaining: nil)
        }
        #expect(SourceActivity.text(snapshot) == "reconnecting 2/5 …")
        let row = TitleRow(model(snapshot, columns: 120).scene, columns: 120)
        #expect(row.words.map(\.text).contains("reconnecting 2/5 …"))
        let properties = self.properties(snapshot)
        #expect(properties.value("state") == .string("reconnecting"))
        #expect(properties.value("reconnecting") == .object(["attempt": JSON(2), "limit": JSON(5)]))
    }

    @Test(
        arguments: [
            (0.4, 2.3, "buffering 40 % · 3 s"), (0.4, nil, "buffering 40 %"), (0.99, 0, "buffering 99 % · 1 s"),
        ] as [(Double, Double?, String)])
    func aBufferIsToldInPercentAndTime(_ fraction: Double, _ seconds: Double?, _ text: String) {
        let fill = BufferFill(fraction: fraction, remaining: seconds.map { .seconds($0) })
        #expect(SourceActivity.text(waiting { $0.bufferFill = fill }) == text)
    }

    @Test func theBarFollowsTheBufferTwiceASecond() {
        var model = model(waiting { $0.bufferFill = BufferFill(fraction: 0.5, remaining: nil) })
        _ = model.update(.tick, now: at(10))
        #expect(model.isBarVisible)
        #expect(model.nextWake(after: at(10)).map { $0 <= at(10.5) } == true)
    }

    @Test func openingIsToldStepByStepAndNothingWhilePlaying() {
        let words = StartupCheckpoint.allCases.map { checkpoint in
            var snapshot = EngineSnapshot()
            snapshot.phase = .loading
            snapshot.startupProgress = StartupProgress(generation: 1, checkpoint: checkpoint)
            return SourceActivity.text(snapshot)
        }
        #expect(
            words == [
                nil, "looking up the server …", "connecting …", "waiting for the server …", "reading the header …", nil, nil, nil,
            ])
        #expect(SourceActivity.text(film()) == nil)
    }

    @Test func whatIsNotWaitedForIsNull() {
        let properties = self.properties(film())
        for name in ["buffering", "reconnecting", "startup"] { #expect(properties.value(name) == .null, "\(name)") }
        let filling = self.properties(waiting { $0.bufferFill = BufferFill(fraction: 0.25, remaining: .seconds(3)) })
        #expect(filling.value("buffering") == .object(["percent": JSON(25.0), "seconds": JSON(3.0)]))
    }

    private func properties(_ snapshot: EngineSnapshot) -> RemoteProperties {
        RemoteProperties(snapshot: snapshot, playlist: Playlist(items: [.init(location: .file("a"))]), title: "")
    }
}
