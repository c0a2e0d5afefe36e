import AetherCore
import AetherEngine

/// A page of the telemetry pane.
enum TelemetryPage: Int, CaseIterable, Sendable {
    case overview, timing, streams, terminal, source, network

    var title: String {
        switch self {
        case .overview: translated("Telemetry")
        case .timing: translated("Timing")
        case .streams: translated("Streams")
        case .terminal: translated("Terminal")
        case .source: translated("Source and buffers")
        case .network: translated("Network")
        }
    }

    /// The page behind this one, from the last to the first.
    var next: TelemetryPage { TelemetryPage(rawValue: rawValue + 1) ?? .overview }

    /// One line of a page.
    struct Row {
        let label: String
        /// Parts that are nil are left out.
        let parts: [String?]
        var isWarning = false
        /// Drawn at the right; nil for none.
        var curve: Curve?
    }

    /// Values of a minute and the least of what reaches the top.
    struct Curve {
        let values: [Double?]
        var ceiling = 0.0
    }

    func rows(_ scene: Scene) -> [Row] {
        let snapshot = scene.snapshot, live = snapshot.telemetry ?? LiveTelemetry()
        return switch self {
        case .overview: TelemetryPane.rows(snapshot, live)
        case .timing: timing(live, scene.tape)
        case .streams: streams(snapshot)
        case .terminal: terminal(scene, live)
        case .source: source(snapshot, live, scene.tape)
        case .network: network(snapshot, live, scene.tape)
        }
    }

    // MARK: - Timing

    private func timing(_ live: LiveTelemetry, _ tape: TelemetryTape) -> [Row] {
        func stage(_ label: String, _ figure: @escaping (LiveTelemetry) -> Percentiles?) -> Row {
            Row(
                label: label, parts: [Self.percentiles(figure(live))],
                curve: Curve(values: tape.series { figure($0)?.p95 }, ceiling: 1))
        }
        func drops(_ label: String, _ count: @escaping (LiveTelemetry) -> Int?) -> Row {
            let total = count(live)
            return Row(
                label: label, parts: [total.map(String.init)], isWarning: (total ?? 0) > 0,
                curve: Curve(values: tape.rises { count($0).map(Int64.init) }, ceiling: 1))
        }
        return [
            Row(
                label: translated("Shown"), parts: [live.observedFps.map { Figures.decimal($0, places: 2) + " fps" }],
                curve: Curve(values: tape.series(\.observedFps))),
            // Over 45 ms people see that lips and voice part (ITU-R BT.1359).
            Row(
                label: translated("A/V gap"), parts: [live.avSyncGapMs.map { Figures.signed($0, places: 1) + " ms" }],
                isWarning: abs(live.avSyncGapMs ?? 0) > 45,
                curve: Curve(values: tape.series { $0.avSyncGapMs.map(abs) }, ceiling: 10)),
            Row(
                label: translated("Clock"), parts: [live.clockRatePPM.map { Figures.signed($0, places: 0) + " ppm" }],
                curve: Curve(values: tape.series { $0.clockRatePPM.map(abs) }, ceiling: 100)),
            Row(
                label: translated("Audio delay"), parts: [live.alsaDelayMs.map { Figures.decimal($0, places: 1) + " ms" }],
                curve: Curve(values: tape.series(\.alsaDelayMs))),
            stage(translated("Decode"), \.decodeMs), stage(translated("Scale"), \.scaleMs),
            stage(translated("Encode"), \.encodeMs), stage(translated("Write"), \.writeMs),
            drops(translated("Late decode"), \.droppedLateDecode), drops(translated("Slow encode"), \.droppedSlowEncode),
            drops(translated("Slow link"), \.droppedSlowTerminal), drops(translated("Xruns"), \.alsaXruns),
            Row(
                label: "CPU", parts: [live.cpuLoad.map(Figures.percent)],
                curve: Curve(values: tape.series(\.cpuLoad), ceiling: 1)),
            Row(
                label: translated("Memory"), parts: [live.rssMb.map { "\($0) MiB" }],
                curve: Curve(values: tape.series { $0.rssMb.map(Double.init) })),
        ]
    }

    /// Right-aligned, so that the columns of the four stages stand under one another.
    static func percentiles(_ value: Percentiles?) -> String? {
        guard let value else { return nil }
        func padded(_ number: Double) -> String {
            let text = Figures.decimal(number, places: number < 1000 ? 2 : 0)
            return String(repeating: " ", count: max(0, 7 - text.count)) + text
        }
        return "p50\(padded(value.p50))  p95\(padded(value.p95))  p99\(padded(value.p99)) ms"
    }

    // MARK: - Streams

    private func streams(_ snapshot: EngineSnapshot) -> [Row] {
        var rows = [
            Row(
                label: translated("Container"),
                parts: [
                    Self.text(snapshot.container), snapshot.duration.map(Timecode.text),
                    snapshot.chapters.isEmpty ? nil : translated("\(snapshot.chapters.count) chapters"),
                    snapshot.isSeekable ? nil : translated("cannot seek"),
                ])
        ]
        if let size = snapshot.videoSize {
            rows.append(
                Row(
                    label: translated("Frame"),
                    parts: [
                        "\(size.width)x\(size.height)", snapshot.videoFrameRate.map { Figures.decimal($0, places: 3) + " fps" },
                    ]))
        }
        func list(_ kind: String, _ tracks: [TrackInfo], _ active: TrackID?) {
            for (index, track) in tracks.prefix(40).enumerated() {
                let name = TrackLabel.name(track), traits = TrackLabel.traits(track)
                rows.append(
                    Row(
                        label: "\(kind) \(index + 1)" + (track.id == active ? " *" : ""),
                        parts: [name.isEmpty ? nil : name, traits.isEmpty ? nil : traits]))
            }
        }
        list(translated("Video"), snapshot.videoTracks, snapshot.activeVideoTrack)
        list(translated("Audio"), snapshot.audioTracks, snapshot.activeAudioTrack)
        list(translated("Text"), snapshot.subtitleTracks, snapshot.activeSubtitleTrack)
        return rows
    }

    // MARK: - Terminal

    private func terminal(_ scene: Scene, _ live: LiveTelemetry) -> [Row] {
        let tape = scene.tape
        return [
            Row(
                label: translated("Screen"),
                parts: [
                    translated("\(scene.size.columns)x\(scene.size.rows) cells"),
                    translated("cell \(Figures.decimal(scene.cellAspect, places: 2)) wide"),
                    scene.capabilities.hasColor ? nil : translated("no colours"),
                ]),
            Row(
                label: translated("Renderer"),
                parts: [live.renderer.flatMap(Self.text), live.detail.map { translated("detail \(Figures.percent($0))") }],
                isWarning: (live.detail ?? 1) < 1, curve: Curve(values: tape.series(\.detail), ceiling: 1)),
            Row(
                label: translated("Sent"), parts: [live.terminalBytesPerSecond.map { Figures.bytes($0) + "/s" }],
                curve: Curve(values: tape.series { $0.terminalBytesPerSecond.map(Double.init) })),
            Row(
                label: translated("Link takes"), parts: [live.linkBytesPerSecond.map { Figures.bytes($0) + "/s" }],
                curve: Curve(values: tape.series { $0.linkBytesPerSecond.map(Double.init) })),
            Row(
                label: translated("Answers in"), parts: [live.linkRoundTripMs.map { Figures.decimal($0, places: 1) + " ms" }],
                curve: Curve(values: tape.series(\.linkRoundTripMs), ceiling: 10)),
            Row(
                label: translated("Encode"), parts: [Self.percentiles(live.encodeMs)],
                curve: Curve(values: tape.series { $0.encodeMs?.p95 }, ceiling: 1)),
            Row(
                label: translated("Write"), parts: [Self.percentiles(live.writeMs)],
                curve: Curve(values: tape.series { $0.writeMs?.p95 }, ceiling: 1)),
            Row(
                label: translated("Dropped"), parts: [live.droppedSlowTerminal.map { translated("\($0) for the terminal") }],
                isWarning: (live.droppedSlowTerminal ?? 0) > 0,
                curve: Curve(values: tape.rises { $0.droppedSlowTerminal.map(Int64.init) }, ceiling: 1)),
        ]
    }

    // MARK: - Source

    private func source(_ snapshot: EngineSnapshot, _ live: LiveTelemetry, _ tape: TelemetryTape) -> [Row] {
        let fetched = tape.rises { $0.demuxerBytesFetched }
        return [
            Row(label: translated("Source"), parts: [Self.text(snapshot.source)]),
            Row(
                label: translated("Read"),
                parts: [
                    Figures.bytes(live.demuxerBytesFetched), fetched.last?.map { Figures.bytes(Int64(min($0, 1e15))) + "/s" },
                ],
                curve: Curve(values: fetched)),
            Row(
                label: translated("Bitrate"),
                parts: [
                    live.instantBitrateMbps.map { Figures.decimal($0, places: 2) + " Mbit/s" },
                    live.averageBitrateMbps.map { translated("mean \(Figures.decimal($0, places: 2))") },
                ], curve: Curve(values: tape.series(\.instantBitrateMbps))),
            Row(
                label: translated("Ahead"),
                parts: [
                    live.forwardBufferSeconds.map { Figures.decimal($0, places: 1) + " s" },
                    Self.marks(tape, \.forwardBufferSeconds) { Figures.decimal($0, places: 1) },
                ],
                isWarning: (live.forwardBufferSeconds ?? 1) < 0.2 && snapshot.bufferFill != nil,
                curve: Curve(values: tape.series(\.forwardBufferSeconds), ceiling: 1)),
            Row(
                label: translated("Waiting"),
                parts: [
                    live.queuedBytes.map(Figures.bytes), live.queuedFrames.map { translated("\($0) frames") },
                    Self.marks(tape, { $0.queuedBytes.map(Double.init) }) { Figures.bytes(Int64($0)) },
                ],
                curve: Curve(values: tape.series { $0.queuedBytes.map(Double.init) })),
            Row(
                label: translated("Kept"), parts: [live.cachedBytes.map(Figures.bytes)],
                curve: Curve(values: tape.series { $0.cachedBytes.map(Double.init) })),
            Row(
                label: translated("Audio ahead"),
                parts: [
                    live.audioLeadSeconds.map { Figures.decimal($0, places: 2) + " s" },
                    Self.marks(tape, \.audioLeadSeconds) { Figures.decimal($0, places: 2) },
                ],
                curve: Curve(values: tape.series(\.audioLeadSeconds))),
            Row(
                label: translated("Errors"), parts: [live.decodeErrors.map { translated("\($0) in decoding") }],
                isWarning: (live.decodeErrors ?? 0) > 0),
        ]
    }

    /// The lowest and the highest level of a buffer in the last minute.
    static func marks(
        _ tape: TelemetryTape, _ figure: (LiveTelemetry) -> Double?, _ text: (Double) -> String
    ) -> String? {
        tape.marks(figure).map { translated("low \(text($0.lowerBound)), high \(text($0.upperBound))") }
    }

    static func text(_ value: String) -> String? {
        let safe = DisplayText.singleLine(value, limit: 60)
        return safe.isEmpty ? nil : safe
    }
}
