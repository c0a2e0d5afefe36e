import AetherCore
import AetherEngine
import AetherTerminal
@testable import AetherUI
import Testing

/// The rows of a screen that are not picture, without the picture to the right of them.
private func covered(_ model: AppModel) throws -> [String] {
    try rendered(model).filter { row in row.contains { $0 != "·" } }
}

@Suite struct TransportBarTests {
    @Test(arguments: [
        (120, 24, ["x"]),
    ])
    func golden(_ columns: Int, _ rows: Int, _ expected: [String]) throws {
        var withCues = film()
        withCues.activeSubtitleTrack = TrackID(.container, 4)
        withCues.rate = 1.1
        for (columns, rows) in [(200, 50), (120, 24), (80, 24), (40, 12), (24, 6), (16, 4), (8, 2), (3, 1), (1, 1)] {
            print("== \(columns)x\(rows)")
            for row in try covered(model(withCues, columns: columns, rows: rows)) { print("|\(row)|") }
            for row in try covered(model(withCues, columns: columns, rows: rows, isUnicode: false)) { print("|\(row)|") }
            for row in try covered(model(withCues, columns: columns, rows: rows, hasColor: false)) { print("|\(row)|") }
        }
        for (columns, rows) in [(80, 24), (140, 40), (40, 12), (100, 10)] {
            for unicode in [true, false] {
                print("== help \(columns)x\(rows)")
                var m = model(withCues, columns: columns, rows: rows, isUnicode: unicode)
                _ = m.update(.key(KeyStroke("?")), now: at(1))
                for row in try rendered(m) { print("|\(row)|") }
            }
        }
        var live = LiveTelemetry()
        live.observedFps = 23.976
        live.framesShown = 1440
        live.droppedLateDecode = 0
        live.droppedSlowEncode = 1
        live.droppedSlowTerminal = 2
        live.avSyncGapMs = -3.24
        live.alsaDelayMs = 45.1
        live.alsaXruns = 0
        live.clockRatePPM = 12.4
        live.terminalBytesPerSecond = 4_812_345
        live.decodeMs = Percentiles(p50: 2.134, p95: 13.5, p99: 20)
        live.writeMs = Percentiles(p50: 0.1, p95: 0.2, p99: 20)
        live.forwardBufferSeconds = 4.21
        live.cachedBytes = 3_120_000
        live.rssMb = 85
        live.cpuLoad = 0.34
        live.videoDecoder = "h264"
        live.renderer = "halfblock"
        live.audioDecoder = "aac"
        live.audioDevice = "default"
        withCues.telemetry = live
        for (columns, rows) in [(80, 24), (30, 8)] {
            print("== telemetry \(columns)x\(rows)")
            var m = model(withCues, columns: columns, rows: rows)
            _ = m.update(.key(KeyStroke("i")), now: at(1))
            for row in try rendered(m) { print("|\(row)|") }
            withCues.telemetry = nil
            m = model(withCues, columns: columns, rows: rows)
            _ = m.update(.key(KeyStroke("i")), now: at(1))
            for row in try rendered(m) { print("|\(row)|") }
        }
    }
}
