public import AetherCore

/// Turns what an audio device reports (position at a time, jittery by some milliseconds and quantised to its periods) into a line
/// that is continuous, monotonic and true in the long run.
///
/// A second-order phase-locked loop in continuous form. With e = reported − predicted:
///
///     slope = rate × (1 + drift) + K1 × e,   K1 = √2 ω
///     drift += K2 × e × dt / rate,           K2 = ω²
///
/// The line always passes through its own prediction, so it never jumps; the correction is in the slope, bounded to ±5 % of the
/// rate, so it never runs backwards. A steady drift (two quartz clocks differ by up to ±200 ppm) ends in e = 0. Errors beyond
/// `stepThreshold` in three reports running are no jitter: the line is put where the device is.
public struct PlayheadFilter: Sendable {
    /// Larger errors are stepped over: beyond 40 ms a viewer notices, and slewing at 5 % would take a second.
    public static let stepThreshold = TimeSpan.milliseconds(40)
    /// A report this far off is never jitter.
    static let immediateStep = TimeSpan.milliseconds(500)
    private static let slopeLimit = 0.05
    /// ±0.2 %: ten times the worst quartz pair, for sinks that resample.
    private static let driftLimit = 0.002
    /// Reports further apart than this tell nothing about the slope in between.
    private static let longestInterval = 0.5

    private var line: ClockAnchor?
    private var drift = 0.0
    private var lockedSeconds = 0.0
    private var outliers = 0
    /// Steps made since the start; the first lock is none.
    public private(set) var stepCount = 0

    /// The last report, as it was judged; nil before the first one after a start.
    public private(set) var lastReport: Report?

    /// A report against the line.
    public struct Report: Sendable, Equatable {
        /// Its host time.
        public let host: HostTime
        /// Reported less predicted.
        public let error: TimeSpan
        /// The slope beyond rate and drift, as a share of the rate.
        public let correction: Double
        /// The line was put where the device is.
        public let isStep: Bool
    }

    /// The line in use; nil before the first report.
    public var current: ClockAnchor? { line }

    /// A filter that has seen nothing.
    public init() {}

    /// The device's speed against the host clock in parts per million, once the loop has run for five seconds.
    public var driftPPM: Double? { lockedSeconds > 5 ? drift * 1e6 : nil }

    /// Forgets the position (pause, seek, underrun) but keeps the learnt drift, which belongs to the device.
    public mutating func unlock() {
        line = nil
        lastReport = nil
        outliers = 0
    }

    /// Starts the line at a known point, such as the moment the device was started.
    public mutating func lock(_ anchor: ClockAnchor) -> ClockAnchor {
        outliers = 0
        var anchor = anchor
        anchor.rate *= 1 + drift
        line = anchor
        return anchor
    }

    /// Takes one report and returns the line to use from now on. `rate` is the nominal speed of what is heard; `now` is given where
    /// the report was true some time ago: the line bends at the present and not in the past, or it would jump.
    public mutating func observe(media: MediaTime, host: HostTime, rate: Double, now: HostTime? = nil) -> ClockAnchor {
        let now = max(host, now ?? host)
        guard let previous = line else { return lock(ClockAnchor(media: media, host: host, rate: rate)) }
        let elapsed = min(max((now - previous.host).seconds, 0), Self.longestInterval)
        let predicted = previous.time(at: now)
        let error = media - previous.time(at: host)
        if error.magnitude > Self.stepThreshold {
            outliers += 1
            if outliers >= 3 || error.magnitude > Self.immediateStep {
                stepCount += 1
                lastReport = Report(host: host, error: error, correction: 0, isStep: true)
                return lock(ClockAnchor(media: media, host: host, rate: rate))
            }
            // Hold the course until the third such report.
            let next = ClockAnchor(media: predicted, host: now, rate: rate * (1 + drift))
            line = next
            lastReport = Report(host: host, error: error, correction: 0, isStep: false)
            return next
        }
        outliers = 0
        lockedSeconds += elapsed
        // Wide at first (0.4 Hz, settles in a second), then narrow (0.08 Hz): 5 ms of jitter at 20 ms reports leave 0.4 ms.
        let omega = 2 * Double.pi * (lockedSeconds < 2 ? 0.4 : 0.08)
        drift = min(max(drift + omega * omega * error.seconds * elapsed / rate, -Self.driftLimit), Self.driftLimit)
        let correction = min(max(2.squareRoot() * omega * error.seconds, -Self.slopeLimit * rate), Self.slopeLimit * rate)
        let next = ClockAnchor(media: predicted, host: now, rate: rate * (1 + drift) + correction)
        line = next
        lastReport = Report(host: host, error: error, correction: correction / rate, isStep: false)
        return next
    }
}
