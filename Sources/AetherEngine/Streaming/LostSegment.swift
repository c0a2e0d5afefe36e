import AetherFormats
import AetherMedia

/// A segment that its address did not give, and the ways to get it all the same, in their order. Each of them may block on servers.
struct LostSegment {
    let number: Int64
    let run: SegmentRun
    let error: MediaError

    var start: Ticks { run.start(of: number) }
    var end: Ticks { run.end(of: number) }

    /// Where reading goes on before other renditions are asked; nil where they are. The segment may have left the list, may be late by a moment,
    /// or may have another address in a list that is read anew.
    func placeInOwnList(of rendition: Rendition.ID, in catalog: StreamCatalog) throws(MediaError) -> SegmentPlace? {
        if run.rendition == rendition, try catalog.isGone(number, of: rendition) { return .number(number) }
        if try catalog.waitsForLate(number, of: run) { return .number(number) }
        return try catalog.hasFreshAddress(for: number, of: run, after: error) ? .border(start) : nil
    }

    /// Opens the segment of the same time from another server, or of another rendition. `open` throws where that cannot be read, either. Returns
    /// false where nothing has it.
    func isReplaced(
        for rendition: Rendition.ID, in catalog: StreamCatalog, _ open: (SegmentRun) throws(MediaError) -> Void
    ) throws(MediaError) -> Bool {
        guard !run.isSingle else { return false }
        let place = catalog.presentation.rendition(run.rendition).map { catalog.place(of: $0) } ?? 0
        let other = try catalog.replacement(
            from: start, to: end, of: rendition, StreamCatalog.Search(place), opening: open)
        if other == run.rendition { catalog.avoid(rendition) }
        return other != nil
    }

    /// Where the segment is asked for once more, after no other place had it; nil where it is given up.
    func placeOfLastTry(for rendition: Rendition.ID, in catalog: StreamCatalog) throws(MediaError) -> SegmentPlace? {
        if catalog.waits(for: rendition) { return .border(start) }
        return try catalog.asksOnceMore(for: number, of: run, after: error) ? .border(start) : nil
    }
}
