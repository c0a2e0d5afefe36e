import AetherCore

/// The media time of each frame that was handed to the audio device.
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

    /// Moves the media point of every frame on by so many device frames.
    mutating func advance(by frames: Int) {
        for index in segments.indices {
            let span = TimeSpan.seconds(Double(frames) / Double(sampleRate) * segments[index].rate)
            segments[index].media = segments[index].media + span
        }
    }

    /// The media time of a device frame, nil before anything was begun.
    func media(atFrame frame: Int) -> MediaTime? { media(at: Double(frame)) }

    /// The media time between two frames, too.
    func media(at position: Double) -> MediaTime? {
        guard let segment = segment(at: position) else { return nil }
        return segment.media + .seconds((position - Double(segment.firstFrame)) / Double(sampleRate) * segment.rate)
    }

    /// The first frame from `start` on whose media time is not before a time; nil before anything was begun.
    func frame(of time: MediaTime, from start: Int) -> Int? {
        guard let first = segments.lastIndex(where: { $0.firstFrame <= start }) ?? segments.indices.first else { return nil }
        for index in first..<segments.count {
            let segment = segments[index], span = (time - segment.media).scaled(by: 1 / segment.rate)
            let frame = max(start, segment.firstFrame + Int((span.seconds * Double(sampleRate)).rounded()))
            if index + 1 == segments.count || frame < segments[index + 1].firstFrame { return frame }
        }
        return nil
    }

    /// The speed at which the media passes at a point of the device.
    func rate(at position: Double) -> Double { segment(at: position)?.rate ?? 1 }

    /// The frame at which the next segment begins.
    func nextBegin(after position: Double) -> Int? { segments.first { Double($0.firstFrame) > position }?.firstFrame }

    /// Whether the media goes on at a frame where it was, by another rate only.
    func isContinuous(at frame: Int) -> Bool {
        guard let index = segments.firstIndex(where: { $0.firstFrame == frame }), index > 0 else { return false }
        let former = segments[index - 1]
        let reached = former.media + .seconds(Double(frame - former.firstFrame) / Double(sampleRate) * former.rate)
        return (segments[index].media - reached).magnitude < .milliseconds(1)
    }

    private func segment(at position: Double) -> Segment? {
        segments.last { Double($0.firstFrame) <= position } ?? segments.first
    }
}
