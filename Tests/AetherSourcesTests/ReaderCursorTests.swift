import AetherCore
import Glibc
import Testing

@testable import AetherSources

@Suite("Reader cursor")
struct ReaderCursorTests {
    /// Reads `count` bytes, where the bytes behind the leading ones are their own offsets.
    private func read(
        _ cursor: borrowing ReaderCursor, _ count: Int, leading: [UInt8] = [], failure: IOReaderError? = nil, closes: Bool = false
    ) throws(IOReaderError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        let given = try cursor.read(buffer, leading: leading) { offset throws(IOReaderError) in
            if let failure { throw failure }
            if closes { cursor.close() }
            for index in 0..<count { buffer[index] = UInt8(truncatingIfNeeded: offset + Int64(index)) }
            return count
        }
        return Array(buffer.prefix(given))
    }

    @Test("Leading bytes come first, and a read ends with them; then the offsets of the body begin at 0")
    func leading() throws {
        let cursor = ReaderCursor(), leading: [UInt8] = [90, 91, 92]
        #expect(try read(cursor, 2, leading: leading) == [90, 91])
        #expect(try read(cursor, 2, leading: leading) == [92])
        #expect(try read(cursor, 2, leading: leading) == [0, 1])
        #expect(try read(cursor, 2, leading: leading) == [2, 3])
        try cursor.move(to: 4)
        #expect(try read(cursor, 2, leading: leading) == [1, 2])
    }

    @Test("A read that throws leaves the position where it was")
    func failure() throws {
        let cursor = ReaderCursor()
        try cursor.move(to: 5)
        #expect(throws: IOReaderError.timedOut) { try read(cursor, 1, failure: .timedOut) }
        #expect(try read(cursor, 1) == [5])
    }

    @Test("A cancelled cursor reads again after `resume`, at the same place")
    func cancelled() throws {
        let cursor = ReaderCursor()
        #expect(try read(cursor, 3) == [0, 1, 2])
        cursor.cancel()
        #expect(throws: IOReaderError.cancelled) { try read(cursor, 1) }
        try cursor.move(to: 1)
        cursor.resume()
        #expect(try read(cursor, 1) == [1])
    }

    @Test("A closed cursor neither reads nor moves, also when a read ends after `close`")
    func closed() throws {
        let cursor = ReaderCursor()
        #expect(try read(cursor, 4, closes: true).count == 4)
        #expect(throws: IOReaderError.closed) { try read(cursor, 1) }
        #expect(throws: IOReaderError.closed) { try cursor.move(to: 0) }
        #expect(throws: IOReaderError.posix(EINVAL)) { try cursor.move(to: -1) }
    }
}
