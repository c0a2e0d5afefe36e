import AetherCore
import AetherFormats
import AetherSources
import Synchronization

/// The calls that any thread may make.
extension SegmentReader {
    /// Goes about in a whole file. Throws `.notSeekable` for segments.
    func seek(to offset: Int64) throws(IOReaderError) {
        guard run.first.isWholeFile else { throw .notSeekable }
        // At its end the file was let go: it is opened once more.
        state.withLock { state in
            if state.present == nil, state.failure == nil { state.cursor.restart() }
        }
        guard let open = try present() else { throw .notSeekable }
        if open.isFresh { try begin(open) }
        try open.bytes.seek(to: offset)
        state.withLock { $0.present?.first = [] }
    }

    /// Opens a whole file, so that its size and whether one can go about in it are known. What fails here fails again where it is read. Blocks.
    func prepare() {
        guard run.first.isWholeFile else { return }
        do throws(IOReaderError) {
            guard let reader = try present()?.file.reader as? HTTPReader else { return }
            try reader.open()
            // A server that knows no parts, and a header behind the media.
            if reader.needsRereading() { reader.rereads() }
        } catch {
            Log.module("net").info("\(run.first.address.text): \(error)")
        }
    }

    private var wholeFile: (any IOReader)? {
        run.first.isWholeFile ? state.withLock { $0.present?.file.reader } : nil
    }

    var size: Int64? { wholeFile?.size }
    var isSeekable: Bool { wholeFile?.isSeekable ?? false }
    var traits: IOReaderTraits { fetch.traits }

    func cancel() {
        let reader = state.withLock { state in
            state.isCancelled = true
            return state.present?.file.reader
        }
        reader?.cancel()
        files.cancel()
    }

    func resume() {
        let reader = state.withLock { state in
            state.isCancelled = false
            return state.present?.file.reader
        }
        reader?.resume()
        files.resume()
    }

    func close() {
        let reader = state.withLock { state in
            state.isClosed = true
            return state.present?.file.reader
        }
        reader?.close()
        files.close()
    }

    /// Always nil: the rendition has independent readers.
    func makeIndependentReader() -> (any IOReader)? { nil }
}
