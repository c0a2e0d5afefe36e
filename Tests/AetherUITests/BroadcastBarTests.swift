import AetherCore
import AetherEngine
import AetherTerminal
import Testing

@testable import AetherUI

/// The bar and the keys of a broadcast.
@Suite struct BroadcastBarTests {
    private func broadcast(at seconds: Double) -> EngineSnapshot {
        var snapshot = film()
        (snapshot.startTime, snapshot.duration) = (.seconds(100), .seconds(60))
        (snapshot.liveEdge, snapshot.edgeStep, snapshot.isSeekable) = (.seconds(160), .seconds(4), true)
        snapshot.position = .seconds(seconds)
        return snapshot
    }

    private func bar(_ snapshot: EngineSnapshot) -> String {
        let model = model(snapshot, columns: 100, rows: 24)
        return TransportBar.pane(model.scene)?.runs.map(\.text).joined(separator: " ") ?? ""
    }

    @Test func theBarTellsHowFarBehindItPlays() {
        #expect(broadcast(at: 156).liveEdgeTime == 160 && broadcast(at: 156).behindLiveSeconds == 4 && film().liveEdgeTime == 0)
        let live = bar(broadcast(at: 156))
        #expect(live.contains("live") && live.contains("LIVE") && !live.contains("Go live") && live.contains("0:01:00"))
        let behind = bar(broadcast(at: 118))
        #expect(behind.contains("-0:00:42") && behind.contains("Go live"), "\(behind)")
        // A file that is being written has a position as others.
        var growing = broadcast(at: 118)
        growing.edgeStep = .zero
        #expect(bar(growing).contains("0:00:18") && !bar(growing).contains("live"))
    }

    /// The time of day that a broadcast states takes the place of the window's length, where it is asked for.
    @Test func theOtherTimeIsThatOfTheBroadcast() {
        var snapshot = broadcast(at: 118)
        snapshot.wallZero = 1_780_000_000_000_000_000
        var model = model(snapshot, columns: 100, rows: 24)
        func right() -> String { TransportBar.pane(model.scene)?.runs.map(\.text).joined(separator: " ") ?? "" }
        let clock = SystemText.timeOfDay(1_780_000_118_000_000_000)
        #expect(clock.wholeMatch(of: /\d\d:\d\d:38/) != nil, "\(clock)")
        #expect(right().contains("0:01:00") && !right().contains(clock))
        _ = model.update(.action(.toggleRemaining), now: HostTime(nanoseconds: 0))
        #expect(right().contains(clock) && model.message?.text == "Time: of day")
        model.snapshot.wallZero = nil
        #expect(right().contains("0:01:00"))
    }

    /// A recording that states its time of day: total, remaining, time of day, total.
    @Test func theTimeOfDayOfARecordingIsTheThirdOne() {
        var snapshot = film()
        (snapshot.startTime, snapshot.duration, snapshot.position) = (.zero, .seconds(60), .seconds(18))
        snapshot.wallZero = 1_780_000_000_000_000_000
        var model = model(snapshot, columns: 100, rows: 24)
        let clock = SystemText.timeOfDay(1_780_000_018_000_000_000)
        var seen: [String] = []
        for _ in 0..<4 {
            let bar = TransportBar.pane(model.scene)?.runs.map(\.text).joined(separator: " ") ?? ""
            seen.append(
                bar.contains(clock) ? "clock" : bar.contains("-0:00:42") ? "remaining" : bar.contains("0:01:00") ? "total" : bar)
            _ = model.update(.action(.toggleRemaining), now: HostTime(nanoseconds: 0))
        }
        #expect(seen == ["total", "remaining", "clock", "total"])
        _ = model.update(.action(.toggleRemaining), now: HostTime(nanoseconds: 0))
        #expect(model.message?.text == "Time: of day")
        // The next file says nothing of its time.
        model.snapshot.wallZero = nil
        #expect(TransportBar.pane(model.scene)?.runs.map(\.text).joined(separator: " ").contains("-0:00:42") == true)
    }

    @Test func endGoesLive() {
        var model = model(broadcast(at: 118))
        let sent: [PlayerCommand] = model.update(.action(.seekToEnd), now: HostTime(nanoseconds: 0)).compactMap {
            effect -> PlayerCommand? in
            if case .send(let command) = effect { command } else { nil }
        }
        #expect(sent == [.seekToLiveEdge] && model.message?.text == "Live")
        #expect(model.snapshot.seekTarget == .seconds(160))
    }

    @Test func theWindowIsWhatCanBeGoneTo() {
        let snapshot = broadcast(at: 118)
        #expect(snapshot.seekableLiveRange == .seconds(100) ... .seconds(160))
        #expect(snapshot.behindLiveSeconds == 42 && !snapshot.isAtLiveEdge)
        #expect(broadcast(at: 153).isAtLiveEdge && !broadcast(at: 152).isAtLiveEdge)
        #expect(film().behindLiveSeconds == 0 && !film().isAtLiveEdge && film().seekableLiveRange == nil)
    }
}
