import AetherSources
import Synchronization

/// A drive whose disc is written by hand: each sector has its own number in all of its bytes' places, some cannot be read.
final class ScriptedDrive: SectorDrive, Sendable {
    /// The disc in it, and what has been asked.
    struct State: Sendable {
        var table: DriveTable?
        var scratched: Set<Int> = []
        var isThere = true
        var hasChanged = false
        var asked: [Range<Int>] = []
    }
    let state: Mutex<State>

    init(_ table: DriveTable?, scratched: Set<Int> = []) { state = Mutex(State(table: table, scratched: scratched)) }

    /// The bytes of a sector.
    static func bytes(_ sector: Int) -> [UInt8] {
        (0..<DriveSector.size).map { UInt8(truncatingIfNeeded: (sector + 1) * 31 + $0 / 8) | 1 }
    }

    func table() -> DriveTable? { state.withLock { $0.table } }

    func read(_ kind: DriveTable.Kind, from sector: Int, count: Int, _ room: UnsafeMutableRawBufferPointer) -> Bool {
        let isWhole = state.withLock { state -> Bool in
            state.asked.append(sector..<(sector + count))
            return state.isThere && state.scratched.isDisjoint(with: sector..<(sector + count))
        }
        guard isWhole else { return false }
        for index in 0..<count {
            UnsafeMutableRawBufferPointer(rebasing: room[(index * DriveSector.size)...]).copyBytes(
                from: Self.bytes(sector + index))
        }
        return true
    }

    func holdsDisc() -> Bool { state.withLock { $0.isThere } }

    func mayHaveChanged() -> Bool {
        state.withLock { state in
            defer { state.hasChanged = false }
            return state.hasChanged
        }
    }
}
