import AetherCore
import AetherSources

/// A file that counts how often it is asked.
final class CountingReader: IOReader {
    private let file: any IOReader
    let calls = Counter()
    let isSeekable: Bool
    let traits: IOReaderTraits

    /// A reader whose bytes come from afar, unless other traits are given.
    init(_ file: any IOReader, isSeekable: Bool = true, traits: IOReaderTraits? = nil) {
        self.file = file
        self.isSeekable = isSeekable
        self.traits =
            traits
            ?? IOReaderTraits(
                isLocal: false, seekCost: isSeekable ? .roundTrip : .impossible, mayStall: true, isRepeatable: false)
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        calls.add()
        return try file.read(buffer)
    }

    func seek(to offset: Int64) throws(IOReaderError) {
        calls.add()
        guard isSeekable else { throw .notSeekable }
        try file.seek(to: offset)
    }

    var size: Int64? { isSeekable ? file.size : nil }
    func cancel() { file.cancel() }
    func resume() { file.resume() }
    func close() { file.close() }
    func makeIndependentReader() -> (any IOReader)? { nil }
}
