import AetherCore

/// The counters of a session's stages, for the telemetry pane and the tests.
final class SessionCounters: Sendable {
    let bytesFetched = Counter()
    let packetBytes = Counter()
    let damage = Counter()
    let decodeErrors = Counter()
    let droppedLateDecode = Counter()
    let framesHandedOver = Counter()
    /// The epoch whose first frame was handed over last.
    let shownEpoch = Counter()
    let xruns = Counter()
    let audioBufferMicroseconds = Counter()
    let audioDelayMicroseconds = Counter()
    let audioLeadMicroseconds = Counter()
    /// The audio device's speed against the host clock in parts per billion; `Int.min` before it is known.
    let driftPartsPerBillion = Counter()
    let decode = LatencyWindow()
    let scale = LatencyWindow()

    init() { driftPartsPerBillion.set(.min) }
}
