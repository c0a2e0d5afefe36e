import AetherCore

/// A reader that only reads on, and gives each byte to a tap as well. For one thread, as every reader.
final class TappedReader: IOReader {
    private let reader: any IOReader
    private let tap: ByteTap

    /// nil for a reader that can go back: its bytes come in any order.
    init?(_ reader: any IOReader, tap: ByteTap) {
        guard !reader.isSeekable, !reader.isGrowing else { return nil }
        (self.reader, self.tap) = (reader, tap)
        tap.isFed()
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        let count = try reader.read(buffer)
        if count > 0 { tap.take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])) }
        return count
    }

    func seek(to offset: Int64) throws(IOReaderError) { try reader.seek(to: offset) }
    var size: Int64? { reader.size }
    var isSeekable: Bool { false }
    var traits: IOReaderTraits { reader.traits }
    func cancel() { reader.cancel() }
    func resume() { reader.resume() }
    func close() { reader.close() }
    func makeIndependentReader() -> (any IOReader)? { reader.makeIndependentReader() }
}
