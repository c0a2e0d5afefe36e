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
    /// When the key frame is shown that recording began with, or went on with behind a gap: frames shown before it need one that is not there.
    private var firstShown: MediaTime?
    /// The end of what was recorded, in the recording.
    private(set) var span = TimeSpan.zero
    /// Up to where each stream was recorded, on the axis, by times of decoding; by times of showing where its packets have no others.
    private var recorded: [StreamID: MediaTime] = [:]
    private var shown: [StreamID: MediaTime] = [:]
    /// Packets may come from anywhere: those of the lead say whether there is a gap.
    private var isResuming = true
    /// A longer way to the next packet is a gap. Streams of a file lie up to a second apart.
    private static let contiguous = TimeSpan.seconds(1)

    init(lead: StreamID, leadHasKeys: Bool) { (self.lead, self.leadHasKeys) = (lead, leadHasKeys) }

    /// The packets that come now are from another place.
    mutating func beginRun() { isResuming = true }

    /// Takes a packet. Returns what is added to its times in the recording; nil: it is left out.
    ///
    /// Frames of video have no time of decoding until a demuxer knows how many are reordered, as behind a seek in Matroska. Those behind a key
    /// frame that was taken are recorded, in whichever order they are shown.
    mutating func take(_ packet: Place) -> TimeSpan? {
        let stream = packet.stream, isLead = stream == lead, canLead = isLead && (packet.isKey || !leadHasKeys)
        let isVideo = isLead && leadHasKeys, ordered = isVideo ? packet.decoded : packet.beginning
        guard let time = ordered ?? (packet.isKey ? packet.shown : nil) else {
            guard let shift, !isResuming, isVideo ? !leads(packet) : packet.shown.map({ $0 + shift >= .zero }) ?? true else {
                return nil
            }
            note(packet, isOrdered: false, by: shift)
            return shift
        }
        let former = recorded[stream] ?? (isResuming ? shown[stream] : nil)
        if let former, time <= former, isResuming || former - time < Self.contiguous { return nil }
        if shift == nil {
            guard canLead else { return nil }
            (shift, isResuming, firstShown) = (.zero - (time - .zero), false, packet.shown)
        } else if isResuming, let former = former ?? recorded.values.max(), time - former > Self.contiguous {
            guard canLead else { return nil }
            // It follows on what is there.
            (shift, isResuming, firstShown) = (span - (time - .zero), false, packet.shown)
        } else if isLead {
            isResuming = false
        }
        guard let shift else { return nil }
        // Audio from before the first key frame goes, too.
        guard isVideo ? !leads(packet) : time + shift >= .zero else { return nil }
        note(packet, isOrdered: ordered != nil, by: shift)
        return shift
    }

    private func leads(_ packet: Place) -> Bool {
        guard let shown = packet.shown, let firstShown else { return false }
        return shown < firstShown
    }

    private mutating func note(_ packet: Place, isOrdered: Bool, by shift: TimeSpan) {
        if isOrdered {
            recorded[packet.stream] = packet.stream == lead && leadHasKeys ? packet.decoded : packet.beginning
        } else if let time = packet.shown {
            shown[packet.stream] = max(shown[packet.stream] ?? time, time)
        }
        guard let time = packet.beginning else { return }
        span = max(span, time + shift - .zero + (packet.duration ?? .zero))
    }

    /// A packet's place on the axis.
    struct Place {
        let stream: StreamID
        /// The time at which it is decoded, and that at which it is shown; nil where the container does not say.
        let decoded: MediaTime?, shown: MediaTime?
        let duration: TimeSpan?
        let isKey: Bool

        /// The earlier one of its times.
        var beginning: MediaTime? { [decoded, shown].compactMap { $0 }.min() }
    }
}
