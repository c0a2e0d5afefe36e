import AetherCore
import AetherEngine
import AetherTerminal

/// The pipeline's measurements, at the top left, a page at a time. What is not known is a dash: a 0 is a measured 0.
enum TelemetryPane {
    typealias Row = TelemetryPage.Row

    /// 78: a screen of 80 keeps a margin. One width for all pages, so that the eye stays where it is.
    private static let widest = 78
    private static let labelWidth = 12
    /// The columns that a curve leaves to the figures.
    private static let figures = 40

    static func pane(_ page: TelemetryPage, _ scene: Scene) -> Pane? {
        let bottom = scene.barRect?.row ?? scene.size.rows
        let rows = page.rows(scene)
        let height = min(rows.count + 1, bottom)
        guard height >= 1 else { return nil }
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let hasCurves = rows.contains { $0.curve != nil }
        let columns = min(widest, scene.size.columns)
        var pane = Pane(.telemetry, at: CellRect(column: 0, row: 0, columns: columns, rows: height), fill: .pane)
        let ordinal = "\(page.rawValue + 1)/\(TelemetryPage.allCases.count)"
        pane.write(
            ChromeText.clipped(page.title, to: columns - 2, ellipsis: glyphs.ellipsis), column: 1, row: 0,
            .paneHeading)
        let curve = min(TelemetryTape.length, columns - labelWidth - figures - 3)
        if hasCurves, curve >= 8 { pane.write(translated("last 60 s"), column: columns - 1 - curve, row: 0, .paneLabel) }
        // As far as it leaves the words beside it alone.
        let hint = hint(scene), start = max(labelWidth + 1, page.title.count + 3)
        let free = columns - (hasCurves && curve >= 8 ? curve : ordinal.count) - 3
        if start + ChromeText.columns(of: hint) <= free { pane.write(hint, column: start, row: 0, .paneLabel) }
        if columns >= 40 { pane.write(ordinal, column: columns - 1 - ordinal.count, row: 0, .paneLabel) }
        for (index, row) in rows.prefix(height - 1).enumerated() {
            write(row, at: index + 1, glyphs, into: &pane)
        }
        return pane
    }

    /// The keys that turn the page and close it.
    private static func hint(_ scene: Scene) -> String {
        let unicode = scene.capabilities.isUnicode
        let next = scene.keymap.label(of: .nextTelemetryPage, unicode: unicode).map { translated("\($0) next page") }
        return [next, translated("Esc close")].compactMap { $0 }.joined(separator: "  ")
    }

    private static func write(_ row: Row, at line: Int, _ glyphs: Glyphs, into pane: inout Pane) {
        let columns = pane.rect.columns, start = labelWidth + 1
        pane.write(ChromeText.clipped(row.label, to: labelWidth - 1, ellipsis: glyphs.ellipsis), column: 1, row: line, .paneLabel)
        let value = glyphs.shown(row.parts.compactMap { $0 }.joined(separator: "  "))
        var room = columns - start - 1
        let curve = min(TelemetryTape.length, columns - start - figures - 2)
        if let values = row.curve, curve >= 8 {
            let minute = Sparkline.fitted(values.values, length: TelemetryTape.length, into: curve)
            let signs = Sparkline(minute, width: curve, ceiling: values.ceiling).text(isUnicode: glyphs.isUnicode)
            pane.write(signs, column: columns - 1 - signs.count, row: line, .paneHeading)
            room = figures
        }
        let text = ChromeText.clipped(value, to: max(0, room), ellipsis: glyphs.ellipsis)
        guard !text.isEmpty else { return pane.write(glyphs.isUnicode ? "–" : "-", column: start, row: line, .paneLabel) }
        pane.write(text, column: start, row: line, row.isWarning ? .paneWarning : .paneValue)
    }

    /// The table.
    static func rows(_ snapshot: EngineSnapshot, _ live: LiveTelemetry) -> [Row] {
        source(snapshot, live) + choice(live) + video(live) + audio(live) + work(live) + reading(live)
    }

    /// The source that plays, its decoders, its renderer and its audio device.
    private static func source(_ snapshot: EngineSnapshot, _ live: LiveTelemetry) -> [Row] {
        [
            Row(
                label: translated("Source"),
                parts: [
                    text(snapshot.container),
                    snapshot.videoSize.map { "\($0.width)x\($0.height)" },
                    snapshot.videoFrameRate.map { Figures.decimal($0, places: 3) + " fps" },
                ]),
            Row(
                label: translated("Video"),
                parts: [live.videoDecoder.flatMap(text), live.renderer.flatMap(text).map { translated("drawn as \($0)") }]),
            Row(
                label: translated("Audio"),
                parts: [live.audioDecoder.flatMap(text), live.audioDevice.flatMap(text).map { translated("on \($0)") }]),
            Row(label: translated("Route"), parts: [snapshot.audioOutputRoute.flatMap { text($0.text) }]),
        ] + atmos(snapshot)
    }

    /// The fate of the objects of Dolby Atmos, where there are any.
    private static func atmos(_ snapshot: EngineSnapshot) -> [Row] {
        switch snapshot.atmosOutcome {
        case .passedThrough: [Row(label: "Atmos", parts: [translated("objects pass through")])]
        case .folded: [Row(label: "Atmos", parts: [translated("objects are mixed into the channels")])]
        case nil: []
        }
    }

    /// Who decodes, and why, where that was a choice.
    private static func choice(_ live: LiveTelemetry) -> [Row] {
        guard let reason = live.videoDecoderReason else { return [] }
        return [Row(label: translated("Decoding"), parts: [DisplayText.singleLine(reason, limit: 160)])]
    }

    private static func video(_ live: LiveTelemetry) -> [Row] {
        let dropped = live.droppedFrameCount
        return [
            Row(
                label: translated("Shown"),
                parts: [
                    live.observedFps.map { Figures.decimal($0, places: 2) + " fps" },
                    live.framesShown.map { translated("\($0) frames") }, live.queuedFrames.map { translated("\($0) waiting") },
                ]),
            Row(
                label: translated("Dropped"),
                parts: [
                    dropped.map(String.init), live.droppedLateDecode.map { translated("late decode \($0)") },
                    live.droppedSlowEncode.map { translated("slow encode \($0)") },
                    live.droppedSlowTerminal.map { translated("slow terminal \($0)") },
                ], isWarning: (dropped ?? 0) > 0),
            Row(
                label: translated("Errors"), parts: [live.decodeErrors.map { translated("\($0) in decoding") }],
                isWarning: (live.decodeErrors ?? 0) > 0),
        ]
    }

    private static func audio(_ live: LiveTelemetry) -> [Row] {
        [
            // Over 45 ms people see that lips and voice part (ITU-R BT.1359).
            Row(
                label: translated("A/V gap"), parts: [live.avSyncGapMs.map { Figures.signed($0, places: 1) + " ms" }],
                isWarning: abs(live.avSyncGapMs ?? 0) > 45),
            Row(
                label: translated("Device"),
                parts: [
                    live.alsaDelayMs.map { translated("delay \(Figures.decimal($0, places: 1)) ms") },
                    live.alsaXruns.map { translated("xruns \($0)") },
                    live.audioLeadSeconds.map { translated("lead \(Figures.decimal($0, places: 2)) s") },
                    live.clockRatePPM.map { translated("clock \(Figures.signed($0, places: 0)) ppm") },
                ], isWarning: (live.alsaXruns ?? 0) > 0),
        ]
    }

    /// The way to the terminal, and how long each stage takes.
    private static func work(_ live: LiveTelemetry) -> [Row] {
        [
            Row(
                label: translated("Terminal"),
                parts: [
                    live.terminalBytesPerSecond.map { Figures.bytes($0) + "/s" },
                    live.linkBytesPerSecond.map { translated("of \(Figures.bytes($0))/s") },
                    live.linkRoundTripMs.map { translated("answers in \(Figures.decimal($0, places: 1)) ms") },
                    live.detail.flatMap { $0 < 1 ? translated("detail \(Figures.percent($0))") : nil },
                ], isWarning: (live.detail ?? 1) < 1),
            Row(label: translated("Decode"), parts: [TelemetryPage.percentiles(live.decodeMs)]),
            Row(label: translated("Scale"), parts: [TelemetryPage.percentiles(live.scaleMs)]),
            Row(label: translated("Encode"), parts: [TelemetryPage.percentiles(live.encodeMs)]),
            Row(label: translated("Write"), parts: [TelemetryPage.percentiles(live.writeMs)]),
        ]
    }

    private static func reading(_ live: LiveTelemetry) -> [Row] {
        [
            Row(
                label: translated("Buffers"),
                parts: [
                    live.forwardBufferSeconds.map { translated("\(Figures.decimal($0, places: 1)) s ahead") },
                    live.queuedBytes.map { translated("\(Figures.bytes($0)) queued") },
                    live.cachedBytes.map { translated("\(Figures.bytes($0)) kept") },
                    live.demuxerBytesFetched > 0 ? translated("\(Figures.bytes(live.demuxerBytesFetched)) read") : nil,
                ]),
            Row(
                label: translated("Bitrate"),
                parts: [
                    live.instantBitrateMbps.map { Figures.decimal($0, places: 2) + " Mbit/s" },
                    live.averageBitrateMbps.map { translated("mean \(Figures.decimal($0, places: 2))") },
                ]),
            Row(
                label: translated("Process"),
                parts: [live.rssMb.map { "\($0) MiB" }, live.cpuLoad.map { "CPU \(Figures.percent($0))" }]),
        ]
    }

    private static func text(_ value: String) -> String? {
        let safe = DisplayText.singleLine(value, limit: 60)
        return safe.isEmpty ? nil : safe
    }
}
