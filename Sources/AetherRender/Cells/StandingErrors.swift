import AetherCore

/// For how many frames each video cell has been shown otherwise than it is wanted, though it stands still.
///
/// λ leaves small errors alone, and what moves somewhere keeps it from falling to 0. So a cell that stands is drawn exactly when the
/// turn of its row comes: rows have different turns, for after a cut a whole screen would else come at once (130 KB at 120×40 cells).
/// A value of the thread that encodes; allocates with the size alone.
struct StandingErrors {
    /// Frames in a row, by cell.
    private(set) var ages: [UInt8] = []
    /// The errors of the last encoding: 1 where a cell is shown otherwise than wanted.
    private var misses: [UInt8] = []
    /// The cells that were wanted with the frame before.
    private var wanted: [Cell] = []

    /// No cell stands.
    mutating func reset(count: Int) {
        ages = [UInt8](repeating: 0, count: count)
        misses = ages
        wanted = [Cell](repeating: Cell(), count: count)
    }

    /// Lends ages and misses to an encoding.
    mutating func withRows(_ body: (_ ages: UnsafePointer<UInt8>, _ misses: UnsafeMutablePointer<UInt8>) -> Void) {
        ages.withUnsafeBufferPointer { ages in
            misses.withUnsafeMutableBufferPointer { misses in
                guard let ages = ages.baseAddress, let misses = misses.baseAddress else { return }
                body(ages, misses)
            }
        }
    }

    /// These cells were not encoded for want of room.
    mutating func leave(_ cells: Range<Int>) {
        for index in cells { misses[index] = 1 }
    }

    /// A frame was encoded. A cell that is wanted otherwise than in the frame before is new, unless so little moves (`isQuiet`) that
    /// every cell is to be exact now and then: the codec's noise moves cells that stand by a level or two.
    mutating func advance(_ next: borrowing CellGrid, isQuiet: Bool) {
        next.cells.withUnsafeBufferPointer { next in
            wanted.withUnsafeMutableBufferPointer { wanted in
                ages.withUnsafeMutableBufferPointer { ages in
                    misses.withUnsafeBufferPointer { misses in
                        for index in 0..<min(next.count, ages.count) {
                            let stands = isQuiet || next[index] == wanted[index]
                            wanted[index] = next[index]
                            ages[index] = misses[index] != 0 && stands ? ages[index] &+ (ages[index] < 255 ? 1 : 0) : 0
                        }
                    }
                }
            }
        }
    }

    /// The age at which the cells of a row are drawn exactly, so that none is off for more than `frames` frames.
    static func turn(row: Int, within frames: Int) -> UInt8 {
        let frames = min(max(2, frames), 250)
        return UInt8(frames < 5 ? frames - 1 : 2 + row % (frames - 2))
    }
}

/// One row's part of `StandingErrors`, lent to the line that is encoded.
struct RowErrors {
    let ages: UnsafePointer<UInt8>
    let misses: UnsafeMutablePointer<UInt8>
    /// The age from which on a cell is drawn exactly; nil: λ alone decides.
    let turn: UInt8?
    /// Bytes that may still be spent on that in this frame.
    var room: Int

    /// Whether a cell has been off for long enough.
    @inline(__always) func isDue(_ column: Int) -> Bool {
        guard let turn else { return false }
        return ages[column] >= turn && room > 0
    }
}
