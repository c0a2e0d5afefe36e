import AetherCore
import Glibc

/// A part of another reader's bytes, as a source of its own.
final class PartReader: IOReader {
    private let base: any IOReader
    private let start: Int64
    private let end: Int64?
    private let position = Monitor(Int64(0))

    /// The bytes from `start` on, up to `end` or the source's own. Throws where the source cannot go there.
    init(_ base: any IOReader, from start: Int64, to end: Int64?) throws(IOReaderError) {
        (self.base, self.start, self.end) = (base, start, end)
        if start > 0 { try base.seek(to: start) }
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        var room = buffer.count
        if let end { room = Int(min(Int64(room), max(0, end - start - position.read { $0 }))) }
        guard room > 0 else { return 0 }
        let count = try base.read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
        position.update { $0 += Int64(count) }
        return count
    }

    func seek(to offset: Int64) throws(IOReaderError) {
        guard offset >= 0 else { throw .posix(EINVAL) }
        try base.seek(to: start + offset)
        position.update { $0 = offset }
    }

    var size: Int64? { (end ?? base.size).map { max(0, $0 - start) } }
    var isSeekable: Bool { base.isSeekable }
    var traits: IOReaderTraits { base.traits }
    func cancel() { base.cancel() }
    func resume() { base.resume() }
    func close() { base.close() }
    func makeIndependentReader() -> (any IOReader)? { nil }
}
