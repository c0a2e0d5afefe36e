import AetherCore

/// The part of one source axis that a target sample covers: whole samples between two partly covered ones.
struct BoxSpan: Equatable {
    /// The first sample touched.
    var first: Int
    /// Samples touched, at least 1.
    var count: Int
    /// Weights of the first and, where count > 1, the last sample, in units of 1 / 2^bits.
    var head, tail: UInt32
    /// Sum of all weights.
    var total: UInt32
    /// Shares of the first, the last and each sample between in the mean: divisions done once per plan.
    var headShare, tailShare, innerShare: Float

    init(first: Int, count: Int, head: UInt32, tail: UInt32, total: UInt32, unit: Int) {
        self.first = first
        self.count = count
        self.head = head
        self.tail = tail
        self.total = total
        headShare = Float(head) / Float(total)
        tailShare = Float(tail) / Float(total)
        innerShare = Float(unit) / Float(total)
    }
}

/// The division of an axis of `extent` source samples among `target` equal boxes. The borders are rounded to 1 / 2^bits of a
/// sample, and neighbours share them, so no light is lost or counted twice.
struct BoxAxis: Equatable {
    let bits: Int
    let spans: [BoxSpan]

    /// `offset` moves the boxes along the axis: chroma samples that sit left of the middle of their pixels lie later by it.
    /// Needs samples >= 1, target >= 1 and extent / target >= 0.5.
    init(samples: Int, extent: Double, target: Int, offset: Double, bits: Int) {
        self.bits = bits
        let unit = 1 << bits
        let end = samples << bits
        func border(_ index: Int) -> Int {
            let place = (Double(index) * extent / Double(target) + offset) * Double(unit)
            return max(0, min(end, Int(place.rounded())))
        }
        var spans: [BoxSpan] = []
        spans.reserveCapacity(target)
        var lower = border(0)
        for index in 0..<target {
            let upper = border(index + 1)
            // A box pushed out of the plane by the offset takes the last sample.
            let from = min(lower, end - 1)
            let to = max(upper, from + 1)
            let first = from >> bits
            let last = (to - 1) >> bits
            let head = last == first ? to - from : unit - (from & (unit - 1))
            let tail = last == first ? 0 : to - (last << bits)
            spans.append(
                BoxSpan(
                    first: first, count: last - first + 1, head: UInt32(head), tail: UInt32(tail), total: UInt32(to - from),
                    unit: unit))
            lower = upper
        }
        self.spans = spans
    }

    /// The finest border precision (at most 1/256 sample) at which sums of `peak` over a box stay below `limit`; nil when none does.
    static func bits(peak: Int, extent: Double, target: Int, limit: Int) -> Int? {
        let widest = extent / Double(target) + 1
        for bits in stride(from: 8, through: 0, by: -1) where Double(peak) * widest * Double(1 << bits) <= Double(limit) {
            return bits
        }
        return nil
    }
}
