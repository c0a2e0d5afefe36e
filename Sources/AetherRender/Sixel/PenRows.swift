/// Chooses the pens of up to three rows of a band at once, each two chunks behind the one above it, whose pens and errors it needs.
///
/// A pixel waits for the pen of the one to its left, 30 cycles long, in which a core has the time for three: rows one by one take
/// twice as long.
struct PenRows {
    /// Rows at once.
    static let most = 3
    /// Chunks that a row stays behind the one above: its last pixel wants the error right of the one above it.
    private static let behind = 2

    /// Chooses one to three rows from the upper one on; returns their squared errors.
    static func choose(_ count: Int, _ tables: PenTables, _ row: (Int) -> PenRow) -> SIMD3<Float> {
        var sums = SIMD3<Float>()
        if count == most {
            var (first, second, third) = (row(0), row(1), row(2))
            choose(&first, &second, &third, tables)
            return SIMD3(first.error, second.error, third.error)
        }
        for slot in 0..<count {
            var row = row(slot)
            for chunk in 0..<chunks(row) where row.begin(chunk, tables) { row.finish(chunk * PenRow.chunk, tables) }
            sums[slot] = row.error
        }
        return sums
    }

    private static func choose(_ first: inout PenRow, _ second: inout PenRow, _ third: inout PenRow, _ tables: PenTables) {
        let chunks = chunks(first), whole = first.width / PenRow.chunk
        var (a, b, c) = (first, second, third)
        for step in 0..<chunks + 2 * behind {
            let place = step * PenRow.chunk, lag = behind * PenRow.chunk
            let isFirst = step < chunks && a.begin(step, tables)
            let isSecond = step >= behind && step - behind < chunks && b.begin(step - behind, tables)
            let isThird = step >= 2 * behind && c.begin(step - 2 * behind, tables)
            if isFirst && isSecond && isThird && step < whole {
                for x in place..<place + PenRow.chunk {
                    a.choose(x, tables)
                    b.choose(x - lag, tables)
                    c.choose(x - 2 * lag, tables)
                }
            } else {
                if isFirst { a.finish(place, tables) }
                if isSecond { b.finish(place - lag, tables) }
                if isThird { c.finish(place - 2 * lag, tables) }
            }
        }
        (first, second, third) = (a, b, c)
    }

    private static func chunks(_ row: PenRow) -> Int { (row.width + PenRow.chunk - 1) / PenRow.chunk }
}
