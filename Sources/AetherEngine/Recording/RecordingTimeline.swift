import AetherCore

/// Where packets that are played lie in a recording of them: what comes twice is recorded once, what is skipped leaves no hole. Pure.
///
/// Times are those of decoding on the axis that is played. Recording begins with a key frame of the leading stream, the video if there is one,
/// and goes on with one behind each gap.
struct RecordingTimeline {
    /// The stream whose key frames are waited for.
    let lead: StreamID
    /// Whether the lead is video: any packet of audio can begin.
    let leadHasKeys: Bool
    /// Added to times; nil before the first key frame.
    private(set) var shift: TimeSpan?
    /// The end of what was recorded, in the recording.
    private(set) var span = TimeSpan.zero
    /// Up to where each stream was recorded, on the axis.
    private var recorded: [StreamID: MediaTime] = [:]
    /// Packets may come from anywhere: those of the lead say whether there is a gap.
    private var isResuming = true
    /// A longer way to the next packet is a gap. Streams of a file lie up to a second apart.
    private static let contiguous = TimeSpan.seconds(1)

    init(lead: StreamID, leadHasKeys: Bool) { (self.lead, self.leadHasKeys) = (lead, leadHasKeys) }

    /// The packets that come now are from another place.
    mutating func beginRun() { isResuming = true }

    /// Takes a packet. Returns what is added to its times in the recording; nil: it is left out. Packets without a time are recorded where
    /// something was before them.
    mutating func take(_ stream: StreamID, at time: MediaTime?, lasting duration: TimeSpan?, isKey: Bool) -> TimeSpan? {
        guard let time else { return isResuming ? nil : shift }
        if let former = recorded[stream], time <= former, isResuming || former - time < Self.contiguous { return nil }
        if shift == nil {
            guard stream == lead, isKey || !leadHasKeys else { return nil }
            (shift, isResuming) = (.zero - (time - .zero), false)
        } else if isResuming, let former = recorded[stream] ?? recorded.values.max(), time - former > Self.contiguous {
            guard stream == lead, isKey || !leadHasKeys else { return nil }
            // It follows on what is there.
            (shift, isResuming) = (span - (time - .zero), false)
        } else if stream == lead {
            isResuming = false
        }
        guard let shift else { return nil }
        let place = time + shift
        // Audio from before the first key frame.
        guard place >= .zero else { return nil }
        recorded[stream] = time
        span = max(span, place - .zero + (duration ?? .zero))
        return shift
    }
}
