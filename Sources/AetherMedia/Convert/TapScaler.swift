import AetherCore

/// The geometry of a plane of bytes whose boxes touch at most three samples across and down: shrinking to no less than half, and what
/// planes of chroma are enlarged beside it.
struct TapPlan: Equatable {
    /// The sources of an output row: shares in units of 1 / 256, together 256.
    struct Row: Equatable {
        let first: Int
        let weights: (UInt16, UInt16, UInt16)

        static func == (a: Row, b: Row) -> Bool { a.first == b.first && a.weights == b.weights }
    }
    /// The sources of an output column: shares in units of 1 / 65536, together 65536 (65535 where it is one sample).
    struct Column: Equatable {
        let first: Int32
        let weights: (UInt16, UInt16, UInt16)

        static func == (a: Column, b: Column) -> Bool { a.first == b.first && a.weights == b.weights }
    }
    let rows: [Row]
    let columns: [Column]
    /// No column has a third sample.
    let arePairs: Bool

    /// nil where a box is larger, or the target narrower than a vector.
    init?(rows: [BoxSpan], columns: [BoxSpan]) {
        guard columns.count >= TapScaler.lanes, (rows + columns).allSatisfy({ $0.count <= 3 }) else { return nil }
        func weights(_ span: BoxSpan, _ whole: Int) -> (UInt16, UInt16, UInt16) {
            let head = min(whole, Int((Double(span.headShare) * Double(whole)).rounded()))
            let inner = min(whole - head, Int((Double(span.innerShare) * Double(whole)).rounded()))
            func word(_ value: Int) -> UInt16 { UInt16(min(65535, value)) }
            return switch span.count {
            case 1: (word(whole), 0, 0)
            case 2: (word(head), word(whole - head), 0)
            default: (word(head), word(inner), word(whole - head - inner))
            }
        }
        self.rows = rows.map { Row(first: $0.first, weights: weights($0, 256)) }
        self.columns = columns.map { Column(first: Int32($0.first), weights: weights($0, 65536)) }
        arePairs = columns.allSatisfy { $0.count <= 2 }
    }
}

/// Area average of a plane of bytes by a `TapPlan`. Down first, as in `BoxScaler`; then eight rows are turned so that the samples of a
/// column lie in one vector, and a vector of eight outputs takes two or three products wherever its box begins. 1.4 ms for a plane of
/// 1280×720 out of one of 1920×1080, where box after box takes 2.3 (thread time on a busy AMD EPYC, SSE2), 0.8 and 1.8 out of 960×540.
struct TapScaler {
    static let lanes = 8

    private var sums: [UInt16] = []
    private var columns: [SIMD8<UInt16>] = []

    /// Averages a plane. `stride` is in bytes and may be negative. Outputs are 256 times the mean, at most 3 / 256 of a code and half a
    /// weight's step (1 / 512 of the difference of two rows) off.
    mutating func scale(
        _ source: UnsafePointer<UInt8>, stride: Int, width: Int, plan: TapPlan, into output: UnsafeMutablePointer<UInt16>
    ) {
        for y in Swift.stride(from: 0, to: plan.rows.count, by: Self.lanes) {
            scale(source, stride: stride, width: width, plan: plan, from: y, into: output + y * plan.columns.count)
        }
    }

    /// Averages the eight rows of the target from `y` on, or what is left of it.
    mutating func scale(
        _ source: UnsafePointer<UInt8>, stride: Int, width: Int, plan: TapPlan, from y: Int,
        into output: UnsafeMutablePointer<UInt16>
    ) {
        // Vectors read up to seven samples behind a row, and two more behind the last box.
        let room = width + 2 * Self.lanes
        if sums.count < room * Self.lanes { sums = [UInt16](repeating: 0, count: room * Self.lanes) }
        if columns.count < room { columns = [SIMD8<UInt16>](repeating: SIMD8(), count: room) }
        let targetWidth = plan.columns.count, count = min(Self.lanes, plan.rows.count - y)
        sums.withUnsafeMutableBufferPointer { sums in
            columns.withUnsafeMutableBufferPointer { columns in
                plan.columns.withUnsafeBufferPointer { taps in
                    guard let sums = sums.baseAddress, let columns = columns.baseAddress, let taps = taps.baseAddress else {
                        return
                    }
                    for row in 0..<count { Self.mix(plan.rows[y + row], source, stride, width, into: sums + row * room) }
                    Self.turn(sums, room, width, into: columns)
                    if plan.arePairs {
                        Self.reduce(columns, taps, targetWidth, count, isPair: true, into: output)
                    } else {
                        Self.reduce(columns, taps, targetWidth, count, isPair: false, into: output)
                    }
                }
            }
        }
    }

    /// The mean of up to three rows, times 256.
    private static func mix(
        _ row: TapPlan.Row, _ source: UnsafePointer<UInt8>, _ stride: Int, _ width: Int, into sums: UnsafeMutablePointer<UInt16>
    ) {
        let a = source + row.first * stride, (wa, wb, wc) = row.weights
        @inline(__always) func word(_ byte: UInt8) -> UInt16 { UInt16(truncatingIfNeeded: byte) }
        if wb == 0 {
            for x in 0..<width { sums[x] = word(a[x]) &* wa }
        } else if wc == 0 {
            let b = a + stride
            for x in 0..<width { sums[x] = word(a[x]) &* wa &+ word(b[x]) &* wb }
        } else {
            let b = a + stride, c = b + stride
            for x in 0..<width { sums[x] = word(a[x]) &* wa &+ word(b[x]) &* wb &+ word(c[x]) &* wc }
        }
    }

    /// Eight rows to vectors of one column each.
    private static func turn(
        _ rows: UnsafePointer<UInt16>, _ room: Int, _ width: Int, into columns: UnsafeMutablePointer<SIMD8<UInt16>>
    ) {
        for x in Swift.stride(from: 0, to: width, by: lanes) {
            @inline(__always) func row(_ index: Int) -> SIMD8<UInt16> { LaneBlock.load(rows + (index &* room &+ x)) }
            let block = LaneBlock(r0: row(0), r1: row(1), r2: row(2), r3: row(3), r4: row(4), r5: row(5), r6: row(6), r7: row(7))
                .transposed()
            let place = columns + x
            (place[0], place[1], place[2], place[3]) = (block.r0, block.r1, block.r2, block.r3)
            (place[4], place[5], place[6], place[7]) = (block.r4, block.r5, block.r6, block.r7)
        }
    }

    /// Columns to rows of the target. The last vector begins early where the width is no multiple of eight.
    @inline(__always) private static func reduce(
        _ columns: UnsafePointer<SIMD8<UInt16>>, _ taps: UnsafePointer<TapPlan.Column>, _ width: Int, _ count: Int, isPair: Bool,
        into output: UnsafeMutablePointer<UInt16>
    ) {
        @inline(__always) func mean(_ x: Int) -> SIMD8<UInt16> {
            let tap = taps[x], at = columns + Int(tap.first)
            // Each product loses half a unit on average, and one share of 65535 a whole one.
            let pair =
                LaneBlock.share(at[0], SIMD8(repeating: tap.weights.0))
                &+ LaneBlock.share(at[1], SIMD8(repeating: tap.weights.1)) &+ SIMD8(repeating: 1)
            return isPair ? pair : pair &+ LaneBlock.share(at[2], SIMD8(repeating: tap.weights.2))
        }
        var next = 0
        while next < width {
            let x = min(next, width - lanes)
            let block = LaneBlock(
                r0: mean(x), r1: mean(x + 1), r2: mean(x + 2), r3: mean(x + 3), r4: mean(x + 4), r5: mean(x + 5), r6: mean(x + 6),
                r7: mean(x + 7)
            ).transposed()
            let line = output + x
            LaneBlock.store(block.r0, line)
            if count == lanes {
                LaneBlock.store(block.r1, line + width)
                LaneBlock.store(block.r2, line + 2 * width)
                LaneBlock.store(block.r3, line + 3 * width)
                LaneBlock.store(block.r4, line + 4 * width)
                LaneBlock.store(block.r5, line + 5 * width)
                LaneBlock.store(block.r6, line + 6 * width)
                LaneBlock.store(block.r7, line + 7 * width)
            } else {
                if count > 1 { LaneBlock.store(block.r1, line + width) }
                if count > 2 { LaneBlock.store(block.r2, line + 2 * width) }
                if count > 3 { LaneBlock.store(block.r3, line + 3 * width) }
                if count > 4 { LaneBlock.store(block.r4, line + 4 * width) }
                if count > 5 { LaneBlock.store(block.r5, line + 5 * width) }
                if count > 6 { LaneBlock.store(block.r6, line + 6 * width) }
            }
            next += lanes
        }
    }
}
