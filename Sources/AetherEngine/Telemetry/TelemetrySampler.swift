import AetherCore
import AetherMedia
import Glibc

/// Makes one `LiveTelemetry` a second out of counters that only rise.
struct TelemetrySampler {
    private struct Sample {
        var host: HostTime
        var packetBytes, shown, written: Int
        var cpu: Double
        var networkBytes: Int64
    }
    private var previous: Sample?
    private var first: Sample?
    private(set) var latest: LiveTelemetry?
    private var session: Int?

    /// Counters of other parts at this moment.
    struct Inputs {
        var sink: SinkStatistics
        var lastShown: ShownFrame?
        var anchor: ClockAnchor?
        var forwardBuffer: TimeSpan?
        var queuedBytes, cachedBytes: Int
        var queuedFrames: Int
        var videoDecoder: String?
        /// Why it is that one, where that was a choice.
        var videoDecoderReason: String?
        var audioDecoder, audioDevice: String?
        var hasVideo: Bool
        /// Nothing is played any more: what was counted is told at once.
        var isOver = false
        /// nil for a source that is read of no server.
        var network: NetworkFigures?
        /// The last choice of a quality, and that quality; nil where nothing is chosen.
        var adaptation: AdaptationNote?
        var variant: MediaVariant?
    }

    /// Renews the telemetry when a second has passed since the last time.
    mutating func sample(now: HostTime, session: Int, counters: SessionCounters, inputs: Inputs) {
        if session != self.session {
            // Another source counts from 0.
            self = TelemetrySampler()
            self.session = session
        }
        if let previous, now - previous.host < .seconds(1) {
            if inputs.isOver, let latest { self.latest = counted(latest, counters, inputs) }
            return
        }
        let sample = Sample(
            host: now, packetBytes: counters.packetBytes.current, shown: inputs.sink.framesShown,
            written: inputs.sink.bytesWritten,
            cpu: Self.cpuSeconds(), networkBytes: inputs.network?.bytes ?? 0)
        defer {
            previous = sample
            if first == nil { first = sample }
        }
        var t = LiveTelemetry()
        t.sequence = (latest?.sequence ?? -1) + 1
        if let previous, let first {
            let seconds = (now - previous.host).seconds, total = (now - first.host).seconds
            t.instantBitrateMbps = Double(sample.packetBytes - previous.packetBytes) * 8 / seconds / 1e6
            t.averageBitrateMbps = Double(sample.packetBytes - first.packetBytes) * 8 / total / 1e6
            if inputs.network != nil {
                t.networkThroughputMbps = Double(sample.networkBytes - previous.networkBytes) * 8 / seconds / 1e6
            }
            if inputs.hasVideo { t.observedFps = Double(sample.shown - previous.shown) / seconds }
            t.terminalBytesPerSecond = Int64(Double(sample.written - previous.written) / seconds)
            // A process of the box that ends meanwhile may be missing from one of the two.
            t.cpuLoad = max(0, sample.cpu - previous.cpu) / seconds
        }
        fill(&t, counters: counters, inputs: inputs)
        latest = t
    }

    /// With the frames that were counted since, and who decoded them; rates keep the second that they are of.
    private func counted(_ former: LiveTelemetry, _ counters: SessionCounters, _ inputs: Inputs) -> LiveTelemetry {
        var t = former
        guard inputs.hasVideo else { return t }
        (t.videoDecoder, t.videoDecoderReason) = (inputs.videoDecoder, inputs.videoDecoderReason)
        t.framesShown = inputs.sink.framesShown
        t.droppedLateDecode = counters.droppedLateDecode.current
        t.droppedSlowEncode = inputs.sink.droppedSlowEncode
        t.droppedSlowTerminal = inputs.sink.droppedSlowTerminal
        return t
    }

    private func fill(_ t: inout LiveTelemetry, counters: SessionCounters, inputs: Inputs) {
        if inputs.hasVideo {
            if let shown = inputs.lastShown, let anchor = inputs.anchor, anchor.rate > 0 {
                t.avSyncGapMs = (anchor.time(at: shown.shownAt) - shown.pts).milliseconds
            }
            t.decodeMs = counters.decode.percentiles
            t.scaleMs = counters.scale.percentiles
            t.encodeMs = inputs.sink.encode
            t.writeMs = inputs.sink.write
            t.framesShown = inputs.sink.framesShown
            t.queuedFrames = inputs.queuedFrames
            t.droppedLateDecode = counters.droppedLateDecode.current
            t.droppedSlowEncode = inputs.sink.droppedSlowEncode
            t.droppedSlowTerminal = inputs.sink.droppedSlowTerminal
            t.linkBytesPerSecond = inputs.sink.drainRate.map { Int64(min($0, 1e15)) }
            t.linkRoundTripMs = inputs.sink.roundTrip?.milliseconds
            t.detail = inputs.sink.detail
            t.renderer = inputs.sink.renderer.isEmpty ? nil : inputs.sink.renderer
        }
        t.forwardBufferSeconds = inputs.forwardBuffer?.seconds
        t.queuedBytes = Int64(inputs.queuedBytes)
        t.cachedBytes = Int64(inputs.cachedBytes)
        t.demuxerBytesFetched = Int64(counters.bytesFetched.current)
        t.decodeErrors = counters.decodeErrors.current
        if inputs.audioDevice != nil {
            t.alsaDelayMs = Double(counters.audioDelayMicroseconds.current) / 1000
            t.audioLeadSeconds = Double(counters.audioLeadMicroseconds.current) / 1_000_000
            t.alsaBufferMs = Double(counters.audioBufferMicroseconds.current) / 1000
            t.alsaXruns = counters.xruns.current
            let drift = counters.driftPartsPerBillion.current
            if drift != .min { t.clockRatePPM = Double(drift) / 1000 }
        }
        if let network = inputs.network {
            t.networkBytes = network.bytes
            t.networkRequests = network.requests
            t.networkConnections = network.connections
            t.networkRetries = network.retries
            t.networkCacheHits = network.cacheHits
            t.networkFirstByteMs = network.firstByte?.milliseconds
        }
        if let note = inputs.adaptation, let variant = inputs.variant {
            (t.variant, t.variantReason, t.variantSwitches) = (variant.name, note.reason.words, note.switches)
            t.variantMbps = variant.peakBitRate.map { $0 / 1_000_000 }
            t.linkEstimateMbps = note.linkRate.map { $0 / 1_000_000 }
        }
        t.videoDecoder = inputs.videoDecoder
        t.videoDecoderReason = inputs.videoDecoderReason
        t.audioDecoder = inputs.audioDecoder
        t.audioDevice = inputs.audioDevice
        t.rssMb = Self.residentMiB()
    }

    /// Of this process and those of its box.
    private static func cpuSeconds() -> Double {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ t: timeval) -> Double { Double(t.tv_sec) + Double(t.tv_usec) / 1e6 }
        let box = ProcessBox.current as? any MediaBox
        return seconds(usage.ru_utime) + seconds(usage.ru_stime) + (box?.cpuSeconds ?? 0)
    }

    /// The second field of /proc/self/statm, in pages.
    private static func residentMiB() -> Int? {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        let fields = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / (1 << 20)
    }
}
