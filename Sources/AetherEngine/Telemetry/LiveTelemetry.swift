public import AetherCore

/// Measurements of the running pipeline, renewed once a second. nil means not measurable, never 0.
public struct LiveTelemetry: Sendable, Equatable {
    /// The number of measurements of this source before: another number is another measurement.
    public var sequence = 0
    /// Bits per second of the last second's packets, and since the start, in Mbit/s.
    public var instantBitrateMbps, averageBitrateMbps: Double?
    /// Frames shown during the last second.
    public var observedFps: Double?
    /// Video minus audio in ms: positive when video is late.
    public var avSyncGapMs: Double?
    /// Seconds of packets queued ahead of the decoders, the smaller of the selected streams.
    public var forwardBufferSeconds: Double?
    /// Bytes of packets that wait for the decoders.
    public var queuedBytes: Int64?
    /// Bytes of packets kept beside those: packets that were played, and those of other audio tracks.
    public var cachedBytes: Int64?
    /// Bytes read from the source so far.
    public var demuxerBytesFetched: Int64 = 0
    /// Bits per second that came from servers in the last second, in Mbit/s; nil, as all of these, for a source that is read of none.
    public var networkThroughputMbps: Double?
    /// Bytes of bodies that servers have sent.
    public var networkBytes: Int64?
    /// Requests to servers, connections made for them, and requests that were made again.
    public var networkRequests, networkConnections, networkRetries: Int?
    /// Reads that memory answered in place of the server.
    public var networkCacheHits: Int?
    /// Between the latest request and its answer.
    public var networkFirstByteMs: Double?
    /// Of a stream whose quality is chosen while it plays: the variant, the rule by which it was chosen, its bit rate, the estimated rate
    /// of the link, and the number of switches; nil for others.
    public var variant, variantReason: String?
    /// The rates of the variant and of the link, in Mbit/s.
    public var variantMbps, linkEstimateMbps: Double?
    /// Changes of the variant since the start.
    public var variantSwitches: Int?
    /// Decoded frames waiting to be shown.
    public var queuedFrames: Int?
    /// Seconds of audio decoded but not yet heard.
    public var audioLeadSeconds: Double?
    /// Between handing a sample to the device and its being heard.
    public var alsaDelayMs: Double?
    /// The device's buffer at present; it grows after an underrun.
    public var alsaBufferMs: Double?
    /// Underruns of the device since the start.
    public var alsaXruns: Int?
    /// The device's speed against the host clock, in parts per million.
    public var clockRatePPM: Double?
    /// The time that each stage takes for one frame: of the last 256 frames.
    public var decodeMs, scaleMs, encodeMs, writeMs: Percentiles?
    /// Written to the terminal in the last second.
    public var terminalBytesPerSecond: Int64?
    /// Bytes a second that the way to the viewer takes at most, as far as it was the bottleneck.
    public var linkBytesPerSecond: Int64?
    /// The least time there and back.
    public var linkRoundTripMs: Double?
    /// Share of size and frame rate that is drawn for the link's sake, 0…1.
    public var detail: Double?
    /// Since the start.
    public var framesShown: Int?
    /// Frames not shown because decoding was late.
    public var droppedLateDecode: Int?
    /// Frames not shown because encoding was slow.
    public var droppedSlowEncode: Int?
    /// Frames not shown because the terminal had not taken the one before.
    public var droppedSlowTerminal: Int?
    /// Packets that could not be decoded.
    public var decodeErrors: Int?
    /// Resident memory in MiB, of this process: those of the box have most of theirs in common with it.
    public var rssMb: Int?
    /// CPU seconds used per second of wall time, by the processes of the box, too.
    public var cpuLoad: Double?
    /// Decoder names ("h264", "aac"), renderer and audio device.
    public var videoDecoder, audioDecoder, renderer, audioDevice: String?
    /// Why software or hardware decodes the video, in a sentence; nil where hardware was not asked for.
    public var videoDecoderReason: String?

    /// All dropped frames, by any cause.
    public var droppedFrameCount: Int? {
        let causes = [droppedLateDecode, droppedSlowEncode, droppedSlowTerminal].compactMap { $0 }
        return causes.isEmpty ? nil : causes.reduce(0, +)
    }

    /// A telemetry without measurements.
    public init() {}
}
