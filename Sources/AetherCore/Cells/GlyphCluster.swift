import Synchronization

/// Characters of several scalars (a letter and its marks) as the one number that a cell holds. Numbers are given out for the life of
/// the process, 8192 at most: languages that need them use a few hundred. When they are spent the letter is shown without its marks.
public enum GlyphCluster {
    /// Marks on one letter: Hebrew with points and accents has three.
    public static let markLimit = 4
    private static let countLimit = 8192
    /// Above every Unicode scalar.
    private static let first: UInt32 = 0x8000_0000

    private struct Table {
        var clusters: [[Unicode.Scalar]] = []
        var numbers: [[Unicode.Scalar]: UInt32] = [:]
    }
    private static let table = Mutex(Table())

    /// The glyph of a letter with marks; the letter's own value where it has none. Marks beyond the limit are left out. Any thread.
    public static func glyph(_ base: Unicode.Scalar, marks: some Collection<Unicode.Scalar>) -> UInt32 {
        if marks.isEmpty { return base.value }
        let cluster = [base] + marks.prefix(markLimit)
        return table.withLock { table in
            if let number = table.numbers[cluster] { return number }
            guard table.clusters.count < countLimit else { return base.value }
            let number = first + UInt32(table.clusters.count)
            table.clusters.append(cluster)
            table.numbers[cluster] = number
            return number
        }
    }

    /// The letter and its marks; nil for a glyph that is a scalar or nothing at all. Any thread.
    public static func scalars(of glyph: UInt32) -> [Unicode.Scalar]? {
        guard glyph >= first else { return nil }
        return table.withLock { table in
            let index = Int(glyph - first)
            return index < table.clusters.count ? table.clusters[index] : nil
        }
    }
}
