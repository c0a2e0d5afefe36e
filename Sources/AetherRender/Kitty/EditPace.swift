/// The part of an image that an edit changes.
struct EditBound {
    /// Pixels with larger errors are sent.
    var level: Int
    /// So many pixels with just that error are sent too.
    var quota = 0
    /// The rest that does not fit is left at the bottom, instead of small errors everywhere: dense rows compress twice as well as single
    /// pixels, and nothing in them is seen to be wrong.
    var isSteady = false
}

/// Pixels of one row of an edit.
struct SentPixels {
    /// All that are sent: also the pixels between that fill short gaps.
    var all = 0
    /// The pixels whose own error asked for it.
    var asked = 0
}

/// Keeps an edit within its bytes while it is drawn from top to bottom. What pixels cost is only known afterwards: where they turn
/// out dearer than reckoned, the threshold rises, so that the worst errors are sent down to the last row. A stale edge is
/// seen more than a soft one.
struct EditPace {
    private let histogram: [Int]
    private let limit: Int
    private let isSteady: Bool
    /// Pixels with larger errors are sent.
    private(set) var level: Int
    /// So many pixels with just that error are sent too.
    var quota: Int
    /// Pixels that were reckoned with at the present level, from here on.
    private var planned: Double
    private var sent = 0
    /// Bytes that wait inside zlib at worst.
    private var waiting = 0
    private var rows = 0

    init(histogram: [Int], bound: EditBound, limit: Int) {
        self.histogram = histogram
        self.limit = limit
        isSteady = bound.isSteady
        level = bound.level
        quota = bound.quota
        planned = Double(histogram[min(256, bound.level + 1)...].reduce(0, +) + bound.quota)
    }

    /// The pixels of the next row that may still be sent: four bytes each at worst, and a few for the row.
    mutating func pixels(ofAtMost width: Int, _ stream: inout PNGStream) -> Int {
        guard limit < Int.max else { return width }
        rows += 1
        if stream.byteCount + waiting + width * 4 + 32 > limit && waiting > 64 || waiting > limit / 8 {
            stream.settle()
            waiting = 0
        }
        if !isSteady, waiting == 0, sent > 0 { adjust(Double(stream.byteCount)) }
        return min(width, max(0, limit - stream.byteCount - waiting - 32) / 4)
    }

    mutating func add(_ pixels: SentPixels) {
        waiting += pixels.all * 4 + 16
        sent += pixels.asked
        planned = max(0, planned - Double(pixels.asked))
    }

    /// Raises the level when what is left will not do. A twentieth stays in reserve.
    private mutating func adjust(_ spent: Double) {
        let cost = spent / Double(sent), left = Double(limit) * 0.95 - spent
        guard planned * cost > left else { return }
        let present = Double(max(1, histogram[min(256, level + 1)...].reduce(0, +) + quota))
        let share = max(0, left) / (planned * cost)
        var over = 0, next = 255
        while next > level, Double(over + histogram[next]) <= present * share {
            over += histogram[next]
            next -= 1
        }
        if next > level {
            planned *= Double(over) / present
            quota = 0
        } else {
            planned *= share
            quota = Int(Double(quota) * share)
        }
        level = next
    }
}
