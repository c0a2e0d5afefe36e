import AetherCore
import AetherEngine
import Foundation
import Testing

@testable import AetherUI

@Suite struct TelemetryLogTests {
    @Test func eachMeasurementIsALineOfJSON() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("telemetry-\(UUID().uuidString).jsonl").path
        var log = TelemetryLog(descriptor: try OutputFile(hasScreen: false).open(path, "write telemetry to"))
        var snapshot = EngineSnapshot()
        (snapshot.source, snapshot.phase) = ("a \"film\".mkv", .playing)
        (snapshot.startTime, snapshot.position) = (MediaTime(nanoseconds: 2_000_000_000), MediaTime(nanoseconds: 5_000_000_000))
        log.record(snapshot)
        for number in [0, 0, 1] {
            var live = LiveTelemetry()
            (live.sequence, live.observedFps, live.avSyncGapMs) = (number, 24, .nan)
            live.decodeMs = Percentiles(p50: 1, p95: 2, p99: 3)
            snapshot.telemetry = live
            log.record(snapshot)
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try FileManager.default.removeItem(atPath: path)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2 && text.hasSuffix("\n"))
        let line = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(
            line["position"] as? Double == 3 && line["phase"] as? String == "playing"
                && line["source"] as? String == "a \"film\".mkv")
        let live = try #require(line["telemetry"] as? [String: Any])
        #expect(live["observedFps"] as? Double == 24 && live["avSyncGapMs"] as? String == "nan" && live["rssMb"] == nil)
        #expect((live["decodeMs"] as? [String: Double])?["p99"] == 3)
    }
}
