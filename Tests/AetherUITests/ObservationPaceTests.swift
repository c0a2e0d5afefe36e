import AetherCore
import AetherDesktop
import AetherEngine
import AetherSources
import Testing

@testable import AetherUI

/// How often what runs by itself is told, counted by a clock of our own.
@Suite struct ObservationPaceTests {
    private let list = Playlist(items: [.init(location: .file("a.mkv")), .init(location: .file("b.mkv"))])

    /// The number of changes that an observing client is told while the player's loop turns every 10 ms for some seconds.
    private func told(
        _ names: Set<String>, seconds: Int, _ change: (_ turn: Int, _ snapshot: inout EngineSnapshot) -> Void = { _, _ in }
    ) -> [String: Int] {
        var pace = ObservationPace(), snapshot = film(), last: [String: JSON] = [:], counts: [String: Int] = [:]
        for turn in 0..<seconds * 100 {
            let now = HostTime(nanoseconds: Int64(turn) * 10_000_000)
            snapshot.position = .seconds(1000 + Double(turn) / 100)
            snapshot.bufferedPosition = snapshot.position + .seconds(1)
            change(turn, &snapshot)
            let values = pace.values(
                of: RemoteProperties(snapshot: snapshot, playlist: list, title: ""), names, now: now)
            for (name, value) in values where value != last[name] { counts[name, default: 0] += 1 }
            last = values
        }
        return counts
    }

    @Test func whatRunsIsToldOnceASecond() {
        let counts = told(["position", "percent", "buffered", "volume"], seconds: 60)
        #expect(counts == ["position": 60, "percent": 60, "buffered": 60, "volume": 1])
    }

    @Test func aStartIsNoFlood() {
        // Loading, seeking, playing, each with an epoch of its own, within 60 ms.
        let counts = told(["position"], seconds: 10) { turn, snapshot in
            snapshot.phase = turn < 2 ? .loading : turn < 5 ? .seeking : .playing
            snapshot.epoch = Epoch(UInt64(min(turn, 6)))
        }
        #expect((10...13).contains(counts["position"] ?? 0), "\(counts)")
    }

    @Test func aSeekIsToldAtOnceAndNoMoreThanFourTimesASecond() {
        // A key is held for two seconds: a seek every 50 ms.
        let counts = told(["position"], seconds: 10) { turn, snapshot in
            guard (300..<500).contains(turn) else { return snapshot.seekTarget = nil }
            snapshot.seekTarget = .seconds(Double(2000 + turn / 5 * 5))
            snapshot.epoch = Epoch(UInt64(turn / 5))
        }
        #expect((15...20).contains(counts["position"] ?? 0), "\(counts)")
    }

    @Test func aSingleSeekIsToldWithinAQuarterOfASecond() {
        var pace = ObservationPace(), snapshot = film()
        func value(_ milliseconds: Int64) -> JSON? {
            let properties = RemoteProperties(snapshot: snapshot, playlist: list, title: "")
            return pace.values(of: properties, ["position"], now: HostTime(nanoseconds: milliseconds * 1_000_000))["position"]
        }
        #expect(value(0) == .number(1800))
        snapshot.seekTarget = .seconds(20)
        #expect(value(100) == .number(1800) && pace.nextWake(["position"], after: HostTime(nanoseconds: 0)) != nil)
        #expect(value(250) == .number(10))
    }

    @Test func whatStandsWakesNobody() {
        var pace = ObservationPace(), snapshot = film(phase: .paused)
        snapshot.wantsToPlay = false
        for turn in 0..<3 {
            let now = HostTime(nanoseconds: Int64(turn) * 1_000_000_000)
            _ = pace.values(of: RemoteProperties(snapshot: snapshot, playlist: list, title: ""), ["position"], now: now)
        }
        #expect(pace.nextWake(["position"], after: HostTime(nanoseconds: 3_000_000_000)) == nil)
        #expect(pace.nextWake(["volume"], after: HostTime(nanoseconds: 0)) == nil)
    }
}
