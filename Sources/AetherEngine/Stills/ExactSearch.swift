import AetherCore
import AetherMedia

/// Finds among frames in the order of showing the one that is on screen at a point.
struct ExactSearch: ~Copyable {
    private let point: MediaTime
    private let step: TimeSpan
    /// The best so far: the last that begins at or before the point, or the first of all.
    var candidate: DecodedFrame?
    /// The start of that frame.
    private(set) var time: MediaTime?
    /// The last point that it is known to cover.
    private(set) var end: MediaTime
    /// A frame behind the point was seen.
    private(set) var isDone = false

    /// `frameRate` gives frames without a time one.
    init(point: MediaTime, frameRate: Double?) {
        self.point = point
        step = frameRate.flatMap { $0 > 0.1 && $0 < 1000 ? .seconds(1 / $0) : nil } ?? .milliseconds(40)
        end = point
    }

    mutating func take(_ frame: consuming DecodedFrame) {
        guard !isDone else { return }
        let begin = frame.pts ?? time.map { $0 + step } ?? point
        isDone = begin > point
        if begin <= point || time == nil {
            time = begin
            candidate = consume frame
            end = max(point, begin)
        } else {
            end = max(point, MediaTime(nanoseconds: begin.nanoseconds &- 1))
        }
    }
}
