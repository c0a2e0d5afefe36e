import AetherCore
import AetherMedia
import Testing

@testable import AetherEngine

/// One telemetry a second, out of counters that only rise.
@Suite struct TelemetrySamplerTests {
    private let counters = SessionCounters()

    private func inputs(shown: Int = 0, written: Int = 0, network: NetworkFigures? = nil) -> TelemetrySampler.Inputs {
        var sink = SinkStatistics()
        (sink.framesShown, sink.bytesWritten) = (shown, written)
        return TelemetrySampler.Inputs(
            sink: sink, lastShown: nil, anchor: nil, forwardBuffer: .seconds(3), queuedBytes: 10, cachedBytes: 20,
            queuedFrames: 4,
            videoDecoder: "h264", videoDecoderReason: nil, audioDecoder: nil, audioDevice: nil, hasVideo: true, network: network,
            adaptation: nil, variant: nil)
    }

    /// The telemetry after a look at a time.
    private func sample(
        _ sampler: inout TelemetrySampler, at seconds: Double, session: Int = 1, _ inputs: TelemetrySampler.Inputs
    ) throws -> LiveTelemetry {
        sampler.sample(
            now: HostTime(nanoseconds: Int64(seconds * 1e9)), session: session, counters: counters, inputs: inputs)
        return try #require(sampler.latest)
    }

    @Test func ratesAreThoseOfTheLastSecondAndOfAll() throws {
        var sampler = TelemetrySampler()
        let first = try sample(&sampler, at: 0, inputs())
        #expect(first.sequence == 0 && first.instantBitrateMbps == nil && first.observedFps == nil)
        #expect(
            first.forwardBufferSeconds == 3 && first.queuedBytes == 10 && first.cachedBytes == 20 && first.videoDecoder == "h264")
        counters.packetBytes.add(1_000_000)
        let second = try sample(&sampler, at: 2, inputs(shown: 50, written: 4000))
        #expect(second.sequence == 1 && second.instantBitrateMbps == 4 && second.averageBitrateMbps == 4)
        #expect(second.observedFps == 25 && second.terminalBytesPerSecond == 2000 && second.framesShown == 50)
        let third = try sample(&sampler, at: 4, inputs(shown: 50, written: 4000))
        #expect(third.instantBitrateMbps == 0 && third.averageBitrateMbps == 2 && third.observedFps == 0)
    }

    @Test func withinASecondNothingIsRenewedButAtTheEndWhatWasCounted() throws {
        var sampler = TelemetrySampler()
        _ = try sample(&sampler, at: 0, inputs())
        let second = try sample(&sampler, at: 1, inputs(shown: 24))
        #expect(try sample(&sampler, at: 1.9, inputs(shown: 40)) == second)
        var end = inputs(shown: 47)
        end.isOver = true
        let last = try sample(&sampler, at: 1.95, end)
        #expect(last.framesShown == 47 && last.observedFps == second.observedFps && last.sequence == second.sequence)
    }

    @Test func anotherSessionCountsFromZero() throws {
        var sampler = TelemetrySampler()
        counters.packetBytes.add(5000)
        _ = try sample(&sampler, at: 0, inputs(shown: 10))
        _ = try sample(&sampler, at: 1, inputs(shown: 20))
        let other = try sample(&sampler, at: 1.5, session: 2, inputs())
        #expect(other.sequence == 0 && other.observedFps == nil)
    }

    @Test func whatIsUnknownIsNil() throws {
        var sampler = TelemetrySampler(), silent = inputs()
        silent.hasVideo = false
        let telemetry = try sample(&sampler, at: 0, silent)
        #expect(telemetry.alsaDelayMs == nil && telemetry.clockRatePPM == nil && telemetry.networkBytes == nil)
        #expect(telemetry.decodeMs == nil && telemetry.framesShown == nil && telemetry.avSyncGapMs == nil)
        var sounding = inputs()
        sounding.audioDevice = "default"
        counters.audioDelayMicroseconds.set(12_500)
        let audible = try sample(&sampler, at: 1, sounding)
        // The device's speed is not known yet.
        #expect(audible.alsaDelayMs == 12.5 && audible.clockRatePPM == nil)
    }
}
