import AetherCore
import AetherEngine

extension TelemetryPage {
    /// The figures of reading web servers; dashes for a file.
    func network(_ snapshot: EngineSnapshot, _ live: LiveTelemetry, _ tape: TelemetryTape) -> [Row] {
        func rises(_ count: @escaping (LiveTelemetry) -> Int?) -> Curve {
            Curve(values: tape.rises { count($0).map(Int64.init) }, ceiling: 1)
        }
        // Of a stream whose quality is chosen while it plays.
        let quality = [
            Row(
                label: translated("Quality"),
                parts: [live.variant, live.variantReason, live.variantSwitches.map { translated("\($0) changes") }],
                curve: Curve(values: tape.series(\.variantMbps))),
            Row(
                label: translated("Link"), parts: [live.linkEstimateMbps.map { Figures.decimal($0, places: 2) + " Mbit/s" }],
                curve: Curve(values: tape.series(\.linkEstimateMbps))),
            Row(
                label: translated("Held"), parts: [live.forwardBufferSeconds.map { Figures.decimal($0, places: 1) + " s" }],
                curve: Curve(values: tape.series(\.forwardBufferSeconds), ceiling: 10)),
        ]
        return (live.variant == nil ? [] : quality) + [
            Row(label: translated("State"), parts: [SourceActivity.text(snapshot)], isWarning: snapshot.reconnecting != nil),
            Row(
                label: translated("Throughput"),
                parts: [
                    live.networkThroughputMbps.map { Figures.decimal($0, places: 2) + " Mbit/s" },
                    Self.marks(tape, \.networkThroughputMbps) { Figures.decimal($0, places: 1) },
                ], curve: Curve(values: tape.series(\.networkThroughputMbps))),
            Row(
                label: translated("Bitrate"),
                parts: [live.averageBitrateMbps.map { translated("mean \(Figures.decimal($0, places: 2)) Mbit/s") }],
                curve: Curve(values: tape.series(\.instantBitrateMbps))),
            Row(
                label: translated("Received"), parts: [live.networkBytes.map(Figures.bytes)],
                curve: Curve(values: tape.rises { $0.networkBytes })),
            Row(
                label: translated("First byte"), parts: [live.networkFirstByteMs.map { Figures.decimal($0, places: 1) + " ms" }],
                curve: Curve(values: tape.series(\.networkFirstByteMs), ceiling: 10)),
            Row(label: translated("Requests"), parts: [live.networkRequests.map(String.init)], curve: rises(\.networkRequests)),
            Row(
                label: translated("Connections"), parts: [live.networkConnections.map(String.init)],
                curve: rises(\.networkConnections)),
            Row(
                label: translated("Retries"), parts: [live.networkRetries.map(String.init)],
                isWarning: (live.networkRetries ?? 0) > 0,
                curve: rises(\.networkRetries)),
            Row(
                label: translated("From memory"), parts: [live.networkCacheHits.map { translated("\($0) reads") }],
                curve: rises(\.networkCacheHits)),
        ]
    }
}
