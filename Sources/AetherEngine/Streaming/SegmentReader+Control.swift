import AetherCore
import Synchronization

/// The calls that any thread may make.
extension SegmentReader {
    func seek(to offset: Int64) throws(IOReaderError) { throw .notSeekable }
    var size: Int64? { nil }
    var isSeekable: Bool { false }
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
