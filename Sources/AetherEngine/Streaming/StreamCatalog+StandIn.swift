import AetherCore
import AetherFormats
import AetherMedia

/// Broadcasts of which one quality stands still: its encoder has stopped, or its server has lost its list. The others go on.
extension StreamCatalog {
    /// The segment at a point behind the end of a list that is late, or has not come as far yet (`isBehind`), from another rendition of its group; nil
    /// where the list is neither, or the others have none either. The next lower bit rate comes first. Blocks. Throws `.interrupted`.
    func standIn(for id: Rendition.ID, from point: Ticks, isBehind: Bool) throws(MediaError) -> SegmentRun? {
        guard let late = playlists[id]?.refresh, isBehind || late.isLate(now: time.now()), let own = presentation.rendition(id),
            let group = presentation.periods.lazy.flatMap(\.groups).first(where: { $0.renditions.contains { $0.id == id } })
        else { return nil }
        let rate = own.peakBitRate ?? 0
        let others = group.renditions.filter { $0.id != id }.sorted { ($0.peakBitRate ?? 0) > ($1.peakBitRate ?? 0) }
        let lower = others.filter { ($0.peakBitRate ?? 0) <= rate }, higher = others.filter { ($0.peakBitRate ?? 0) > rate }
        for other in lower + higher.reversed() where failover.isOpen(other.id, now: time.now()) {
            do throws(MediaError) {
                if playlists[other.id] != nil { try catchUp(other.id) }
                if let run = Self.run(in: try segments(of: other.id), of: other.id, from: point) { return run }
            } catch {
                if error.code == .interrupted { throw error }
                Self.log.warning("\(error)")
                failover.ban(other.id, now: time.now())
            }
        }
        return nil
    }

    /// A run of the segment behind a point; nil where there is none yet. Lists are rounded differently.
    private static func run(in segments: any SegmentIndex, of id: Rendition.ID, from point: Ticks) -> SegmentRun? {
        guard let number = segments.number(beginningAt: point), let segment = segments.segment(number), !segment.isOpen,
            !segment.isGap
        else { return nil }
        return SegmentRun(id, segments, from: number, isSingle: true)
    }
}
