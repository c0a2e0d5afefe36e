public import AetherCore

extension LiveTelemetry {
    /// The measurements by their names. Values that cannot be measured are left out; infinity and NaN are texts, as JSON has no such
    /// numbers.
    public var json: JSON {
        let numbers: [(String, Double?)] = [
            ("instantBitrateMbps", instantBitrateMbps), ("averageBitrateMbps", averageBitrateMbps),
            ("observedFps", observedFps), ("avSyncGapMs", avSyncGapMs), ("forwardBufferSeconds", forwardBufferSeconds),
            ("audioLeadSeconds", audioLeadSeconds), ("alsaDelayMs", alsaDelayMs), ("alsaBufferMs", alsaBufferMs),
            ("clockRatePPM", clockRatePPM),
            ("linkRoundTripMs", linkRoundTripMs), ("networkThroughputMbps", networkThroughputMbps),
            ("networkFirstByteMs", networkFirstByteMs), ("variantMbps", variantMbps), ("linkEstimateMbps", linkEstimateMbps),
            ("detail", detail), ("cpuLoad", cpuLoad),
        ]
        let counts: [(String, Int?)] = [
            ("queuedFrames", queuedFrames), ("alsaXruns", alsaXruns), ("framesShown", framesShown),
            ("droppedLateDecode", droppedLateDecode), ("droppedSlowEncode", droppedSlowEncode),
            ("droppedSlowTerminal", droppedSlowTerminal), ("decodeErrors", decodeErrors), ("rssMb", rssMb),
            ("networkRequests", networkRequests), ("networkConnections", networkConnections), ("networkRetries", networkRetries),
            ("networkCacheHits", networkCacheHits), ("variantSwitches", variantSwitches),
        ]
        let sizes: [(String, Int64?)] = [
            ("queuedBytes", queuedBytes), ("cachedBytes", cachedBytes), ("terminalBytesPerSecond", terminalBytesPerSecond),
            ("linkBytesPerSecond", linkBytesPerSecond), ("networkBytes", networkBytes),
        ]
        let spans = [("decodeMs", decodeMs), ("scaleMs", scaleMs), ("encodeMs", encodeMs), ("writeMs", writeMs)]
        let words = [
            ("videoDecoder", videoDecoder), ("audioDecoder", audioDecoder), ("renderer", renderer),
            ("videoDecoderReason", videoDecoderReason),
            ("audioDevice", audioDevice), ("variant", variant), ("variantReason", variantReason),
        ]
        var members: [JSON.Members.Member] = [
            ("sequence", JSON(sequence)), ("demuxerBytesFetched", .integer(demuxerBytesFetched)),
        ]
        for (name, number) in numbers { if let number { members.append((name, LiveTelemetry.json(number))) } }
        for (name, count) in counts { if let count { members.append((name, JSON(count))) } }
        for (name, size) in sizes { if let size { members.append((name, .integer(size))) } }
        for (name, span) in spans { if let span { members.append((name, LiveTelemetry.json(span))) } }
        for (name, word) in words { if let word { members.append((name, .string(word))) } }
        return .object(JSON.Members(members))
    }

    private static func json(_ number: Double) -> JSON { number.isFinite ? .number(number) : .string("\(number)") }

    private static func json(_ span: Percentiles) -> JSON {
        .object(["p50": json(span.p50), "p95": json(span.p95), "p99": json(span.p99)])
    }
}
