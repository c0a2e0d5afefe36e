extension MPDSegments {
    /// Segments of one representation at most.
    static let countLimit: Int64 = 1 << 40

    func times(
        _ elements: [XMLElement], _ place: PeriodPlace, entries: Int64?, firstNumber: Int64,
        timelines: inout [TimelineKey: TimelineRuns]
    ) throws(StreamFault) -> SegmentTimes {
        if let timeline = elements.lazy.compactMap({ $0.child("SegmentTimeline") }).first {
            return .runs(try runs(timeline, place, timelines: &timelines))
        }
        var delta: Int64?, duration: Int64?
        for element in elements {
            if delta == nil { delta = try element.signed("eptDelta") }
            if duration == nil { duration = try element.count("duration") }
        }
        // eptDelta: how much before (or behind) the period's start its first segment begins.
        let origin = place.offset.saturatingAdd(max(-(1 << 62), delta ?? 0))
        let length = place.end.map { place.media($0).saturatingAdd(-origin) }
        guard let duration, duration > 0 else {
            // Without durations: one segment for all of the period, or as many as are listed, alike.
            guard let length, length > 0, duration == nil else {
                throw StreamFault(.attribute(tag: "SegmentTemplate", name: "duration"), line: elements.first?.line)
            }
            let count = max(1, entries ?? 1)
            return .uniform(origin: origin, duration: max(1, length / count), count: count)
        }
        let count = entries ?? length.map { self.count(in: $0, duration, place.timescale) } ?? (isDynamic ? Self.countLimit : 0)
        return .uniform(origin: origin, duration: duration, count: min(max(0, count), Self.countLimit))
    }

    /// How many segments fill a length; a rest of less than a millisecond is what rounding the period's length has left.
    private func count(in length: Int64, _ duration: Int64, _ timescale: Int64) -> Int64 {
        let whole = length / duration, rest = length % duration
        return rest > timescale / 1000 ? whole + 1 : whole == 0 ? 1 : whole
    }

    /// The timeline of an element: written once and used by many representations, it is read once for each scale and offset.
    private func runs(
        _ timeline: XMLElement, _ place: PeriodPlace, timelines: inout [TimelineKey: TimelineRuns]
    ) throws(StreamFault) -> TimelineRuns {
        let key = TimelineKey(index: timeline.index, timescale: place.timescale, offset: place.offset)
        if let known = timelines[key] { return known }
        let runs = try TimelineReading(tree: timeline.tree, place: place, isDynamic: isDynamic).runs(timeline.index)
        timelines[key] = runs
        return runs
    }
}

/// Tells timelines that were read apart.
struct TimelineKey: Hashable {
    let index: Int
    let timescale, offset: Int64
}

/// Reads the entries of a SegmentTimeline.
private struct TimelineReading {
    let tree: XMLTree
    let place: PeriodPlace
    let isDynamic: Bool

    private struct Entry {
        var time: Int64?
        var duration: Int64 = 0
        var repeats: Int64 = 0
        var length: Int64 = 1
    }

    func runs(_ timeline: Int) throws(StreamFault) -> TimelineRuns {
        var runs = TimelineRuns(), next = tree.nodes[timeline].firstChild, pending: Entry?, end: Int64 = 0
        while next >= 0 {
            let node = Int(next)
            next = tree.nodes[node].next
            guard tree.isSame(tree.nodes[node].name, "S") else { continue }
            let entry = try entry(node)
            if let waiting = pending { end = try append(waiting, to: &runs, at: end, until: entry.time, node) }
            pending = entry
        }
        if let waiting = pending { _ = try append(waiting, to: &runs, at: end, until: nil, timeline) }
        return runs
    }

    private func entry(_ node: Int) throws(StreamFault) -> Entry {
        var entry = Entry()
        let start = Int(tree.nodes[node].attributes)
        for attribute in tree.attributes[start..<(start + Int(tree.nodes[node].attributeCount))] where attribute.name.count == 1 {
            let name = tree.bytes[Int(attribute.name.offset)], range = attribute.value.range
            guard
                name == UInt8(ascii: "t") || name == UInt8(ascii: "d") || name == UInt8(ascii: "r") || name == UInt8(ascii: "k")
            else { continue }
            let isNegative = range.first.map { tree.bytes[$0] == UInt8(ascii: "-") } ?? false
            guard let value = HLSNumber.integer(tree.bytes, isNegative ? range.dropFirst() : range),
                !isNegative || name == UInt8(ascii: "r")
            else { throw fault(node) }
            switch name {
            case UInt8(ascii: "t"): entry.time = value
            case UInt8(ascii: "d"): entry.duration = value
            case UInt8(ascii: "r"): entry.repeats = isNegative ? -1 : value
            default: entry.length = max(1, value)
            }
        }
        return entry
    }

    /// Adds an entry; a negative repeat goes to the next entry's time, else to the period's
    /// end, else on and on. Gives the time behind it.
    private func append(
        _ entry: Entry, to runs: inout TimelineRuns, at end: Int64, until next: Int64?, _ node: Int
    ) throws(StreamFault) -> Int64 {
        let time = entry.time ?? end
        guard entry.duration > 0 else { throw fault(node) }
        var repeats = entry.repeats.saturatingAdd(1)
        if entry.repeats < 0 {
            if let limit = next ?? place.end.map({ place.media($0) }) {
                let length = limit.saturatingAdd(-time)
                repeats = max(0, length / entry.duration + (length % entry.duration > 0 ? 1 : 0))
            } else if isDynamic {
                // It goes on: the clock says how far.
                repeats = min((TimelineRuns.limit - runs.count) / entry.length, ((1 << 61) - min(time, 1 << 60)) / entry.duration)
            } else {
                repeats = 1
            }
            if repeats == 0 { return time }
        }
        guard runs.append(time: time, duration: entry.duration, repeats: repeats, length: entry.length) else { throw fault(node) }
        return runs.end
    }

    private func fault(_ node: Int) -> StreamFault {
        StreamFault(.number("S"), line: tree.line(of: tree.nodes[node].name.range.lowerBound))
    }
}
