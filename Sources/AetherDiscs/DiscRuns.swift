import AetherCore

/// Bytes of a file in runs of a reader.
struct DiscRuns: Sendable {
    struct Run: Sendable, Equatable {
        /// Where it begins in the file.
        let begin: Int64
        /// Where it begins in the reader; nil: zeros.
        let offset: Int64?
        let byteCount: Int64

        var end: Int64 { begin + byteCount }
    }
    let reader: any IOReader
    let runs: [Run]
    /// Other files lie in the same reader.
    let isShared: Bool

    /// A file that is all of a reader.
    init(_ reader: any IOReader) {
        self.reader = reader
        runs = [Run(begin: 0, offset: 0, byteCount: reader.size ?? 0)]
        isShared = false
    }

    /// A file in a reader that has others, too.
    init(_ reader: any IOReader, runs: [Run]) { (self.reader, self.runs, isShared) = (reader, runs, true) }

    private init(_ reader: any IOReader, like other: DiscRuns) {
        (self.reader, runs, isShared) = (reader, other.runs, other.isShared)
    }

    var byteCount: Int64 { runs.last?.end ?? 0 }

    /// Reads from an offset of the file on, as far as its run goes; 0 at the end. Blocks.
    func read(at offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        guard let run = run(at: offset), offset >= 0 else { return 0 }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: run.end - offset)))
        guard let start = run.offset else {
            for index in wanted.indices { wanted[index] = 0 }
            return wanted.count
        }
        try reader.seek(to: start + offset - run.begin)
        return try reader.read(wanted)
    }

    private func run(at offset: Int64) -> Run? {
        var low = 0, high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].end <= offset { low = middle + 1 } else { high = middle }
        }
        return low < runs.count ? runs[low] : nil
    }

    /// As many bytes from an offset on, fewer at the end. Blocks.
    func bytes(at offset: Int64, limit: Int) throws(IOReaderError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(limit, Int(clamping: max(0, byteCount - offset)))), filled = 0
        while filled < bytes.count {
            var failure: IOReaderError?
            let count = bytes.withUnsafeMutableBytes { buffer -> Int in
                do throws(IOReaderError) {
                    return try read(at: offset + Int64(filled), UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }

    /// The same file over a reader of its own; nil where there can be none.
    func independent() -> DiscRuns? { reader.makeIndependentReader().map { DiscRuns($0, like: self) } }
}
