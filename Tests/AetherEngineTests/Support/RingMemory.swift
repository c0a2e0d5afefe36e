import AetherCore
import Synchronization

@testable import AetherEngine

/// The bytes of a ring in memory, on a disk that has room for so many.
final class RingMemory: RingStorage {
    private let bytes = Mutex<[UInt8]>([])
    private let room: Int

    init(room: Int = .max) { self.room = room }

    var count: Int { bytes.withLock { $0.count } }

    func write(_ record: [UInt8], at offset: Int64) throws(RingFault) {
        guard Int(offset) + record.count <= room else { throw .full }
        bytes.withLock { bytes in
            let end = Int(offset) + record.count
            if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(Int(offset)..<end, with: record)
        }
    }

    func read(_ count: Int, at offset: Int64) -> [UInt8]? {
        bytes.withLock { Int(offset) + count <= $0.count ? Array($0[Int(offset)..<Int(offset) + count]) : nil }
    }
}
