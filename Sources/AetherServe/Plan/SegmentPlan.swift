public import AetherCore

/// Where a source is cut: borders at key frames, about four seconds apart. Pure.
///
/// A packet of video belongs to the segment of the last border at or before the key frame that leads it, one of audio to that of its own
/// time. So every packet lies in exactly one segment, whatever is read first.
public struct SegmentPlan: Sendable, Equatable {
    /// Where segments begin. The first holds whatever comes before it, too.
    public private(set) var starts: [MediaTime] = []
    /// The number of the form that the tracks have in each segment: where it changes, players begin anew.
    public private(set) var forms: [Int] = []
    /// The end of the last segment; nil while more may come.
    public private(set) var end: MediaTime?
    /// Key frames may lie so far before the border that they mean: manifests round the durations that borders are sums of.
    public var tolerance: TimeSpan
    /// The length to aim for.
    public let target: TimeSpan
    /// The last key frame since the last border: where the next one would come too late, it becomes one.
    private var candidate: MediaTime?

    /// HLS advises six seconds, and players hold three segments before they begin: four are twelve seconds instead of eighteen.
    public static let usualTarget = TimeSpan.seconds(4)
    /// The tolerance for times that containers round.
    public static let rounding = TimeSpan.milliseconds(2)
    /// 200 000 segments are nine days.
    public static let limit = 200_000

    /// A plan without borders.
    public init(target: TimeSpan = SegmentPlan.usualTarget, tolerance: TimeSpan = SegmentPlan.rounding) {
        (self.target, self.tolerance) = (max(.milliseconds(500), target), tolerance)
    }

    /// A plan of what an index knows: key frames and the number of the form that begins with each.
    public init(
        keys: [(time: MediaTime, form: Int)], end: MediaTime, target: TimeSpan = SegmentPlan.usualTarget,
        tolerance: TimeSpan = SegmentPlan.rounding
    ) {
        self.init(target: target, tolerance: tolerance)
        var form = 0
        for key in keys where key.time < end {
            add(key: key.time, isForced: key.form != form, ended: form)
            if let last = starts.last, last == key.time { form = key.form }
        }
        finish(at: end, ended: form)
    }

    /// A plan for packets of which each can be decoded alone: a border each `target`.
    public init(even start: MediaTime, end: MediaTime, target: TimeSpan = SegmentPlan.usualTarget) {
        self.init(target: target, tolerance: .zero)
        var border = start
        while border < end, starts.count < Self.limit {
            starts.append(border)
            forms.append(0)
            border = border + self.target
        }
        if starts.isEmpty { (starts, forms) = ([start], [0]) }
        finish(at: end, ended: 0)
    }

    /// Takes the next key frame. It is a border where the last lies seven eighths of the length back, or more, and where it is forced to be: the
    /// form changes. Where it comes too late, one before it is. `ended` is the form of the segments that end thereby.
    public mutating func add(key: MediaTime, isForced: Bool = false, ended: @autoclosure () -> Int = 0) {
        guard end == nil, starts.count < Self.limit else { return }
        guard let last = starts.last else { return begin(key, 0) }
        guard key > last else { return }
        let usual = target.scaled(by: 7.0 / 8)
        if !isForced, key - last > target.scaled(by: 1.5), let candidate, candidate - last >= target.scaled(by: 0.25) {
            let form = ended()
            begin(candidate, form)
            if key - candidate >= usual { begin(key, form) } else { self.candidate = key }
        } else if isForced || key - last >= usual {
            begin(key, ended())
        } else {
            candidate = key
        }
    }

    /// Begins a segment; the one before it has had a form, and it goes on in that for all that is known.
    private mutating func begin(_ start: MediaTime, _ form: Int) {
        if !forms.isEmpty { forms[forms.count - 1] = form }
        starts.append(start)
        forms.append(form)
        candidate = nil
    }

    /// Nothing follows the last segment, which had a form.
    public mutating func finish(at end: MediaTime, ended form: Int? = nil) {
        guard self.end == nil, let last = starts.last else { return }
        if let form { forms[forms.count - 1] = form }
        // A last segment of less than half a second joins the one before: players stumble over those.
        if starts.count > 1, end - last < .milliseconds(500), forms[forms.count - 2] == forms[forms.count - 1] {
            starts.removeLast()
            forms.removeLast()
        }
        self.end = max(end, (starts.last ?? end) + .milliseconds(1))
    }

    /// The segments whose end is known.
    public var count: Int { end == nil ? max(0, starts.count - 1) : starts.count }

    /// Whether nothing follows.
    public var isComplete: Bool { end != nil }

    /// Where a segment begins and ends; nil for one that is not known.
    public func range(_ number: Int) -> Range<MediaTime>? {
        guard number >= 0, number < count else { return nil }
        let last = number + 1 < starts.count ? starts[number + 1] : end ?? starts[number]
        return starts[number]..<max(last, starts[number])
    }

    /// The longest segment.
    public var longest: TimeSpan {
        (0..<count).compactMap { range($0) }.map { $0.upperBound - $0.lowerBound }.max() ?? target
    }

    /// The segment that a key frame leads, or that a packet of audio lies in; 0 for what comes before all.
    public func number(at time: MediaTime, isKey: Bool) -> Int {
        let time = isKey ? time + tolerance : time
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// The plan as far as so many segments: those that were cut.
    func limited(to count: Int) -> SegmentPlan {
        guard count < self.count || (count == self.count && !isComplete) else { return self }
        var plan = self
        plan.end = nil
        plan.starts = Array(starts.prefix(count + 1))
        plan.forms = Array(forms.prefix(count + 1))
        return plan
    }
}
