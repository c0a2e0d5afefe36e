import AetherCore
import AetherFormats

/// The clocks of a title as its units tell them: each stretch by its first and its last one. Where these are unreadable, because the disc is damaged or
/// its image breaks off, the units between them are looked at.
struct TitleClocks {
    let cells: [DiscCell]
    let map: SectorMap
    /// Where units begin along the title, ascending.
    let units: [Int]
    /// The navigation of the unit at a sector of the title set; nil where none can be read. Blocks.
    let pack: (Int) throws(DiscError) -> NavigationPack?

    /// Units that are looked at for the first readable one of a stretch.
    private static let attempts = 16

    /// The clocks, and whether all were told by the units that should tell them: nil where no unit is readable. What follows the last readable unit
    /// is left out. Blocks.
    func timeline() throws(DiscError) -> (timeline: DiscTimeline, isWhole: Bool)? {
        var timeline = DiscTimeline(), isWhole = true
        // Stretches of which nothing is readable, and their lengths by the disc's word: they count where a readable one follows.
        var unread: [(places: Range<Int>, ticks: Int64)] = []
        let starts = DiscTimeline.beginnings(cells)
        for (order, first) in starts.enumerated() {
            let next = order + 1 < starts.count ? starts[order + 1] : cells.count
            let places = map.cellPlaces[first]..<(next < cells.count ? map.cellPlaces[next] : map.count)
            let begin = try pack(cells[first].extents[0].lowerBound), end = try pack(cells[next - 1].lastUnit)
            isWhole = isWhole && begin != nil && end != nil
            let length = cells[first..<next].reduce(TimeSpan.zero) { $0 + $1.duration }
            let ticks = max(0, TimeBase(1, 90_000).ticks(at: .zero + length))
            guard let clock = try clock(of: places, begin, end, length: ticks) else {
                unread.append((places, ticks))
                continue
            }
            for stretch in unread { timeline.append(places: stretch.places, clock: 0..<stretch.ticks) }
            unread = []
            timeline.append(places: places, clock: clock)
        }
        return timeline.stretches.isEmpty && !cells.isEmpty ? nil : (timeline, isWhole)
    }

    /// The times of a stretch from its first to its last readable unit, of which one or both are known; `length`: by the disc's word, for one whose
    /// beginning is unreadable. nil where nothing is readable.
    private func clock(
        of places: Range<Int>, _ begin: NavigationPack?, _ end: NavigationPack?, length: Int64
    ) throws(DiscError) -> Range<Int64>? {
        if let begin, let end { return DiscTimeline.clock(from: begin, to: end) }
        let own = units.filter { places.contains($0) }
        var first = 0, begin = begin
        while begin == nil, first < min(own.count, Self.attempts) {
            begin = try unit(own[first])
            if begin == nil { first += 1 }
        }
        guard let begin else { return end.map { min($0.start, max(0, $0.end - length))..<$0.end } }
        if let end { return DiscTimeline.clock(from: begin, to: end) }
        // What was copied lies before what was not: a look at a dozen of thousands of units.
        var low = first, high = own.count, last = begin
        while high - low > 1 {
            let middle = (low + high) / 2
            let found = try DiscTimeline.readable(from: middle, below: high) { index throws(DiscError) in try unit(own[index]) }
            if let found { (low, last) = found } else { high = middle }
        }
        return DiscTimeline.clock(from: begin, to: last)
    }

    private func unit(_ place: Int) throws(DiscError) -> NavigationPack? {
        guard let sector = map.sectors(at: place)?.lowerBound else { return nil }
        return try pack(sector)
    }
}
