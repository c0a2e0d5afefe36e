import AetherCore
import AetherEngine
import AetherTerminal

/// What the pipeline measures of itself, at the top left. What is not known is left blank: a 0 is a measured 0.
enum TelemetryPane {
    struct Row {
        let label: String
        /// Parts that are nil are left out.
        let parts: [String?]
        var isWarning = false
    }

    private static let width = 62
    private static let labelWidth = 10

    static func pane(_ model: AppModel, above bar: Pane?) -> Pane? {
        guard model.showsTelemetry else { return nil }
        let bottom = bar?.rect.row ?? model.size.rows
        let rows = rows(model.snapshot, model.snapshot.telemetry ?? LiveTelemetry())
        let height = min(rows.count + 1, bottom)
        guard height >= 1 else { return nil }
        let glyphs = Glyphs(isUnicode: model.capabilities.isUnicode)
        let columns = min(width, model.size.columns)
        var pane = Pane(.telemetry, at: CellRect(column: 0, row: 0, columns: columns, rows: height), fill: .pane)
        pane.write(ChromeText.clipped("Telemetry", to: columns - 2, ellipsis: glyphs.ellipsis), column: 1, row: 0, .paneHeading)
        for (index, row) in rows.prefix(height - 1).enumerated() {
            pane.write(row.label, column: 1, row: index + 1, .paneLabel)
            let value = glyphs.shown(row.parts.compactMap { $0 }.joined(separator: "  "))
            let room = columns - labelWidth - 3
            let text = ChromeText.clipped(value, to: max(0, room), ellipsis: glyphs.ellipsis)
            pane.write(text, column: labelWidth + 2, row: index + 1, row.isWarning ? .paneWarning : .paneValue)
        }
        return pane
    }

    /// The table.
    static func rows(_ snapshot: EngineSnapshot, _ live: LiveTelemetry) -> [Row] {
        let dropped = live.droppedFrameCount
        return [
            Row(
                label: "Source",
                parts: [
                    text(snapshot.container),
                    snapshot.videoSize.map { "\($0.width)x\($0.height)" },
                    snapshot.videoFrameRate.map { Figures.decimal($0, places: 3) + " fps" },
                ]),
            Row(label: "Video", parts: [live.videoDecoder.flatMap(text), live.renderer.flatMap(text).map { "drawn as " + $0 }]),
            Row(label: "Audio", parts: [live.audioDecoder.flatMap(text), live.audioDevice.flatMap(text).map { "on " + $0 }]),
            Row(label: "Route", parts: [snapshot.audioOutputRoute.flatMap { text($0.text) }]),
            Row(
                label: "Shown",
                parts: [
                    live.observedFps.map { Figures.decimal($0, places: 2) + " fps" },
                    live.framesShown.map { "\($0) frames" }, live.queuedFrames.map { "\($0) waiting" },
                ]),
            Row(
                label: "Dropped",
                parts: [
                    dropped.map(String.init), live.droppedLateDecode.map { "late decode \($0)" },
                    live.droppedSlowEncode.map { "slow encode \($0)" }, live.droppedSlowTerminal.map { "slow terminal \($0)" },
                ], isWarning: (dropped ?? 0) > 0),
            Row(label: "Errors", parts: [live.decodeErrors.map { "\($0) in decoding" }], isWarning: (live.decodeErrors ?? 0) > 0),
            // Over 45 ms people see that lips and voice part (ITU-R BT.1359).
            Row(
                label: "A/V gap", parts: [live.avSyncGapMs.map { Figures.signed($0, places: 1) + " ms" }],
                isWarning: abs(live.avSyncGapMs ?? 0) > 45),
            Row(
                label: "Sound",
                parts: [
                    live.alsaDelayMs.map { "delay \(Figures.decimal($0, places: 1)) ms" }, live.alsaXruns.map { "xruns \($0)" },
                    live.audioLeadSeconds.map { "lead \(Figures.decimal($0, places: 2)) s" },
                    live.clockRatePPM.map { "clock \(Figures.signed($0, places: 0)) ppm" },
                ], isWarning: (live.alsaXruns ?? 0) > 0),
            Row(
                label: "Terminal",
                parts: [
                    live.terminalBytesPerSecond.map { Figures.bytes($0) + "/s" },
                    live.linkBytesPerSecond.map { "of \(Figures.bytes($0))/s" },
                    live.linkRoundTripMs.map { "answers in \(Figures.decimal($0, places: 1)) ms" },
                    live.detail.flatMap { $0 < 1 ? "detail \(Figures.percent($0))" : nil },
                ], isWarning: (live.detail ?? 1) < 1),
            Row(label: "Decode", parts: [percentiles(live.decodeMs)]),
            Row(label: "Scale", parts: [percentiles(live.scaleMs)]),
            Row(label: "Encode", parts: [percentiles(live.encodeMs)]),
            Row(label: "Write", parts: [percentiles(live.writeMs)]),
            Row(
                label: "Buffers",
                parts: [
                    live.forwardBufferSeconds.map { Figures.decimal($0, places: 1) + " s ahead" },
                    live.queuedBytes.map { Figures.bytes($0) + " queued" }, live.cachedBytes.map { Figures.bytes($0) + " kept" },
                    live.demuxerBytesFetched > 0 ? Figures.bytes(live.demuxerBytesFetched) + " read" : nil,
                ]),
            Row(
                label: "Bitrate",
                parts: [
                    live.instantBitrateMbps.map { Figures.decimal($0, places: 2) + " Mbit/s" },
                    live.averageBitrateMbps.map { "mean \(Figures.decimal($0, places: 2))" },
                ]),
            Row(label: "Process", parts: [live.rssMb.map { "\($0) MiB" }, live.cpuLoad.map { "CPU \(Figures.percent($0))" }]),
        ]
    }

    /// Right-aligned, so that the columns of the four stages stand under one another.
    private static func percentiles(_ value: Percentiles?) -> String? {
        guard let value else { return nil }
        func padded(_ number: Double) -> String {
            let text = Figures.decimal(number, places: 2)
            return String(repeating: " ", count: max(0, 7 - text.count)) + text
        }
        return "p50\(padded(value.p50)) ms  p95\(padded(value.p95)) ms"
    }

    private static func text(_ value: String) -> String? {
        let safe = DisplayText.singleLine(value, limit: 60)
        return safe.isEmpty ? nil : safe
    }
}
