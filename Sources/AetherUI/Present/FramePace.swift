import AetherCore

/// The times at which the bytes of a frame begin to go out and its end follows, so that the frame is complete when it is due, whatever its
/// size: 2 KB take 0.6 ms, 139 KB take 5 and sometimes 8.
///
/// Pure: time is an argument. Belongs to the thread that writes.
struct FramePace: Equatable {
    /// The messages that came while the end of a frame is held back.
    struct News: Equatable {
        /// The screen or the renderer changes, or the frame is taken away: what is held is out of date.
        var isUrgent = false
        /// The epoch and due time of a newer frame.
        var epoch: Epoch?
        var due: HostTime?
    }

    /// Seconds a byte on the average, and how far off that is on the average.
    private(set) var mean = 0.0, deviation = 0.0

    /// Seconds in which the terminal reads an image that it is only told the name of, and how far off that is, both on the average.
    private(set) var readingMean = 0.0, readingDeviation = 0.0

    /// No frame is begun earlier, nor by more than half of the time until the next: what takes longer is late anyway, and one that is due sooner
    /// must not wait for it.
    static let longest = TimeSpan.milliseconds(12)
    /// Sixel frames of 500 KB take 20 ms.
    private static let longestOfAll = TimeSpan.milliseconds(21)
    /// Waking up, and the frame's own first bytes.
    private static let least = TimeSpan.milliseconds(0.5)
    /// A frame in fifty takes longer than the mean and three mean deviations.
    private static let deviations = 3.0
    /// Frames smaller than this tell of waking up, not of bytes.
    private static let smallFrame = 4096
    /// One stalled write says little of the next: 20 ms count at most, and as one in ten.
    private static let cap = 0.02, share = 0.1

    /// The bytes of a frame were taken within that time.
    mutating func took(_ span: TimeSpan, bytes: Int) {
        guard bytes > Self.smallFrame else { return }
        let sample = min(Self.cap, span.seconds) / Double(bytes)
        guard mean > 0 else { return mean = sample }
        deviation += Self.share * (abs(sample - mean) - deviation)
        mean += Self.share * (sample - mean)
    }

    /// The terminal has answered for an image that it read for itself, so long after its name was handed over.
    mutating func read(in span: TimeSpan) {
        let sample = min(Self.cap, max(0, span.seconds))
        guard readingMean > 0 else { return readingMean = sample }
        readingDeviation += Self.share * (abs(sample - readingMean) - readingDeviation)
        readingMean += Self.share * (sample - readingMean)
    }

    /// The time before its due time at which a frame of so many bytes is begun. Where the terminal shows it as it comes (`isUpdate` false), with
    /// nothing to spare: what is begun early is torn for as long. `rate` is what the way to the terminal drains in a second, if known.
    /// `isNamed`: an image lies in shared memory, from which the terminal reads it first. Frames come every `interval`.
    func early(
        bytes: Int, isNamed: Bool = false, isUpdate: Bool, rate: Double?, interval: TimeSpan = .zero
    ) -> TimeSpan {
        let longest = max(Self.longest, min(Self.longestOfAll, interval.scaled(by: 0.5)))
        guard isUpdate else { return min(longest, .seconds(mean * Double(bytes))) }
        let own = (mean + Self.deviations * deviation) * Double(bytes)
        let drain = rate.map { Double(bytes) / max(1, $0) } ?? 0
        let reading = isNamed ? readingMean + Self.deviations * readingDeviation : 0
        return min(longest, .seconds(max(own, drain, reading)) + Self.least)
    }

    /// Whether the end of a frame of `epoch` that is due then goes out now.
    static func releases(epoch: Epoch?, due: HostTime, news: News, at now: HostTime) -> Bool {
        if now >= due || news.isUrgent { return true }
        if let newer = news.epoch, let epoch, newer > epoch { return true }
        if let newer = news.due { return newer <= now }
        return false
    }
}
