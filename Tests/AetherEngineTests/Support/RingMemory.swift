import AetherCore
import Synchronization

@testable import AetherEngine

/// The bytes of a ring in memory, on a disk that has room for so many, and parts of which may not be read.
final class RingMemory: RingStorage {
    private let bytes = Mutex<[UInt8]>([])
    private let room: Int
    private let fault: RingFault
    private let damaged = Mutex<Range<Int64>?>(nil)

    /// `fault`: the disk's answer where it has no more room.
    init(room: Int = .max, fault: RingFault = .full) { (self.room, self.fault) = (room, fault) }

    var count: Int { bytes.withLock { $0.count } }

    /// From now on these bytes cannot be read.
    func damage(_ range: Range<Int64>) { damaged.withLock { $0 = range } }

    func write(_ record: [UInt8], at offset: Int64) throws(RingFault) {
        guard Int(offset) + record.count <= room else { throw fault }
        bytes.withLock { bytes in
            let end = Int(offset) + record.count
            if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(Int(offset)..<end, with: record)
        }
    }

    func read(_ count: Int, at offset: Int64) -> [UInt8]? {
        if damaged.withLock({ $0?.overlaps(offset..<offset + Int64(count)) ?? false }) { return nil }
        return bytes.withLock { Int(offset) + count <= $0.count ? Array($0[Int(offset)..<Int(offset) + count]) : nil }
    }
}
