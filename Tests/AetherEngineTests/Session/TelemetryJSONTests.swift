import AetherCore
import AetherEngine
import Testing

@Suite struct TelemetryJSONTests {
    /// Every stored property; where nothing was measured, what is always known.
    @Test func eachMeasurementHasItsName() throws {
        var live = LiveTelemetry()
        guard case .object(let bare) = live.json else {
            Issue.record("no object")
            return
        }
        #expect(Set(bare.map(\.key)) == ["sequence", "demuxerBytesFetched"])
        (live.instantBitrateMbps, live.averageBitrateMbps, live.observedFps, live.avSyncGapMs) = (1, 2, 23.976, .nan)
        (live.forwardBufferSeconds, live.queuedBytes, live.cachedBytes, live.queuedFrames) = (4, 5, 6, 7)
        (live.audioLeadSeconds, live.alsaDelayMs, live.alsaXruns, live.clockRatePPM) = (8, 9, 10, -.infinity)
        live.alsaBufferMs = 250
        let span = Percentiles(p50: 1, p95: 2.5, p99: .nan)
        (live.decodeMs, live.scaleMs, live.encodeMs, live.writeMs) = (span, span, span, span)
        (live.terminalBytesPerSecond, live.linkBytesPerSecond, live.linkRoundTripMs, live.detail) = (12, .max, 14, 0.5)
        (live.framesShown, live.droppedLateDecode, live.droppedSlowEncode, live.droppedSlowTerminal) = (15, 16, 17, 18)
        (live.decodeErrors, live.rssMb, live.cpuLoad) = (19, 20, 21)
        (live.networkThroughputMbps, live.networkFirstByteMs, live.networkRequests) = (22, 23, 24)
        (live.networkConnections, live.networkRetries, live.networkCacheHits, live.networkBytes) = (25, 26, 27, 28)
        (live.variant, live.variantReason, live.variantMbps, live.linkEstimateMbps, live.variantSwitches) = (
            "720p", "so", 29, 30, 31
        )
        (live.videoDecoder, live.audioDecoder, live.renderer, live.audioDevice) = ("h264", "aac", "sixel", "pulse")
        live.videoDecoderReason = "software decodes"
        guard case .object(let members) = live.json else {
            Issue.record("no object")
            return
        }
        #expect(Set(members.map(\.key)) == Set(Mirror(reflecting: live).children.compactMap(\.label)))
        #expect(members["avSyncGapMs"] == .string("nan") && members["clockRatePPM"] == .string("-inf"))
        #expect(members["decodeMs"]?["p95"] == .number(2.5) && members["decodeMs"]?["p99"] == .string("nan"))
        #expect(members["linkBytesPerSecond"] == .integer(.max) && members["framesShown"] == .number(15))
        #expect(members["videoDecoder"] == .string("h264"))
    }
}
