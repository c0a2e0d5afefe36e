public import AetherCore
import AetherMedia

/// The beginning of a new epoch and the frame that it begins with.
public struct SeekPlan: Sendable, Equatable {
    /// The frame that is the first to be shown.
    public enum Landing: Sendable, Equatable {
        /// The last key frame at or before the target; where that lies further away than the tolerance or out of bounds, the first one
        /// behind it by the same rule, if the cache holds it; else the target, by decoding forward. Out of bounds is at or before
        /// `floor` (a skip forward must not go back) and at or behind `ceiling` (nor one back forward).
        case keyframe(tolerance: TimeSpan, floor: MediaTime?, ceiling: MediaTime?)
        /// The frame that is on screen at the target.
        case exact
        /// The last frame that begins before the target: a step back.
        case frameBefore
    }

    /// The target, on the source axis.
    public var target: MediaTime
    /// The way in which the seek lands.
    public var landing: Landing
    /// Audio and frames from here on are not wanted; nil for all of the source.
    public var end: MediaTime?
    /// Lands exactly once the key frame was shown and nothing else is wanted.
    public var isRefined = false
    /// The target before a key frame behind it took its place.
    var asked: MediaTime?
    /// The point that the demuxer is sent to, where an earlier attempt showed that the frame needs a key frame further back.
    var origin: MediaTime?
    /// The limit of going back; nil where the source cannot be asked.
    var retreat: SeekRetreat?

    /// A plan.
    public init(target: MediaTime, landing: Landing, end: MediaTime? = nil) {
        self.target = target
        self.landing = landing
        self.end = end
    }

    /// Half of the common skip of 5 s: a skip that lands closer to where it came from than to where it should go feels broken.
    public static let keyframeTolerance = TimeSpan.milliseconds(2500)

    /// The point that the demuxer is sent to: the last key frame at or before it.
    var demuxTarget: MediaTime {
        if let origin { return origin }
        switch landing {
        case .frameBefore: return target - .milliseconds(1)
        default: return target
        }
    }

    /// The distance to the target within which the reader is left to read on: that from a key frame that it has just landed on.
    var reach: TimeSpan { isRefined && landing == .exact ? Self.keyframeTolerance : .zero }

    /// The point from which on frames are shown, where that does not depend on the first one; else nil.
    var knownFirstShown: MediaTime? {
        if case .keyframe = landing { return nil }
        return target
    }

    /// Whether a frame that begins here may be the first to be shown when frames are shown from `from` on.
    func isBefore(_ pts: MediaTime, _ from: MediaTime) -> Bool { landing == .frameBefore ? pts < from : pts <= from }

    /// The plan with leave to begin further back, which `start`, the beginning of the source, bounds. Landing on a key frame needs none.
    func mayRetreat(to start: MediaTime) -> SeekPlan {
        var plan = self
        if case .keyframe = landing { return plan }
        guard plan.retreat == nil, target > start else { return plan }
        plan.retreat = SeekRetreat(target: target, start: start, isStrict: landing == .frameBefore)
        return plan
    }

    /// The plan that begins further back, where the first frame of this one, decoded from `begun` on, lies behind its target; nil where that
    /// frame is the one to show.
    func retreated(begun: MediaTime, firstFrame pts: MediaTime) -> SeekPlan? {
        var plan = self
        guard let point = plan.retreat?.next(begun: begun, shown: pts) else { return nil }
        plan.origin = point
        return plan
    }

    /// Decides by the first decoded frame of the epoch from which point on frames are shown.
    func firstShown(firstFrame pts: MediaTime) -> MediaTime {
        switch landing {
        case .exact, .frameBefore: return target
        case .keyframe(let tolerance, let floor, _):
            if target - pts > tolerance { return target }
            if let floor, pts <= floor { return target }
            return pts
        }
    }

    /// The plan where the key frames around its target are known: it goes to the later one if that is where it may land and the earlier
    /// one is not. Decoding up to the target instead takes up to a GOP: 100 ms for 2 s at 1080p, seconds for the 10 s of x264's default.
    func snapped(keyBefore: MediaTime, keyAfter: MediaTime?) -> SeekPlan {
        guard case .keyframe(let tolerance, _, let ceiling) = landing, let keyAfter, keyBefore < target,
            firstShown(firstFrame: keyBefore) == target, keyAfter - target <= tolerance
        else { return self }
        let limits = [ceiling, end].compactMap { $0 }
        guard limits.allSatisfy({ keyAfter < $0 }) else { return self }
        var plan = self
        (plan.target, plan.asked) = (keyAfter, target)
        return plan
    }
}
