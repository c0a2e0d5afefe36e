import AetherCore
import Synchronization

/// The bytes of a ring in memory, where no file can be had.
final class RingBytes: RingStorage {
    private let bytes = Mutex<[UInt8]>([])

    func write(_ record: [UInt8], at offset: Int64) throws(RingFault) {
        bytes.withLock { bytes in
            let start = Int(offset), end = start + record.count
            if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(start..<end, with: record)
        }
    }

    func read(_ count: Int, at offset: Int64) -> [UInt8]? {
        bytes.withLock { Int(offset) + count <= $0.count ? Array($0[Int(offset)..<Int(offset) + count]) : nil }
    }
}
