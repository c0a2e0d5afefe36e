import AetherCore
import AetherFormats
import AetherMedia

/// The part of the axis that can be gone to, and where playing begins in it.
extension StreamCatalog {
    /// The part of the axis that can be gone to by now.
    func window(of id: Rendition.ID) -> SourceWindow {
        guard let index = presentation.rendition(id)?.index else { return SourceWindow() }
        let start = index.start.time
        guard isGrowing(id) else { return SourceWindow(seekable: start...max(start, index.end.time)) }
        let behind = lists[id].map { TimeSpan(nanoseconds: holdBack($0)) } ?? presentation.live?.holdBack(of: index) ?? .zero
        let edge = max(start, index.end.time - behind)
        let last = index.numbers.isEmpty ? nil : index.segment(index.numbers.upperBound - 1)
        return SourceWindow(seekable: start...edge, liveEdge: edge, step: last?.duration.span ?? .zero)
    }

    /// So far behind the end a list wants to be played: three target durations where it does not say (RFC 8216bis, 4.4.3.8).
    private func holdBack(_ list: HLSSegmentList) -> Int64 {
        list.kind == .event
            ? 0 : list.serverControl.holdBack ?? list.targetDuration.multipliedReportingOverflow(by: 3).partialValue
    }

    /// The window of a rendition and the point at which playing begins where nobody says otherwise.
    func begin(_ id: Rendition.ID) throws(MediaError) -> (window: SourceWindow, start: MediaTime) {
        _ = try segments(of: id)
        let window = window(of: id)
        guard let range = window.seekable else { return (window, .zero) }
        var start = window.isLive && (presentation.kind == .live || broadcast != nil) ? range.upperBound : range.lowerBound
        if let point = presentation.startPoint {
            let base = point.offset < .zero ? presentation.rendition(id)?.index?.end.time ?? range.upperBound : range.lowerBound
            start = base + point.offset.span
        }
        return (window, min(max(start, range.lowerBound), range.upperBound))
    }
}
