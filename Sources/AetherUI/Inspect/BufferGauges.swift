import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal

/// The buffers between the stages: how full each is, with its marks, and the last minute of it.
struct BufferGauges {
    /// One buffer.
    private struct Gauge {
        let label: String
        let value: String
        /// 0 to 1; nil where it is not known.
        let fill: Double?
        /// Where reading begins again, 0 to 1.
        var mark: Double?
        var curve: [Double?] = []
        var isWarning = false
    }

    private let scene: Scene
    private let requests: (list: [NetworkRequest], at: HostTime)?

    /// Seconds of media that are read ahead before playing goes on, and below which it is waited for more.
    private static let target = 3.0, refill = 1.0

    init(_ scene: Scene, _ requests: (list: [NetworkRequest], at: HostTime)?) { (self.scene, self.requests) = (scene, requests) }

    private var gauges: [Gauge] {
        let snapshot = scene.snapshot, live = snapshot.telemetry ?? LiveTelemetry(), tape = scene.tape
        func part(_ value: Double?, of most: Double) -> Double? { value.map { min(1, max(0, $0 / most)) } }
        let bytes = tape.marks { $0.queuedBytes.map(Double.init) }?.upperBound ?? 1
        let kept = tape.marks { $0.cachedBytes.map(Double.init) }?.upperBound ?? 1
        let frames = tape.marks { $0.queuedFrames.map(Double.init) }?.upperBound ?? 1
        return [
            Gauge(
                label: translated("Read ahead"),
                value: live.forwardBufferSeconds.map { Figures.decimal($0, places: 1) + " s" } ?? "",
                fill: part(live.forwardBufferSeconds, of: Self.target), mark: Self.refill / Self.target,
                curve: tape.series(\.forwardBufferSeconds), isWarning: (live.forwardBufferSeconds ?? Self.target) < Self.refill),
            Gauge(
                label: translated("Packets"), value: live.queuedBytes.map { Figures.bytes($0) } ?? "",
                fill: part(live.queuedBytes.map(Double.init), of: max(1, bytes)),
                curve: tape.series { $0.queuedBytes.map(Double.init) }),
            Gauge(
                label: translated("Kept behind"), value: live.cachedBytes.map { Figures.bytes($0) } ?? "",
                fill: part(live.cachedBytes.map(Double.init), of: max(1, kept)),
                curve: tape.series { $0.cachedBytes.map(Double.init) }),
            Gauge(
                label: translated("Frames"), value: live.queuedFrames.map { "\($0)" } ?? "",
                fill: part(live.queuedFrames.map(Double.init), of: max(1, frames)),
                curve: tape.series { $0.queuedFrames.map(Double.init) }),
            Gauge(
                label: translated("Audio ahead"),
                value: live.audioLeadSeconds.map { Figures.decimal($0, places: 2) + " s" } ?? "",
                fill: part(live.audioLeadSeconds, of: 1), curve: tape.series(\.audioLeadSeconds)),
            Gauge(
                label: translated("Waiting"),
                value: snapshot.bufferFill.map { translated("fills: \(Figures.percent($0.fraction))") } ?? translated("no"),
                fill: snapshot.bufferFill?.fraction, isWarning: snapshot.bufferFill != nil),
        ]
    }

    /// Frames that were left out, and why.
    private var drops: [(reason: String, count: Int)] {
        let live = scene.snapshot.telemetry ?? LiveTelemetry()
        return [
            (translated("decoded too late"), live.droppedLateDecode), (translated("encoded too slowly"), live.droppedSlowEncode),
            (translated("terminal too slow"), live.droppedSlowTerminal), (translated("audio device ran out"), live.alsaXruns),
        ].compactMap { reason, count in count.map { (reason, $0) } }
    }

    func write(into pane: inout Pane) {
        let columns = pane.rect.columns, glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let width = min(30, max(6, columns / 3)), curve = min(TelemetryTape.length, columns - width - 32)
        var row = 1
        for gauge in gauges where row < pane.rect.rows - 1 {
            pane.write(gauge.label, column: 1, row: row, .paneLabel)
            if let fill = gauge.fill {
                pane.write(
                    Self.bar(fill, gauge.mark, width, glyphs.isUnicode), column: 14, row: row,
                    gauge.isWarning ? .paneWarning : .paneKey)
            }
            let value = ChromeText.clipped(gauge.value, to: max(0, min(14, columns - 17 - width)), ellipsis: glyphs.ellipsis)
            pane.write(value, column: 16 + width, row: row, gauge.isWarning ? .paneWarning : .paneValue)
            if curve >= 8, !gauge.curve.isEmpty {
                let minute = Sparkline.fitted(gauge.curve, length: TelemetryTape.length, into: curve)
                let signs = Sparkline(minute, width: curve).text(isUnicode: glyphs.isUnicode)
                pane.write(signs, column: columns - 1 - signs.count, row: row, .paneHeading)
            }
            row += 1
        }
        row += 1
        for drop in drops where row < pane.rect.rows - 1 {
            let text = ChromeText.clipped("\(drop.count)  \(drop.reason)", to: max(0, columns - 15), ellipsis: glyphs.ellipsis)
            pane.write(translated("Dropped"), column: 1, row: row, .paneLabel)
            pane.write(text, column: 14, row: row, drop.count > 0 ? .paneWarning : .paneValue)
            row += 1
        }
        row += 1
        writeRequests(&pane, &row, glyphs)
        writeStalls(&pane, &row, glyphs)
    }

    /// Half of the rows that are left, where a server is asked.
    private func writeRequests(_ pane: inout Pane, _ row: inout Int, _ glyphs: Glyphs) {
        let left = pane.rect.rows - 1 - row
        guard let requests, !requests.list.isEmpty, left >= 3 else { return }
        let names = min(30, pane.rect.columns / 4), figures = min(34, pane.rect.columns / 3)
        let width = pane.rect.columns - names - figures - 4
        guard width >= 8 else { return }
        pane.write(translated("Requests of the last 30 s"), column: 1, row: row, .paneHeading)
        row += 1
        let rows = Waterfall(requests.list, now: requests.at).rows(max(2, left / 2), width: width, isUnicode: glyphs.isUnicode)
        for request in rows where row < pane.rect.rows - 1 {
            let name = DisplayText.singleLine(request.name, limit: 100)
            pane.write(
                ChromeText.clipped(glyphs.shown(name), to: names, ellipsis: glyphs.ellipsis), column: 1, row: row, .paneLabel)
            pane.write(request.bar, column: names + 2, row: row, request.isTrouble ? .paneWarning : .paneKey)
            let text = ChromeText.clipped(request.figures, to: figures, ellipsis: glyphs.ellipsis)
            pane.write(text, column: names + width + 3, row: row, request.isTrouble ? .paneWarning : .paneValue)
            row += 1
        }
        row += 1
    }

    /// The newest stalls and drops.
    private func writeStalls(_ pane: inout Pane, _ row: inout Int, _ glyphs: Glyphs) {
        let entries = scene.tape.stalls.entries.reversed()
        guard !entries.isEmpty, row + 1 < pane.rect.rows - 1 else { return }
        pane.write(translated("Stalls and drops"), column: 1, row: row, .paneHeading)
        row += 1
        for entry in entries where row < pane.rect.rows - 1 {
            pane.write(Timecode.text(entry.position - scene.snapshot.startTime), column: 1, row: row, .paneLabel)
            let text = ChromeText.clipped(Self.words(entry), to: max(0, pane.rect.columns - 15), ellipsis: glyphs.ellipsis)
            pane.write(text, column: 14, row: row, .paneWarning)
            row += 1
        }
    }

    private static func words(_ entry: StallLog.Entry) -> String {
        switch entry.kind {
        case .stall(nil): translated("stands: \(entry.reason)")
        case .stall(let span?): translated("stood for \(Figures.decimal(span.seconds, places: 1)) s: \(entry.reason)")
        case .drop(let count):
            translated(
                one: "\(count) frame dropped: \(entry.reason)", other: "\(count) frames dropped: \(entry.reason)", count: count)
        case .silence(let count): entry.reason + (count > 1 ? translated(" \(count) times") : "")
        }
    }

    private static func bar(_ fill: Double, _ mark: Double?, _ width: Int, _ isUnicode: Bool) -> String {
        let filled = Int((fill * Double(width)).rounded()), place = mark.map { Int(($0 * Double(width)).rounded()) }
        return String(
            (0..<width).map { column -> Character in
                if column == place { return isUnicode ? "│" : "|" }
                return column < filled ? (isUnicode ? "█" : "#") : isUnicode ? "░" : "."
            })
    }
}
