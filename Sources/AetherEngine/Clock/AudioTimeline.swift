import AetherCore

/// Which point of the media each frame handed to the sound device stands for.
///
/// Stamped by counting samples from an anchor, never by each packet's own time stamp: those are rounded (Matroska: to 1 ms) and
/// would crackle. A new segment begins only at a seek, a new tempo, or a jump of the source.
struct AudioTimeline: Sendable {
    private struct Segment {
        var firstFrame: Int
        var media: MediaTime
        /// Media seconds per device second.
        var rate: Double
    }
    private let sampleRate: Int
    private var segments: [Segment] = []

    /// An empty timeline of a device's sample rate.
    init(sampleRate: Int) { self.sampleRate = max(1, sampleRate) }

    /// From device frame `frame` on the media is at `media` and moves at `rate`.
    mutating func begin(frame: Int, media: MediaTime, rate: Double) {
        segments.removeAll { $0.firstFrame >= frame }
        segments.append(Segment(firstFrame: frame, media: media, rate: rate))
        // Only what the device still holds is asked for: a handful of segments at most.
        if segments.count > 64 { segments.removeFirst(32) }
    }

    /// The media time of a device frame, nil before anything was begun.
    func media(atFrame frame: Int) -> MediaTime? {
        guard let segment = segment(at: frame) else { return nil }
        let seconds = Double(frame - segment.firstFrame) / Double(sampleRate)
        return segment.media + .seconds(seconds * segment.rate)
    }

    /// The speed at which the media passes at a device frame.
    func rate(atFrame frame: Int) -> Double { segment(at: frame)?.rate ?? 1 }

    private func segment(at frame: Int) -> Segment? {
        segments.last { $0.firstFrame <= frame } ?? segments.first
    }
}
