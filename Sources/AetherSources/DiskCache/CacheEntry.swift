import AetherCore
import Glibc
import Synchronization

/// A file of a web server as far as it is held on disk: its bytes at their places in one file with holes, and its index in another. Several
/// readers and several programs may use one at the same time: blocks with one number are equal, whichever program wrote them. A block counts from
/// the moment at which its record is appended, and only if its bytes fit the sum: what a crash or a failing disk has spoilt is asked for again.
/// Reading and storing block as the file system does.
final class CacheEntry: Sendable {
    private struct State {
        var index: CacheIndex
        /// Bytes that may be written before the directory is looked through again.
        var allowance: Int64 = 0
        /// Nothing is written any more: the disk or the cache is full, or the files were removed.
        var isClosed = false
    }

    let size: Int64
    let validator: String
    /// The name of its files without their endings.
    let stem: String
    private let directory: CacheDirectory
    private let data: Int32
    private let index: Int32
    private let state: Mutex<State>

    /// Takes over the descriptors.
    init(_ index: CacheIndex, stem: String, in directory: CacheDirectory, data: Int32, log: Int32) {
        (size, validator, self.stem, self.directory) = (index.size, index.validator, stem, directory)
        (self.data, self.index) = (data, log)
        state = Mutex(State(index: index))
    }

    deinit {
        close(data)
        close(index)
    }

    /// The bytes of a block, where it is held and whole. One that is damaged is held no longer.
    func block(_ number: UInt32) -> [UInt8]? {
        let (sum, count) = state.withLock { ($0.index.sums[number], $0.index.byteCount(of: number)) }
        guard let sum, count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let isWhole = bytes.withUnsafeMutableBytes { room -> Bool in
            var done = 0
            while done < room.count {
                let place = off_t(number) * off_t(CacheIndex.blockSize) + off_t(done)
                let count = pread(data, room.baseAddress.map { $0 + done }, room.count - done, place)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return CacheIndex.sum(UnsafeRawBufferPointer(room)) == sum
        }
        guard isWhole else {
            state.withLock { $0.index.sums[number] = nil }
            return nil
        }
        return bytes
    }

    /// Keeps a block. Without room, or where it is held already, nothing happens.
    func store(_ number: UInt32, _ bytes: UnsafeRawBufferPointer) {
        let (isWanted, allowance) = state.withLock { state in
            let isNew = !state.isClosed && state.index.sums[number] == nil && state.index.byteCount(of: number) == bytes.count
            return (isNew, state.allowance)
        }
        guard isWanted, allowance >= Int64(bytes.count) || hasRoom(for: Int64(bytes.count)) else { return }
        let sum = CacheIndex.sum(bytes)
        let record = CacheIndex.record(of: number, sum: sum)
        // Bytes first: a record without them would have to be found out. Records are appended whole.
        guard write(bytes, at: off_t(number) * off_t(CacheIndex.blockSize)),
            record.withUnsafeBytes({ Glibc.write(index, $0.baseAddress, $0.count) }) == record.count
        else {
            state.withLock { $0.isClosed = true }
            return
        }
        state.withLock {
            $0.index.sums[number] = sum
            $0.allowance -= Int64(bytes.count)
        }
    }

    /// Its files are of no use to anybody: the server has another file now.
    func discard() {
        state.withLock { $0.isClosed = true }
        directory.remove(stem)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: off_t) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = pwrite(data, bytes.baseAddress.map { $0 + done }, bytes.count - done, offset + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private func hasRoom(for count: Int64) -> Bool {
        var status = stat()
        // A removed file is not counted any more, and its index may not grow without bound.
        guard fstat(index, &status) == 0, status.st_nlink > 0, Int64(status.st_size) < CacheIndex.byteLimit(size) else {
            state.withLock { $0.isClosed = true }
            return false
        }
        switch directory.trimmed(sparing: stem) {
        case .room(let room) where room >= count:
            state.withLock { $0.allowance = room }
            return true
        case .room:
            state.withLock { $0.isClosed = true }
            return false
        case .busy: return false
        }
    }
}
