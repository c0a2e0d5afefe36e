import AetherCore
import AetherFormats
import AetherMedia

/// The part of the axis that can be gone to, and where playing begins in it.
extension StreamCatalog {
    /// The part of the axis that can be gone to by now.
    func window(of id: Rendition.ID) -> SourceWindow {
        guard let index = presentation.rendition(id)?.index else { return SourceWindow() }
        let start = index.start.time, oldest = min(start, kept?.start ?? start)
        let last = index.numbers.isEmpty ? nil : index.segment(index.numbers.upperBound - 1)
        let zero = last.flatMap { last in
            last.wallClock.map { $0.addingReportingOverflow(-last.start.span.nanoseconds).partialValue }
        }
        guard isGrowing(id) else {
            // Also behind the end of a broadcast its past is there.
            return SourceWindow(seekable: oldest...max(start, index.end.time), held: kept?.held, wallZero: zero)
        }
        let edge = max(start, end(of: index) - distance(of: id, index))
        let part = hasParts(id) ? playlists[id]?.list.partTarget.map { TimeSpan(nanoseconds: $0) } : nil
        return SourceWindow(
            seekable: oldest...edge, liveEdge: edge, step: part ?? last?.duration.span ?? .zero,
            rates: presentation.live?.latency?.rates, held: kept?.held, wallZero: zero)
    }

    /// The end of what was made by now: segments of DASH may be asked for while they are made, and are listed before.
    private func end(of index: any SegmentIndex) -> MediaTime {
        guard let broadcast, let live = presentation.live else { return index.end.time }
        return min(index.end.time, live.time(of: broadcast.moment(time.now())).time)
    }

    /// So far behind the end a broadcast is played.
    private func distance(of id: Rendition.ID, _ index: any SegmentIndex) -> TimeSpan {
        guard let list = playlists[id]?.list else {
            return presentation.live?.holdBack(of: index, isLowLatency: isLowLatency) ?? .zero
        }
        return TimeSpan(nanoseconds: holdBack(list, withParts: hasParts(id)))
    }

    /// Parts of segments are played before these are whole.
    var isLowLatency: Bool { profile == .lowLatency }

    /// Whether the parts of a rendition's segments are played before these are whole. Texts are taken whole.
    func hasParts(_ id: Rendition.ID) -> Bool {
        guard isLowLatency, playlists[id]?.list.partTarget != nil else { return false }
        let group = presentation.periods.lazy.flatMap(\.groups).first { $0.renditions.contains { $0.id == id } }
        return group.map { [.video, .audio, .muxed].contains($0.kind) } ?? false
    }

    /// So far behind the end a list wants to be played: three target durations, of segments or of parts, where it does not say (RFC 8216bis,
    /// 4.4.3.8).
    private func holdBack(_ list: HLSSegmentList, withParts: Bool) -> Int64 {
        if list.kind == .event { return 0 }
        let control = list.serverControl, target = (withParts ? list.partTarget : nil) ?? list.targetDuration
        return (withParts ? control.partHoldBack : control.holdBack) ?? target.multipliedReportingOverflow(by: 3).partialValue
    }

    /// The kept segments of a source, by its number among those that are read together; nil for nothing.
    func kept(by source: Int) -> KeptTrack? { kept.map { KeptTrack(segments: $0, source: source) } }

    /// Whether a list slides: what leaves it is gone.
    func slides(_ id: Rendition.ID) -> Bool { broadcast != nil || isGrowing(id) && playlists[id]?.list.kind == .live }

    /// The segment at which a channel is joined: with one behind it. The newest alone lasts exactly until a list may be asked for again, and
    /// playing would run dry in that moment, each time.
    static func zapNumber(in numbers: Range<Int64>) -> Int64? {
        numbers.isEmpty ? nil : max(numbers.lowerBound, numbers.upperBound - 2)
    }

    /// The window of a rendition and the point at which playing begins by default.
    func begin(_ id: Rendition.ID) throws(MediaError) -> (window: SourceWindow, start: MediaTime) {
        _ = try segments(of: id)
        beginKeeping(id)
        let window = window(of: id)
        guard let range = window.seekable else { return (window, .zero) }
        var start = window.isLive && (presentation.kind == .live || broadcast != nil) ? range.upperBound : range.lowerBound
        if profile == .fastZap, window.isLive, presentation.startPoint == nil, let index = presentation.rendition(id)?.index,
            let joined = Self.zapNumber(in: index.numbers).flatMap({ index.segment($0) })
        {
            return (window, max(joined.start.time, range.lowerBound))
        }
        if let point = presentation.startPoint {
            let base = point.offset < .zero ? presentation.rendition(id)?.index?.end.time ?? range.upperBound : range.lowerBound
            start = base + point.offset.span
        }
        return (window, min(max(start, range.lowerBound), range.upperBound))
    }
}
