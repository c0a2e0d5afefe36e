/// A drive with a compact disc in it, or what stands for one. All calls block; one thread.
package protocol SectorDrive: ~Copyable {
    /// The disc's table; nil where it has none that can be read.
    func table() -> DriveTable?
    /// Reads sectors of one kind, `DriveSector.size` bytes each. False where one of them cannot be read.
    func read(_ kind: DriveTable.Kind, from sector: Int, count: Int, _ room: UnsafeMutableRawBufferPointer) -> Bool
    /// Whether there is a disc in it.
    func holdsDisc() -> Bool
    /// Whether there may be another disc in it than at the last question.
    func mayHaveChanged() -> Bool
}

/// The reading of sectors off a disc that may be scratched: what cannot be read is silence.
package struct SectorSalvage: Sendable {
    /// Sectors that are asked of the drive at once: it takes 25 at most, a third of a second.
    package static let block = 25
    /// Sectors of a block with a scratch that are tried one by one before the rest is left out: each may take a drive seconds.
    private static let tries = 4
    /// Sectors behind one another without which there is nothing to hear any more: ten seconds.
    private static let limit = 750
    /// Sectors that could not be read since the last one that could.
    private var inARow = 0
    /// Blocks behind one another in which nothing could be read: in each further one less is tried.
    private var barren = 0

    package init() {}

    /// Fills the room with sectors. Returns the number of those that could not be read. Throws where there is no disc any more, or too much of it
    /// cannot be read.
    package mutating func fill<Drive: SectorDrive & ~Copyable>(
        _ room: UnsafeMutableRawBufferPointer, from sector: Int, of table: DriveTable, _ drive: borrowing Drive
    ) throws(DriveRefusal) -> Int {
        let count = room.count / DriveSector.size
        var done = 0, lost = 0
        room.initializeMemory(as: UInt8.self, repeating: 0)
        while done < count {
            let stretch = table.stretch(at: sector + done)
            let wanted = min(Self.block, count - done, stretch.end - sector - done)
            // Between the tracks, and in files, there is nothing that is played.
            if let kind = stretch.kind, kind != .files {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: room[(done * DriveSector.size)..<((done + wanted) * DriveSector.size)])
                lost += try block(rest, kind, from: sector + done, drive)
            }
            done += wanted
        }
        return lost
    }

    private mutating func block<Drive: SectorDrive & ~Copyable>(
        _ room: UnsafeMutableRawBufferPointer, _ kind: DriveTable.Kind, from sector: Int, _ drive: borrowing Drive
    ) throws(DriveRefusal) -> Int {
        let count = room.count / DriveSector.size
        if drive.read(kind, from: sector, count: count, room) {
            (inARow, barren) = (0, 0)
            return 0
        }
        guard drive.holdsDisc() else { throw .changed }
        var lost = 0, failed = 0
        let tries = max(1, Self.tries >> barren)
        for index in 0..<count {
            let one = UnsafeMutableRawBufferPointer(
                rebasing: room[(index * DriveSector.size)..<((index + 1) * DriveSector.size)])
            if failed < tries, drive.read(kind, from: sector + index, count: 1, one) {
                (inARow, failed) = (0, 0)
                continue
            }
            one.initializeMemory(as: UInt8.self, repeating: 0)
            (lost, inARow, failed) = (lost + 1, inARow + 1, failed + 1)
        }
        barren = lost == count ? min(barren + 1, 8) : 0
        guard inARow < Self.limit else { throw drive.holdsDisc() ? .unreadable : .changed }
        return lost
    }
}
