import AetherCore
import AetherMedia

/// Where the parts of a glued source lie in its bytes and on its axis, as far as that is known. One that was not glued is one part.
struct GluedParts {
    struct Part {
        /// Where it begins in the source's bytes.
        let place: Int64
        /// Where it begins on the axis; nil for one that only its end tells where it is.
        var begin: MediaTime?
        /// The part was played: its place on the axis does not move any more.
        var isFixed = false
    }
    private let source: any IOReader
    private(set) var parts = [Part(place: 0)]
    private(set) var present = 0
    private(set) var reader: GluedPartReader

    /// Looks for the parts where that costs little. Blocks. nil for what has no reader of ours.
    init?(_ input: MediaInput) {
        guard case .reader(let source, _) = input else { return nil }
        self.source = source
        if source.isSeekable, source.traits.seekCost == .call, let size = source.size {
            do throws(IOReaderError) {
                parts += try SpliceSearch(source, size: size).places().map { Part(place: $0) }
                try source.seek(to: 0)
            } catch {
                // Reading its packets meets the same.
                Log.module("demux").info("no search for splices: \(error)")
            }
        }
        reader = GluedPartReader(source, start: 0, end: parts.dropFirst().first?.place)
    }

    /// The number of the part that a point of the axis lies in.
    func index(at point: MediaTime) -> Int { parts.lastIndex { $0.begin.map { $0 <= point } ?? false } ?? 0 }

    /// A reader of a part from its start.
    func reader(of index: Int) throws(IOReaderError) -> GluedPartReader {
        let end = parts.indices.contains(index + 1) ? parts[index + 1].place : nil
        try source.seek(to: parts[index].place)
        return GluedPartReader(source, start: parts[index].place, end: end)
    }

    /// Lets the present reader go on after others that `reader(of:)` gave.
    func resume() throws(IOReaderError) { try reader.reclaim() }

    /// A reader of what lies behind the present part; nil where nothing does.
    func following() throws(IOReaderError) -> GluedPartReader? {
        guard let end = reader.end, present + 1 < SpliceSearch.partLimit else { return nil }
        if parts.indices.contains(present + 1) { return try reader(of: present + 1) }
        guard source.isSeekable else { return GluedPartReader(source, start: end, held: reader.beyond) }
        try source.seek(to: end)
        return GluedPartReader(source, start: end)
    }

    /// Where a part begins on the axis, as far as nothing has shown it yet.
    mutating func place(_ index: Int, at begin: MediaTime) {
        guard parts.indices.contains(index), !parts[index].isFixed else { return }
        parts[index].begin = begin
    }

    /// From now on that part is read.
    mutating func enter(_ index: Int, _ reader: GluedPartReader) {
        if index == parts.count { parts.append(Part(place: reader.start)) }
        guard parts.indices.contains(index) else { return }
        (present, self.reader) = (index, reader)
        parts[index].isFixed = true
    }
}
